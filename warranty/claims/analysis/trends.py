"""The data of every chart of claims: small tables of counts, from a `ClaimCube`, with no drawing in them."""

from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Final

import numpy as np
import pandas as pd

from warranty.claims.analysis.cube import ClaimCube, Counts, to_date, to_day
from warranty.claims.analysis.periods import DAY, Period, Step, part_of, step_of
from warranty.claims.analysis.selection import Selection
from warranty.claims.retrieval import ClaimSet
from warranty.claims.retrieval.survey import FURTHEST_ZONE
from warranty.client.resources.claims import DOCUMENTED_CLOSED
from warranty.language import _, pgettext

_EVERYTHING: Final = Selection()
DAYS_A_BAR: Final = 30
"""Bars of ages have one width, so that none is long for its days alone."""
_OPEN_AGES: Final = ((0, 30), *((first, first + 29) for first in range(31, 180, DAYS_A_BAR)), (181, None))


@dataclass(frozen=True, slots=True)
class OpenByAge:
    """Open claims by age, with the days on which those of each bar were made (None: none in the period).

    `closed` are the words that mean closed, `statuses` those found that are counted as open, the most frequent first.
    """

    labels: tuple[str, ...]
    counts: Counts
    days: tuple[Period | None, ...]
    closed: tuple[str, ...]
    statuses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OverTime:
    """Claims by status in steps of time, the first and the last cut to the period.

    `parts` says of each step which part of it is counted, where that is not all of it: `so far`, `from 22 May`.
    """

    step: Step
    steps: tuple[Period, ...]
    statuses: tuple[str, ...]
    counts: Counts
    parts: tuple[str, ...]

    @property
    def table(self) -> pd.DataFrame:
        """The data as a table, one line for each step. A service may call a status as one of our columns is called."""
        ours = (self.step.words, pgettext("which part of its days", "counted"), pgettext("claims", "all"))
        called = "" if set(self.statuses).isdisjoint(ours) else _("status {names}", names="")
        frame = pd.DataFrame(self.counts, columns=[called + status for status in self.statuses])
        frame.insert(0, ours[0], [step.first for step in self.steps])
        frame.insert(1, ours[1], [part or _("whole") for part in self.parts])
        frame[ours[2]] = self.counts.sum(axis=1)
        return frame


@dataclass(frozen=True, slots=True)
class ByProduct:
    """The products with the most claims, and how many claims and products the rest is."""

    names: tuple[str, ...]
    counts: Counts
    rest: int
    other_products: int


class Trends:
    """The charts of a period, which may be a part of the days of the cube; what is not `closed` is open.

    `today` is the day on which the claims were read: it is not over, and later ones are to come (None: not known).
    """

    def __init__(
        self, cube: ClaimCube, period: Period, *, closed: tuple[str, ...] = DOCUMENTED_CLOSED, today: date | None = None
    ) -> None:
        self.period = period
        self._today = today
        self._closed = closed
        self._cube = cube
        self._rows = cube.rows(period)
        self._days = cube.days[self._rows]
        self._by_status = cube.by_status[self._rows]
        self._open = np.array([status not in closed for status in cube.statuses], dtype=bool)

    def over_time(self) -> OverTime:
        """Give claims by status over time, by day, week (from Monday), month or year as suits the period's length.

        Days to come are no days without claims: they are left out up to the last that has one.
        """
        period, unit = self.period, self.period.step
        if self._today is not None:
            seen = [self._today, *(to_date(day) for day in self._days[self._by_status.any(axis=1)][-1:].tolist())]
            period = Period(period.first, max(period.first, min(period.last, max(seen))))
        steps = _steps(period, self._days, unit)
        running = np.zeros((len(self._days) + 1, len(self._cube.statuses)), np.int64)
        np.cumsum(self._by_status, axis=0, out=running[1:])
        edges = [*(to_day(step.first) for step in steps), to_day(period.last) + 1]
        counts = np.diff(running[np.searchsorted(self._days, edges)], axis=0)
        parts = tuple(part_of(step, unit, today=self._today) for step in steps)
        return OverTime(unit, steps, self._cube.statuses, counts, parts)

    def by_product(self, *, top: int = 10) -> ByProduct:
        """Give the products with the most claims, and the rest as one."""
        counts = self._cube.count_products(self._rows)
        names = np.array(self._cube.products, dtype=object)
        order = np.argsort(-counts, kind="stable")
        order = order[counts[order] > 0]
        best, others = order[:top], order[top:]
        return ByProduct(tuple(names[best]), counts[best], int(counts[others].sum()), len(others))

    def open_by_age(self, *, today: date) -> OpenByAge:
        """Give open claims by how many days ago they were made, as of `today`."""
        open_claims = self._by_status[:, self._open].sum(axis=1)
        labels, counts, made = [], [], []
        for youngest, oldest in _OPEN_AGES:
            first, last = self.period.first, self.period.last
            if oldest is not None:
                first = max(first, today - timedelta(days=oldest))
            if youngest:  # what is dated after today is among the youngest
                last = min(last, today - timedelta(days=youngest))
            days = Period(first, last) if first <= last else None
            labels.append(
                _("over {n} days", n=youngest - 1)
                if oldest is None
                else _("{first} to {last} days", first=youngest, last=oldest)
            )
            rows = np.searchsorted(self._days, [to_day(first), to_day(last) + 1])
            counts.append(int(open_claims[slice(*rows)].sum()) if days else 0)
            made.append(days)
        by_status = self._by_status.sum(axis=0) * self._open
        found = tuple(self._cube.statuses[place] for place in np.argsort(-by_status, kind="stable") if by_status[place])
        counted = np.array(counts, dtype=np.int64)
        return OpenByAge(tuple(labels), counted, tuple(made), self._closed, found)

    @property
    def claims(self) -> int:
        """How many claims the period has."""
        return int(self._by_status.sum())

    @property
    def open_claims(self) -> int:
        """How many of them are open."""
        return int(self._by_status[:, self._open].sum())

    def claims_on(self, days: Period) -> int:
        """Count the claims of these days, which may be fewer than those of the period."""
        rows = self._cube.rows(days)
        return int(self._cube.by_status[rows].sum())


def covered(claims: ClaimSet) -> Period:
    """Give the days that a claim set is about: those of its query, else of its claims and on to any clock's today."""
    if claims.query.claim_dates is not None:
        return Period.of(claims.query.claim_dates)
    today = (claims.as_of.astimezone(UTC) + FURTHEST_ZONE).date()
    if not len(claims.frame):
        return Period(today, today)
    dates = claims.frame["claim_date"]
    return Period(min(dates.min().date(), today), max(dates.max().date(), today))


def trends(claims: ClaimSet, *, selection: Selection = _EVERYTHING) -> Trends:
    """Count the selected claims once; every chart of the days of the set, or of a part of them, is cheap after that."""
    rows = selection.of(claims.frame)
    codes = claims.table.codes
    if selection:
        codes = codes.take(rows.index.to_numpy())
    cube, today = ClaimCube.of(rows, codes=codes), claims.as_of.astimezone(UTC).date()
    return Trends(cube, covered(claims), closed=selection.closed, today=today)


def _steps(period: Period, days_counted: Counts, unit: Step) -> tuple[Period, ...]:
    """Cut the period into its steps; of years those that the cube has days of, since one may be the year 1."""
    last = min(step_of(period.first, unit).last, period.last)
    steps = [Period(period.first, last)]
    while last < period.last:
        first = last + DAY
        last = min(step_of(first, unit).last, period.last)
        steps.append(Period(first, last))
    if unit is not Step.YEAR:
        return tuple(steps)
    years = {to_date(day).year for day in days_counted.tolist()}
    return tuple(step for step in steps if step.first.year in years) or (steps[0],)
