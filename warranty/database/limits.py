"""The limits that all desks of one journal keep together: the pace of claims calls, and the repeats that are left.

Both are asked for on the way of a call, which goes on whatever becomes of the journal: while it is away each process
keeps the limit by itself, and for a while asks for nothing, since a database that hangs takes seconds to say so.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, update

from warranty.database.database import LOCK_WAIT_SECONDS, Database, held, now
from warranty.database.tables import PACES, RETRY_BUDGETS
from warranty.errors import JournalUnavailable

_AWAY: Final = timedelta(seconds=10)
_LONGEST_QUEUE: Final = timedelta(minutes=30)
"""A next start that is further ahead was written by a clock that has been set back since."""

Draw = Callable[[float, timedelta], tuple[float, bool]]
"""Given the tokens that are there and the time since the last repeat: the tokens then, and whether it is a repeat."""


class _Asked:
    """Transactions about what has this name, on a journal that may be away."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._away_until = 0.0

    def _done(self, work: Callable[[Connection], None]) -> bool:
        """Do the work; False where the journal is away now, or was a moment ago."""
        if time.monotonic() < self._away_until:
            return False
        try:
            with self._database.write() as connection:
                work(connection)
        except JournalUnavailable:
            self._away_until = time.monotonic() + _AWAY.total_seconds()
            return False
        return True


class SharedPace(_Asked):
    """When calls of a name may start, whichever desk makes them."""

    def next_start(self, interval: float) -> float | None:
        """Reserve the next start, so many seconds before any other; None where the journal is away.

        Gives the seconds until then.
        """
        return self._seconds_until_next(timedelta(seconds=interval))

    def queue(self) -> float | None:
        """Give the seconds until a call may start that is not made; None where the journal is away."""
        return self._seconds_until_next(None)

    def _seconds_until_next(self, interval: timedelta | None) -> float | None:
        seconds = 0.0

        def work(connection: Connection) -> None:
            nonlocal seconds
            row = held(connection, PACES, {"name": self._name}, next_start=now(connection))
            moment = now(connection)  # after it was held, which may have taken a while
            start = max(row.next_start, moment)
            if start > moment + _LONGEST_QUEUE:
                start = moment
            seconds = (start - moment).total_seconds()
            if interval is not None:
                later = update(PACES).filter_by(name=self._name).values(next_start=start + interval)
                connection.execute(later)

        return seconds if self._done(work) else None


class SharedTokens(_Asked):
    """A bucket of tokens that all desks draw from; `full` is what a new one holds."""

    longest = timedelta(seconds=2 * LOCK_WAIT_SECONDS)  # to connect, and to wait for a row

    def exchange(self, draw: Draw, *, full: float) -> bool:
        """Have the tokens changed, by one desk at a time; False where the journal is away, and nothing was changed."""

        def work(connection: Connection) -> None:
            row = held(connection, RETRY_BUDGETS, {"name": self._name}, tokens=full, changed_at=now(connection))
            moment = now(connection)
            tokens, repeats = draw(row.tokens, moment - row.changed_at)
            values = {"tokens": tokens, **({"changed_at": moment} if repeats else {})}
            connection.execute(update(RETRY_BUDGETS).filter_by(name=self._name).values(values))

        return self._done(work)
