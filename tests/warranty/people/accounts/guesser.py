"""A desk in a process of its own at which somebody guesses passwords."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from warranty.commands.housekeeping.opening import open_journal
from warranty.errors import JournalUnavailable
from warranty.people.accounts.sign_in_tries import SignInTries


def attack(journal_url: str, tries: int, moment: datetime, start: Barrier, *, progress: Connection) -> None:
    """Try so often to sign in as Ada from the shop, two at once, as a desk does; tell how many tries are judged.

    All at one `moment`, so that none of the waits ends: how many are judged in a day is another test's matter.
    """
    with closing(open_journal(journal_url)) as journal, ThreadPoolExecutor(2) as pool:
        counted = SignInTries(journal.database)
        counted._now = lambda connection: moment  # type: ignore[method-assign]

        def is_judged(_: int) -> bool:
            while True:
                with suppress(JournalUnavailable):  # the desks hold each other up: nothing was judged, so once more
                    return counted.begin("ada", "192.0.2.7") == timedelta(0)

        start.wait(timeout=60)
        progress.send(sum(pool.map(is_judged, range(tries))))
