"""What some tests need of the machine: its programs, and a thread with a loop of its own."""

import asyncio
import os
import shutil
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

_FOLDERS = (
    "/usr/sbin",
    "/usr/local/sbin",
    *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True),
)


def program(name: str, *, package: str = "") -> str:
    """The path of a program such as `nginx`, `promtool` or `initdb` of Debian's PostgreSQL.

    One that is missing fails the test in CI, and elsewhere skips it with the reason.
    """
    found = shutil.which(name, path=os.pathsep.join((*_FOLDERS, os.environ.get("PATH", ""))))
    if found is None:
        reason = f"{name} is not installed (Debian's package {package or name})"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def in_a_loop_of_its_own(work: Coroutine[object, object, None]) -> None:
    """Run it on another thread: once Playwright has started, this one's loop runs until the last test is over."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
