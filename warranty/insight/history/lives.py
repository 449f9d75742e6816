"""How long claims took and what became of them, counted from the runs of each claim; the figures of a history.

Time is told in days from the day of the claim to the night in which it was first read as closed, as if it had been
read every night: a night that is missing makes of that day an interval, which holds it. Whatever is asked comes as a
small table of counts, so that it does not matter how many claims there are.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from warranty.claims.analysis.cube import to_date, to_day
from warranty.claims.analysis.periods import Period
from warranty.insight.history.runs import Runs
from warranty.insight.statistics.interval_censored import Curve, resolution_curve

GRID: Final = np.r_[np.arange(-1, 61), np.arange(67, 366, 7), np.arange(391, 3_700, 30)]
"""Days that are told apart: each up to 60, then by weeks, then by 30. An interval is widened to its neighbours."""
NEVER: Final = len(GRID)
"""The end of an interval of what has not come yet, as a place of the grid."""
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Days from claim to closing: `counts` claims closed after `after` days, and in or before `until` (inf: open).

    `after` is -1 where a claim may have been closed on the day on which it was made.
    """

    after: npt.NDArray[np.float64]
    until: npt.NDArray[np.float64]
    counts: Numbers


@dataclass(frozen=True, slots=True)
class Opened:
    """Of each night: how many claims came to be open since the one before, were so no more, were new but not open.

    A claim that a night did not read stands there as before: `perhaps_closed` of those open there were not read again
    as open, and `perhaps_open` of those closed there were read as open next.
    """

    came: Numbers
    left: Numbers
    passed: Numbers
    perhaps_closed: Numbers
    perhaps_open: Numbers


@dataclass(frozen=True, slots=True)
class History:
    """The complete `nights`, rising, counted in memory and sorted by day of claim; `made` are days of claim dates."""

    nights: tuple[date, ...]
    products: tuple[str, ...]
    made: npt.NDArray[np.int32]
    pairs: Numbers
    of_pair: npt.NDArray[np.int32]
    moved: Numbers
    kinds: tuple[tuple[str, str], ...]
    of_least: npt.NDArray[np.int32]
    of_most: npt.NDArray[np.int32]
    opened: Opened
    """How the number of open claims changed, whenever they were made."""

    def intervals(self, made: Period) -> Intervals:
        """How long the claims made in these days took to be closed for the first time."""
        counts = np.bincount(self.of_pair[slice(*self._claims(made))], minlength=len(self.pairs))
        some = np.flatnonzero(counts)
        after, until = np.divmod(self.pairs[some], NEVER + 1)
        return Intervals(GRID[after].astype(float), np.r_[GRID, np.inf][until], counts[some])

    def moves(self, made: Period) -> pd.DataFrame:
        """Their changes of status, as `before`, `after`, `claims`, `at_least` and `at_most`, the most frequent first.

        The last two are the days that half of them were in the former status, at least and at most; nan where that
        is more than ten years.
        """
        rows, size = slice(*np.searchsorted(self.moved, self._claims(made)).tolist()), NEVER + 1
        cells = len(self.kinds) * size
        ends = (self.of_least, self.of_most)
        least, most = (np.bincount(of[rows], minlength=cells).reshape(-1, size) for of in ends)
        claims = least.sum(axis=1)
        order = np.array(sorted(np.flatnonzero(claims), key=lambda kind: (-claims[kind], self.kinds[kind])), np.int64)
        middle = (claims[order] + 1)[:, None] // 2
        reached = ((np.cumsum(counts[order], axis=1) >= middle).argmax(axis=1) for counts in (least, most))
        at_least, at_most = (np.r_[GRID, np.nan][places] for places in reached)
        before, after = ([self.kinds[place][side] for place in order] for side in (0, 1))
        moves = {"before": before, "after": after, "claims": claims[order], "at_least": at_least, "at_most": at_most}
        return pd.DataFrame(moves)

    def _claims(self, made: Period) -> tuple[int, int]:
        # Days of the same type: for others numpy would copy those of all claims first.
        days = np.array([to_day(made.first), to_day(made.last) + 1], self.made.dtype)
        first, last = np.searchsorted(self.made, days)
        return int(first), int(last)

    @classmethod
    def of(cls, held: Runs, *, closed: Collection[str], product: str | None = None) -> Self:
        """Count the claims of all products or of one; `closed` are the statuses that mean it, letter by letter."""
        claims, nights = held.claims, held.days
        chosen = np.ones(len(claims), bool)
        if product is not None:
            place = held.products.index(product) if product in held.products else -1
            chosen = claims["product"].to_numpy() == place
        order = np.flatnonzero(chosen)
        order = order[np.argsort(claims["made"].to_numpy()[order], kind="stable")]
        rank = np.full(len(claims), -1, np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        claim = rank[held.runs["claim"].to_numpy()]
        rows = np.argsort(claim, kind="stable")[int((claim < 0).sum()) :]
        claim = claim[rows]
        status, first, last, known = (held.runs[name].to_numpy()[rows] for name in ("status", "first", "last", "known"))
        last = np.minimum(last, len(nights) - 1)
        made = claims["made"].to_numpy()[order]
        is_closed = np.array([word in closed for word in held.statuses], bool)[status]
        same = claim[1:] == claim[:-1]
        runs = _Rows(claim, is_closed, first, last, known)
        read = np.where(known < 0, made[claim] - 1, nights[known]) if len(nights) else known
        after, until = _closings(runs, read, made, nights)
        pair, pairs = pd.factorize(after * (NEVER + 1) + until)
        moved = np.flatnonzero(same & (status[1:] != status[:-1]))
        words = np.array(held.statuses, dtype=object)
        kind, kinds = pd.factorize(status[moved].astype(np.int64) * len(words) + status[moved + 1])
        # At most from when it was last read in the status before that, or from the claim itself.
        start = np.where(np.r_[False, same], np.roll(read, 1), made[claim])
        least = _down(read[moved] - nights[first[moved]])
        most = _up(nights[first[moved + 1]] - start[moved])
        return cls(
            nights=tuple(day for day, _ in held.taken),
            products=tuple(sorted(held.products)),
            made=made,
            pairs=pairs,
            of_pair=pair.astype(np.int32),
            moved=claim[moved].astype(np.int64),
            kinds=tuple((words[each // len(words)], words[each % len(words)]) for each in kinds),
            of_least=(kind * (NEVER + 1) + least).astype(np.int32),
            of_most=(kind * (NEVER + 1) + most).astype(np.int32),
            opened=_opened(runs, len(nights)),
        )


class _Rows(NamedTuple):
    """Runs by claim and within it by night; claims are numbered by day."""

    claim: npt.NDArray[np.int32]
    closed: npt.NDArray[np.bool_]
    first: npt.NDArray[np.int16]
    last: npt.NDArray[np.int16]
    known: npt.NDArray[np.int16]


def _closings(runs: _Rows, read: Numbers, made: npt.NDArray[np.int32], nights: Numbers) -> tuple[Numbers, Numbers]:
    """Give for each claim the ends of its interval, as places of the grid; `read` is when a run was last read."""
    count = len(runs.claim)
    if not count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    begins = np.flatnonzero(np.diff(runs.claim, prepend=-1))
    ends = np.r_[begins[1:], count]
    closing = np.minimum.reduceat(np.where(runs.closed, np.arange(count), count), begins)
    never = closing >= ends
    last_open = np.where(never, ends, closing) - 1
    after = np.where(closing == begins, -1, read[last_open] - made)
    until = nights[runs.first[np.minimum(closing, count - 1)]] - made
    return _down(after), np.where(never, NEVER, _up(until))


def _opened(runs: _Rows, nights: int) -> Opened:
    first, last, is_open = runs.first, runs.last.astype(np.int64), ~runs.closed
    begins = np.diff(runs.claim, prepend=-1) != 0
    goes_on = ~begins[1:] & (first[1:] == last[:-1] + 1) & is_open[1:] & is_open[:-1]
    came, left = is_open & ~np.r_[False, goes_on], is_open & ~np.r_[goes_on, False]
    opens = runs.closed & np.r_[~begins[1:] & is_open[1:], False]
    unread = np.maximum(runs.known.astype(np.int64) + 1, first)

    def by_night(numbers: npt.NDArray[Any]) -> Numbers:
        return np.bincount(numbers, minlength=nights)[:nights]

    def in_doubt(which: npt.NDArray[np.bool_]) -> Numbers:
        """How many of these runs go on in each night beyond the last that read them."""
        return np.cumsum(by_night(unread[which]) - by_night(last[which] + 1))

    passed = by_night(first[begins & ~is_open])
    # One that is still open leaves after the last night, which is cut off.
    return Opened(by_night(first[came]), by_night(last[left] + 1), passed, in_doubt(left), in_doubt(opens))


def _down(days: npt.NDArray[Any]) -> Numbers:
    """Give the place of the last day of the grid that is not after these."""
    return np.maximum(np.searchsorted(GRID, days, side="right") - 1, 0)


def _up(days: npt.NDArray[Any]) -> Numbers:
    """Give the place of the first day of the grid that is not before these."""
    place: Numbers = np.searchsorted(GRID, np.maximum(days, 0))
    return place


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
