"""Stretches of service time, what is asked about them, and what the service means by their ends.

Reading is done by small tasks: each is a generator that yields what to ask and is sent the answer. The planning knows
nothing of threads, clocks or sockets; `retrieve` runs it against the service, and a test or a benchmark may run it
against anything that answers.
"""

from collections.abc import Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from warranty.claims.retrieval.answers import Answer, to_micros, to_moment
from warranty.client.resources import ClaimQuery
from warranty.client.resources.claims import TimeRange
from warranty.language import N_, Sentence

EARLIEST: Final = to_micros(datetime.min)  # noqa: DTZ901 - service time has no zone
LATEST: Final = to_micros(datetime.max)  # noqa: DTZ901 - service time has no zone


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """All moments from `first` to `last`, both included, in microseconds of service time since 1970."""

    first: int
    last: int

    def __contains__(self, moment: int) -> bool:
        return self.first <= moment <= self.last

    def __len__(self) -> int:
        return self.last - self.first + 1

    @property
    def wider(self) -> "Span":
        """The span with one microsecond more at each end."""
        return Span(self.first - 1, self.last + 1)

    @classmethod
    def of(cls, start: datetime, end: datetime) -> "Span":
        """Give the span between two moments without a zone."""
        return cls(to_micros(start), to_micros(end))


@dataclass(frozen=True, slots=True)
class Bounds:
    """Whether the service counts claims at exactly startDate and at exactly endDate (not documented)."""

    start_included: bool = True
    end_included: bool = True

    def around(self, span: Span) -> TimeRange:
        """Give the startDate and endDate by which the service answers with all of `span`."""
        first = span.first if self.start_included else span.first - 1
        last = span.last if self.end_included else span.last + 1
        return to_moment(max(first, EARLIEST)), to_moment(min(last, LATEST))

    def __str__(self) -> str:
        words = {True: "included", False: "not included"}
        return f"start {words[self.start_included]}, end {words[self.end_included]}"


INCLUSIVE: Final = Bounds()


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: claims of `claims` whose warranty starts in `starts`; None leaves the query as it is.

    `bounds` is the convention to ask by; None is that of the survey. `probing` marks an ask that finds it out: its
    answer may hold neighbours of the span.
    """

    claims: Span | None
    starts: Span | None = None
    bounds: Bounds | None = None
    probing: bool = False

    def keeps(self, answer: Answer) -> bool:
        """Tell whether all claims of the answer that can be dated lie in what was asked."""
        if self.claims is None or self.probing:
            return True
        return all(moment in self.claims for moment in answer.dated)

    def narrowed(self, query: ClaimQuery) -> ClaimQuery:
        """Give `query` narrowed to what is asked."""
        ranges: dict[str, TimeRange] = {}
        bounds = self.bounds or INCLUSIVE
        if self.claims is not None:
            ranges["claim_dates"] = bounds.around(self.claims)
        starts = self.starts
        if starts is None and query.warranty_start_dates is not None and bounds != INCLUSIVE:
            starts = Span.of(*query.warranty_start_dates)
        if starts is not None:
            ranges["warranty_start_dates"] = bounds.around(starts)
        return query.model_copy(update=ranges)


Task = Generator[Ask, Answer, None]
"""Yields an `Ask`, is sent its `Answer`; where there will be none, `Unread` is thrown into it."""


class Unread(Exception):
    """What was asked will not be answered; `reason` says why, for people."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason)
        self.reason = reason


CANCELLED: Final = Sentence(N_("Somebody stopped the reading before its end; nothing failed."))
OUTSIDE: Final = Sentence(N_("The service answered with claims outside the range that was asked for."))
