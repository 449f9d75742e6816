"""The data of every chart of claims: small tables of counts, from a `ClaimCube`, with no drawing in them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from itertools import pairwise
from typing import Final

import numpy as np
import pandas as pd

from warranty.analysis.cube import ClaimCube, Counts, to_date, to_day
from warranty.analysis.periods import Period, Step
from warranty.analysis.selection import Selection
from warranty.retrieval import ClaimSet
from warranty.retrieval.claim_codes import OLDEST, to_months
from warranty.retrieval.survey import FURTHEST_ZONE

RESOLVED: Final = frozenset({"RESOLVED"})
"""The one status that the interface shows; whatever else is set, a claim counts as not resolved."""

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MOST_MONTHS: Final = 240  # of warranty starts in a row; where they are further apart, those with claims
_EVERYTHING: Final = Selection()
_OPEN_AGES: Final = ((0, 7), (8, 30), (31, 90), (91, 180), (181, None))
_AGE_EDGES: Final = (0, 8, 31, 61, 91, 121, 151, 181, 241, 301, 366, 548, 731, 1096, OLDEST + 1)


@dataclass(frozen=True, slots=True)
class Bars:
    """Counts by label, in order of drawing."""

    labels: tuple[str, ...]
    counts: Counts

    @property
    def table(self) -> pd.DataFrame:
        """The data as a table."""
        return pd.DataFrame({"": list(self.labels), "claims": self.counts})


@dataclass(frozen=True, slots=True)
class Grid:
    """Counts by row and column label; `title` says what the rows are."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: Counts

    @property
    def table(self) -> pd.DataFrame:
        """The data as a table, one line for each row."""
        frame = pd.DataFrame(self.counts, columns=list(self.columns))
        frame.insert(0, self.title, list(self.rows))
        return frame


@dataclass(frozen=True, slots=True)
class OverTime:
    """Claims by status in steps of time: `starts` is the first day of each step, cut to the period at its ends."""

    step: Step
    starts: tuple[date, ...]
    ends: tuple[date, ...]
    statuses: tuple[str, ...]
    counts: Counts

    @property
    def table(self) -> pd.DataFrame:
        """The data as a table, one line for each step."""
        frame = pd.DataFrame(self.counts, columns=list(self.statuses))
        frame.insert(0, self.step.value, list(self.starts))
        frame["all"] = self.counts.sum(axis=1)
        return frame


@dataclass(frozen=True, slots=True)
class ByProduct:
    """The products with the most claims, and how many claims and products the rest is."""

    top: Bars
    rest: int
    other_products: int

    @property
    def table(self) -> pd.DataFrame:
        """The data as a table, with the rest as its last line."""
        frame = self.top.table.rename(columns={"": "product"})
        if not self.other_products:
            return frame
        return pd.concat(
            [frame, pd.DataFrame({"product": [f"{self.other_products} others"], "claims": [self.rest]})]
        )


@dataclass(frozen=True, slots=True)
class DaysToClaim:
    """Days from the start of a warranty to its claim, in runs of days, with the median of all (None: no claims)."""

    runs: Bars
    edges: tuple[tuple[int, int | None], ...]
    median: float | None

    @property
    def table(self) -> pd.DataFrame:
        """The data as a table."""
        return self.runs.table.rename(columns={"": "days from warranty start"})


@dataclass(frozen=True, slots=True)
class Figure:
    """A headline figure of a period, and of the period before; None where it cannot be told."""

    value: float | None
    before: float | None

    @property
    def change(self) -> float | None:
        """The change against the period before as a share of it: 0.08 is 8 % more."""
        if self.value is None or not self.before:
            return None
        return self.value / self.before - 1


@dataclass(frozen=True, slots=True)
class Headline:
    """The figures over the charts."""

    claims: Figure
    not_resolved: Figure
    not_resolved_share: Figure
    median_days_to_claim: Figure


class Trends:
    """The charts of a period; `cube` may hold more days, so that a window or the period before is a slice.

    `resolved` are the statuses that count as resolved: a set of the shop's choice, RESOLVED at least known.
    """

    def __init__(self, cube: ClaimCube, *, resolved: Collection[str] = RESOLVED) -> None:
        self._cube = cube
        self._open = np.array([status not in resolved for status in cube.statuses], dtype=bool)

    def over_time(self, period: Period, *, step: Step | None = None) -> OverTime:
        """Give claims by status over time, by day, week (from Monday), month or year as suits the period's length."""
        step = step or period.step
        rows = self._cube.rows(period)
        starts = _step_starts(period, step, self._cube.days[rows])
        ends = [*(to_date(to_day(start) - 1) for start in starts[1:]), period.last]
        if step is Step.YEAR:
            ends = [min(start.replace(month=12, day=31), period.last) for start in starts]
        running = np.zeros((rows.stop - rows.start + 1, len(self._cube.statuses)), np.int64)
        np.cumsum(self._cube.by_status[rows], axis=0, out=running[1:])
        edges = [*map(to_day, starts), to_day(period.last) + 1]
        counts = np.diff(running[np.searchsorted(self._cube.days[rows], edges)], axis=0)
        return OverTime(step, tuple(starts), tuple(ends), self._cube.statuses, counts)

    def by_product(self, period: Period, *, top: int = 10) -> ByProduct:
        """Give the products with the most claims, and the rest as one."""
        counts = self._cube.count_products(self._cube.rows(period))
        names = np.array(self._cube.products, dtype=object)
        order = np.lexsort((np.arange(len(counts)), -counts))
        order = order[counts[order] > 0]
        best, others = order[:top], order[top:]
        bars = Bars(tuple(names[best]), counts[best])
        return ByProduct(bars, int(counts[others].sum()), len(others))

    def days_to_claim(self, period: Period) -> DaysToClaim:
        """Give how long after the start of its warranty a claim came."""
        ages = self._cube.count_ages(self._cube.rows(period))
        before, within, beyond = ages[0], ages[1:-1], ages[-1]
        counts = np.add.reduceat(within, _AGE_EDGES[:-1])
        edges: list[tuple[int, int | None]] = [(first, last - 1) for first, last in pairwise(_AGE_EDGES)]
        labels = [f"{first} to {last}" for first, last in edges]
        if before:
            counts, labels, edges = np.r_[before, counts], ["before the start", *labels], [(-1, -1), *edges]
        if beyond:
            counts, labels = np.r_[counts, beyond], [*labels, f"over {OLDEST}"]
            edges = [*edges, (OLDEST + 1, None)]
        return DaysToClaim(Bars(tuple(labels), counts), tuple(edges), _median(ages))

    def weekday_by_hour(self, period: Period) -> Grid:
        """Give claims by weekday (from Monday) and hour of service time."""
        rows = self._cube.rows(period)
        weekdays = (self._cube.days[rows] + 3) % 7  # 1970-01-01 was a Thursday
        counts = np.stack([self._cube.by_hour[rows][weekdays == day].sum(axis=0) for day in range(7)])
        return Grid("weekday", WEEKDAYS, tuple(f"{hour:02}" for hour in range(24)), counts)

    def starts_by_age(self, period: Period) -> Grid:
        """Give claims by the month in which the warranty started, and how many calendar months later they came."""
        rows = self._cube.rows(period)
        months = to_months(self._cube.days[rows])
        firsts = np.flatnonzero(np.diff(months, prepend=-(10**9)))
        # By month of claim and age, the latter from column 1 on; a month of start lies on a diagonal of it.
        claimed = (
            np.add.reduceat(self._cube.by_months[rows], firsts, axis=0) if len(firsts) else np.zeros((0, 1))
        )
        place, age = np.nonzero(claimed[:, 1:])
        if not len(place):
            return Grid("warranty start", (), (), np.zeros((0, 0), np.int64))
        started = months[firsts][place] - age
        starts = np.arange(started.min(), started.max() + 1)
        if len(starts) > _MOST_MONTHS:
            starts = np.unique(started)
        counts = np.zeros((len(starts), int(age.max()) + 1), np.int64)
        np.add.at(counts, (np.searchsorted(starts, started), age), claimed[place, age + 1])
        labels = tuple(str(np.datetime64(int(month), "M")) for month in starts)
        return Grid("warranty start", labels, tuple(map(str, range(counts.shape[1]))), counts)

    def open_by_age(self, period: Period, *, today: date) -> Bars:
        """Give claims that are not resolved by how many days ago they were made, as of `today`."""
        rows = self._cube.rows(period)
        open_claims = self._cube.by_status[rows][:, self._open].sum(axis=1)
        ages = to_day(today) - self._cube.days[rows]
        labels, counts = [], []
        for first, last in _OPEN_AGES:
            inside = (ages >= first if first else ages <= 7) & (ages <= last if last is not None else True)
            labels.append(f"{first} to {last} days" if last is not None else f"over {first - 1} days")
            counts.append(int(open_claims[inside].sum()))
        return Bars(tuple(labels), np.array(counts, dtype=np.int64))

    def headline(self, period: Period, *, read: Period | None = None) -> Headline:
        """Give the figures of a period beside those of the period before it.

        `read` is the period of which all claims were read (None: that of the cube): where the period before
        reaches beyond it, there is nothing to compare with.
        """
        read = read or self._cube.read
        known = (period.first - read.first).days >= period.days
        now, before = self._figures(period), self._figures(period.before) if known else (None,) * 4
        return Headline(*(Figure(*pair) for pair in zip(now, before, strict=True)))

    def _figures(self, period: Period) -> Sequence[float | None]:
        rows = self._cube.rows(period)
        by_status = self._cube.by_status[rows].sum(axis=0)
        claims, not_resolved = int(by_status.sum()), int(by_status[self._open].sum())
        share = not_resolved / claims if claims else None
        return claims, not_resolved, share, _median(self._cube.count_ages(rows))


def covered(claims: ClaimSet) -> Period:
    """Give the days that a claim set is about: those of its query, else of its claims and on to any clock's today."""
    if claims.query.claim_dates is not None:
        return Period.of(claims.query.claim_dates)
    today = (claims.as_of.astimezone(UTC) + FURTHEST_ZONE).date()
    if not len(claims.frame):
        return Period(today, today)
    dates = claims.frame["claim_date"]
    return Period(min(dates.min().date(), today), max(dates.max().date(), today))


def trends(
    claims: ClaimSet,
    *,
    selection: Selection = _EVERYTHING,
    period: Period | None = None,
    resolved: Collection[str] = RESOLVED,
) -> Trends:
    """Count the selected claims once; every chart of the period, or of a part of it, is cheap after that."""
    rows = selection.of(claims.frame)
    codes = claims.table.codes
    if selection:
        codes = codes.take(rows.index.to_numpy())
    cube = ClaimCube.of(rows, period or covered(claims), codes=codes)
    return Trends(cube, resolved=resolved)


def _step_starts(period: Period, step: Step, days_counted: Counts) -> list[date]:
    """Give the first day of each step; of years those that the cube has days of, since one may be the year 1."""
    if step is Step.YEAR:
        years = np.unique(days_counted.astype("M8[D]").astype("M8[Y]").astype(np.int64)) + 1970
        return [max(date(int(year), 1, 1), period.first) for year in years] or [period.first]
    days = np.arange(to_day(period.first), to_day(period.last) + 1)
    if step is Step.DAY:
        return [to_date(int(day)) for day in days]
    begins = (days + 3) % 7 == 0 if step is Step.WEEK else np.diff(to_months(days), prepend=-(10**9)) != 0
    begins[0] = True
    return [to_date(int(day)) for day in days[begins]]


def _median(ages: Counts) -> float | None:
    """Give the median age in days; the counts are of -1, 0, 1, … days."""
    running = np.cumsum(ages)
    total = int(running[-1])
    if not total:
        return None
    middle = np.searchsorted(running, [(total - 1) // 2, total // 2], side="right") - 1
    return float(middle.mean())
