"""The figures of a history: how many were closed how soon, and how many were open on a day."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import pandas as pd

from warranty.claims.analysis.chance import share_interval
from warranty.claims.analysis.cube import to_date, to_day
from warranty.claims.analysis.periods import DAY, Period
from warranty.insight.history.lives import History, Intervals
from warranty.insight.statistics.interval_censored import Curve, resolution_curve

WITHIN: Final = (7, 14, 30, 60)
"""Days from a claim within which it is looked whether it was closed; each is told apart in `lives.GRID`."""


@dataclass(frozen=True, slots=True)
class ClosedWithin:
    """Of the `claims` made in `made`: `closed` were within so many `days`, `unknown` may have been.

    `low` and `high` enclose the share behind them (Clopper-Pearson, 95 %), with all or none of the unknown ones closed.
    """

    made: Period
    days: int
    claims: int
    closed: int
    unknown: int

    @property
    def low(self) -> float:
        """The least share that explains what was seen."""
        return share_interval(self.closed, self.claims, 0.95)[0]

    @property
    def high(self) -> float:
        """The largest."""
        return share_interval(self.closed + self.unknown, self.claims, 0.95)[1]


def time_to_close(found: Intervals) -> Curve | None:
    """Give the most likely curve of days until closed; None of no claims."""
    return resolution_curve(found.after, found.until, counts=found.counts)


def reopened(moves: pd.DataFrame, closed: Collection[str]) -> int:
    """How often a closed claim was read as open later, of `History.moves`."""
    again = moves["before"].isin(list(closed)) & ~moves["after"].isin(list(closed))
    return int(moves["claims"][again].sum())


def closed_within(found: Intervals, made: Period, days: int) -> ClosedWithin:
    """Count who was closed within so many days of the claim, all of which must be over."""
    closed = int(found.counts[found.until <= days].sum())
    unknown = int(found.counts[(found.after < days) & (found.until > days)].sum())
    return ClosedWithin(made, days, int(found.counts.sum()), closed, unknown)


def closed_by_month(history: History, days: int) -> list[ClosedWithin]:
    """Tell it of each month since the first night that has been seen so long; those without claims are left out."""
    if not history.nights:
        return []
    first, last = history.nights[0], history.nights[-1]
    months = []
    for month in pd.period_range(first, last, freq="M"):
        made = Period(month.start_time.date(), month.end_time.date())
        if made.last + DAY * days > last:
            break
        months.append(closed_within(history.intervals(made), made, days))
    return [each for each in months if each.claims]


def backlog(history: History) -> pd.DataFrame:
    """How many claims were open on each `day` from the first night to the last: `at_least`, `at_most`.

    Both are the same on a day whose night read all that changed. Between two readings of a claim it is held that it was
    not opened and closed again unseen.
    """
    nights = np.array([to_day(night) for night in history.nights], np.int64)
    if not len(nights):
        return pd.DataFrame({"day": pd.Series(dtype="object"), "at_least": [], "at_most": []})
    events = history.opened
    standing = np.cumsum(events.came - events.left)
    fewest, most_open = standing - events.perhaps_closed, standing + events.perhaps_open
    days = np.arange(nights[0], nights[-1] + 1)
    before = np.searchsorted(nights, days, side="right") - 1
    after = np.searchsorted(nights, days)
    known = before == after
    least = fewest[before] - np.where(known, 0, events.left[after])
    most = most_open[before] + np.where(known, 0, events.came[after] + events.passed[after])
    dates: list[date] = [to_date(int(each)) for each in days]
    return pd.DataFrame({"day": dates, "at_least": np.maximum(least, 0), "at_most": most})
