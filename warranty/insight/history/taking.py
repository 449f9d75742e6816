"""Taking a night: all claims are read, or those that can have changed, and totals prove of the rest that it is there.

Whatever does not add up is read; nothing is guessed. What it can see and what not: docs/decisions/figures.md.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from warranty.claims.retrieval import Bounds, ClaimLimits, ClaimSet, ClaimsService, reason_of, retrieve_claims
from warranty.claims.retrieval.answers import Answer, to_moment
from warranty.claims.retrieval.calls import Calls
from warranty.claims.retrieval.spans import CANCELLED, Ask, Span
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.errors import WarrantyError
from warranty.insight.history.claims_kept import in_order, stored_claims
from warranty.insight.history.keeping import Reading
from warranty.insight.history.nights import Night
from warranty.insight.history.plan import EVER, PAGE, Micros, Plan, moments, plan

_REPEATS: Final = 4
_READ_AT_ONCE: Final = 4 * PAGE
_LOOKS: Final = 3


class _Unread(Exception):
    """The night cannot be made whole; the text says why."""


@dataclass(frozen=True)
class Taker:
    """Reads nights from a service within `limits`, until `cancel` is set.

    `closed` are the statuses that are taken for final: claims with them are read anew in turn, and not each night.
    """

    service: ClaimsService
    closed: tuple[str, ...]
    limits: ClaimLimits
    cancel: threading.Event
    now: Callable[[], datetime] = utc_now

    def read(self, earlier: Night | None = None) -> Reading:
        """Read a night: all claims, or with an `earlier` one (whole and intact) what can have changed since.

        Raises the `WarrantyError` of the first call if that fails: then nothing was read.
        """
        started, found = monotonic(), None
        claims = None if earlier is None else in_order(earlier.claims())
        if earlier is not None and claims:
            planned = plan(claims, closed=self.closed, now=self.now())
            found = planned and _Update(self, claims).read(planned)
        found = found or self._all()
        return replace(found, duration=timedelta(seconds=monotonic() - started), closed=self.closed)

    def set_of(self, span: Span | None, bounds: Bounds | None) -> ClaimSet:
        """Read the claims of a span; None: all."""
        dates = None if span is None else (to_moment(span.first), to_moment(span.last))
        return retrieve_claims(
            self.service,
            ClaimQuery(claim_dates=dates),
            limits=self.limits,
            cancel=self.cancel,
            repeats=_REPEATS,
            bounds=bounds,
            now=self.now,
        )

    def calls(self) -> Calls:
        """Calls of the service, within the limits."""
        return Calls(self.service, limits=self.limits, repeats=_REPEATS, cancel=self.cancel)

    def _all(self) -> Reading:
        claims = self.set_of(None, None)
        return Reading(
            stored_claims(claims.frame, claims.as_of),
            claims.as_of,
            claims.total,
            whole=claims.is_whole,
            reasons=tuple(reason.english for reason in claims.reasons),
            unreadable=len(claims.rejected),
            calls=claims.requests,
        )


class _Known:
    """The claims as far as is known by now: those of an earlier night, with what was read since in their place."""

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

    def take(self, sets: Sequence[tuple[Span, ClaimSet]]) -> None:
        """Put what was read of each span in place of what was known of it."""
        ends = np.array(sorted([each.first, each.last + 1] for each, _ in sets), np.int64).ravel()

        def outside(dates: Micros) -> npt.NDArray[np.bool_]:
            return np.equal(np.searchsorted(ends, dates, "right") % 2, 0)  # spans do not overlap

        read = [stored_claims(claims.frame, claims.as_of) for _, claims in sets]
        self.claims = pa.concat_tables([self.claims.filter(pa.array(outside(moments(self.claims)))), *read])
        # What cannot be read may have no date either: it stands at the start of where it was found.
        odd = [np.full(len(claims.rejected), span.first) for span, claims in sets]
        self.unreadable = np.concatenate([self.unreadable[outside(self.unreadable)], *odd])
        self._dates = np.sort(np.concatenate([moments(self.claims), self.unreadable]))


class _Update:
    """An earlier night's claims, brought up to date."""

    def __init__(self, taker: Taker, claims: pa.Table) -> None:
        self._taker = taker
        self._as_of = taker.now()
        self._known = _Known(claims)
        self._bounds: Bounds | None = None
        self._calls = 0

    def read(self, planned: Plan) -> Reading | None:
        """Read what is planned and prove the rest; None where so little adds up that all has to be read."""
        newest = self._taker.set_of(planned.newest, None)
        # What the service means by the ends of a range, found out anew each night.
        self._bounds = newest.bounds
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
                self._known.take(taken)

    def _sets(self, spans: Sequence[Span]) -> Iterable[tuple[Span, ClaimSet]]:
        """Read spans, several at once."""
        with ThreadPoolExecutor(self._taker.limits.at_once, thread_name_prefix="history") as pool:
            results = [pool.submit(self._taker.set_of, span, self._bounds) for span in spans]
            try:
                for span, result in zip(spans, results, strict=True):
                    yield span, result.result()
            except WarrantyError as error:
                raise _Unread(self._why(error)) from None
            finally:
                pool.shutdown(cancel_futures=True)

    def _totals(self, spans: Sequence[Span | None]) -> list[int]:
        """Ask how many claims there are in each span; None: in all."""
        calls, totals = self._taker.calls(), dict[int, int]()
        waiting = deque(enumerate(spans))
        try:
            while len(totals) < len(spans):
                while waiting and calls.free:
                    place, span = waiting.popleft()
                    calls.start(place, Ask(span, bounds=self._bounds).narrowed(ClaimQuery()))
                result = calls.next_result()
                if result is None:
                    raise _Unread(CANCELLED.english)
                place, answer = result
                if not isinstance(answer, Answer):
                    raise _Unread(self._why(answer))
                totals[place] = answer.total
        finally:
            calls.close()
            self._calls += calls.requests
        return [totals[place] for place in range(len(spans))]

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
        for _ in range(_LOOKS):
            known = self._known
            total, later = self._totals([None, Span(known.newest + 1, EVER.last)])
            if total - later == known.count:
                return
            self._settle(Span(EVER.first, known.newest))
        raise _Unread(
            f"The totals do not add up: the service counts {total - later:,} claims, and {known.count:,} were found."
        )

    def _why(self, error: WarrantyError) -> str:
        return (CANCELLED if self._taker.cancel.is_set() else reason_of(error)).english
