"""Who reads next: what a person looks at comes first, what is read beside it later, and never on every thread."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class Ticket:
    """Work in the queue; `behind` says that nobody looks at what it brings alone."""

    run: Callable[[], None]
    behind: bool


class ReadingQueue:
    """Runs work on `threads` threads of its own. Thread-safe.

    Work that is `behind` waits for all other, and leaves at least one thread free for it where there are several.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="claim-reading")
        self._most_behind = max(1, threads - 1)
        self._lock = threading.Lock()
        self._waiting: list[Ticket] = []
        self._running_behind = 0
        self._closed = False

    def add(self, run: Callable[[], None], *, behind: bool = False) -> Ticket:
        """Put work at the end of its line."""
        ticket = Ticket(run, behind)
        with self._lock:
            self._waiting.append(ticket)
            self._call_a_thread()
        return ticket

    def hurry(self, ticket: Ticket) -> None:
        """Somebody looks at it now: where it still waits, it waits at the end of the first line."""
        if ticket.behind and self.remove(ticket):
            with self._lock:
                ticket.behind = False
                self._waiting.append(ticket)
                self._call_a_thread()

    def remove(self, ticket: Ticket) -> bool:
        """Take work out; False where it has begun."""
        with self._lock:
            waits = ticket in self._waiting
            if waits:
                self._waiting.remove(ticket)
            return waits

    def close(self) -> None:
        """Forget what waits, and wait for what runs."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _call_a_thread(self) -> None:
        if not self._closed:
            self._pool.submit(self._work)

    def _work(self) -> None:
        with self._lock:
            ticket = min(self._waiting, key=lambda each: each.behind, default=None)
            if ticket is None or (ticket.behind and self._running_behind >= self._most_behind):
                return  # taken out meanwhile, or it waits for another that is behind as well
            self._waiting.remove(ticket)
            self._running_behind += ticket.behind
        try:
            ticket.run()
        finally:
            if ticket.behind:
                with self._lock:
                    self._running_behind -= 1
                    self._call_a_thread()
