"""A desk in a process of its own that reserves starts of claims calls at the pace of all desks of a journal."""

from contextlib import closing
from multiprocessing.connection import Connection

from warranty.commands.housekeeping.opening import open_journal
from warranty.database.limits import SharedPace


def reserve_starts(journal_url: str, count: int, per_second: float, *, progress: Connection) -> None:
    with closing(open_journal(journal_url)) as journal:
        pace = SharedPace(journal.database, "claims sandbox")
        progress.send([pace.next_start(1 / per_second) for _ in range(count)])
