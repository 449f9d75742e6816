"""What a retrieval gives: the claims, how many there are, and whether all of them are here."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final

import pandas as pd

from warranty.claims.retrieval.columns import ClaimTable, RejectedRecord
from warranty.claims.retrieval.spans import Bounds
from warranty.claims.retrieval.survey import Survey
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence, _, ngettext
from warranty.language.written import number

_TELLING: Final = 0.03


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading is: claims received of `total` (None: not known yet), requests.

    `elapsed` is the time since there were `at_first` claims: what comes before them says nothing of the speed.
    `part` makes a set of what was received so far, in the reading's own thread alone.
    """

    received: int
    total: int | None
    requests: int
    elapsed: timedelta
    at_first: int = 0
    part: "Callable[[], ClaimSet] | None" = field(default=None, compare=False, repr=False)

    @property
    def share(self) -> float:
        """The part that is read, 0 to 1."""
        if not self.total:
            return 0.0
        return min(1.0, self.received / self.total)

    @property
    def remaining(self) -> timedelta | None:
        """The time left at the speed so far; None where too little was read to tell."""
        read = self.received - self.at_first
        if self.total is None or read <= self.total * _TELLING:
            return None
        return self.elapsed * (max(0, self.total - self.received) / read)


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """The claims that a query matches, as far as they could be read.

    `frame` has the eight columns named as in the interface, newest claim first: claim_date without a zone
    (service time, microseconds), order_date and warranty_start_date in UTC, status as a category, the rest text.
    `received` counts every claim that came, `rejected` among them (those that cannot be read); `total` is the
    service's count (None: it gave no answer). `requests` counts the answers asked for, `as_of` is when the ends
    were fixed (UTC). `reasons` says why a set is not complete, in sentences. `bounds` is the service's convention for
    the ends of a range, where it was found out. `rest` is there where the reading was interrupted and can go on:
    another one that is given this set reads what is missing. `still_reading`: more is on its way, so nothing can be
    concluded from what is here. `begins`: see `known_from`.
    """

    table: ClaimTable = field(repr=False)
    query: ClaimQuery
    received: int
    total: int | None
    requests: int
    as_of: datetime
    duration: timedelta
    rejected: tuple[RejectedRecord, ...] = field(repr=False, default=())
    reasons: tuple[Sentence, ...] = ()
    bounds: Bounds | None = None
    rest: Survey | None = field(repr=False, compare=False, default=None)
    still_reading: bool = False
    begins: date | None = None

    @property
    def known_from(self) -> date | None:
        """The day of the first claim ever, or the first of these days where claims are as old; None: not known."""
        days, oldest = self.query.claim_dates, self.frame["claim_date"].min()
        if self.begins or pd.isna(oldest):
            return self.begins
        every = days is None and self.query.warranty_start_dates is None
        return oldest.date() if every or (days is not None and oldest.date() == days[0].date()) else None

    @property
    def closed_from(self) -> datetime | None:
        """As of when closed claims stand that were not read with the rest; None: all were read at `as_of`."""
        oldest = self.table.read_from
        return oldest if oldest and oldest < self.as_of else None

    @property
    def frame(self) -> pd.DataFrame:
        """The readable claims, typed."""
        return self.table.frame

    @property
    def is_whole(self) -> bool:
        """Whether the reading ended well: every claim of the total came. Some may be unreadable all the same."""
        return not (self.reasons or self.still_reading) and self.received == self.total

    @property
    def is_complete(self) -> bool:
        """Whether every claim of the total is in `frame`: the one meaning of "complete", on screens and in files."""
        return self.is_whole and not self.rejected

    @property
    def is_certain(self) -> bool:
        """Whether it is complete, and no claim came twice: one that did may stand in another's place."""
        return self.is_complete and not self.table.repeated

    @property
    def count_words(self) -> str:
        """How many can be read, of how many: `950 of 1,204`; `0 of unknown` where the service did not say."""
        count = self.received - len(self.rejected)
        if self.total is None:
            return _("{n} of unknown", n=number(count))
        if self.received > self.total:
            return _("{n} shown, {every} counted by the service", n=number(count), every=number(self.total))
        return _("{n} of {every}", n=number(count), every=number(self.total))

    @property
    def seal(self) -> str:
        """How complete the set is, and what is odd: `complete: 1,204 of 1,204`, `6 of 6, 2 of them repeat another`."""
        count = self.count_words
        if self.still_reading:
            return _("{count}, still reading", count=count)
        if not self.is_complete:
            parts = [_("incomplete: {count}", count=count)]
        else:
            parts = [_("complete: {count}", count=count) if self.is_certain else count]
        if self.rejected:
            parts.append(ngettext("{n} unreadable", "{n} unreadable", bad := len(self.rejected), n=number(bad)))
        elif self.received == self.total and not self.is_whole:
            parts.append(_("not proved to be all"))
        if self.table.repeated:
            parts.append(_("{n} of them repeat another", n=number(self.table.repeated)))
        return ", ".join(parts)

    def covers(self, query: ClaimQuery) -> bool:
        """Whether a query asks for some of these days, and else for the same."""
        days, of = query.claim_dates, self.query.claim_dates
        is_inside = of is None or (days is not None and of[0] <= days[0] and days[1] <= of[1])
        return is_inside and query.model_copy(update={"claim_dates": of}) == self.query

    def narrowed_to(self, query: ClaimQuery) -> "ClaimSet | None":
        """The complete answer to a query for some of these days, without asking; None where that is not proved.

        It is as old as this set. Of the days that a query names only those of the claims count alike here and at the
        service: the zone in which it takes the start of a warranty is not known.
        """
        days = query.claim_dates
        if days is None or not (self.is_certain and self.covers(query)):
            return None
        table = self.table.dated(days)
        count = len(table.frame)
        begins = days[0].date() if self.frame["claim_date"].min() < days[0] else self.known_from
        same = replace(self, table=table, query=query, received=count, total=count, begins=begins)
        return replace(same, requests=0, rest=None)
