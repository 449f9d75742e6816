"""Second screens that customers see, at whichever desk: the code that pairs one with a person, and what it shows.

A screen keeps a long secret in its browser; here stands the secret's hash. A pairing lasts as long as the sign-in in
which it was made, at most a shift, so a screen never shows what somebody sells who has gone home. At a till it ends
with its lock, with the next switch and with its withdrawal, and shows what is sold at that till alone.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Row, delete, func, insert, select, update

from warranty.database.database import Database, Repository
from warranty.database.preferences import hash_of_secret, keyed_hash
from warranty.database.recent import Recent
from warranty.people.accounts.people import Accounts
from warranty.people.tills.tables import CUSTOMER_SCREENS, TILLS
from warranty.places.network import network

LETTERS: Final = "ACDEFGHJKMNPQRTUWXY34679"
"""Those of a code: none that is taken for another across a counter."""
CODE_LENGTH: Final = 6
CODE_LASTS: Final = timedelta(minutes=5)
_PAIRING_LASTS: Final = timedelta(hours=12)
_SHOWN_FOR: Final = timedelta(minutes=10)
_FORGOTTEN_AFTER: Final = timedelta(days=1)
_MOST_OF_AN_ADDRESS: Final = 20
_SCREENS: Final = CUSTOMER_SCREENS.c
_WITH_TILL: Final = select(CUSTOMER_SCREENS, TILLS.c.since.label("at_till_since"), TILLS.c.revoked_at).outerjoin_from(
    CUSTOMER_SCREENS, TILLS, _SCREENS.till_id == TILLS.c.till_id
)


@dataclass(frozen=True, slots=True)
class Look:
    """What a screen shows: the `code` that pairs it; once it is paired no code, and what is `shown`, if anything is."""

    code: str
    shown: Mapping[str, Any] | None = None


class CustomerScreens(Repository):
    """The screens of an environment, by the database's clock; every method may raise `JournalUnavailable`."""

    def __init__(self, database: Database, environment: str, *, accounts: Callable[[], Accounts]) -> None:
        super().__init__(database, environment)
        self._accounts = accounts
        self._paired = Recent(self._read_paired)

    def begin(self, address: str) -> str | None:
        """Begin a screen for a browser at this address, and give its secret; None where too many wait there."""
        secret = secrets.token_urlsafe(32)
        with self._database.write() as connection:
            moment = self._now(connection)
            connection.execute(delete(CUSTOMER_SCREENS).where(_SCREENS.changed_at < moment - _FORGOTTEN_AFTER))
            place = keyed_hash(connection, f"customer's screen\n{network(address)}")
            here = select(func.count()).select_from(CUSTOMER_SCREENS).filter_by(address=place, username="")
            waiting = here.where(_SCREENS.changed_at > moment - CODE_LASTS)
            if connection.execute(waiting).scalar_one() >= _MOST_OF_AN_ADDRESS:
                return None
            mine = {"device": hash_of_secret(secret), "environment": self._environment, "address": place}
            connection.execute(insert(CUSTOMER_SCREENS), mine | _unpaired(moment))
        return secret

    def look(self, secret: str) -> Look | None:
        """What the screen of this secret shows now; None where there is no such screen. Its code is renewed in time."""
        key = {"device": hash_of_secret(secret), "environment": self._environment}
        with self._database.read() as connection:
            mine = _WITH_TILL.where(_SCREENS.device == key["device"], _SCREENS.environment == self._environment)
            row = connection.execute(mine).first()
            moment = self._now(connection)
        if row is None:
            return None
        if self._is_paired(row, moment):
            is_fresh = row.shown_at is not None and moment - row.shown_at < _SHOWN_FOR
            return Look("", row.shown if is_fresh else None)
        if row.code and moment - row.changed_at < CODE_LASTS:
            return Look(row.code)
        with self._database.write() as connection:
            renewed = _unpaired(self._now(connection))
            unchanged = update(CUSTOMER_SCREENS).filter_by(**key, changed_at=row.changed_at)
            connection.execute(unchanged.values(renewed))
            code = connection.scalar(select(_SCREENS.code).filter_by(**key))
        return Look(code or "")

    def pair(self, code: str, username: str, till_id: str = "") -> bool:
        """Pair the screen that shows this code with a person, at this till if any; False where none shows it.

        The caller limits tries.
        """
        read = "".join(code.upper().split()).replace("-", "")
        with self._database.write() as connection:
            moment = self._now(connection)
            shows = (
                update(CUSTOMER_SCREENS)
                .filter_by(environment=self._environment, code=read, username="")
                .where(_SCREENS.changed_at > moment - CODE_LASTS)
                .values(username=username, code=None, changed_at=moment, shown=None, shown_at=None)
                .values(till_id=till_id, till_since=select(TILLS.c.since).filter_by(till_id=till_id).scalar_subquery())
                .returning(_SCREENS.device)
            )
            found = bool(read) and connection.execute(shows).first() is not None
        self._paired.fresh()
        return found

    def leave(self, secret: str) -> None:
        """Take a screen from whoever it is paired with, at the screen itself."""
        self._unpair(device=hash_of_secret(secret))

    def disconnect(self, username: str) -> None:
        """Take a person's screens from them: they show a code again."""
        self._unpair(username=username)
        self._paired.fresh()

    def count(self, username: str, till_id: str = "") -> int:
        """How many screens a person has at this till, or away from all, as it was seconds ago at most."""
        return self._paired().get((username, till_id), 0)

    def show(self, username: str, shown: Mapping[str, Any] | None, till_id: str = "") -> None:
        """Have a person's screens at this till, or away from all, show this, or the shop's name alone."""
        key = {"environment": self._environment, "username": username, "till_id": till_id}
        mine = update(CUSTOMER_SCREENS).filter_by(**key)
        with self._database.write() as connection:
            connection.execute(mine.values(shown=shown, shown_at=self._now(connection)))

    def _unpair(self, **whose: str) -> None:
        with self._database.write() as connection:
            theirs = select(_SCREENS.device).filter_by(environment=self._environment, **whose)
            for device in connection.scalars(theirs).all():
                values = _unpaired(self._now(connection))
                connection.execute(update(CUSTOMER_SCREENS).filter_by(device=device).values(values))

    def _read_paired(self) -> Mapping[tuple[str, str], int]:
        with self._database.read() as connection:
            moment = self._now(connection)
            mine = _WITH_TILL.where(_SCREENS.environment == self._environment, _SCREENS.username != "")
            rows = connection.execute(mine).all()
        return Counter((row.username, row.till_id) for row in rows if self._is_paired(row, moment))

    def _is_paired(self, row: Row[Any], moment: datetime) -> bool:
        """Whether a person has it who is still signed in since then, and at the till where it was made, if any."""
        if not row.username or moment - row.changed_at > _PAIRING_LASTS:
            return False
        if row.till_id and (row.revoked_at is not None or row.at_till_since != row.till_since):
            return False
        accounts = self._accounts()
        return accounts.operator(row.username) is not None and not accounts.left(row.username, row.changed_at)


def _unpaired(moment: datetime) -> dict[str, Any]:
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    nobody = {"username": "", "till_id": "", "till_since": None, "shown": None, "shown_at": None}
    return {"code": code, "changed_at": moment, **nobody}
