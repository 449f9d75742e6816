"""The figures of a history: how many were closed how soon, and how many were open on a day."""

from collections.abc import Collection
from datetime import date

import numpy as np
import pandas as pd

from warranty.claims.analysis.cube import to_date, to_day
from warranty.insight.history.lives import History, Intervals
from warranty.insight.statistics.interval_censored import Curve, resolution_curve


def time_to_close(found: Intervals) -> Curve | None:
    """Give the most likely curve of days until closed; None of no claims."""
    return resolution_curve(found.after, found.until, counts=found.counts)


def reopened(moves: pd.DataFrame, closed: Collection[str]) -> int:
    """How often a closed claim was read as open later, of `History.moves`."""
    again = moves["before"].isin(list(closed)) & ~moves["after"].isin(list(closed))
    return int(moves["claims"][again].sum())


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
