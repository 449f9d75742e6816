"""Claims counted by day, once: after that every chart of a stretch of days is a sum over rows of small tables.

Counting a million claims anew for each chart and each change of a filter would cost some hundred times as much
(docs/benchmarks.md). The counts are exact; only days since the epoch, hours and codes of words are kept.

`claim_date` is service time and is never shifted. The age of a warranty at its claim is the number of days from
the day on which it started, in UTC, to the claim's day in service time: the zone of service time is not
documented, so an age may be a day off for claims around midnight.
"""

from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from warranty.analysis.periods import Period
from warranty.analysis.runs import Counts, RunCounts

MOST_DAYS: Final = 1_830
OLDEST: Final = 1_826
"""Ages above five years are counted together, and so are claims dated before their warranty started."""
AGES: Final = OLDEST + 3
"""How many ages are told apart: before the start (0), each day from 0 to `OLDEST` (1 and on), and older."""
_DAY: Final = 86_400_000_000
_HOUR: Final = 3_600_000_000


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of words as codes into `names`."""

    codes: npt.NDArray[np.integer[Any]]
    names: tuple[str, ...]

    @classmethod
    def of(cls, column: "pd.Series[Any]") -> "Coded":
        """Code a column; a category has its codes already. A missing word is an empty one."""
        if isinstance(column.dtype, pd.CategoricalDtype) and not column.hasnans:
            return cls(column.cat.codes.to_numpy(), tuple(map(str, column.cat.categories)))
        words = pa.chunked_array([pa.array(column.astype("str").fillna(""), pa.large_string())])
        coded = words.combine_chunks().dictionary_encode()
        return cls(coded.indices.to_numpy(), tuple(coded.dictionary.to_pylist()))


@dataclass(frozen=True, slots=True)
class ClaimCube:
    """Counts of claims by day and status, product and hour, and runs of days by age and by start of warranty.

    Row 0 of the tables is `first_day` (days since 1970), `row_of_day` says how many claims came before each day.
    `outside` counts claims on days that the cube does not hold.
    """

    first_day: int
    by_status: Counts
    by_product: Counts
    by_hour: Counts
    row_of_day: Counts
    ages: RunCounts
    starts: RunCounts
    first_start: int
    statuses: tuple[str, ...]
    products: tuple[str, ...]
    outside: int

    @property
    def days(self) -> int:
        """How many days the cube holds."""
        return len(self.by_status)

    @property
    def period(self) -> Period:
        """The days that the cube holds."""
        return Period(to_date(self.first_day), to_date(self.first_day + self.days - 1))

    def rows(self, period: Period) -> slice:
        """Give the table rows of a period, as far as the cube holds it."""
        first, last = to_day(period.first) - self.first_day, to_day(period.last) - self.first_day
        first = min(max(first, 0), self.days)
        return slice(first, min(max(last + 1, first), self.days))

    def count_ages(self, rows: slice) -> Counts:
        """Count the claims of these days by age: before the start, 0 days, 1 day, … older than five years."""
        return self.ages.count(int(self.row_of_day[rows.start]), int(self.row_of_day[rows.stop]))

    def count_starts(self, rows: slice) -> Counts:
        """Count the claims of these days by the day on which the warranty started, from `first_start` on.

        Claims before the start and those older than five years are left out.
        """
        return self.starts.count(int(self.row_of_day[rows.start]), int(self.row_of_day[rows.stop]))[1:]

    @classmethod
    def of(cls, frame: pd.DataFrame, period: Period, *, products: Coded | None = None) -> "ClaimCube":
        """Count the claims of `frame` on the days of `period`, at most its last 1,830 days.

        `products` are the codes of product_name for these rows, where they are known already
        (`ClaimSet.products`): coding a million names takes longer than all else here.
        """
        last = to_day(period.last)
        first = max(to_day(period.first), last - MOST_DAYS + 1)
        days = last - first + 1
        status, product = Coded.of(frame["status"]), products or Coded.of(frame["product_name"])
        claimed, started = _micros(frame["claim_date"]), _micros(frame["warranty_start_date"])
        order = _oldest_first(claimed)
        claimed, started = claimed[order], started[order]
        row_of_day = np.searchsorted(claimed, (first + np.arange(days + 1)) * _DAY)
        months = _month_starts(first, days)
        by_status = np.zeros((days, len(status.names)), np.int64)
        by_product = np.zeros((days, len(product.names)), np.int64)
        by_hour = np.zeros((days, 24), np.int64)
        ages = RunCounts.empty(len(claimed), row_of_day[months], AGES)
        starts = RunCounts.empty(len(claimed), row_of_day[months], OLDEST + days + 1)
        # Month by month, so that what is worked on stays in the processor's cache.
        for month, (begin, end) in enumerate(pairwise(months)):
            rows, table = slice(row_of_day[begin], row_of_day[end]), slice(begin, end)
            length = int(end - begin)
            hour = (claimed[rows] // _HOUR - (first + begin) * 24).astype(np.int32)
            day = hour // np.int32(24)
            both = _count(hour, status.codes[order][rows], length * 24, len(status.names))
            by_hour[table] = both.sum(axis=1).reshape(length, 24)
            by_status[table] = both.reshape(length, 24, -1).sum(axis=1)
            by_product[table] = _count(day, product.codes[order][rows], length, len(product.names))
            start = (started[rows] // _DAY).astype(np.int32)
            age = np.clip(day + np.int32(first + begin) - start, -1, OLDEST + 1) + np.int32(1)
            ages.add(month, age)
            usual = (age > 0) & (age <= OLDEST + 1)
            starts.add(month, np.where(usual, start - np.int32(first - OLDEST - 1), np.int32(0)))
        return cls(
            first_day=first,
            by_status=by_status,
            by_product=by_product,
            by_hour=by_hour,
            row_of_day=row_of_day,
            ages=ages,
            starts=starts,
            first_start=first - OLDEST,
            statuses=status.names,
            products=product.names,
            outside=len(claimed) - int(row_of_day[-1] - row_of_day[0]),
        )


def to_day(day: date) -> int:
    """Give a day as days since 1970."""
    return (day - date(1970, 1, 1)).days


def to_date(day: int) -> date:
    """Give the day that `to_day` counted."""
    return date.fromordinal(date(1970, 1, 1).toordinal() + day)


def _micros(column: "pd.Series[Any]") -> Counts:
    """Give moments as microseconds since 1970: of UTC where they have a zone, of service time where not."""
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        column = column.dt.tz_convert(None)
    return column.to_numpy().astype("M8[us]", copy=False).view(np.int64)


def _oldest_first(claimed: Counts) -> Any:
    """Give what puts the rows in order of time; a claim set comes newest first, which is only turned round."""
    if (claimed[1:] <= claimed[:-1]).all():
        return slice(None, None, -1)
    return np.argsort(claimed, kind="stable")


def _month_starts(first: int, days: int) -> Counts:
    """Give the table rows at which months begin, with 0 before and the end after them."""
    months = np.arange(first, first + days).astype("M8[D]").astype("M8[M]")
    return np.concatenate([[0], np.flatnonzero(months[1:] != months[:-1]) + 1, [days]])


def _count(row: npt.NDArray[np.int32], code: npt.NDArray[Any], rows: int, codes: int) -> Counts:
    return np.bincount(row * np.int32(codes) + code, minlength=rows * codes).reshape(rows, codes)
