"""What at most one program may do at a time, however many machines share the journal.

A lease ends by itself, so that a program that died holds up nobody for longer than it lasted. Its end is told by one
clock: that of a PostgreSQL database, which several machines share, and that of the machine on which a SQLite file lies.
So it does not matter how far apart the clocks of the machines are.
"""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from uuid import uuid4

from sqlalchemy import delete, select, update

from warranty.database.database import Database, Repository, now, upsert
from warranty.database.tables import LEASES
from warranty.errors import JournalUnavailable, LeaseHeld, LeaseLost


class Lease:
    """A lease that this program took; every method may raise `JournalUnavailable`."""

    def __init__(self, database: Database, name: str, holder: str, lasts: timedelta) -> None:
        self._database = database
        self._mine = (LEASES.c.name == name) & (LEASES.c.holder == holder)
        self._name = name
        self.lasts = lasts

    def renew(self) -> None:
        """Hold it for as long again, from now; raises `LeaseLost` where another program has taken it since.

        To be called right before whatever only the holder may do.
        """
        with self._database.write() as connection:
            until = now(connection) + self.lasts
            renewed = update(LEASES).where(self._mine).values(until=until).returning(LEASES.c.name)
            if connection.execute(renewed).first() is None:
                raise LeaseLost(f"Another program has taken over what this one was doing ({self._name}).")

    def release(self) -> None:
        """Give it back; nothing happens where it is another's by now."""
        with self._database.write() as connection:
            connection.execute(delete(LEASES).where(self._mine))

    @contextmanager
    def renewing(self, lost: threading.Event) -> Iterator[None]:
        """Renew it in time, beside what the block does; set `lost` once it is another's or cannot be renewed."""
        done = threading.Event()

        def keep() -> None:
            until = time.monotonic() + self.lasts.total_seconds()
            while not done.wait(self.lasts.total_seconds() / 4):
                try:
                    self.renew()
                    until = time.monotonic() + self.lasts.total_seconds()
                except LeaseLost:
                    return lost.set()
                except JournalUnavailable:  # it may be back before the lease is over
                    if time.monotonic() >= until:
                        return lost.set()
            return None

        keeper = threading.Thread(target=keep, name="lease", daemon=True)
        keeper.start()
        try:
            yield
        finally:
            done.set()
            keeper.join()


class Leases(Repository):
    """The leases of all programs."""

    def take(self, name: str, *, lasts: timedelta) -> Lease:
        """Take a lease that nobody holds, or whose holder let it end; of several at once one gets it.

        Raises `LeaseHeld`, which says who has it.
        """
        # Not its process alone: one that was started again with the same number is another holder.
        holder = f"{socket.gethostname()}, process {os.getpid()}, {uuid4().hex[:8]}"
        with self._database.write() as connection:
            moment = now(connection)
            free = LEASES.c.until <= moment
            values = {"holder": holder, "until": moment + lasts}
            if not upsert(connection, LEASES, key={"name": name}, values=values, where=free):
                held = connection.execute(select(LEASES).where(LEASES.c.name == name)).one()
                raise LeaseHeld(name, held.holder, held.until)
        return Lease(self._database, name, holder, lasts)

    def is_held(self, name: str) -> bool:
        """Whether any program has this lease now."""
        with self._database.read() as connection:
            held = select(LEASES.c.name).where(LEASES.c.name == name, LEASES.c.until > now(connection))
            return connection.execute(held).first() is not None

    @contextmanager
    def taken(self, name: str, *, lasts: timedelta) -> Iterator[Lease]:
        """Take a lease and give it back at the end of the block, whatever happens there. Raises `LeaseHeld`."""
        lease = self.take(name, lasts=lasts)
        try:
            yield lease
        finally:
            with suppress(JournalUnavailable):  # then it ends by itself
                lease.release()
