"""What this machine offers: Debian's programs, free ports, and a user without rights to run servers as."""

import os
import pwd
import shutil
import socket
import tempfile
from abc import ABC, abstractmethod
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Self

ROOT: Final = Path(__file__).resolve().parent.parent.parent
_FOLDERS: Final = (
    "/usr/sbin",
    "/usr/local/sbin",
    *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True),
)


class MissingProgram(Exception):
    """A program is not installed; the message names Debian's package."""


class Started(ABC):
    """What runs beside us, from its start to its end; also as a context."""

    @abstractmethod
    def start(self) -> Self:
        """Start it, and wait until it answers."""

    @abstractmethod
    def close(self) -> None:
        """End it, and remove what it wrote."""

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


def program(name: str, *, package: str) -> str:
    """The path of a program, also of one that stands outside of PATH; raises `MissingProgram`."""
    found = shutil.which(name, path=os.pathsep.join((*_FOLDERS, os.environ.get("PATH", ""))))
    if found is None:
        raise MissingProgram(f"{name} is not installed: apt-get install {package}")
    return found


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on at this moment."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def servant(preferred: str) -> str | None:
    """The user to run a server as: `preferred` where we are root, which PostgreSQL refuses; else None, ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(preferred).pw_name
    except KeyError:
        return "nobody"


def started_as(user: str | None) -> dict[str, Any]:
    """The words of `subprocess` that start a program as this user; None: as ourselves."""
    if user is None:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": ()}


def own_folder(prefix: str, user: str | None) -> Path:
    """A new folder for one server, which its user can reach: a test's own folder is closed to other users."""
    folder = Path(tempfile.mkdtemp(prefix=f"warranty-desk-{prefix}-"))
    if user is not None:
        shutil.chown(folder, user)
    return folder
