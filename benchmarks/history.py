"""Figures of a window over the history of 5,000,000 claims, and what changed in three nights of 2,000,000.

The history is a year of nights: 6.2 million runs of one status each. A window's figures are the days to closing as a
curve with the interval of its median, and the path of statuses; the baseline is one pandas `groupby` over the same
runs. Nights are compared as they come, by a hash of what makes a claim the same, against `DataFrame.merge` on those
three columns; memory is the most that stands above the night that is read, as `tracemalloc` and numpy tell it.
"""

import tracemalloc
from datetime import date, timedelta
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.harness import Result, interleaved
from warranty.claims.analysis import Period
from warranty.claims.analysis.cube import to_day
from warranty.claims.analysis.identity import IDENTITY
from warranty.insight.history.lives import History, time_to_close
from warranty.insight.history.runs import STILL, Runs

CLAIMS: Final = 5_000_000
NIGHTS: Final = tuple(date(2025, 11, 22) + timedelta(days=number) for number in range(365))
COMPARED: Final = 2_000_000
WINDOWS: Final = 10
STATUSES: Final = ["OPEN", "IN_REVIEW", "RESOLVED", "DENIED"]


def history() -> Runs:
    """Ten years of claims, watched through the last: opened, reviewed after 5 days on average, ended after 20 more."""
    rng = np.random.default_rng(1)
    begin, nights = to_day(NIGHTS[0]), len(NIGHTS)
    made = (begin - 3_285 + rng.integers(0, 3_285 + nights - 1, CLAIMS)).astype(np.int32)
    day = made - begin
    review = day + rng.geometric(1 / 5, CLAIMS)
    done = review + rng.geometric(1 / 20, CLAIMS)
    first = np.stack([np.maximum(day + 1, 0), np.maximum(review, 0), np.maximum(done, 0)], axis=1)
    last = np.stack([review - 1, done - 1, np.full(CLAIMS, nights)], axis=1)
    seen = (first <= last) & (first < nights)
    claim = np.repeat(np.arange(CLAIMS)[:, None], 3, axis=1)
    status = np.stack([np.zeros(CLAIMS, int), np.ones(CLAIMS, int), rng.integers(2, 4, CLAIMS)], axis=1)
    until = np.where(last >= nights, STILL, last)
    runs = pd.DataFrame(
        {
            "claim": claim[seen].astype(np.int32),
            "status": status[seen].astype(np.int16),
            "first": first[seen].astype(np.int16),
            "last": until[seen].astype(np.int16),
            "known": np.minimum(until[seen], nights - 1).astype(np.int16),
        }
    ).sort_values("first", kind="stable", ignore_index=True)
    claims = pd.DataFrame(
        {
            "key": np.zeros(CLAIMS, np.uint64),
            "made": made,
            "product": rng.integers(0, 96, CLAIMS).astype(np.int32),
            "run": np.zeros(CLAIMS, np.int32),
        }
    )
    return Runs([(night, "") for night in NIGHTS], STATUSES, [f"Product {n}" for n in range(96)], claims, runs)


def windows(lives: History) -> None:
    for number in range(WINDOWS):
        first = NIGHTS[0] + timedelta(days=number * 27)
        made = Period(first, first + timedelta(days=89))
        curve = time_to_close(lives.intervals(made))
        assert curve is not None
        curve.interval(0.5)
        lives.moves(made)


def a_night(seed: int) -> pd.DataFrame:
    """2,000,000 claims in the order of their dates; with each seed one in a thousand has another status."""
    rng = np.random.default_rng(0)
    since = np.sort(rng.integers(0, 3_650 * 86_400_000_000, COMPARED)).astype("m8[us]")
    claimed = np.datetime64("2016-01-01", "us") + since
    codes = rng.integers(0, 4, COMPARED)
    codes[np.random.default_rng(seed).integers(0, COMPARED, COMPARED // 1_000)] = 1
    return pd.DataFrame(
        {
            "claim_date": claimed,
            "order_id": pd.Series([f"{number:032x}" for number in range(COMPARED)], dtype="str"),
            "warranty_id": pd.Series([f"w-{number}" for number in range(COMPARED)], dtype="str"),
            "product_name": pd.Series(np.array([f"P {n}" for n in range(96)])[codes], dtype="str"),
            "status": pd.Categorical.from_codes(codes, STATUSES),
        }
    )


def parts(night: pd.DataFrame) -> list[pd.DataFrame]:
    """A night comes by start month: its files hold one each."""
    return [night.iloc[each : each + COMPARED // 40] for each in range(0, COMPARED, COMPARED // 40)]


def compared(nights: list[pd.DataFrame]) -> None:
    kept = Runs()
    for number, night in enumerate(nights):
        kept.add(NIGHTS[number], parts(night))


def peak(nights: list[pd.DataFrame]) -> float:
    tracemalloc.start()
    compared(nights)
    megabytes = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return megabytes


def measure() -> list[Result]:
    return [of_a_window(), *of_three_nights()]


def of_a_window() -> Result:
    kept = history()
    lives = History.of(kept, closed=STATUSES[2:])
    seconds = interleaved(
        {"groupby": lambda: kept.runs.groupby(["first", "status"]).size(), "windows": lambda: windows(lives)}, rounds=5
    )
    ready = interleaved({"ready": lambda: History.of(kept, closed=STATUSES[2:])}, rounds=1)["ready"]
    window = seconds["windows"] / WINDOWS
    return Result(
        "window of 90 days to figures, 5,000,000 claims of history",
        "one pandas `groupby` of the runs by night and status",
        window / seconds["groupby"],
        0.05,
        detail=f"{window * 1000:.1f} ms a window, of {WINDOWS}, against {seconds['groupby'] * 1000:.0f} ms; "
        f"made ready once for a set of nights in {ready:.1f} s",
    )


def of_three_nights() -> list[Result]:
    nights = [a_night(seed) for seed in range(1, 4)]
    seconds = interleaved(
        {
            "merges": lambda: [nights[each - 1].merge(nights[each], on=IDENTITY) for each in (0, 1, 2)],
            "compared": lambda: compared(nights),
        },
        rounds=3,
    )
    megabytes = peak(nights)
    return [
        Result(
            "what changed in three nights of 2,000,000 claims",
            "three pandas merges on the same three columns",
            seconds["compared"] / seconds["merges"],
            1,
            detail=f"{seconds['compared']:.1f} s against {seconds['merges']:.1f} s; median of 3 rounds",
        ),
        Result("the same, peak memory above the nights", "500 MB", megabytes / 500, 1, detail=f"{megabytes:.0f} MB"),
    ]
