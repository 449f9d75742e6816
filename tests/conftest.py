"""What holds for every test."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter
from hypothesis import HealthCheck, settings

settings.register_profile(
    "desk",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
settings.load_profile("desk")

WHAT_THE_PAGE_SHOWED = "what the page showed"
_CLAIMS = "browser, claims"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file runs on one worker, which starts what its tests share once; all that drive the browser are two groups.

    The first of them stands first, since it takes the longest; that of claims stands last: so one browser alone is at
    work until the rest is done. The groups of pytest-xdist's own marker are not seen with pytest 9.2: every worker
    started everything.
    """
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class ByRoom(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file: str = nodeid.partition("::")[0]
            return _browser_group(file) or file

    if config.getvalue("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False
    return ByRoom(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _browser_group(item.nodeid) == _CLAIMS)


def _browser_group(nodeid: str) -> str:
    if not nodeid.startswith("tests/browser/"):
        return ""
    return (
        _CLAIMS
        if nodeid.startswith(("tests/browser/test_claims", "tests/browser/test_trends"))
        else "browser"
    )


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """In short, for each try in the browser that went wrong, also where a later one passed: why, before which page."""
    tries = [
        report
        for outcome in ("rerun", "failed", "error")
        for report in terminalreporter.getreports(outcome)
        if isinstance(report, pytest.TestReport) and dict(report.sections).get(WHAT_THE_PAGE_SHOWED)
    ]
    if tries:
        terminalreporter.section("tries in the browser that went wrong")
    for report in tries:
        crash = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", ""))
        page = filter(None, dict(report.sections)[WHAT_THE_PAGE_SHOWED].splitlines())
        terminalreporter.line(f"{report.outcome} in {report.when}: {report.nodeid}")
        terminalreporter.line(f"  {' / '.join(crash.splitlines()[:6])}"[:400])
        terminalreporter.line(f"  page: {' | '.join(page)}"[:900])


@pytest.fixture(autouse=True)
def _main_module_is_put_back() -> Iterator[None]:
    """A screen that is run by AppTest takes the main module's place, and processes started later would run it."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
