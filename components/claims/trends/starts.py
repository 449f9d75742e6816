"""The claims on plans by the month of their start: chosen, read to today, and sealed, for the tabs that tell by age."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Self

import pandas as pd
import streamlit as st

from components.claims.screen.reading import reading_with_head
from components.claims.trends.tabs import chosen_months, chosen_product, product_words
from components.words.days import service_today
from warranty.claims.analysis import Base
from warranty.claims.analysis.periods import day_words
from warranty.claims.analysis.starts import StartTable, month_words, months_words, starts_back
from warranty.claims.readings.readings import ClaimReadings, KeptClaims
from warranty.claims.retrieval import ClaimSet
from warranty.client.resources import ClaimQuery
from warranty.language import _, locale
from warranty.language.written import number

TAB: Final = "ageing"


@dataclass(frozen=True, slots=True)
class ReadStarts:
    """What was read, counted by start and age, and the product that is looked at (None: all of them).

    `table` counts all claims that were read, or those on some orders.
    """

    cached: KeptClaims
    table: StartTable
    product: str | None = None

    @property
    def claims(self) -> ClaimSet:
        """The set that was read, with its seal."""
        return self.cached.claims

    @classmethod
    def of(cls, cached: KeptClaims, *, first: date, orders: frozenset[str] | None = None) -> Self:
        """Count what was read, of plans that started since the month of `first`; on these `orders`, None: on any."""
        # A set that was kept over the end of a month is told as of the day on which it was read.
        as_of, claims = service_today(cached.claims.as_of), cached.claims

        def counted() -> StartTable:
            frame = claims.frame if orders is None else claims.frame[claims.frame["order_id"].isin(orders)]
            return StartTable.of(frame, as_of=as_of, first=first, known_from=_known_from(claims))

        return cls(cached, cached.derived(("starts", as_of, first, orders, str(locale())), counted))

    def on_orders(self, orders: frozenset[str] | None) -> Self:
        """The same of the claims on these orders alone (None: of all)."""
        first = date.fromisoformat(f"{self.table.starts[0]}-01")
        return replace(self.of(self.cached, first=first, orders=orders), product=self.product)

    def started_words(self, months: Sequence[str]) -> str:
        """These starts and the product: `started Nov 2023 to Oct 2026, product Gas grill`."""
        first, last = (month_words(month) for month in (months[0], months[-1]))
        return _("started {first} to {last}", first=first, last=last) + product_words(self.product)

    @property
    def base(self) -> Base:
        """What every figure of these is told of."""
        return Base(
            of=_("claims on plans {started}", started=self.started_words(self.table.starts)),
            count=int(self.table.counts(self.product).sum()),
            as_of=self.claims.as_of,
            leaves_out=(*left_out_words(self.table), *self.leaves_out),
        )

    @property
    def leaves_out(self) -> tuple[str, ...]:
        """What no figure of these has, by days or by months."""
        unreadable, first = len(self.claims.rejected), _known_from(self.claims)
        parts = {
            _("{n} that cannot be read", n=number(unreadable)): unreadable,
            _(
                "anything before the first of these claims, of {day}", day=day_words(first or date.max)
            ): self.table.begun,
        }
        return tuple(words for words, holds in parts.items() if holds)

    @property
    def seen_from_start(self) -> tuple[str, ...]:
        """The months of start whose plans were seen from their first day on."""
        return self.table.starts[self.table.begun :]


def _known_from(claims: ClaimSet) -> date | None:
    """The day before which nothing is known: not to be taken for days without a claim."""
    first = claims.known_from or claims.frame["claim_date"].min()
    return None if pd.isna(first) else date(first.year, first.month, first.day)


def read_starts(readings: ClaimReadings, *, today: date) -> ReadStarts | None:
    """Draw what to look at and how its reading goes; None while there is nothing to count, with the reason."""
    about = _("Whole months before this one. Claims on these plans are read to today, whatever their date.")
    with (place := st.container(horizontal=True, vertical_alignment="bottom")):
        started = starts_back(today, chosen_months(_("Plans started in the last"), about=about))
    query = ClaimQuery(warranty_start_dates=started.times)
    words = _("Claims of any date on plans that started {days}.", days=started.words)
    cached = reading_with_head(readings, query, role=TAB, words=words)
    if cached is None:
        return None
    read = ReadStarts.of(cached, first=started.first)
    with place:
        return replace(read, product=chosen_product(read.table.products))


def reached_words(months: Sequence[str], age: int) -> str:
    """Which plans have been seen to this age: `plans started Nov 2023 to Oct 2025, ages 0 to 12 months`."""
    return _("plans started {months}, ages 0 to {age} months", months=months_words(months), age=age)


def left_out_words(table: StartTable) -> list[str]:
    """Which claims are in no cell of a table."""
    of_any = table.left_out.items()
    return [_("{n} {claims}, of any product", n=number(count), claims=words) for words, count in of_any]
