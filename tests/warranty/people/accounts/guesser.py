"""A desk in a process of its own at which somebody guesses passwords."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from warranty.commands.housekeeping.opening import open_journal
from warranty.errors import JournalUnavailable
from warranty.people.accounts.passwords import is_password_of
from warranty.people.accounts.people import People
from warranty.people.accounts.sign_in_tries import SignInTries


def attack(
    journal_url: str, tries: Sequence[tuple[str, str, str]], moment: datetime, start: Barrier, *, progress: Connection
) -> None:
    """Try passwords (name, address, password), two at once, as a desk does; tell how many were judged, and right.

    All at one `moment`, so that none of the waits ends: how many are judged in a day is another test's matter.
    """
    with closing(open_journal(journal_url)) as journal, ThreadPoolExecutor(2) as pool:
        accounts = People(journal.database).accounts().by_username
        counted = SignInTries(journal.database)
        counted._now = lambda connection: moment  # type: ignore[method-assign]

        def one(each: tuple[str, str, str]) -> tuple[bool, bool]:
            name, address, password = each
            while True:
                with suppress(JournalUnavailable):  # the desks hold each other up: nothing was judged, so once more
                    waits = counted.begin(name, address) > timedelta(0)
                    break
            if waits:
                return False, False
            is_right = is_password_of(password, accounts[name].password_hash)
            if is_right:
                counted.succeeded(name, address)
            return True, is_right

        start.wait(timeout=60)
        told = list(pool.map(one, tries))
        progress.send((sum(judged for judged, _ in told), sum(right for _, right in told)))
