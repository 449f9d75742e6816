"""Claims counted by day, once: after that every chart of a stretch of days is a sum over rows of small tables.

Counting a million claims anew for each chart and each change of a filter would cost some hundred times as much
(docs/benchmarks.md). The counts are exact; only days since the epoch and codes are kept (`claim_codes`).
`claim_date` is service time and is never shifted.
"""

import math
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from warranty.claims.analysis.periods import Period
from warranty.claims.retrieval.claim_codes import DAY, ClaimCodes, moments, to_months

_MOST_DAYS: Final = 20_000
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClaimCube:
    """Counts of claims by day and status, and the product of each claim, the newest first.

    Each row of the tables is one of `days` (days since 1970, rising), and `claims_since` says how many claims came
    on that day or later. Days without claims between the first and the last
    have a row too, unless these are 55 years apart: a claim of the year 1 is counted like any other.
    """

    days: Counts
    claims_since: Counts
    by_status: Counts
    of_product: npt.NDArray[np.integer[Any]]
    statuses: tuple[str, ...]
    products: tuple[str, ...]

    def rows(self, period: Period) -> slice:
        """Give the table rows of a period."""
        first, last = np.searchsorted(self.days, [to_day(period.first), to_day(period.last) + 1])
        return slice(int(first), int(last))

    def count_products(self, rows: slice) -> Counts:
        """Count the claims of these rows by product."""
        claims = slice(int(self.claims_since[rows.stop]), int(self.claims_since[rows.start]))
        return np.bincount(self.of_product[claims], minlength=len(self.products))

    @classmethod
    def of(cls, frame: pd.DataFrame, *, codes: ClaimCodes | None = None) -> Self:
        """Count the claims of `frame`, all of them.

        `codes` are those of its rows, where they are there already: a claim set has them (`ClaimTable.codes`).
        """
        codes = codes or ClaimCodes.of(frame)
        claimed = moments(frame["claim_date"])
        if (claimed[1:] > claimed[:-1]).any():  # a claim set comes newest first
            order = np.argsort(-claimed, kind="stable")
            claimed, codes = claimed[order], codes.take(order)
        days = _days_of(claimed[::-1])
        claims_since = np.append(len(claimed) - np.searchsorted(claimed[::-1], days * DAY), 0)
        statuses, products = codes.statuses, codes.products
        by_status = np.zeros((len(days), len(statuses.names)), np.int64)
        # Month by month, so that what is worked on stays in the processor's cache.
        months = np.append(np.flatnonzero(np.diff(to_months(days), prepend=-(10**9))), len(days))
        for begin, end in pairwise(months):
            rows = slice(claims_since[end], claims_since[begin])
            newest_first = np.arange(end - begin - 1, -1, -1, dtype=np.int32)
            day = np.repeat(newest_first, -np.diff(claims_since[begin : end + 1])[::-1])
            by_status[begin:end] = _table(day, statuses.codes[rows], by_status[begin:end].shape)
        return cls(
            days=days,
            claims_since=claims_since,
            by_status=by_status,
            of_product=products.codes,
            statuses=statuses.names,
            products=products.names,
        )


def _table(rows: npt.NDArray[np.int32], values: npt.NDArray[np.integer[Any]], shape: tuple[int, int]) -> Counts:
    cells = rows * np.int32(shape[1])
    cells += values
    counts: Counts = np.bincount(cells, minlength=math.prod(shape)).reshape(shape)
    return counts


def to_day(day: date) -> int:
    """Give a day as days since 1970."""
    return (day - date(1970, 1, 1)).days


def to_date(day: int) -> date:
    """Give the day that `to_day` counted."""
    return date.fromordinal(date(1970, 1, 1).toordinal() + day)


def _days_of(claimed: Counts) -> Counts:
    """Give the days from the first claim to the last; where these are `_MOST_DAYS` apart, those with claims."""
    if not len(claimed):
        return np.zeros(0, np.int64)
    first, last = claimed[[0, -1]] // DAY
    if last - first < _MOST_DAYS:
        return np.arange(first, last + 1)
    return np.unique(claimed // DAY)
