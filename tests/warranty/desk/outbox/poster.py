"""A desk in a process of its own that sends the orders that wait until none is left, or until it is killed."""

import time
from datetime import timedelta
from multiprocessing.connection import Connection
from threading import Event

from tests.warranty.desk.place import Place
from warranty.client import RetryBudget
from warranty.desk.outbox.outbox import Outbox


def post(place: Place, *, progress: Connection) -> None:
    with place.opened() as (desk, journal):
        outbox = Outbox(
            journal, desk.sender, "sandbox", budget=RetryBudget(), lasts=timedelta(seconds=1),
            between=timedelta(seconds=0.01), looks_every=timedelta(seconds=0.1),
        )  # fmt: skip
        outbox.start()
        pause = Event()
        progress.send("begun")
        deadline = time.monotonic() + 30
        while journal.queue("sandbox").length and time.monotonic() < deadline:
            pause.wait(0.02)
        outbox.close()
        progress.send("finished" if not journal.queue("sandbox").length else "not finished")
