"""Programs in processes of their own, which tell how far they are and are killed at the end."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload([
    "tests.warranty.desk.counter", "tests.warranty.insight.history.taker", "tests.warranty.watch.alerts.teller",
    "tests.warranty.desk.outbox.poster", "tests.warranty.claims.readings.reader",
    "tests.warranty.people.accounts.guesser",
])  # starts in milliseconds  # fmt: skip


@contextmanager
def running(
    work: Callable[..., None], *arguments: object, **named: object
) -> Iterator[tuple[ForkServerProcess, Connection]]:
    """`work` in a process of its own, which is given `progress` to tell by; the process, and what it tells."""
    told, tells = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=work, args=arguments, kwargs={**named, "progress": tells})
    process.start()
    tells.close()
    try:
        yield process, told
    finally:
        process.kill()
        process.join()
        told.close()
