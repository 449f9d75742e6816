#!/usr/bin/python3
"""Stands in for systemctl where systemd is not process 1: starts what the units say, as their users, unconfined.

What a unit confines is tried elsewhere (tests/deploy/test_units.py). Needs nothing but Debian's own Python.
"""

import os
import pwd
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

_UNITS: Final = Path("/etc/systemd/system")
_RUNNING: Final = Path("/run/follow")
_DEBIANS: Final = {
    ("nginx", "start"): "nginx", ("nginx", "stop"): "nginx -s quit", ("nginx", "reload"): "nginx -s reload",
    ("postgresql", "start"): "pg_ctlcluster 15 main start", ("postgresql", "stop"): "pg_ctlcluster 15 main stop",
}  # fmt: skip


def main(words: list[str]) -> int:
    now = "--now" in words
    action, *units = [word for word in words if word != "--now"]
    for unit in units:
        if action == "enable":
            _ = _unit(unit)
            if now:
                start(unit)
        elif action == "restart":
            stop(unit)
            start(unit)
        elif action in {"start", "stop", "reload"}:
            {"start": start, "stop": stop, "reload": reload}[action](unit)
        else:
            raise SystemExit(f"not followed: systemctl {' '.join(words)}")
    return 0


def start(unit: str) -> None:
    """Start a service by its own lines, and wait for one that ends by itself; a timer only has to be there."""
    if (unit, "start") in _DEBIANS:
        subprocess.run(shlex.split(_DEBIANS[unit, "start"]), check=True)
        return
    lines = _unit(unit)
    if unit.endswith(".timer"):
        return
    person = pwd.getpwnam(lines["User"][0])
    state = Path("/var/lib", lines["StateDirectory"][0])
    state.mkdir(exist_ok=True, mode=0o700)
    os.chown(state, person.pw_uid, person.pw_gid)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": person.pw_dir}
    set_here = lines["Environment"] + [
        f"{name}={unquoted(value)}"
        for file in lines["EnvironmentFile"]
        for name, is_set, value in (line.partition("=") for line in Path(file).read_text().splitlines())
        if is_set and not name.startswith("#")
    ]
    instance = unit.partition("@")[2]
    environment |= dict(line.replace("%i", instance).split("=", 1) for line in set_here)
    _RUNNING.mkdir(exist_ok=True)
    with Path(_RUNNING, f"{unit}.log").open("ab") as log:
        process = subprocess.Popen(
            shlex.split(lines["ExecStart"][0].replace("%i", instance)), cwd=lines["WorkingDirectory"][0],
            env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=person.pw_uid, group=person.pw_gid,
            extra_groups=(), start_new_session=True,
        )  # fmt: skip
    Path(_RUNNING, f"{unit}.pid").write_text(str(process.pid))
    if lines["Type"] == ["oneshot"] and process.wait():
        raise SystemExit(f"{unit} failed")


def unquoted(value: str) -> str:
    """A value of the settings file as systemd takes it, of those that the command `warranty` takes as well."""
    quote = value[:1]
    return value[1:-1] if quote in {"'", '"'} and value.endswith(quote) else value


def stop(unit: str) -> None:
    """Ask it to end and wait; as long as its TimeoutStopSec says."""
    if (unit, "stop") in _DEBIANS:
        subprocess.run(shlex.split(_DEBIANS[unit, "stop"]), check=False, stderr=subprocess.DEVNULL)
        return
    pid = int(Path(_RUNNING, f"{unit}.pid").read_text())
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + int(_unit(unit)["TimeoutStopSec"][0])
    while _lives(pid):
        if time.monotonic() > deadline:
            raise SystemExit(f"{unit} did not end")
        time.sleep(0.05)


def reload(unit: str) -> None:
    subprocess.run(shlex.split(_DEBIANS[unit, "reload"]), check=True)


def _lives(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def _unit(unit: str) -> dict[str, list[str]]:
    """The lines of a unit, by name; those of Debian's own packages are not read."""
    if (unit, "start") in _DEBIANS:
        return {}
    name = unit if unit.endswith(".timer") else f"{unit}.service"
    text = Path(_UNITS, re.sub(r"@[^.]*", "@", name)).read_text()
    lines: dict[str, list[str]] = {name: [] for name in ("Environment", "EnvironmentFile")}
    for key, value in re.findall(r"^(\w+)=(.*)$", text, flags=re.MULTILINE):
        lines.setdefault(key, []).append(value)
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
