"""What holds for every test."""

import fcntl
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter
from hypothesis import HealthCheck, settings
from streamlit.components.v2 import manifest_scanner

from sandbox import SandboxServer
from tests.dashboard import CHROMIUM_ARGUMENTS, chromium
from tests.machine import program

settings.register_profile(
    "desk", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("desk")

pytest_plugins = ["tests.durations"]
WHAT_THE_PAGE_SHOWED = "what the page showed"


MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there
ENOUGH = 4 << 30


def pytest_configure(config: pytest.Config) -> None:
    """What tests write lies in memory, where there is enough of it; what passed leaves nothing."""
    if not hasattr(config, "workerinput") and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """A browser waits half of its time, others compute: files that drive one are spread evenly among the rest."""
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker("long")
    yield
    halves: dict[bool, dict[Path, None]] = {True: {}, False: {}}
    for item in items:
        halves[item.get_closest_marker("browser") is not None].setdefault(item.path)
    place = {path: n / len(half) for half in halves.values() for n, path in enumerate(half)}
    items.sort(key=lambda item: place[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What is measured with the eye, `alone`, runs beside no other worker's test, and lets none begin before it."""
    run = getattr(item.config, "workerinput", {}).get("testrunuid")
    if run is None:
        return (yield)
    how = fcntl.LOCK_EX if item.get_closest_marker("alone") else fcntl.LOCK_SH
    name = Path(tempfile.gettempdir()) / f"warranty-tests-{run}"
    with name.with_suffix(".door").open("w") as door, name.with_suffix(".room").open("w") as room:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(room, how)
        fcntl.flock(door, fcntl.LOCK_UN)
        return (yield)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """In short, for each test in the browser that failed: why, before which page."""
    told = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    reports = [report for report in told if isinstance(report, pytest.TestReport)]
    failed = [report for report in reports if WHAT_THE_PAGE_SHOWED in dict(report.sections)]
    if failed:
        terminalreporter.section("before which page")
    for report in failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        why = str(getattr(crash, "message", "")).splitlines()[:6]
        page = filter(None, dict(report.sections)[WHAT_THE_PAGE_SHOWED].splitlines())
        terminalreporter.line(f"{report.outcome} in {report.when}: {report.nodeid}")
        terminalreporter.line(f"  line {getattr(crash, 'lineno', '?')}: {' / '.join(why)}"[:500])
        terminalreporter.line(f"  page: {' | '.join(page)}"[:900])


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Whichever test asks first starts the browser of all: the light one, where it is installed."""
    return {"executable_path": chromium() or program("chromium"), "args": CHROMIUM_ARGUMENTS}


@pytest.fixture
def sandbox(running_sandbox: SandboxServer) -> SandboxServer:
    running_sandbox.reset()
    return running_sandbox


@pytest.fixture(scope="module", autouse=True)
def _what_lives_on_is_not_walked_for_garbage() -> None:
    """The platform collects garbage after every run of a script, as the desk has it frozen at its start (app.py)."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _what_is_installed_is_looked_through_once() -> Iterator[None]:
    """The platform reads what every library says of itself anew for each AppTest: half of what a screen's test took."""
    with pytest.MonkeyPatch.context() as patching:
        looked = cache(manifest_scanner.scan_component_manifests)
        patching.setattr(manifest_scanner, "scan_component_manifests", looked)
        yield


@pytest.fixture(autouse=True)
def _main_module_is_put_back() -> Iterator[None]:
    """A screen that is run by AppTest takes the main module's place, and processes started later would run it."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
