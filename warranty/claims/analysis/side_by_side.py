"""Products side by side: a part of a whole for each, with its interval, and which differ by more than chance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import pandas as pd

from warranty.claims.analysis.chance import count_interval, differs, share_interval
from warranty.claims.analysis.cube import to_day
from warranty.claims.retrieval.claim_codes import DAY, moments, to_months

LEVEL: Final = 0.95
Parts = Mapping[str, tuple[int, int]]
"""Of each product a part and its whole: plans claimed on, or claims, and plans sold."""

Interval = Callable[[int, int], tuple[float, float]]
"""Gives low and high of what is behind a part of a whole."""


@dataclass(frozen=True, slots=True)
class Beside:
    """One product: `part` / `whole` lies between `low` and `high`; `differs` from all others by more than chance."""

    product: str
    part: int
    whole: int
    low: float
    high: float
    differs: bool

    @property
    def share(self) -> float:
        """The part of the whole."""
        return self.part / self.whole


def side_by_side(parts: Parts, interval: Interval) -> tuple[Beside, ...]:
    """Put products that have a whole side by side: first those that differ, the highest on top.

    So many are looked at that one would differ at 95 % by chance: each has to at 1 - 0.05 / products, so that in 95 of
    100 tables of products that are alike none is told to differ.
    """
    known = {product: both for product, both in parts.items() if both[1]}
    part, whole = (sum(both[place] for both in known.values()) for place in (0, 1))
    level = 1 - (1 - LEVEL) / max(1, len(known))

    def stands_out(own: int, of: int) -> bool:
        if of == whole:
            return False
        if part * 2 > whole:  # the rarer of two outcomes: of these chance is told exactly enough
            return differs(of - own, whole - part - (of - own), days_now=of, days_before=whole - of, level=level)
        return differs(own, part - own, days_now=of, days_before=whole - of, level=level)

    found = [Beside(name, *both, *interval(*both), stands_out(*both)) for name, both in known.items()]
    found.sort(key=lambda one: (not one.differs, -one.share))
    return tuple(found)


def of_shares(part: int, whole: int) -> tuple[float, float]:
    """The exact interval of a share (Clopper and Pearson)."""
    return share_interval(part, whole, LEVEL)


def of_rates(part: int, whole: int) -> tuple[float, float]:
    """The exact interval of events a plan, of which one may have several (Garwood)."""
    low, high = count_interval(part, LEVEL)
    return low / whole, high / whole


def claimed_plans(frame: pd.DataFrame, *, as_of: date, days: int, plans: Mapping[str, Mapping[str, int]]) -> Parts:
    """Of each product's plans that all were seen for `days`, by month of start, those claimed on within `days`.

    A plan that was claimed on twice is one. `plans` are by product and month (`YYYY-MM`).
    """
    early = _aged(frame, as_of=as_of, seen=days)
    early = early[early["age"] <= days]
    months = to_months(moments(early["warranty_start_date"]) // DAY).astype("M8[M]")
    seen = {month for each in plans.values() for month in each if _last_day(month) + days < to_day(as_of)}
    early = early[np.isin(months, np.array(sorted(seen), "M8[M]"))].drop_duplicates(["product_name", "warranty_id"])
    claimed = early["product_name"].value_counts()
    return {
        product: (int(claimed.get(product, 0)), sum(count for month, count in by_month.items() if month in seen))
        for product, by_month in plans.items()
    }


def _aged(frame: pd.DataFrame, *, as_of: date, seen: int) -> pd.DataFrame:
    """The claims at most `seen` days after their start, of starts that were seen as long; days that are over."""
    started = moments(frame["warranty_start_date"]) // DAY
    age = moments(frame["claim_date"]) // DAY - started
    kept = (age >= 0) & (age <= seen) & (started + seen < to_day(as_of))
    columns = frame[["product_name", "warranty_id", "warranty_start_date"]]
    return columns[kept].assign(age=age[kept])


def _last_day(month: str) -> int:
    return int((np.datetime64(month, "M") + np.timedelta64(1, "M")).astype("M8[D]").astype(np.int64)) - 1
