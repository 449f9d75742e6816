"""Programs of the machine that some tests need: missing, they fail in CI and are skipped elsewhere, with the reason."""

import os
import shutil
from pathlib import Path

import pytest

_FOLDERS = (
    "/usr/sbin",
    "/usr/local/sbin",
    *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True),
)


def program(name: str, *, package: str = "") -> str:
    """The path of a program such as `nginx`, `promtool` or `initdb` of Debian's PostgreSQL."""
    found = shutil.which(name, path=os.pathsep.join((*_FOLDERS, os.environ.get("PATH", ""))))
    if found is None:
        reason = f"{name} is not installed (Debian's package {package or name})"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found
