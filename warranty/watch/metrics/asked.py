"""A question that may hang, asked so that a scrape never waits long for its answer."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import timedelta
from typing import Final

_log: Final = logging.getLogger("warranty.metrics")


class Asked:
    """Asks for figures by name in a thread of its own: at most once in `every`, waited for no longer than `limit`."""

    def __init__(
        self, ask: Callable[[], Mapping[str, float]], *, every: timedelta, limit: timedelta = timedelta(seconds=2)
    ) -> None:
        self._ask = ask
        self._every = every.total_seconds()
        self._limit = limit.total_seconds()
        self._lock = threading.Lock()
        self._answer: Future[Mapping[str, float]] | None = None
        self._not_before = 0.0

    def answer(self) -> Mapping[str, float] | None:
        """The figures as they are now; None where the question failed, or still hangs."""
        with self._lock:
            answered = self._answer is None or self._answer.done()
            if answered and time.monotonic() >= self._not_before:
                self._not_before = time.monotonic() + self._every
                self._answer = Future()
                threading.Thread(target=self._run, args=(self._answer,), name="metrics", daemon=True).start()
            answer = self._answer
        try:
            return None if answer is None else answer.result(timeout=self._limit)
        except Exception as fault:  # noqa: BLE001 - whatever it was, the other figures are told
            _log.info("figures are missing: %s", type(fault).__name__)
            return None

    def _run(self, answer: Future[Mapping[str, float]]) -> None:
        try:
            answer.set_result(self._ask())
        except Exception as fault:  # noqa: BLE001 - handed on to whoever waits
            answer.set_exception(fault)
