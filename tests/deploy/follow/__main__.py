"""`python -m tests.deploy.follow`: runs docs/deploy.md and more-machines.md, as root, and says how long that took.

The commands find the real paths of this machine, in a copy of it that is thrown away (an overlay, with process ids and
a network of its own). What a machine without systemd and without a warranty service forces is in the tables below, and
nothing else: each says why, and one that the document no longer holds is an error.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from deploy.up.machine import ROOT

DOCUMENTS: Final = [ROOT / "docs" / f"{name}.md" for name in ("deploy", "more-machines")]

FORCED: Final = {
    # The packages of Debian are on this machine already, as `.ci/run` installs them.
    "apt-get update\n": "",
    "apt-get install --yes python3-venv": "dpkg-query --show python3-venv",
    # No systemd is process 1 here: a stand-in starts what the units say (tests/deploy/follow/systemctl.py).
    "\nsystemctl ": "\n/usr/local/sbin/systemctl ",
    # The service is the sandbox on this machine, with an authority and tokens of its own.
    "WARRANTY_BASE_URL='https://service.example.com'\n": (
        "WARRANTY_BASE_URL='{base_url}'\nWARRANTY_CA_FILE=/run/service-ca.pem\n"
    ),
    "WARRANTY_PRIVATE_TOKEN='private-token'": "WARRANTY_PRIVATE_TOKEN='{private_token}'",
    "WARRANTY_PUBLIC_TOKEN='public-token'": "WARRANTY_PUBLIC_TOKEN='{public_token}'",
    # Nobody is at a terminal: the password is a line of standard input.
    "warranty accounts add admin ": "echo seven-quarries-at-dusk | warranty accounts add admin ",
}
WITHOUT_REGISTRY: Final = {
    # `--packages`: the locked packages are installed already, in the environment that runs this.
    "/opt/warranty-desk/$VERSION/bin/pip install --quiet --require-hashes --only-binary=:all: -r requirements.txt": (
        "echo /mnt/site-packages >$(echo /opt/warranty-desk/$VERSION/lib/python3*/site-packages)/packages.pth"
    )
}


@dataclass(frozen=True)
class Block:
    heading: str
    note: str
    commands: str


def blocks(*documents: Path) -> list[Block]:
    found, heading, text = [], "", "".join(document.read_text() for document in documents)
    for part in re.finditer(r"^## (?P<title>[^\n]*)$|^```sh(?P<note>[^\n]*)\n(?P<body>.*?)^```$", text, re.M | re.S):
        heading = part["title"] or heading
        if part["body"] is not None:
            found.append(Block(heading, part["note"].strip(), part["body"]))
    return found


def forced(all_blocks: list[Block], table: Mapping[str, str], values: Mapping[str, str]) -> list[Block]:
    """The blocks as they run here; raises `SystemExit` for a line of the table that no block holds."""
    for said in table:
        if not any(said in f"\n{block.commands}" for block in all_blocks):
            raise SystemExit(f"The documents no longer say: {said.strip()}")

    def here(commands: str) -> str:
        text = f"\n{commands}"
        for said, instead in table.items():
            text = text.replace(said, instead.format(**values) if "{" in instead else instead)
        return text

    return [Block(block.heading, block.note, here(block.commands)) for block in all_blocks]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.deploy.follow", description=__doc__.splitlines()[0])
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="folder of wheel and sdist (`make release`)")
    parser.add_argument("--packages", help="site-packages to use in place of the registry")
    options = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("python -m tests.deploy.follow needs root: it makes a copy of this machine.")
    if os.getpid() != 1:
        alone = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
        again = (sys.executable, "-m", "tests.deploy.follow", *sys.argv[1:])
        return subprocess.run([*alone, *again], check=False, cwd=ROOT).returncode
    folder = Path(tempfile.mkdtemp(prefix="warranty-desk-follow-", dir="/var/tmp"))
    try:
        return _follow(Machine(folder), options.dist, options.packages)
    finally:
        subprocess.run(["umount", "--recursive", "--lazy", folder / "machine", folder / "network"], check=False)
        shutil.rmtree(folder, ignore_errors=True)


class Machine:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "machine"
        for name in ("machine", "written", "work"):
            (folder / name).mkdir()
        layers = f"lowerdir=/,upperdir={folder}/written,workdir={folder}/work"
        mounts = [["-t", "overlay", "overlay", "-o", layers, str(self.root)]]
        mounts += [["--rbind", f"/{name}", f"{self.root}/{name}"] for name in ("proc", "sys", "dev")]
        mounts += [["-t", "tmpfs", "tmpfs", f"{self.root}/{name}"] for name in ("run", "tmp")]
        for words in mounts:
            subprocess.run(["mount", *words], check=True)
        (self.root / "tmp").chmod(0o1777)
        (self.root / "run" / "postgresql").mkdir(mode=0o777)
        (self.root / "run" / "postgresql").chmod(0o777)
        network = folder / "network"
        network.touch()
        subprocess.run(["unshare", f"--net={network}", "ip", "link", "set", "lo", "up"], check=True)
        self.in_its_network = ("nsenter", f"--net={network}")
        """What comes before a command that only those of the copy are to reach."""

    def shell(self, block: Block) -> list[str]:
        """The command of a block in the copy; one of the registry keeps this machine's network, for pip."""
        network = () if block.note == "registry" else self.in_its_network
        return [*network, "chroot", str(self.root), "/bin/bash", "-euo", "pipefail", "-c", block.commands]


def _follow(machine: Machine, dist: Path, packages: str | None) -> int:
    environment = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        **{name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))},
    }
    for file in (*dist.glob("*.whl"), *dist.glob("*.tar.gz")):
        shutil.copy(file, machine.root / "usr/local/src")
    stand_in = machine.root / "usr/local/sbin/systemctl"
    shutil.copyfile(Path(__file__).with_name("systemctl.py"), stand_in)
    stand_in.chmod(0o755)
    if packages:
        target = machine.root / "mnt/site-packages"
        target.mkdir()
        subprocess.run(["mount", "--bind", packages, target], check=True)
    service = _service(machine)
    shutil.copyfile(service["ca_file"], machine.root / "run/service-ca.pem")
    (machine.root / "run/service-ca.pem").chmod(0o644)
    table = FORCED | (WITHOUT_REGISTRY if packages else {})
    began, heading = time.monotonic(), ""
    for block in forced(blocks(*DOCUMENTS), table, service):
        heading_began = time.monotonic()
        if block.heading != heading:
            heading = block.heading
            sys.stdout.write(f"{heading}\n")
        if block.note.startswith("not run:"):
            sys.stdout.write(f"    {block.note}\n")
            continue
        ran = subprocess.run(
            machine.shell(block), check=False, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=1200,
        )  # fmt: skip
        first = block.commands.strip().splitlines()[0]
        sys.stdout.write(f"    {time.monotonic() - heading_began:5.1f} s  {first[:90]}\n")
        sys.stdout.flush()
        if ran.returncode:
            logs = "".join(log.read_text() for log in machine.root.glob("run/follow/*.log"))
            sys.stdout.write(f"exit status {ran.returncode}\n{ran.stdout}{ran.stderr}\n{logs[-3000:]}\n")
            return 1
    sys.stdout.write(f"Followed in {time.monotonic() - began:.0f} seconds.\n")
    return 0


def _service(machine: Machine) -> dict[str, Any]:
    command = [*machine.in_its_network, sys.executable, "-m", "sandbox", "--tokens", "account"]
    sandbox = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    access: dict[str, Any] = json.loads(sandbox.stdout.readline() if sandbox.stdout else "")
    return access


if __name__ == "__main__":
    sys.exit(main())
