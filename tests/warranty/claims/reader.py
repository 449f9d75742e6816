"""A desk in a process of its own that reads claims until it is told to stop, at the pace of all desks of a journal."""

from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event

from tests.warranty.retrieval.fake_service import Counted
from warranty.journal import open_journal
from warranty.resources import ClaimQuery
from warranty.retrieval import ClaimLimits, retrieve_claims


def read_claims(journal_url: str, per_second: float, over: Event, *, progress: Connection) -> None:
    """Read again and again, and tell when the calls began."""
    service = Counted()
    with closing(open_journal(journal_url)) as journal:
        limits = ClaimLimits(
            per_second=per_second, shared=journal.pace("claims sandbox", per_second=per_second)
        )
        progress.send("open")
        while not over.is_set():
            retrieve_claims(service, ClaimQuery(), limits=limits, cancel=over)  # type: ignore[arg-type]
    progress.send(service.began)


def reserve_starts(journal_url: str, count: int, per_second: float, *, progress: Connection) -> None:
    with closing(open_journal(journal_url)) as journal:
        next_start = partial(journal.pace("claims sandbox", per_second=per_second).next_start)
        progress.send([next_start() for _ in range(count)])
