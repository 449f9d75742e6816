"""Against guessing of passwords at any desk: after a few wrong tries the next one has to wait, and the wait grows.

A try is counted before it is judged, one at a time, so that of tries sent side by side no more are judged than of tries
one after the other. What a stranger tries is counted by the address, by the name from that address, and by the name
over all addresses; what comes from a device that this name has signed in on before, by that device alone. So strangers
lock nobody out of a device of theirs, and nobody for good elsewhere: waits end by themselves. Names, addresses and
devices stand here as keyed hashes alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, select, update

from warranty.database.database import Repository, held
from warranty.database.preferences import keyed_hash
from warranty.people.accounts.tables import SIGN_IN_TRIES
from warranty.places.network import network

_FIRST_WAIT: Final = timedelta(seconds=5)
LONGEST_WAIT: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class _Limit:
    """How many tries are free, how long a wait can become, and after how much quiet all is forgotten."""

    free: int
    longest: timedelta = LONGEST_WAIT
    quiet: timedelta = LONGEST_WAIT


_OF_A_PLACE: Final = _Limit(free=5)  # a name from an address, or on a device of its own
_OF_AN_ADDRESS: Final = _Limit(free=50)
_OF_A_NAME: Final = _Limit(free=10, longest=timedelta(hours=1), quiet=timedelta(days=1))
"""Over all addresses: some 30 tries in the first day, 24 in each that follows, from however many machines."""

KEPT: Final = _OF_A_NAME.quiet
"""How long after its last wait a row still counts."""


class SignInTries(Repository):
    """The tries of all desks of a journal, by the database's clock; every method may raise `JournalUnavailable`."""

    def begin(self, name: str, address: str, device: str = "") -> timedelta:
        """Count a try; gives how long it has to wait instead: then it is not counted, and must not be judged.

        `device` is that of the browser if this name has signed in there before.
        """
        # Who has to wait writes nothing: an attack that is held off must not hold up the counters' own writes.
        if (wait := self._waiting(name, address, device)) > timedelta(0):
            return wait
        with self._database.write() as connection:
            moment = self._now(connection)
            tries = []
            for key, limit in _counted(name, address, device):
                hashed = {"key": keyed_hash(connection, f"sign-in\n{key}")}
                row = held(connection, SIGN_IN_TRIES, hashed, failures=0, blocked_until=moment)
                if row.blocked_until > moment:
                    left: timedelta = row.blocked_until - moment
                    return left
                tries.append((row, limit))
            for row, limit in tries:
                is_old = moment - row.blocked_until > limit.quiet
                _keep(connection, row, 1 if is_old else row.failures + 1, limit=limit, moment=moment)
        return timedelta(0)

    def succeeded(self, name: str, address: str, device: str = "") -> None:
        """Forget the tries of this name, and two of its address: this one, and one of a colleague behind it.

        On a device of its own it forgets those of the device alone: what strangers have tried elsewhere still counts.
        """
        with self._database.write() as connection:
            moment = self._now(connection)
            for key, limit in _counted(name, address, device):
                hashed = {"key": keyed_hash(connection, f"sign-in\n{key}")}
                if limit is _OF_AN_ADDRESS:
                    row = held(connection, SIGN_IN_TRIES, hashed, failures=0, blocked_until=moment)
                    _keep(connection, row, max(row.failures - 2, 0), limit=limit, moment=moment)
                else:
                    connection.execute(delete(SIGN_IN_TRIES).filter_by(**hashed))

    def _waiting(self, name: str, address: str, device: str) -> timedelta:
        """How long the first of what a try is counted by has to wait; nothing for none."""
        with self._database.read() as connection:
            moment = self._now(connection)
            for key, _ in _counted(name, address, device):
                hashed = keyed_hash(connection, f"sign-in\n{key}", make=False)
                until = connection.scalar(select(SIGN_IN_TRIES.c.blocked_until).filter_by(key=hashed))
                if until is not None and until > moment:
                    wait: timedelta = until - moment
                    return wait
        return timedelta(0)

    def forgive(self, name: str) -> None:
        """Forget what was tried with this name from anywhere: an administrator has looked at it."""
        with self._database.write() as connection:
            key = keyed_hash(connection, f"sign-in\n{_everywhere(name)}")
            connection.execute(delete(SIGN_IN_TRIES).filter_by(key=key))


def _counted(name: str, address: str, device: str) -> Sequence[tuple[str, _Limit]]:
    """What a try is counted by. The address first: while it has to wait, no name is written."""
    if device:
        return ((f"{name} on {device}", _OF_A_PLACE),)
    place = network(address)
    return ((place, _OF_AN_ADDRESS), (f"{name} from {place}", _OF_A_PLACE), (_everywhere(name), _OF_A_NAME))


def _everywhere(name: str) -> str:
    return f"{name} from anywhere"


def _keep(connection: Connection, row: Row[Any], failures: int, *, limit: _Limit, moment: datetime) -> None:
    beyond = failures - limit.free
    wait = min(_FIRST_WAIT * 2 ** min(beyond, 10), limit.longest) if beyond >= 0 else timedelta(0)
    statement = update(SIGN_IN_TRIES).filter_by(key=row.key)
    connection.execute(statement.values(failures=failures, blocked_until=moment + wait))
