"""The calls of a retrieval: several at once, no faster than allowed, each repeated a few times if it fails."""

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Final, Protocol, runtime_checkable

from warranty.claims.retrieval.answers import Answer, AnswerUnreadable, read_answer
from warranty.claims.retrieval.columns import RejectedRecord
from warranty.claims.retrieval.pace import AdaptivePace
from warranty.claims.retrieval.spans import Bounds
from warranty.client import RetryBudget
from warranty.client.resources import ClaimQuery
from warranty.errors import (
    CredentialRefused,
    NotSent,
    OutcomeUnknown,
    RequestRefused,
    Trace,
    UnexpectedAnswer,
    WarrantyError,
)

_POLL: Final = 0.1
_FIRST_REPEATS: Final = 2
_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 5.0
_BUSY: Final = frozenset({429, 503})


class ClaimsService(Protocol):
    """What a retrieval needs of the client: one claims request, tried once, answered with the raw body."""

    def claims_body(self, query: ClaimQuery) -> bytes:
        """Send one claims request and give the body of its 200 answer, or raise a `WarrantyError`."""


@runtime_checkable
class ClaimsWatch(Protocol):
    """Who looks on, from any thread: takes no time, and raises nothing. A client's `observer` may be one."""

    def claims_answer(self, answer: Answer) -> None:
        """An answer with claims has been read."""

    def claims_read(self, statuses: Iterable[str], rejected: Iterable[RejectedRecord], bounds: Bounds | None) -> None:
        """A reading has ended: with these status words, these records that cannot be read, and these bounds found."""


class Pace(Protocol):
    """The starts of calls, which several processes share."""

    def next_start(self, interval: float) -> float | None:
        """Reserve the next start, so many seconds before any other, and give the seconds until then.

        None where that is out of reach.
        """

    def queue(self) -> float | None:
        """Give the seconds until a call could start; None where that is out of reach."""


class ClaimLimits:
    """How hard the claims of an account are asked for, all readings that share it together. Thread-safe.

    `at_once` calls run at once, and `per_second` start (None: as many as come): where `is_adaptive`, at most, as the
    service shows that it can. With `shared`, all processes that share it keep that pace together; while it is out of
    reach each keeps it by itself, so that claims can be read all the same: N processes then start up to N times as
    many. Repeats are made as long as the `budget` allows them.
    """

    def __init__(
        self,
        *,
        at_once: int = 4,
        per_second: float | None = None,
        is_adaptive: bool = False,
        shared: Pace | None = None,
        budget: RetryBudget | None = None,
    ) -> None:
        self.at_once = at_once
        self.budget = budget
        self.pace = AdaptivePace(per_second) if is_adaptive and per_second else None
        self._per_second = per_second
        self._shared = shared
        self._ended = threading.Condition()
        self._running = 0
        self._lock = threading.Lock()
        self._next_start = 0.0

    @property
    def room(self) -> int:
        """How many calls may run at once now."""
        return min(self.at_once, self.pace.at_once) if self.pace else self.at_once

    @contextmanager
    def turn(self, given_up: Callable[[], bool], *, wait: Callable[[float], object] = time.sleep) -> Iterator[None]:
        """Wait for a free place, then for the pace. Raises `NotSent` where nobody waits for the answer any more."""
        with self._ended:
            while self._running >= self.room:
                self._ended.wait(_POLL)
                _unless(given_up)
            self._running += 1
        try:
            # In this order: places in the pace that were taken long before a call begins would let calls bunch.
            if interval := self._interval():
                shared = self._shared.next_start(interval) if self._shared else None
                wait(self._next_of_own(interval) if shared is None else shared)
            _unless(given_up)
            yield
        finally:
            with self._ended:
                self._running -= 1
                self._ended.notify()

    def left(self) -> float:
        """Give how many calls of the coming second nobody has reserved: 0 means that calls queue."""
        interval = self._interval()
        if not interval:
            return math.inf
        queue = self._shared.queue() if self._shared else None
        seconds = self._next_start - time.monotonic() if queue is None else queue
        return (1 - min(max(seconds, 0), 1)) / interval

    def _interval(self) -> float:
        per_second = self.pace.per_second if self.pace else self._per_second
        return 1 / per_second if per_second else 0.0

    def _next_of_own(self, interval: float) -> float:
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next_start)
            self._next_start = start + interval
        return start - now


def _unless(given_up: Callable[[], bool]) -> None:
    if given_up():
        raise NotSent(trace=Trace(operation="claims", attempt_id=""))


class Calls:
    """Runs requests within `limits` on threads; results come back through `next_result`, in any order."""

    def __init__(self, service: ClaimsService, *, limits: ClaimLimits, repeats: int, cancel: threading.Event) -> None:
        self._service = service
        observer = getattr(service, "observer", None)
        self.watch = observer if isinstance(observer, ClaimsWatch) else None
        self._limits = limits
        self._most = limits.at_once
        self._repeats = repeats
        self._cancel = cancel
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(limits.at_once, thread_name_prefix="claims")
        self._results: SimpleQueue[tuple[int, Future[Answer | WarrantyError]]] = SimpleQueue()
        self._lock = threading.Lock()
        self._answered = False
        self._down = False
        self.requests = 0
        self.running = 0

    @property
    def allowed(self) -> int:
        """How many may run at once now."""
        return min(self._most, self._limits.room)

    @property
    def free(self) -> int:
        """How many more requests may be started now."""
        return max(0, self.allowed - self.running)

    def start(self, key: int, query: ClaimQuery) -> None:
        """Send a request; its result comes back with `key`."""
        self.running += 1
        future = self._pool.submit(self.answer, query)
        future.add_done_callback(lambda done: self._results.put((key, done)))

    def next_result(self) -> tuple[int, Answer | WarrantyError] | None:
        """Wait for the next result; None once the reading is cancelled and the answers that came by then are given."""
        while True:
            cancelled = self._cancel.is_set()
            try:
                key, done = self._results.get(timeout=0 if cancelled else _POLL)
            except Empty:
                if cancelled:
                    return None
                continue
            self.running -= 1
            result = done.result()
            if isinstance(result, Answer) or not self._cancel.is_set():
                return key, result  # else it failed because it was not to be sent any more

    def close(self) -> None:
        """Send nothing more; what is still on its way is left to end by itself."""
        self._stopped.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def answer(self, query: ClaimQuery) -> Answer | WarrantyError:
        """Send a request, in this thread; give its answer, or why there is none."""
        for attempt in range(self._repeats + 1):
            try:
                with self._limits.turn(self._given_up, wait=self._cancel.wait):
                    with self._lock:
                        self.requests += 1
                        number = self.requests
                    began = time.monotonic()
                    body = self._service.claims_body(query)
                    if self._limits.pace:
                        self._limits.pace.answered(time.monotonic() - began)
                answer = read_answer(body, number=number)
                if self.watch is not None:
                    self.watch.claims_answer(answer)
                self._answered, self._down = True, False
                return answer
            except AnswerUnreadable:
                trace = Trace(operation="claims", attempt_id="", status=200)
                error: WarrantyError = UnexpectedAnswer(trace=trace)
            except (CredentialRefused, RequestRefused) as refused:
                return refused
            except WarrantyError as failed:
                if self._given_up():
                    return failed
                error = failed
                self._ease(failed)
            pause = _pause(error, attempt)
            # Before the service has answered at all, somebody waits to hear that it does not.
            allowed = self._repeats if self._answered else min(self._repeats, _FIRST_REPEATS)
            if attempt >= allowed or self._down or pause is None:
                break
            budget = self._limits.budget
            if budget and not budget.spend(after_silence=isinstance(error, OutcomeUnknown)):
                break
            self._cancel.wait(pause)
        self._down = True  # until an answer comes, the next calls are tried once
        return error

    def _ease(self, error: WarrantyError) -> None:
        """Ask for less at a time from a service that says that it is busy."""
        if error.trace.status in _BUSY or error.trace.wanted_pause is not None:
            if self._limits.pace:
                self._limits.pace.refused()
            with self._lock:
                self._most = max(1, self._most // 2)

    def _given_up(self) -> bool:
        return self._cancel.is_set() or self._stopped.is_set()


def _pause(error: WarrantyError, attempt: int) -> float | None:
    """Give the pause before the next try: what the service asks for, else a doubled one; None: none so long."""
    wanted = error.trace.wanted_pause
    if wanted is None:
        return _FIRST_PAUSE * (1 << attempt)
    seconds = wanted.total_seconds()
    return seconds if seconds <= _LONGEST_PAUSE else None
