"""A desk in a process of its own at which somebody guesses passwords."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from warranty.journal import open_journal


def guess(journal_url: str, tries: int, start: Barrier, *, progress: Connection) -> None:
    """Try a wrong password, several times at once, and tell how many were judged."""
    with closing(open_journal(journal_url)) as journal, ThreadPoolExecutor(4) as pool:
        start.wait(timeout=60)
        waits = pool.map(lambda _: journal.sign_in_tries.begin("ada", "192.0.2.7"), range(tries))
        progress.send(sum(wait == timedelta(0) for wait in waits))
