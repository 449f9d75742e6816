"""How hard the claims of an account are asked for: calls at once and in a second, all readings together."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from warranty.claims.readings import Reader
from warranty.errors import NotSent, Trace
from warranty.resources import ClaimQuery
from warranty.retrieval import Bounds, ClaimSet, ClaimsService, Progress, retrieve_claims

_POLL: Final = 0.1


class ClaimLimits:
    """Lets `at_once` calls run, and `per_second` start, whoever asks. Thread-safe."""

    def __init__(self, *, at_once: int, per_second: float) -> None:
        self.at_once = at_once
        self._free = threading.BoundedSemaphore(at_once)
        self._interval = 1 / per_second
        self._lock = threading.Lock()
        self._next_start = 0.0

    def service(self, service: ClaimsService, *, given_up: Callable[[], bool]) -> ClaimsService:
        """Give `service` with every call within the limits; one whose reading is `given_up` is not sent at all."""
        return _Limited(service, self, given_up)

    @contextmanager
    def turn(self, given_up: Callable[[], bool]) -> Iterator[None]:
        """Wait for a free place, then for the pace. Raises `NotSent` where nobody waits for the answer any more."""
        while not self._free.acquire(timeout=_POLL):
            _unless(given_up)
        try:
            # In this order: places in the pace that were taken long before a call begins would let calls bunch.
            self._keep_pace(given_up)
            yield
        finally:
            self._free.release()

    def _keep_pace(self, given_up: Callable[[], bool]) -> None:
        with self._lock:
            start = max(time.monotonic(), self._next_start)
            self._next_start = start + self._interval
        while (left := start - time.monotonic()) > 0:
            _unless(given_up)
            time.sleep(min(left, _POLL))
        _unless(given_up)


def limited_reader(service: ClaimsService, limits: ClaimLimits) -> Reader:
    """Give a reader of `service`, all of whose readings share the limits."""

    def read(
        query: ClaimQuery,
        *,
        progress: Callable[[Progress], None] | None,
        cancel: threading.Event | None,
        bounds: Bounds | None,
        former: ClaimSet | None,
    ) -> ClaimSet:
        over = threading.Event()
        stopped = cancel or over
        within = limits.service(service, given_up=lambda: over.is_set() or stopped.is_set())
        try:
            return retrieve_claims(
                within,
                query,
                progress=progress,
                concurrency=limits.at_once,
                cancel=cancel,
                bounds=bounds,
                former=former,
            )
        finally:
            over.set()  # what still waits for its turn need not be sent

    return read


class _Limited:
    def __init__(self, service: ClaimsService, limits: ClaimLimits, given_up: Callable[[], bool]) -> None:
        self._service = service
        self._limits = limits
        self._given_up = given_up

    def claims_body(self, query: ClaimQuery) -> bytes:
        with self._limits.turn(self._given_up):
            return self._service.claims_body(query)


def _unless(given_up: Callable[[], bool]) -> None:
    if given_up():
        raise NotSent(trace=Trace(operation="claims", attempt_id=""))
