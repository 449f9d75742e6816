"""What holds for every test."""

import gc
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter
from hypothesis import HealthCheck, settings
from streamlit.components.v2 import manifest_scanner

settings.register_profile(
    "desk",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
settings.load_profile("desk")

WHAT_THE_PAGE_SHOWED = "what the page showed"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file runs on one worker, which starts what its tests share once.

    The first worker begins with the files that drive the browser, all others begin at the other end: so one browser is
    at work beside what needs none, and both have something to do to the last file. The groups of pytest-xdist's own
    marker are not seen with pytest 9.2: every worker started everything.
    """
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class FromBothEnds(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("::")[0]

        def _assign_work_unit(self, node: Any) -> None:
            if node is not self.nodes[0]:
                self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
            super()._assign_work_unit(node)

    if config.getvalue("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False
    return FromBothEnds(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("postgres"):
            item.add_marker("long")
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """In short, for each try in the browser that went wrong, also where a later one passed: why, before which page."""
    tries = [
        report
        for outcome in ("rerun", "failed", "error")
        for report in terminalreporter.getreports(outcome)
        if isinstance(report, pytest.TestReport)
        and (outcome == "rerun" or WHAT_THE_PAGE_SHOWED in dict(report.sections))
    ]
    if tries:
        terminalreporter.section("tries in the browser that went wrong")
    for report in tries:
        crash = getattr(report.longrepr, "reprcrash", None)
        why = str(getattr(crash, "message", "")).splitlines()[:6]
        page = filter(None, dict(report.sections).get(WHAT_THE_PAGE_SHOWED, "").splitlines())
        terminalreporter.line(f"{report.outcome} in {report.when}: {report.nodeid}")
        terminalreporter.line(f"  line {getattr(crash, 'lineno', '?')}: {' / '.join(why)}"[:500])
        terminalreporter.line(f"  page: {' | '.join(page)}"[:900])


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
