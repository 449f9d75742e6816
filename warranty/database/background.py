"""What a program does beside everything else, again and again."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from warranty.errors import DeskError


class Background:
    """Work that is done in a thread of its own, once in `every`, until it is stopped.

    What goes wrong is logged behind `fault`, and the next time may do it. Without `at_once` it is first done after
    `every`; `over` ends it as `stop` does.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], object],
        *,
        every: timedelta,
        log: logging.Logger,
        fault: str,
        at_once: bool = False,
        over: threading.Event | None = None,
    ) -> None:
        self._work, self._every, self._log, self._fault = work, every.total_seconds(), log, fault
        self._first = 0.0 if at_once else self._every
        self.over = over or threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, *, timeout: float = 0) -> None:
        """Do it no more; wait at most so many seconds for what is being done."""
        self.over.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        pause = self._first
        while not self.over.wait(pause):
            pause = self._every
            try:
                self._work()
            except DeskError as problem:
                self._log.error("%s: %s", self._fault, problem)
            except Exception as fault:  # noqa: BLE001 - whatever it was, the next time may do it
                self._log.error("%s: %s", self._fault, type(fault).__name__)
