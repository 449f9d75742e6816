"""Interleaved repeats, medians, ratios: what every benchmark here is made of."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table: `ratio` is `what` over `baseline`, `goal` the reach (None: no goal set).

    `at_least` says which way is good: False, smaller is better; True, larger is better.
    """

    what: str
    baseline: str
    ratio: float
    goal: float | None
    at_least: bool = False
    detail: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the goal is met; None where none is set."""
        if self.goal is None:
            return None
        return self.ratio >= self.goal if self.at_least else self.ratio <= self.goal


def interleaved(candidates: Mapping[str, Callable[[], object]], *, rounds: int = 5) -> dict[str, float]:
    """Run all candidates in turn, `rounds` times, and give each one's median in seconds."""
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, run in candidates.items():
            gc.collect()
            started = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in seconds.items()}
