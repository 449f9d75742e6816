"""Claims by the month in which their plan started, and by how many calendar months later they came.

A plan of 30 June that is claimed on 1 July counts as claimed 1 month later. Only months that are over at the as-of day
are counted: what plans started in the last of them did one month later is not 0, it is not seen yet. Nor is 0 what they
did before the first claim that is known: the service may not have been there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from warranty.claims.analysis.cube import Counts, to_day
from warranty.claims.analysis.periods import Period, day_words
from warranty.claims.retrieval.claim_codes import DAY, Coded, moments, to_months
from warranty.language import _
from warranty.language.written import MONTH, dated

_MOST_STARTS: Final = 240


@dataclass(frozen=True, slots=True, eq=False)
class StartTable:
    """Counts of claims by product, month of start and age, as of one day in service time.

    `starts` are whole months as `YYYY-MM`, in a row and without a gap, up to the last month that is over at `as_of`;
    ages are 0, 1, … months, as many as there are starts. `begun` is the place of the first month that is known whole:
    what was claimed before it is not seen. `products` have the most claims first. `left_out` says which
    claims are in no cell, and how many. The other parts hold the counts: the cells with claims of all products, in
    the order of the products (`begins`: where each one's cells begin).
    """

    as_of: date
    starts: tuple[str, ...]
    products: tuple[str, ...]
    left_out: Mapping[str, int]
    begun: int
    cells: Counts
    claims: Counts
    begins: Counts

    @classmethod
    def of(cls, frame: pd.DataFrame, *, as_of: date, first: date | None = None, known_from: date | None = None) -> Self:
        """Count the claims of `frame` (the columns of `ClaimSet.frame`).

        The table begins with the month of `first` even where no claim is from a plan of that month; without it, with
        the oldest start in the frame, at most 240 months back. `known_from`: see `ClaimSet`; without it all is.
        """
        claimed_day, started_day = (moments(frame[name]) // DAY for name in ("claim_date", "warranty_start_date"))
        claimed, started = to_months(claimed_day), to_months(started_day)
        last = _month(as_of) - 1
        oldest = int(started.min(initial=last)) if first is None else _month(first)
        oldest = max(oldest, last - _MOST_STARTS + 1)
        size = max(0, last - oldest + 1)
        begun = oldest if known_from is None else _month(known_from) + (known_from.day > 1)
        begun = min(max(begun, oldest), last + 1)
        running = _("{month}, which is not over", month=dated(as_of, MONTH))
        faults = {
            _("dated before the start of their plan"): claimed_day < started_day,
            _("dated after {day}", day=day_words(as_of)): claimed_day > to_day(as_of),
            _("on plans started in {month}", month=running): started > last,
            _("on plans started before {month}", month=month_words(_name(oldest))): started < oldest,
            _("dated in {month}", month=running): claimed > last,
            _("dated before {month}, the first that is known whole", month=month_words(_name(begun))): claimed < begun,
        }
        counted = np.ones(len(frame), dtype=bool)
        left_out = {}
        for words, fault in faults.items():
            if count := int((counted & fault).sum()):
                left_out[words] = count
            counted &= ~fault
        products = Coded.of(frame["product_name"][counted])
        order = np.argsort(-np.bincount(products.codes, minlength=len(products.names)), kind="stable")
        place = np.argsort(order)[products.codes].astype(np.int64)
        cell = (started[counted] - oldest) * size + (claimed - started)[counted]
        keys, claims = np.unique(place * size**2 + cell, return_counts=True)
        edges = np.arange(len(order) + 1) * size**2
        return cls(
            as_of=as_of,
            starts=tuple(_name(month) for month in range(oldest, last + 1)),
            products=tuple(products.names[code] for code in order),
            left_out=left_out,
            begun=begun - oldest,
            cells=keys % max(1, size**2),
            claims=claims.astype(np.int64),
            begins=np.searchsorted(keys, edges).astype(np.int64),
        )

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return self.cells.nbytes + self.claims.nbytes + self.begins.nbytes

    @property
    def seen(self) -> npt.NDArray[np.bool_]:
        """Whether the month of a cell is known and was over at the as-of day, by start and age."""
        places = np.arange(len(self.starts))
        month = places[:, None] + places
        seen: npt.NDArray[np.bool_] = (month >= self.begun) & (month < len(self.starts))
        return seen

    def counts(self, product: str | None = None) -> Counts:
        """Give the claims by start and age, of one product or (None) of all; 0 where nothing is seen."""
        size = len(self.starts)
        cells = slice(None)
        if product is not None:
            if product not in self.products:
                return np.zeros((size, size), np.int64)
            cells = slice(*self.begins[self.products.index(product) :][:2].tolist())
        table = np.zeros(size**2, np.int64)
        np.add.at(table, self.cells[cells], self.claims[cells])
        return table.reshape(size, size)

    def reached(self, age: int) -> slice:
        """Which of `starts` have been seen from their first month through this age in months."""
        return slice(self.begun, max(self.begun, len(self.starts) - age))


def starts_back(today: date, months: int) -> Period:
    """The days of that many whole months before the one of `today`."""
    this = _month(today)
    days = np.array([this - months, this]).astype("M8[M]").astype("M8[D]")
    return Period(days[0].item(), (days[1] - np.timedelta64(1, "D")).item())


def month_words(month: str) -> str:
    """A month for people: `Nov 2026` for `2026-11`."""
    return dated(date.fromisoformat(f"{month}-01"), MONTH)


def months_words(months: Sequence[str]) -> str:
    """Months in a row for people: `Nov 2023 to Oct 2026`, or one of them."""
    first, last = month_words(months[0]), month_words(months[-1])
    return first if first == last else _("{first} to {last}", first=first, last=last)


def _month(day: date) -> int:
    return (day.year - 1970) * 12 + day.month - 1


def _name(month: int) -> str:
    return str(np.datetime64(month, "M"))
