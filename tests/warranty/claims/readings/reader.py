"""A desk in a process of its own that reserves starts of claims calls at the pace of all desks of a journal."""

from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection

from warranty.commands.housekeeping.opening import open_journal
from warranty.database.limits import SharedPace


def reserve_starts(journal_url: str, count: int, per_second: float, *, progress: Connection) -> None:
    with closing(open_journal(journal_url)) as journal:
        next_start = partial(SharedPace(journal.database, "claims sandbox", per_second=per_second).next_start)
        progress.send([next_start() for _ in range(count)])
