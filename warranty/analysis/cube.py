"""Claims counted by day, once: after that every chart of a stretch of days is a sum over rows of small tables.

Counting a million claims anew for each chart and each change of a filter would cost some hundred times as much
(docs/benchmarks.md). The counts are exact; only days since the epoch, hours and codes of words are kept.

`claim_date` is service time and is never shifted. The age of a warranty at its claim is the number of days from
the day on which it started, in UTC, to the claim's day in service time: the zone of service time is not
documented, so an age may be a day off for claims around midnight.
"""

import math
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
    """Counts of claims by day and status, product, hour and month of warranty start, and runs of days by age.

    Row 0 of the tables is `first_day` (days since 1970), `row_of_day` says how many claims came before each day.
    Column 0 of `by_start` is the month `first_start` (months since 1970); claims before the start of their warranty
    and more than five years after it are not in it. `outside` counts claims on days that the cube does not hold.
    """

    first_day: int
    by_status: Counts
    by_product: Counts
    by_hour: Counts
    by_start: Counts
    row_of_day: Counts
    ages: RunCounts
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
        row_of_hour = np.searchsorted(claimed, (first * 24 + np.arange(days * 24 + 1)) * _HOUR)
        row_of_day = row_of_hour[::24]
        blocks = _month_starts(first, days)
        first_start_day = first - OLDEST
        month_of_start = to_months(np.arange(first_start_day, first + days))
        # One place before the first day and one after the last, for what started on none of them.
        column_of_start = np.concatenate([[0], month_of_start - month_of_start[0] + 1, [0]]).astype(np.int32)
        by_status = np.zeros((days, len(status.names)), np.int64)
        by_product = np.zeros((days, len(product.names)), np.int64)
        by_start = np.zeros((days, int(column_of_start.max()) + 1), np.int64)
        ages = RunCounts.empty(len(claimed), row_of_day[blocks], AGES)
        # Month by month, so that what is worked on stays in the processor's cache.
        for block, (begin, end) in enumerate(pairwise(blocks)):
            rows, table = slice(row_of_day[begin], row_of_day[end]), slice(begin, end)
            day = np.repeat(np.arange(end - begin, dtype=np.int32), np.diff(row_of_day[begin : end + 1]))
            start = (started[rows] // _DAY - first_start_day).astype(np.int32)
            age = np.clip(day - start + np.int32(begin + OLDEST), -1, OLDEST + 1) + np.int32(1)
            ages.add(block, age)
            by_product[table] = _count(day, product.codes[order][rows], by_product[table].shape)
            column = column_of_start.take(start + np.int32(1), mode="clip")
            column *= (age > 0) & (age < AGES - 1)
            # Two tables from one counting: going through the claims is what takes the time.
            shape = (by_status.shape[1], int(end - begin), by_start.shape[1])
            both = _count(status.codes[order][rows], day * np.int32(shape[2]) + column, shape)
            by_status[table], by_start[table] = both.sum(axis=2).T, both.sum(axis=0)
        return cls(
            first_day=first,
            by_status=by_status,
            by_product=by_product,
            by_hour=np.diff(row_of_hour).reshape(days, 24),
            by_start=by_start[:, 1:],
            row_of_day=row_of_day,
            ages=ages,
            first_start=int(month_of_start[0]),
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


def to_months(days: Counts) -> Counts:
    """Give the months of days, both counted since 1970."""
    return days.astype("M8[D]").astype("M8[M]").astype(np.int64)


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
    months = to_months(np.arange(first, first + days))
    return np.concatenate([[0], np.flatnonzero(months[1:] != months[:-1]) + 1, [days]])


def _count(row: npt.NDArray[Any], code: npt.NDArray[np.int32], shape: tuple[int, ...]) -> Counts:
    """Count pairs of a row and a code (that of a day and month: place in the rest of `shape`)."""
    codes = math.prod(shape[1:])
    return np.bincount(row * np.int32(codes) + code, minlength=shape[0] * codes).reshape(shape)
