"""Claims of an earlier reading brought up to date: what can have changed is read, totals prove that the rest is there.

Whatever does not add up is read; nothing is guessed. What it can see and what not: docs/decisions/figures.md.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from time import monotonic
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from warranty.claims.retrieval.answers import Answer, to_micros, to_moment
from warranty.claims.retrieval.calls import Calls, ClaimLimits, ClaimsService
from warranty.claims.retrieval.claim_set import ClaimSet, Progress
from warranty.claims.retrieval.columns import ClaimTable, newest_first_of
from warranty.claims.retrieval.retrieve import reason_of, retrieve_claims
from warranty.claims.retrieval.spans import CANCELLED, Ask, Bounds, Span
from warranty.client.resources import ClaimQuery
from warranty.client.resources.claims import DOCUMENTED_CLOSED
from warranty.clock import utc_now
from warranty.errors import WarrantyError

PAGE: Final = 50
"""How many claims an answer shows (interface: Limits, "A sample shows 50"); windows of another size cost more calls."""
# As on the screens: a service may refuse the years 1 and 9999, and no warranty is older.
EVER: Final = Span(to_micros(datetime.fromisoformat("1900-01-01")), to_micros(datetime.fromisoformat("2200-01-01")) - 1)
_PAGES_IN_A_RANGE: Final = 40
_KNOWN_AT_THE_END: Final = 20
_CALLS_AT_THE_END: Final = 8
_EACH_WITHIN: Final = timedelta(days=1)
"""Within so long each claim of a refreshed set is read anew, whatever its status."""
_REPEATS: Final = 4
_READ_AT_ONCE: Final = 4 * PAGE
_LOOKS: Final = 3
S = TypeVar("S", bound="Span | None")
T = TypeVar("T")
Places = npt.NDArray[np.intp]
Micros = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """Spans of claim_date: `windows` are read in an answer each, `newest` is read whole, `ranges` are counted.

    `newest` begins with a few claims that are known, so that what the service means by the ends of a range can be told.
    """

    windows: list[Span]
    ranges: list[Span]
    newest: Span


def moments(claims: pa.Table) -> Micros:
    """Give the claim dates as microseconds of service time."""
    counted: Micros = claims["claim_date"].cast(pa.int64()).to_numpy()
    return counted


def plan(claims: pa.Table, *, closed: tuple[str, ...], share: float, whole: Span = EVER) -> Plan | None:
    """Plan an update of all claims in `whole` from those of an earlier reading (there is one at least).

    None where reading all of them takes no more calls. `closed` are the statuses that are taken for final; of the
    claims with them this `share` is read, first those that were read longest ago.
    """
    claims = claims.sort_by("claim_date")
    dates = moments(claims)
    newest = int(np.searchsorted(dates, dates[-min(_KNOWN_AT_THE_END, len(dates))]))
    must = ~np.asarray(pc.is_in(claims["status"], pa.array(closed, claims["status"].type)))
    others, read_at = np.flatnonzero(~must), claims["read_at"].cast(pa.int64()).to_numpy()
    count = int(np.ceil(len(others) * min(1.0, share)))
    must[others[np.argsort(read_at[others], kind="stable")][:count]] = True
    windows = _windows(dates[:newest], np.flatnonzero(must[:newest]))
    cuts = dates[_PAGES_IN_A_RANGE * PAGE : newest : _PAGES_IN_A_RANGE * PAGE].tolist()
    begins = sorted({whole.first, *cuts, int(dates[newest])})
    ranges = [Span(first, after - 1) for first, after in pairwise(begins)]
    calls = len(windows) + len(ranges) + _CALLS_AT_THE_END  # if nothing odd comes; what came since is not in it
    return Plan(windows, ranges, Span(int(dates[newest]), whole.last)) if calls < len(claims) / PAGE else None


def _windows(dates: Micros, must: Places) -> list[Span]:
    """Cover the places `must` by spans that hold at most `PAGE` - 1 of `dates` each, as few as can be.

    One claim less than an answer shows, so that an answer is not full and one more would still be in it. What shares a
    microsecond is never parted; where the next span begins with the next claim, no moment is left out between them.
    """
    spans: list[Span] = []
    place = 0
    while place < len(must):
        first = int(np.searchsorted(dates, dates[must[place]]))
        after = min(first + PAGE - 1, len(dates))
        if after < len(dates):
            after = int(np.searchsorted(dates, dates[after]))
        if after == first:  # more of one microsecond than an answer shows
            after = int(np.searchsorted(dates, dates[first], "right"))
        place = int(np.searchsorted(must, after))
        goes_on = place < len(must) and must[place] == after
        spans.append(Span(int(dates[first]), int(dates[after]) - 1 if goes_on else int(dates[must[place - 1]])))
    return spans


class _Unread(Exception):
    """The claims cannot be made whole; the text says why."""


@dataclass(frozen=True)
class Source:
    """Where the claims of a query are read, within `limits`, until `cancel` is set; `stored` are a set's as kept."""

    service: ClaimsService
    query: ClaimQuery
    stored: Callable[[ClaimSet], pa.Table]
    limits: ClaimLimits
    cancel: threading.Event
    now: Callable[[], datetime] = utc_now
    progress: Callable[[Progress], None] = lambda _: None

    @property
    def whole(self) -> Span:
        """The stretch of claim dates in which all of them lie."""
        return EVER if self.query.claim_dates is None else Span.of(*self.query.claim_dates)

    def set_of(self, span: Span | None = None, bounds: Bounds | None = None) -> ClaimSet:
        """Read the claims of a span; None: all."""
        dates = {} if span is None else {"claim_dates": (to_moment(span.first), to_moment(span.last))}
        return retrieve_claims(
            self.service,
            self.query.model_copy(update=dates),
            limits=self.limits,
            cancel=self.cancel,
            repeats=_REPEATS,
            bounds=bounds,
            now=self.now,
        )


@dataclass(frozen=True)
class Reading:
    """What an update found: claims as stored, as of `as_of` (aware); `reasons` say why it is not whole.

    `unreadable` counts what is not among the claims, `calls` the requests, repeats among them.
    """

    claims: pa.Table
    as_of: datetime
    total: int | None
    whole: bool = True
    reasons: tuple[str, ...] = ()
    proved_by_totals: bool = False
    unreadable: int = 0
    calls: int = 0
    closed: tuple[str, ...] = ()
    bounds: Bounds | None = None

    @property
    def seal(self) -> str:
        """How complete it is, in the words of screens and files: `complete: 1,204 of 1,204`."""
        of = "unknown" if self.total is None else f"{self.total:,}"
        summary = f"{'complete' if self.whole and not self.unreadable else 'INCOMPLETE'}: {len(self.claims):,} of {of}"
        return summary + (f", {self.unreadable:,} unreadable" if self.unreadable else "")


def update(source: Source, claims: pa.Table, *, closed: tuple[str, ...], share: float) -> Reading | None:
    """Read what can have changed of `claims`, and prove the rest; None where it takes as many calls to read all.

    They are as `source.stored` gives them, with `claim_date`, `status` and `read_at`: as of when a claim stands as it
    does. Raises the `WarrantyError` of the first call if that fails.
    """
    planned = plan(claims, closed=closed, share=share, whole=source.whole) if len(claims) else None
    return _Update(source, claims).read(planned) if planned else None


def refreshed_claims(
    client: ClaimsService,
    query: ClaimQuery,
    *,
    closed: tuple[str, ...] = DOCUMENTED_CLOSED,
    limits: ClaimLimits | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    bounds: Bounds | None = None,
    former: ClaimSet | None = None,
    now: Callable[[], datetime] = utc_now,
) -> ClaimSet:
    """Read the claims of a query as `retrieve_claims` does; of a `former` set that has all, what can have changed.

    That are claims without a `closed` status, those that came since, and so many of the others that each is read anew
    within a day (`ClaimSet.closed_from`). What does not add up, cannot be read or fails is read whole.
    """
    limits, cancel, started = limits or ClaimLimits(), cancel or threading.Event(), monotonic()
    found: Reading | None = None
    if former is not None and former.is_certain:
        source = Source(
            client, query, lambda read: read.table.arrow(read.as_of), limits, cancel, now, progress or (lambda _: None)
        )
        share = (now() - former.as_of) / _EACH_WITHIN
        found = update(source, source.stored(former), closed=closed, share=share)
    if found and found.whole and not found.unreadable:
        return ClaimSet(
            table=ClaimTable(newest_first_of(found.claims)),
            query=query,
            received=len(found.claims),
            total=found.total,
            requests=found.calls,
            as_of=found.as_of,
            duration=timedelta(seconds=monotonic() - started),
            bounds=found.bounds,
        )
    claims = retrieve_claims(
        client, query, progress=progress, limits=limits, cancel=cancel, bounds=bounds, former=former, now=now
    )
    return replace(claims, requests=claims.requests + found.calls) if found else claims


class _Known:
    """The claims as far as is known by now: those of an earlier reading, with what was read since in their place."""

    def __init__(self, claims: pa.Table) -> None:
        self.claims = claims
        self.unreadable: Micros = np.empty(0, np.int64)
        self._dates = np.sort(moments(claims))

    @property
    def count(self) -> int:
        """How many there are, unreadable ones among them."""
        return len(self._dates)

    @property
    def newest(self) -> int:
        """The last claim date."""
        return int(self._dates.max(initial=EVER.first))

    def within(self, span: Span) -> Micros:
        """The claim dates in a span, oldest first."""
        first, after = np.searchsorted(self._dates, [span.first, span.last + 1])
        return self._dates[first:after]

    def take(self, sets: Sequence[tuple[Span, ClaimSet]], stored: Callable[[ClaimSet], pa.Table]) -> None:
        """Put what was read of each span in place of what was known of it."""
        ends = np.array(sorted([each.first, each.last + 1] for each, _ in sets), np.int64).ravel()

        def outside(dates: Micros) -> npt.NDArray[np.bool_]:
            return np.equal(np.searchsorted(ends, dates, "right") % 2, 0)  # spans do not overlap

        rest = self.claims.filter(pa.array(outside(moments(self.claims))))
        self.claims = pa.concat_tables([rest, *(stored(claims) for _, claims in sets)])
        # What cannot be read may have no date either: it stands at the start of where it was found.
        odd = [np.full(len(claims.rejected), span.first) for span, claims in sets]
        self.unreadable = np.concatenate([self.unreadable[outside(self.unreadable)], *odd])
        self._dates = np.sort(np.concatenate([moments(self.claims), self.unreadable]))


class _Update:
    """An earlier reading's claims, brought up to date."""

    def __init__(self, source: Source, claims: pa.Table) -> None:
        self._source = source
        self._as_of, self._started = source.now(), monotonic()
        self._known = _Known(claims)
        self._bounds: Bounds | None = None
        self._calls = 0
        self._left = 0

    def read(self, planned: Plan) -> Reading | None:
        """Read what is planned and prove the rest; None where so little adds up that all has to be read."""
        newest = self._source.set_of(planned.newest)
        # What the service means by the ends of a range, found out anew each time.
        self._bounds = newest.bounds
        self._left = sum(len(self._known.within(span)) for span in planned.windows)
        reasons: tuple[str, ...] = ()
        try:
            self._take([(planned.newest, newest)])
            self._take(self._sets(planned.windows))
            totals = zip(planned.ranges, self._totals(planned.ranges), strict=True)
            differ = [span for span, total in totals if total != len(self._known.within(span))]
            if len(differ) > 1 and 2 * len(differ) > len(planned.ranges):
                return None
            for span in differ:
                self._settle(span)
            self._see_that_all_is_there()
        except _Unread as unread:
            reasons = (str(unread),)
        known = self._known
        return Reading(
            known.claims,
            self._as_of,
            None if reasons else known.count,
            whole=not reasons,
            reasons=reasons,
            proved_by_totals=True,
            unreadable=len(known.unreadable),
            calls=self._calls,
            bounds=self._bounds,
        )

    def _take(self, sets: Iterable[tuple[Span, ClaimSet]]) -> None:
        """Take what was read; where a part could not be read whole, that and what came before it."""
        taken: list[tuple[Span, ClaimSet]] = []
        try:
            for span, claims in sets:
                self._calls += claims.requests
                taken.append((span, claims))
                if not claims.is_whole:
                    raise _Unread(" ".join(reason.english for reason in claims.reasons))
        finally:
            if taken:
                self._known.take(taken, self._source.stored)

    def _sets(self, spans: Sequence[Span]) -> Iterable[tuple[Span, ClaimSet]]:
        """Read spans, several at once."""
        count, at_first = self._known.count, self._known.count - self._left
        for span, claims in self._each(partial(self._source.set_of, bounds=self._bounds), spans):
            self._left -= len(self._known.within(span))
            elapsed = timedelta(seconds=monotonic() - self._started)
            self._source.progress(Progress(count - self._left, count, self._calls, elapsed, at_first))
            yield span, claims

    def _totals(self, spans: Sequence[Span | None]) -> list[int]:
        """Ask how many claims there are in each span; None: in all."""
        source = self._source
        calls = Calls(source.service, limits=source.limits, repeats=_REPEATS, cancel=source.cancel)

        def total(span: Span | None) -> int:
            answer = calls.answer(Ask(span, bounds=self._bounds).narrowed(source.query))
            if isinstance(answer, Answer):
                return answer.total
            raise answer

        try:
            return [count for _, count in self._each(total, spans)]
        finally:
            calls.close()
            self._calls += calls.requests

    def _each(self, read: Callable[[S], T], spans: Sequence[S]) -> Iterator[tuple[S, T]]:
        """Read each of the spans, several at once."""
        with ThreadPoolExecutor(self._source.limits.at_once, thread_name_prefix="update") as pool:
            try:
                yield from zip(spans, pool.map(read, spans), strict=True)
            except WarrantyError as error:
                raise _Unread(self._why(error)) from None
            finally:
                pool.shutdown(cancel_futures=True)

    def _settle(self, span: Span) -> None:
        """Find the parts of a span that are not as they were, by halving, and read them."""
        waiting = [span]
        while waiting:
            span = waiting.pop()
            dates = self._known.within(span)
            if self._totals([span]) == [len(dates)]:
                continue
            middle = int(dates[len(dates) // 2]) if len(dates) > _READ_AT_ONCE else span.first
            if middle == span.first:
                self._take(self._sets([span]))
            else:
                waiting += [Span(span.first, middle - 1), Span(middle, span.last)]

    def _see_that_all_is_there(self) -> None:
        """Compare with the service's total of all, which counts what no date finds too; what came later is left out."""
        dated, whole = self._source.query.claim_dates, self._source.whole
        for _ in range(_LOOKS):
            known = self._known
            after = [Span(known.newest + 1, whole.last)] if known.newest < whole.last else []
            total, *later = self._totals([whole if dated else None, *after])
            there = total - sum(later)
            if there == known.count:
                return
            self._settle(Span(whole.first, known.newest))
        raise _Unread(f"The totals do not add up: the service counts {there:,} claims, and {known.count:,} were found.")

    def _why(self, error: WarrantyError) -> str:
        return (CANCELLED if self._source.cancel.is_set() else reason_of(error)).english
