"""How long each test and its set-up took: a table by kind, and what is above its budget.

A pytest plugin (`pytest_plugins` in conftest) that writes `build/durations.json`, and at the end of a run a table and
what was above its budget without a reason in `slow.toml`. It fails nothing there: next to others a test takes as long
as these let it. `python -m tests.durations` judges the last run, one of a quiet machine: it fails where anything was.
"""

import json
import sys
import tomllib
from collections import defaultdict
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
LAST_RUN: Final = ROOT / "build" / "durations.json"
REASONS: Final = Path(__file__).with_name("slow.toml")
BUDGETS: Final = {"browser": 6.0, "set-up": 3.0}
"""Seconds of a test that drives Chromium, and of a set-up that tests share; of any other test one."""
NOISE: Final = 2.0
"""On two shared cores the same test takes up to twice as long: only what is beyond that fails."""


@dataclass(frozen=True)
class Duration:
    """One phase of one test, in seconds."""

    name: str
    phase: str
    seconds: float
    browser: bool = False

    @property
    def kind(self) -> str:
        """The folder of the test; `others` for the files beside them."""
        folder = self.name.split("/")[1]
        return "others" if folder.endswith(".py") or "::" in folder else folder

    @property
    def budget(self) -> float:
        """What it may take, in seconds."""
        return BUDGETS["set-up"] if self.phase == "set-up" else BUDGETS["browser"] if self.browser else 1.0


class Recorder:
    """Collects what the workers report."""

    def __init__(self) -> None:
        self.durations: list[Duration] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        phase = {"setup": "set-up", "call": "test", "teardown": "end"}[report.when]
        marks = report.keywords
        self.durations.append(Duration(report.nodeid, phase, report.duration, browser="browser" in marks))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.durations:
            return
        LAST_RUN.parent.mkdir(exist_ok=True)
        LAST_RUN.write_text(json.dumps([asdict(each) for each in self.durations]))
        terminalreporter.section("seconds by kind")
        for line in (*table(self.durations), *listed(above_budget(self.durations))):
            terminalreporter.line(line)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(), "durations")


def table(durations: list[Duration]) -> list[str]:
    """The seconds of a run by kind of test, as the rows of a Markdown table."""
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    tests: dict[str, set[str]] = defaultdict(set)
    longest: dict[str, Duration] = {}
    for each in durations:
        sums[each.kind][each.phase] += each.seconds
        if each.phase == "test":
            tests[each.kind].add(each.name)
            longest[each.kind] = max(each, longest.get(each.kind, each), key=lambda one: one.seconds)
    rows = ["| kind | tests | seconds | set-up | end | longest |", "|---|---|---|---|---|---|"]
    for kind in sorted(tests):
        columns = (f"{sums[kind][phase]:.0f}" for phase in ("test", "set-up", "end"))
        last = f"{longest[kind].seconds:.1f} {longest[kind].name.partition('::')[2]}"
        rows.append(f"| {kind} | {len(tests[kind])} | {' | '.join(columns)} | {last} |")
    return rows


def above_budget(durations: list[Duration]) -> list[Duration]:
    """What took longer than its budget, noise included, and has no reason; the slowest first."""
    reasons = tomllib.loads(REASONS.read_text())
    slow = [each for each in durations if each.phase != "end" and each.seconds > NOISE * each.budget]
    unexplained = [
        each for each in slow if not any(fnmatch(each.name, pattern) for pattern in reasons.get(each.phase, ()))
    ]
    return sorted(unexplained, key=lambda each: -each.seconds)


def listed(slow: list[Duration]) -> list[str]:
    """A line for each of the slowest, and how many they are."""
    lines = [f"{each.seconds:.1f} s, budget {each.budget:.0f} s ({each.phase}): {each.name}" for each in slow[:30]]
    return [*lines, f"{len(slow)} above their budget without a reason in tests/{REASONS.name}"]


def main() -> int:
    durations = [Duration(**each) for each in json.loads(LAST_RUN.read_text())]
    slow = above_budget(durations)
    print("\n".join([*table(durations), *listed(slow)]))
    return bool(slow)


if __name__ == "__main__":
    sys.exit(main())
