"""The units of systemd and their settings, judged by its own tools; what they allow, as far as Linux alone goes."""

import errno
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page

from deploy.up.machine import ROOT
from tests.deploy.confined import system_calls
from tests.deploy.conftest import ran, sign_in_at
from tests.deploy.follow.systemctl import unquoted
from tests.deploy.root import PYTHON, Root
from tests.machine import program
from warranty.__main__ import parser
from warranty.settings import load_settings

NIGHTLY = ("backup", "history", "report")
UNITS = ("warranty-desk@8501.service", *(f"warranty-{name}.service" for name in NIGHTLY))
DEPLOY = ROOT / "deploy"
REPLICA = DEPLOY / "systemd" / "warranty-desk@.service"
HARDENING = DEPLOY / "systemd" / "warranty-.service.d" / "hardening.conf"
INSTALLED = Path("/opt/warranty-desk/current/bin/warranty-desk")


def values(unit: Path, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", unit.read_text(), flags=re.MULTILINE)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    program("systemd-analyze", package="systemd")
    units = tmp_path / "etc" / "systemd" / "system"
    shutil.copytree(DEPLOY / "systemd", units)
    for unit in (*DEPLOY.glob("*/*.service"), *DEPLOY.glob("*/*.timer")):
        shutil.copyfile(unit, units / unit.name)
    shutil.copytree("/lib/systemd/system", tmp_path / "lib" / "systemd" / "system", symlinks=True)
    command = tmp_path / INSTALLED.relative_to("/")
    command.parent.mkdir(parents=True)
    command.touch(mode=0o755)
    return tmp_path


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_exposed_at_most_as_systemd_calls_ok(machine: Path, unit: str) -> None:
    judged = ran("systemd-analyze", "security", "--offline=true", "--threshold=20", f"--root={machine}", unit)
    assert judged.returncode == 0, judged.stdout
    assert f"exposure level for {unit}: 1.1" in judged.stdout


def test_systemd_understands_every_line_of_every_unit(machine: Path) -> None:
    units = (*UNITS, *(f"warranty-{name}.timer" for name in NIGHTLY))
    verified = ran("systemd-analyze", "verify", "--man=no", f"--root={machine}", *units)
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize("name", NIGHTLY)
def test_what_runs_by_night_is_a_command_of_the_desk_and_is_enabled_by_the_document(name: str) -> None:
    (unit,) = DEPLOY.glob(f"*/warranty-{name}.service")
    (start,) = values(unit, "ExecStart")
    command, *words = shlex.split(start)
    assert command == str(INSTALLED)
    assert callable(parser(words[:1]).parse_args(words).run)
    enabled = rf"^systemctl enable --now .*\bwarranty-{name}[.]timer\b"
    assert re.search(enabled, (ROOT / "docs" / "deploy.md").read_text(), re.MULTILINE)


def test_a_replica_is_given_the_time_that_its_end_may_take_and_a_port_of_its_own_for_its_figures() -> None:
    """The pause, and the longest wait of a sending with its repeats."""
    (patience,) = values(REPLICA, "TimeoutStopSec")
    assert int(patience) >= 5 + 4 * (5 + 20)
    assert values(REPLICA, "KillMode") == ["mixed"]
    (port,) = (
        pair.partition("=")[2] for pair in values(REPLICA, "Environment") if pair.startswith("WARRANTY_METRICS_PORT=")
    )
    here = [int(port.replace("%i", replica)) for replica in ("8501", "8502")]
    sample = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    (watched,) = sample["scrape_configs"][0]["static_configs"]
    assert watched["targets"] == [f"127.0.0.1:{one}" for one in here]
    assert all(load_settings({"metrics_port": str(one)}).metrics_port == one for one in here)


@pytest.mark.parametrize("crontab", sorted(DEPLOY.glob("*/crontab")), ids=lambda path: path.parent.name)
def test_cron_runs_what_the_unit_runs_by_the_command_that_the_document_installs(crontab: Path) -> None:
    lines = [line for line in crontab.read_text().splitlines() if not line.startswith("#")]
    assert lines
    document = (ROOT / "docs" / "deploy.md").read_text()
    for line in lines:
        *_, rest = re.split(r"\s+", line, maxsplit=5)
        command, *words = shlex.split(rest.removesuffix(">/dev/null"))
        assert f" {command}\n" in document
        assert callable(parser(words[:1]).parse_args(words).run)
        assert INSTALLED.name in (DEPLOY / "systemd" / Path(command).name).read_text()


DENIED = """
import ctypes, json, mmap, os
def tried(what):
    try:
        return what() and None
    except OSError as problem:
        return problem.errno
libc = ctypes.CDLL(None, use_errno=True)
def traced():
    if libc.ptrace(0, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
print(json.dumps({
    "traced: in no set that is allowed": tried(traced),
    "given away: @privileged": tried(lambda: os.chown("/tmp", -1, -1)),
    "moved to a processor: @resources": tried(lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))),
    "code that can be written": tried(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)),
}))
"""


def test_what_the_units_filter_leaves_out_is_refused_and_would_be_done_without_it() -> None:
    program("systemd-analyze", package="systemd")
    filtered = system_calls(values(HARDENING, "SystemCallFilter"))
    assert values(HARDENING, "SystemCallErrorNumber") == ["EPERM"]
    told = []
    for confined in ({"system_calls": filtered, "no_writable_code": True}, {}):
        with Root() as root:
            root.spec |= {"command": [PYTHON, "-c", DENIED], **confined}
            assert root.start().wait() == 0, root.log
            told.append(json.loads(root.log))
    refused, done = told
    assert set(done.values()) == {None}
    assert set(refused.values()) == {errno.EPERM, errno.EACCES}
    assert refused["code that can be written"] == errno.EACCES


@pytest.mark.long
@pytest.mark.browser
def test_the_desk_works_with_no_more_than_its_unit_allows(page: Page) -> None:
    """As another user, without writable code, in a read-only root with /proc of its own, by the calls of the filter."""
    program("systemd-analyze", package="systemd")
    with Root() as root:
        command = root.path / INSTALLED.relative_to("/")
        command.parent.mkdir(parents=True)
        shutil.copyfile(ROOT / "launch.py", command.parent / "launch.py")
        (folder,) = values(REPLICA, "WorkingDirectory")
        root.keeps(folder)
        for part in ("app.py", "components", "pages", "sandbox", "warranty", ".streamlit/config.toml"):
            root.spec["binds"][str(INSTALLED.parent / part)] = str(ROOT / part)
        (start,) = values(REPLICA, "ExecStart")
        assert start.startswith(f"{INSTALLED} ")
        launched = f"import runpy; runpy.run_path({str(INSTALLED.parent / 'launch.py')!r})['main']()"
        assert values(HARDENING, "MemoryDenyWriteExecute") == ["yes"]
        assert values(HARDENING, "ProtectProc") == ["invisible"]
        # A port of four digits, as the unit has it: the figures are at 1 and that port.
        given = [pair.replace("%i", f"{root.port % 10_000:04}") for pair in values(REPLICA, "Environment")]
        root.spec["environment"] |= dict(pair.split("=", 1) for pair in given) | {"HOME": "/nonexistent"}
        root.spec |= {
            "folder": folder, "proc": "hidepid=invisible,subset=pid", "no_writable_code": True,
            "umask": int(values(HARDENING, "UMask")[0], 8),
            "system_calls": system_calls(values(HARDENING, "SystemCallFilter")),
            "command": [PYTHON, "-c", launched, *start.replace("%i", str(root.port)).split()[1:]],
        }  # fmt: skip
        root.start()
        root.wait_until_ready()
        assert json.loads(root.get("/version") or "{}")["journal"]
        sign_in_at(page, f"http://127.0.0.1:{root.port}", "manager")
        assert root.stop() in {0, -15}
        assert "journal.sqlite3" in root.kept
        assert "Traceback" not in root.log


WRAPPER = (ROOT / "deploy" / "systemd" / "warranty").read_text()
SETTINGS = "/etc/warranty-desk.env"


def by_systemd(written: str, folder: Path) -> str:
    """What systemd takes a value for: its one reader of such files also reads os-release, for tmpfiles."""
    (folder / "etc").mkdir()
    (folder / "etc" / "os-release").write_text(f"BUILD_ID={written}\n")
    (folder / "tmpfiles.conf").write_text("f /read - - - - %B\n")
    told = ran(program("systemd-tmpfiles", package="systemd"), f"--root={folder}", "--create", folder / "tmpfiles.conf")
    assert told.returncode == 0, told.stderr
    return (folder / "read").read_text()


def by_the_wrapper(lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The wrapper on a file of these lines; the desk's place takes what prints a setting."""
    settings = folder / "settings"
    settings.write_text(lines)
    script = WRAPPER
    for said, instead in (
        (f"settings={SETTINGS}\n", f"settings={settings}\n"),
        ("cd /var/lib/warranty-desk\n", f"cd {folder}\n"),
        ("exec runuser -u warranty -- /opt/warranty-desk/current/bin/warranty-desk", "exec printenv"),
    ):
        assert script.count(said) == 1, said
        script = script.replace(said, instead)
    return ran("/bin/sh", "-c", script, "warranty", "WARRANTY_SMTP_PASSWORD", cwd=folder)


@pytest.mark.parametrize("written", [
    "'x;touch ran'", "'$(touch ran)`touch ran`'", "'a$b\\c'", "'p(1) & \"q\" #1 %i ä \\'", '"it\'s $5 `now`"',
    "x;touch ran", "a$b(1)==", "Our shop", "it's", "''", "",
])  # fmt: skip
def test_a_value_is_to_the_command_what_it_is_to_systemd_and_is_not_run(written: str, tmp_path: Path) -> None:
    read = by_the_wrapper(f"# The mail's.\n\nWARRANTY_SMTP_PASSWORD={written}\nWARRANTY_TERMS=12", tmp_path)
    assert (read.returncode, read.stderr) == (0, "")
    assert read.stdout.removesuffix("\n") == by_systemd(written, tmp_path) == unquoted(written)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("line", [
    r"WARRANTY_SMTP_PASSWORD=a\b", r'WARRANTY_SMTP_PASSWORD="a\b"', "WARRANTY_SMTP_PASSWORD='a'b'",
    "WARRANTY_SMTP_PASSWORD='a", 'WARRANTY_SMTP_PASSWORD="', "WARRANTY_SMTP_PASSWORD= a",
    "WARRANTY_SMTP_PASSWORD='a'\r", "# goes on \\", "export WARRANTY_SMTP_PASSWORD=a", "touch ran",
])  # fmt: skip
def test_a_line_that_the_two_could_read_differently_is_refused_by_number(line: str, tmp_path: Path) -> None:
    read = by_the_wrapper(f"WARRANTY_TERMS=12\n{line}\n", tmp_path)
    assert (read.returncode, read.stdout) == (2, "")
    assert re.fullmatch(r".*, line 2: write NAME='value' on one line; .*\n", read.stderr)
    assert not (tmp_path / "ran").exists()
