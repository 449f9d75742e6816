"""Starts a program in a root of its own: what a unit of systemd or a container gives it, as far as Linux alone goes.

`python confined.py ROOT`, as root, with a specification as JSON on standard input; the program takes its place.
"""

import ctypes
import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

_CLONE_NEWNS: Final = 0x00020000
_MS_RDONLY, _MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
_PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_SET_MDWE, _PR_MDWE_REFUSE_EXEC_GAIN = 38, 24, 65, 1
_SCMP_ACT_ALLOW: Final = 0x7FFF0000
_SCMP_ACT_EPERM: Final = 0x00050000 | errno.EPERM
_DEVICES: Final = ("null", "zero", "full", "random", "urandom")

_libc = ctypes.CDLL(None, use_errno=True)


def _must(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno() or -result
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: str, target: Path, kind: str, flags: int, data: str = "") -> None:
    done = _libc.mount(source.encode(), str(target).encode(), kind.encode(), flags, data.encode())
    _must(done, f"mount {source} on {target}")


def _bind(source: Path, target: Path, *, writable: bool) -> None:
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    _mount(str(source), target, "none", _MS_BIND | _MS_REC)
    if not writable:
        _mount("none", target, "none", _MS_BIND | _MS_REMOUNT | _MS_RDONLY)


def _enter(root: Path, spec: dict[str, Any]) -> None:
    """Own mounts: what is named, read-only; own /proc, /dev and /tmp; the root itself read-only."""
    _must(_libc.unshare(_CLONE_NEWNS), "unshare")
    _mount("none", Path("/"), "none", _MS_REC | _MS_PRIVATE)
    _mount(str(root), root, "none", _MS_BIND | _MS_REC)
    for target, source in spec["binds"].items():
        _bind(Path(source), root / target.lstrip("/"), writable=target in spec["writable"])
    for device in _DEVICES:
        _bind(Path("/dev", device), root / "dev" / device, writable=True)
    for folder in ("proc", "tmp"):
        (root / folder).mkdir(exist_ok=True)
    _mount("tmpfs", root / "tmp", "tmpfs", 0, "mode=1777")
    _mount("proc", root / "proc", "proc", 0, spec["proc"])
    _mount("none", root, "none", _MS_BIND | _MS_REMOUNT | _MS_RDONLY)
    os.chroot(root)
    os.chdir(spec["folder"])


def _allow_only(calls: list[str]) -> None:
    """The calls of the system that systemd's filter would leave."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    seccomp.seccomp_rule_add.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint]
    seccomp.seccomp_load.argtypes = [ctypes.c_void_p]
    context = seccomp.seccomp_init(_SCMP_ACT_EPERM)
    for call in calls:
        number = seccomp.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:  # others are of other machines
            _must(seccomp.seccomp_rule_add(context, _SCMP_ACT_ALLOW, number, 0), call)
    _must(seccomp.seccomp_load(context), "seccomp")


def system_calls(filters: list[str]) -> list[str]:
    """What the lines of `SystemCallFilter=` leave, by systemd's own sets."""

    def named(group: str) -> set[str]:
        listed = subprocess.run(
            ["systemd-analyze", "syscall-filter", group], check=True, capture_output=True, text=True
        ).stdout.splitlines()[1:]
        words = {line.split("#")[0].strip() for line in listed} - {""}
        return {call for word in words for call in (named(word) if word.startswith("@") else {word})}

    allowed: set[str] = named("@default")
    for line in filters:
        calls = {call for group in line.removeprefix("~").split() for call in named(group)}
        allowed = allowed - calls if line.startswith("~") else allowed | calls
    return sorted(allowed)


def main() -> None:
    """Confine ourselves, then become the program."""
    spec = json.load(sys.stdin)
    _enter(Path(sys.argv[1]), spec)
    os.umask(spec["umask"])
    os.setgroups([])
    if spec["user"]:
        for capability in range(41):
            _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        os.setgid(spec["user"])
        os.setuid(spec["user"])
    _must(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    if spec["no_writable_code"]:
        _must(_libc.prctl(_PR_SET_MDWE, _PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0), "no writable code")
    if spec["system_calls"]:
        _allow_only(spec["system_calls"])
    os.execve(spec["command"][0], spec["command"], spec["environment"])  # noqa: S606 - it takes our place


if __name__ == "__main__":
    main()
