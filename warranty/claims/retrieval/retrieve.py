"""Reading every claim of a query from a service that shows some fifty at a time and documents no paging."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import pandas as pd

from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.calls import Calls, ClaimLimits, ClaimsService
from warranty.claims.retrieval.claim_set import ClaimSet, Progress
from warranty.claims.retrieval.spans import CANCELLED, OUTSIDE, Ask, Bounds, Task
from warranty.claims.retrieval.survey import Survey
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.errors import CredentialRefused, NotSent, OutcomeUnknown, RequestRefused, ServiceFailed, WarrantyError
from warranty.language import N_, Sentence

_FAILURES_IN_A_ROW: Final = 3
_SPARE_REQUESTS: Final = 200
_REQUESTS_PER_PAGE: Final = 60
_MISFIT: Final = Sentence(N_("The service's answers do not fit together: the reading was given up."))
_REASONS: Final[tuple[tuple[type[WarrantyError], Sentence], ...]] = (
    (CredentialRefused, Sentence(N_("The service refused the public token while claims were read."))),
    (RequestRefused, Sentence(N_("The service refused a request while claims were read."))),
    (NotSent, Sentence(N_("The service could not be reached while claims were read."))),
    (OutcomeUnknown, Sentence(N_("The service gave no usable answer while claims were read."))),
    (ServiceFailed, Sentence(N_("The service failed while claims were read."))),
    (WarrantyError, Sentence(N_("The service gave an answer outside its interface while claims were read."))),
)
_INTERRUPTED: Final = frozenset({CANCELLED, *(words for _, words in _REASONS)})
"""Reasons for which a reading ends that can go on: nothing speaks against what was read."""


def reason_of(error: WarrantyError) -> Sentence:
    """Say in a sentence why a reading ended that met this error."""
    return next(words for kind, words in _REASONS if isinstance(error, kind))


def retrieve_claims(
    client: ClaimsService,
    query: ClaimQuery,
    *,
    progress: Callable[[Progress], None] | None = None,
    limits: ClaimLimits | None = None,
    cancel: threading.Event | None = None,
    repeats: int = 4,
    bounds: Bounds | None = None,
    former: ClaimSet | None = None,
    now: Callable[[], datetime] = utc_now,
) -> ClaimSet:
    """Read all claims that `query` matches (interface: POST /api/warranty-claim-customer-status).

    Both ends of the query's ranges are meant: claims at exactly these microseconds are read. `progress` is called
    in this thread after every answer, and may have a set made of what there is so far. Requests keep within `limits`,
    which several readings may share; a failing one is repeated up to `repeats` times, with growing pauses, and twice at
    most before the service has answered at all. Setting `cancel` ends the reading soon and keeps what was read.
    `bounds` is `ClaimSet.bounds` of an earlier retrieval from the same service: it saves the request that finds it
    out. `former` is a set of the same query, as of which the reading goes on where its own was interrupted
    (docs/decisions/claims-received.md); a set without a `rest` is left aside.

    A set that could not be proved complete is returned and says so (`is_complete`, `reasons`). Raises the
    `WarrantyError` of the first call if that fails: nothing was read then.
    """
    cancel = threading.Event() if cancel is None else cancel
    calls = Calls(client, limits=limits or ClaimLimits(), repeats=repeats, cancel=cancel)
    as_of, spent = now(), timedelta()
    present = as_of.astimezone(UTC).replace(tzinfo=None)
    started = begun = time.monotonic()
    if former is None or former.rest is None:
        survey = Survey(query, now=present, bounds=bounds)
    else:
        survey, as_of, spent, calls.requests = former.rest, former.as_of, former.duration, former.requests
        survey.resume()
    reading = _Reading(survey, calls, query)
    at_first = survey.ledger.received

    def gathered(*, rest: Survey | None = None, still_reading: bool = False) -> ClaimSet:
        ledger = survey.ledger
        return ClaimSet(
            table=ledger.columns.table(newest_first=True, more=still_reading or rest is not None),
            query=query,
            received=ledger.received,
            total=survey.total,
            requests=calls.requests,
            as_of=as_of,
            duration=spent + timedelta(seconds=time.monotonic() - started),
            rejected=ledger.columns.rejected,
            reasons=tuple(ledger.reasons),
            bounds=survey.bounds,
            rest=rest,
            still_reading=still_reading,
        )

    try:
        while reading.advance():
            if survey.misjudged:
                survey = Survey(query, now=present, bounds=survey.bounds, presume=False)
                reading.begin_anew(survey)
            received = survey.ledger.received
            if received and not at_first:
                at_first, begun = received, time.monotonic()
            if progress is not None:
                elapsed = timedelta(seconds=time.monotonic() - begun)
                part = partial(gathered, still_reading=True)
                progress(Progress(received, survey.total, calls.requests, elapsed, at_first, part))
    finally:
        calls.close()
    ledger = survey.ledger
    rest = survey if survey.resumable and ledger.reasons and _INTERRUPTED.issuperset(ledger.reasons) else None
    claims = gathered(rest=rest)
    if calls.watch is not None:
        calls.watch.claims_read(claims.frame["status"].cat.categories, claims.rejected, claims.bounds)
    return claims


def with_beginning(claims: ClaimSet, read: Callable[..., ClaimSet]) -> ClaimSet:
    """Find out whether claims are older than these days (`ClaimSet.known_from`), by the total of one call.

    Of claims by the start of their warranty: whether any claim is older than these starts.
    """
    days = claims.query.claim_dates or claims.query.warranty_start_dates
    if days is None or claims.known_from or not claims.is_whole:
        return claims
    before, enough = (datetime.min, days[0] - timedelta(microseconds=1)), threading.Event()  # noqa: DTZ901 - service time
    query = claims.query.model_copy(update={"claim_dates": before, "warranty_start_dates": None})
    older = read(query, progress=lambda _: enough.set(), cancel=enough).total
    oldest = claims.frame["claim_date"].min()
    first = days[0] if older else days[1] + timedelta(days=1) if pd.isna(oldest) else oldest
    return replace(claims, begins=first.date())


class _Reading:
    """Runs a survey against the service."""

    def __init__(self, survey: Survey, calls: Calls, query: ClaimQuery) -> None:
        self._survey = survey
        self._calls = calls
        self._query = query
        self._waiting: dict[int, tuple[Task, Ask]] = {}
        self._keys = 0
        self._answers = 0
        self._failures = 0

    def begin_anew(self, survey: Survey) -> None:
        """Go on with another survey; what is still on its way is dropped when it comes."""
        self._survey = survey
        self._waiting.clear()

    def advance(self) -> bool:
        """Start what may be started and take one result; False once there is nothing left to do."""
        survey, calls = self._survey, self._calls
        if not survey.ready and not self._waiting and not survey.next_round():
            return False
        if calls.free > len(survey.ready) and self._answers:
            survey.use_idle(calls.free - len(survey.ready))
        while survey.ready and calls.free:
            task, ask = survey.ready.popleft()
            self._keys += 1
            self._waiting[self._keys] = task, ask
            calls.start(self._keys, ask.narrowed(self._query))
        result = calls.next_result()
        if result is None:
            self._stop(CANCELLED)
            return False
        key, outcome = result
        if key not in self._waiting:
            return True
        task, ask = self._waiting.pop(key)
        if isinstance(outcome, Answer):
            self._take(task, ask, outcome)
        else:
            self._miss(task, outcome)
        return True

    def _take(self, task: Task, ask: Ask, answer: Answer) -> None:
        self._answers += 1
        self._failures = 0
        pages = (self._survey.total or 0) // self._survey.page_size + 1
        if self._calls.requests > _SPARE_REQUESTS + _REQUESTS_PER_PAGE * pages:
            self._stop(_MISFIT)
        elif ask.keeps(answer):
            self._survey.answered(task, answer)
        else:
            self._survey.unread(task, OUTSIDE)

    def _miss(self, task: Task, error: WarrantyError) -> None:
        if not self._answers:
            raise error
        self._failures += 1
        reason = reason_of(error)
        self._survey.unread(task, reason)
        if isinstance(error, (CredentialRefused, RequestRefused)) or self._failures >= _FAILURES_IN_A_ROW:
            self._stop(reason)

    def _stop(self, reason: Sentence) -> None:
        """Tell every task that it stays unread, so that it keeps what it has in hand."""
        survey = self._survey
        survey.ledger.explain(reason)
        while survey.ready or self._waiting:
            tasks = [task for task, _ in survey.ready] + [task for task, _ in self._waiting.values()]
            survey.ready.clear()
            self._waiting.clear()
            for task in tasks:
                survey.unread(task, reason)
