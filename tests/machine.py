"""What some tests need of the machine: its programs, and a thread with a loop of its own."""

import asyncio
import os
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from deploy.up import machine

Done = TypeVar("Done")


def program(name: str, *, package: str = "") -> str:
    """The path of a program such as `nginx`, `promtool` or `initdb` of Debian's PostgreSQL.

    One that is missing fails the test in CI, and elsewhere skips it with the reason.
    """
    try:
        return machine.program(name, package=package or name)
    except machine.MissingProgram as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


def in_a_loop_of_its_own(work: Coroutine[Any, Any, Done]) -> Done:
    """Run it on another thread: once Playwright has started, this one's loop runs until the last test is over."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
