"""A desk in a process of its own that reads claims until it is told to stop, at the pace of all desks of a journal."""

import time
from contextlib import closing
from datetime import timedelta
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from threading import Lock

from tests.warranty.retrieval.fake_service import DAY, FakeService, records_at
from warranty.journal import open_journal
from warranty.resources import ClaimQuery
from warranty.retrieval import ClaimLimits, retrieve_claims


class Noting(FakeService):
    """Notes when each call began."""

    def __init__(self) -> None:
        super().__init__(records_at(DAY + timedelta(minutes=20 * number) for number in range(400)))
        self.began: list[float] = []
        self._noting = Lock()

    def claims_body(self, query: ClaimQuery) -> bytes:
        with self._noting:
            self.began.append(time.monotonic())
        return super().claims_body(query)


def read_claims(journal_url: str, per_second: float, over: Event, *, progress: Connection) -> None:
    """Read again and again, and tell when the calls began."""
    service = Noting()
    with closing(open_journal(journal_url)) as journal:
        limits = ClaimLimits(
            per_second=per_second, shared=journal.pace("claims sandbox", per_second=per_second)
        )
        progress.send("open")
        while not over.is_set():
            retrieve_claims(service, ClaimQuery(), limits=limits, cancel=over)  # type: ignore[arg-type]
    progress.send(service.began)


def reserve_starts(journal_url: str, count: int, per_second: float, *, progress: Connection) -> None:
    """Reserve so many starts without waiting for them, and tell when that is done."""
    with closing(open_journal(journal_url)) as journal:
        next_start = partial(journal.pace("claims sandbox", per_second=per_second).next_start)
        progress.send([next_start() for _ in range(count)])
