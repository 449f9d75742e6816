"""Against guessing of passwords at any desk: after a few wrong tries the next one has to wait, and the wait grows.

A try is counted before it is judged, one at a time, so that of tries sent side by side no more are judged than of tries
one after the other. Nobody can be locked out for good by a stranger: waits end by themselves, a right password clears
them, and a name is counted together with the address that it is tried from. Both stand here as keyed hashes alone.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, Row, delete, update

from warranty.journal.database import Database, held, now
from warranty.journal.preferences import keyed_hash
from warranty.journal.shared.tables import SIGN_IN_TRIES

_FREE_BY_NAME: Final = 5
_FREE_BY_ADDRESS: Final = 50
_FIRST_WAIT: Final = timedelta(seconds=5)
LONGEST_WAIT: Final = timedelta(minutes=5)


class SignInTries:
    """The tries of all desks of a journal, by the database's clock; every method may raise `JournalUnavailable`."""

    def __init__(self, database: Database, moment: Callable[[Connection], datetime] = now) -> None:
        self._database = database
        self._now = moment

    def begin(self, name: str, address: str) -> timedelta:
        """Count a try; gives how long it has to wait instead: then it is not counted, and must not be judged."""
        with self._database.write() as connection:
            moment = self._now(connection)
            tries = []
            # The address first: while it has to wait, no name is written.
            for key, free in ((address, _FREE_BY_ADDRESS), (_person(name, address), _FREE_BY_NAME)):
                hashed = {"key": keyed_hash(connection, f"sign-in\n{key}")}
                row = held(connection, SIGN_IN_TRIES, hashed, failures=0, blocked_until=moment)
                wait: timedelta = row.blocked_until - moment
                if wait > timedelta(0):
                    return wait
                tries.append((row, free))
            for row, free in tries:
                is_old = moment - row.blocked_until > LONGEST_WAIT
                _keep(connection, row, 1 if is_old else row.failures + 1, free=free, moment=moment)
        return timedelta(0)

    def succeeded(self, name: str, address: str) -> None:
        """Forget the tries of this name, and two of its address: this one, and one of a colleague behind it."""
        with self._database.write() as connection:
            moment = self._now(connection)
            hashed = {"key": keyed_hash(connection, f"sign-in\n{address}")}
            row = held(connection, SIGN_IN_TRIES, hashed, failures=0, blocked_until=moment)
            _keep(connection, row, max(row.failures - 2, 0), free=_FREE_BY_ADDRESS, moment=moment)
            key = keyed_hash(connection, f"sign-in\n{_person(name, address)}")
            connection.execute(delete(SIGN_IN_TRIES).filter_by(key=key))


def _person(name: str, address: str) -> str:
    return f"{name} from {address}"


def _keep(
    connection: Connection, row: Row[tuple[object]], failures: int, *, free: int, moment: datetime
) -> None:
    beyond = failures - free
    wait = min(_FIRST_WAIT * 2 ** min(beyond, 10), LONGEST_WAIT) if beyond >= 0 else timedelta(0)
    kept = update(SIGN_IN_TRIES).filter_by(key=row.key)
    connection.execute(kept.values(failures=failures, blocked_until=moment + wait))
