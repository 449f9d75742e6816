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

OLDEST: Final = 1_826
"""Ages above five years are counted together, and so are claims dated before their warranty started."""
AGES: Final = OLDEST + 3
"""How many ages are told apart: before the start (0), each day from 0 to `OLDEST` (1 and on), and older."""
MOST_DAYS: Final = 20_000
_MONTHS: Final = 63  # none, and five years in calendar months, both ends included
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
    """Counts of claims by day and status, hour and age in months, and runs of claims by age in days and product.

    Each row of the tables is one of `days` (days since 1970, rising), and `claims_before` says how many claims came
    before it. Days without claims between the first and the last have a row too, unless these are 55 years apart: a
    claim of the year 1 is counted like any other. `by_months` has in column n + 1 the claims n calendar months after
    the month in which their warranty started, and in column 0 those before it started or more than five years after.

    `read` are the days of which all claims were read.
    """

    days: Counts
    claims_before: Counts
    by_status: Counts
    by_hour: Counts
    by_months: Counts
    by_age: RunCounts
    by_product: RunCounts
    statuses: tuple[str, ...]
    products: tuple[str, ...]
    read: Period

    def rows(self, period: Period) -> slice:
        """Give the table rows of a period."""
        first, last = np.searchsorted(self.days, [to_day(period.first), to_day(period.last) + 1])
        return slice(int(first), int(last))

    def count_ages(self, rows: slice) -> Counts:
        """Count the claims of these rows by age: before the start, 0 days, 1 day, … older than five years."""
        return self.by_age.count(*self._claims(rows))

    def count_products(self, rows: slice) -> Counts:
        """Count the claims of these rows by product."""
        return self.by_product.count(*self._claims(rows))

    def _claims(self, rows: slice) -> tuple[int, int]:
        return int(self.claims_before[rows.start]), int(self.claims_before[rows.stop])

    @classmethod
    def of(cls, frame: pd.DataFrame, read: Period, *, products: Coded | None = None) -> "ClaimCube":
        """Count the claims of `frame`, all of them.

        `products` are the codes of product_name for these rows, where they are known already
        (`ClaimSet.products`): coding a million names takes longer than all else here.
        """
        status, product = Coded.of(frame["status"]), products or Coded.of(frame["product_name"])
        claimed, started = _micros(frame["claim_date"]), _micros(frame["warranty_start_date"])
        order = _oldest_first(claimed)
        claimed, started, statuses = claimed[order], started[order], status.codes[order]
        days = _days_of(claimed)
        claims_by_hour = np.searchsorted(claimed, (days[:, None] * 24 + np.arange(25)) * _HOUR)
        claims_before = np.append(claims_by_hour[:, 0], len(claimed))
        by_status = np.zeros((len(days), len(status.names)), np.int64)
        by_months = np.zeros((len(days), _MONTHS), np.int64)
        ages = np.empty(len(claimed), np.int16)
        blocks = _month_starts(days)
        # Month by month, so that what is worked on stays in the processor's cache.
        for begin, end in pairwise(blocks):
            rows = slice(claims_before[begin], claims_before[end])
            claims_a_day = np.diff(claims_before[begin : end + 1])
            # Days are counted from the first of a month so long ago that a warranty is too old that started on it.
            origin, months_before = _months_before(days[begin])
            day = np.repeat((days[begin:end] - origin).astype(np.int32), claims_a_day)
            start = ((started[rows] - origin * _DAY) / _DAY).astype(np.int32)
            age = np.clip(day - start, -1, OLDEST + 1) + 1
            ages[rows] = age
            column = months_before.take(start, mode="clip")
            column *= (age > 0) & (age < AGES - 1)
            # Two tables from one counting: going through the claims is what takes the time.
            column += np.repeat(np.arange(end - begin, dtype=np.int32) * np.int32(_MONTHS), claims_a_day)
            column += statuses[rows] * np.int32((end - begin) * _MONTHS)
            shape = (len(status.names), int(end - begin), _MONTHS)
            both = np.bincount(column, minlength=math.prod(shape)).reshape(shape)
            by_status[begin:end], by_months[begin:end] = both.sum(axis=2).T, both.sum(axis=0)
        edges = claims_before[blocks]
        return cls(
            days=days,
            claims_before=claims_before,
            by_status=by_status,
            by_hour=np.diff(claims_by_hour, axis=1),
            by_months=by_months,
            by_age=RunCounts.of(ages, edges, AGES),
            by_product=RunCounts.of(product.codes[order], edges, len(product.names)),
            statuses=status.names,
            products=product.names,
            read=read,
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


def _days_of(claimed: Counts) -> Counts:
    """Give the days from the first claim to the last; where these are `MOST_DAYS` apart, those with claims."""
    if not len(claimed):
        return np.zeros(0, np.int64)
    first, last = claimed[[0, -1]] // _DAY
    if last - first < MOST_DAYS:
        return np.arange(first, last + 1)
    return np.unique(claimed // _DAY)


def _month_starts(days: Counts) -> Counts:
    """Give the table rows at which months begin, and the end after them."""
    months = to_months(days)
    return np.concatenate([np.flatnonzero(np.diff(months, prepend=-(10**9))), [len(days)]])


def _months_before(day: int) -> tuple[int, npt.NDArray[np.int32]]:
    """Give a day more than five years before the month of `day`, and column numbers of `by_months` from it on."""
    month = int(to_months(np.array([day]))[0])
    firsts = np.arange(month - _MONTHS + 2, month + 2).astype("M8[M]").astype("M8[D]").astype(np.int64)
    columns = np.arange(_MONTHS - 1, 0, -1, dtype=np.int32)
    return int(firsts[0]), np.repeat(columns, np.diff(firsts))
