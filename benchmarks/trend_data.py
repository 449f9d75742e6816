"""The data of all trend charts of a window over 1,000,000 claims, against pandas' own counting by period."""

from datetime import timedelta
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.claim_service import DAYS, START, bursts
from benchmarks.harness import Result, interleaved
from warranty.claims.analysis import ClaimCube, Period, Trends
from warranty.claims.retrieval.claim_codes import ClaimCodes

CLAIMS: Final = 1_000_000
YEARS: Final = Period(START.date(), START.date() + timedelta(days=DAYS - 1))
WINDOWS: Final = 20
_STATUSES: Final = pd.Index(["RESOLVED", "OPEN", "IN_REVIEW", "DENIED", "AWAITING_PARTS"])


def claims() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    claimed = np.sort(bursts(CLAIMS, rng))[::-1].astype("M8[us]")
    age = (rng.exponential(200, CLAIMS) + 3) * 86_400_000_000
    products = np.array([f"Product number {number}" for number in range(96)], dtype=object)
    return pd.DataFrame(
        {
            "claim_date": claimed,
            "warranty_start_date": pd.Series(claimed - age.astype("m8[us]")).dt.tz_localize("UTC"),
            "status": pd.Categorical.from_codes(rng.integers(0, 5, CLAIMS), _STATUSES),
            "product_name": pd.Series(products[rng.integers(0, 96, CLAIMS)], dtype="str"),
        }
    )


def all_charts(trends: Trends) -> None:
    trends.over_time()
    trends.by_product()
    trends.open_by_age(today=YEARS.last)
    assert trends.open_claims <= trends.claims


def all_windows(cube: ClaimCube, days: int) -> None:
    for window in windows(days):
        all_charts(Trends(cube, window))


def windows(days: int) -> list[Period]:
    """Windows of so many days, as somebody looks through them, each a step later than the one before."""
    step = (YEARS.days - days) // WINDOWS
    firsts = (YEARS.first + timedelta(days=number * step) for number in range(WINDOWS))
    return [Period(first, first + timedelta(days=days - 1)) for first in firsts]


def measure() -> list[Result]:
    frame = claims()
    codes = ClaimCodes.of(frame)

    def counted(step: str) -> "pd.Series[int]":
        periods = frame["claim_date"].dt.to_period(step)
        return frame.groupby([periods, "status"], observed=True).size()

    cube = ClaimCube.of(frame, codes=codes)
    by_day = Trends(cube, YEARS).over_time()
    assert int(by_day.counts.sum()) == CLAIMS
    assert sorted(by_day.counts[by_day.counts > 0]) == sorted(counted("M"))
    seconds = interleaved(
        {
            "to_period": lambda: counted("D"),
            "preparation": lambda: ClaimCube.of(frame, codes=codes),
            "quarter": lambda: all_windows(cube, 90),
            "most days": lambda: all_windows(cube, 700),
            "codes": lambda: ClaimCodes.of(frame),
        },
        rounds=7,
    )
    one = seconds["to_period"]
    baseline = "one count by day and status with pandas `to_period`"
    return [
        Result(
            "data of all trend charts for a window of 90 days, 1,000,000 claims",
            baseline,
            seconds["quarter"] / WINDOWS / one,
            0.02,
            detail=f"{seconds['quarter'] / WINDOWS * 1000:.2f} ms a window, of {WINDOWS}, against {one * 1000:.0f} ms",
        ),
        Result(
            "the same for windows of 700 days",
            baseline,
            seconds["most days"] / WINDOWS / one,
            0.02,
            detail=f"{seconds['most days'] / WINDOWS * 1000:.2f} ms a window, of {WINDOWS}",
        ),
        Result(
            "their preparation, once for a claim set",
            baseline,
            seconds["preparation"] / one,
            0.2,
            detail=f"{seconds['preparation'] * 1000:.1f} ms, from the codes that each claim has since it was read",
        ),
        Result(
            "the codes themselves, made while the claims are read (in the time of the parsing above)",
            baseline,
            seconds["codes"] / one,
            None,
            detail=f"{seconds['codes'] * 1000:.0f} ms: product, status, age in days",
        ),
    ]
