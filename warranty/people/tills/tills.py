"""Stores, and the tills that were registered: whose browser is one, who is switched in there, and by what.

Who is at a till stands here and not in its browser, so a lock or a withdrawal holds at every desk and in every tab, and
neither a PIN nor a badge is worth anything without the key that the till's browser keeps. Every method may raise
`JournalUnavailable`.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from warranty.access import FIRST_STORE, Station
from warranty.database.database import Database, Noted, Repository, held, insert_unless_there, now, upsert
from warranty.database.preferences import hash_of_secret, keyed_hash
from warranty.people.tills.tables import BADGES, PINS, STORES, TILL_TRIES, TILLS

SwitchedBy = Literal["pin", "badge"]
MOST_WRONG: Final = 5
"""So many tries at a till may be wrong; then its pad is locked."""
MOST_OPENED: Final = 3
"""So many locked pads a person's password opens in a day, at all tills together."""
MOST_OF_A_PIN: Final = 20
"""So many times a PIN may be tried wrongly, at all tills together; then it opens nothing until another is chosen."""
_ONCE: Final = timedelta(minutes=1)
"""Tries of a PIN at a till that follow each other so soon are one time: somebody who mistypes, or who guesses."""
_TRIES_COUNT_FOR: Final = timedelta(days=1)
_ANYWHERE: Final = ""
"""In the place of a till, with a login name: how many times its PIN was tried and did not come true."""
_OPENED: Final = "opened"
"""Likewise: how many locked pads this person's password has opened."""


@dataclass(frozen=True, slots=True)
class Store:
    """A shop; `time_zone` as the database of zones calls it, "" where nobody has said."""

    store_id: str
    name: str
    time_zone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Till:
    """A registered browser; who is switched in there ("" for nobody), by what, and since when (aware UTC)."""

    till_id: str
    name: str
    store_id: str
    key_hash: str = field(repr=False)
    registered_by: str
    registered_at: datetime
    revoked_at: datetime | None = None
    username: str = ""
    switched_by: str = ""
    since: datetime | None = None
    pad_locked_at: datetime | None = None

    @property
    def station(self) -> Station:
        """Where whoever is switched in there works, and how they came."""
        return Station(self.store_id, self.till_id, self.switched_by)


@dataclass(frozen=True, slots=True)
class Pin:
    """A person's PIN: its hash, and how many digits it has, which the pad has to know to take it without Enter.

    A `spent` one was tried wrongly too often, and opens nothing.
    """

    pin_hash: str = field(repr=False)
    digits: int
    spent: bool = False


class Try(NamedTuple):
    """A try at a till's pad that may be judged, under a login name or, for a badge, under none."""

    username: str
    is_counted: bool
    """Whether it is one more time that the PIN was tried, at whichever till."""
    before: int
    """Tries under this name at this till that have not come true."""


def _nothing(_: Connection) -> None:
    """Write nothing more."""


class Tills(Repository):
    """The tills of an environment; PINs and badges are for all environments, as accounts are."""

    def stores(self) -> list[Store]:
        """All stores, by their ids."""
        return [Store(*row) for row in self._found(select(STORES).order_by(STORES.c.store_id))]

    def time_zone(self, store_id: str) -> ZoneInfo | None:
        """That of a store; None where it was given none."""
        zones = {one.store_id: one.time_zone for one in self.stores() if one.time_zone}
        return ZoneInfo(zones[store_id]) if store_id in zones else None

    def describe(self, store: Store) -> Store:
        """Keep a store's name and time zone; gives how it was: by its id, where nobody named it before."""
        values = {"name": store.name, "time_zone": store.time_zone}
        before = {each.store_id: each for each in self.stores()}.get(store.store_id)
        with self._database.write() as connection:
            upsert(connection, STORES, key={"store_id": store.store_id}, values=values)
        return before or Store(store.store_id, store.store_id, "")

    def all(self) -> Mapping[str, Till]:
        """Every till by its id, withdrawn ones too, in the order in which they were registered."""
        found = select(TILLS).filter_by(environment=self._environment).order_by(TILLS.c.registered_at)
        return {row.till_id: _till(row) for row in self._found(found)}

    def register(self, name: str, by: str, *, store_id: str = FIRST_STORE) -> tuple[Till, str]:
        """Make a till, and the key for its browser, of which only the hash is kept."""
        till_id, key = secrets.token_hex(8), secrets.token_urlsafe(32)
        made: dict[str, Any] = {"registered_by": by, "registered_at": self._clock(), "key_hash": hash_of_secret(key)}
        till = Till(till_id=till_id, name=name, store_id=store_id, **made)
        values = {one: getattr(till, one) for one in Till.__slots__} | {"environment": self._environment}
        with self._database.write() as connection:
            # A store is known from the first till that is somebody's whose home it is.
            insert_unless_there(connection, STORES, {"store_id": store_id, "name": store_id, "time_zone": ""})
            connection.execute(insert(TILLS), values)
        return till, key

    def revoke(self, till_id: str) -> bool:
        """Withdraw a till: whoever is at it is out, and its browser is like any other; False where there is none."""
        live = update(TILLS).filter_by(till_id=till_id, environment=self._environment, revoked_at=None)
        with self._database.write() as connection:
            moment = now(connection)
            gone = live.values(revoked_at=moment, username="", switched_by="", since=moment)
            return connection.execute(gone).rowcount == 1

    def switch(
        self, till_id: str, username: str, by: SwitchedBy, *, tried: Try | None = None, noting: Noted = _nothing
    ) -> Till | None:
        """Let a person in at a till, in the place of whoever was there; None where there is no such till any more.

        The tries at this till under the name that was `tried` are forgotten: it was right. Those under other names
        stay; of the times that its PIN was tried, this one is taken back, or the one slip just before it.
        """
        with self._database.write() as connection:
            _hold(connection, till_id)
            if tried is not None:
                connection.execute(delete(TILL_TRIES).filter_by(till_id=till_id, username=tried.username))
                anywhere = update(TILL_TRIES).filter_by(till_id=_ANYWHERE, username=tried.username)
                if tried.is_counted or tried.before == 1:
                    connection.execute(anywhere.values(tries=TILL_TRIES.c.tries - 1))
                _lock_if_too_many(connection, till_id, self._clock())
            return self._becomes(connection, till_id, noting, username=username, switched_by=by)

    def lock(self, till_id: str, *, noting: Noted = _nothing) -> None:
        """Nobody is at this till any more: who was, and who signed in there with a password, is out in all its tabs."""
        with self._database.write() as connection:
            self._becomes(connection, till_id, noting, username="", switched_by="")

    def tries_left(self, till_id: str) -> int:
        """How many more wrong tries a till takes before its pad is locked."""
        with self._database.read() as connection:
            return max(0, MOST_WRONG - _wrong(connection, till_id))

    def begin_try(self, till_id: str, username: str) -> Try | None:
        """Count a try before it is judged; None where it must not be: the pad is locked, the PIN spent, or no till."""
        with self._database.write() as connection:
            moment = self._clock()
            till = _hold(connection, till_id)
            if till is None or till.revoked_at or till.pad_locked_at:
                return None
            old = TILL_TRIES.c.last_at < moment - _TRIES_COUNT_FOR
            connection.execute(delete(TILL_TRIES).where(old, TILL_TRIES.c.till_id != _ANYWHERE))
            here = _tries(connection, till_id, username, moment)
            anywhere = _tries(connection, _ANYWHERE, username, moment)
            if username and anywhere.tries >= MOST_OF_A_PIN:
                return None
            is_counted = here.tries == 0 or moment - here.last_at > _ONCE
            if is_counted:
                _count(connection, anywhere, moment)
            _count(connection, here, moment)
            _lock_if_too_many(connection, till_id, moment)
            return Try(username, is_counted, here.tries)

    def open_pad(self, till_id: str, by: str) -> bool | None:
        """Whoever was there is out: this person signed in there with a password, which opens a pad that is locked.

        Gives whether it opened one; None where none was locked. No more than `MOST_OPENED` a day, and tries under other
        names at a pad that is not locked stay: else who guesses a colleague's PIN gives their own password in between.
        """
        with self._database.write() as connection:
            row, moment = _hold(connection, till_id), self._clock()
            opened: bool | None = None
            mine = delete(TILL_TRIES).filter_by(till_id=till_id)
            if row is not None and row.pad_locked_at is not None:
                so_far = _tries(connection, _OPENED, by, moment)
                is_old = so_far.last_at < moment - _TRIES_COUNT_FOR
                opened = is_old or so_far.tries < MOST_OPENED
            if opened:
                connection.execute(mine)
                connection.execute(update(TILLS).filter_by(till_id=till_id).values(pad_locked_at=None))
                _count(connection, so_far, moment, anew=is_old)
            elif opened is None:
                connection.execute(mine.filter_by(username=by))
            self._becomes(connection, till_id, _nothing, username="", switched_by="")
        return opened

    def pins(self) -> Mapping[str, Pin]:
        """Everybody's PIN, by login name."""
        anywhere = (TILL_TRIES.c.username == PINS.c.username) & (TILL_TRIES.c.till_id == _ANYWHERE)
        statement = select(PINS, func.coalesce(TILL_TRIES.c.tries, 0).label("tried"))
        rows = self._found(statement.outerjoin_from(PINS, TILL_TRIES, anywhere))
        return {row.username: Pin(row.pin_hash, row.digits, spent=row.tried >= MOST_OF_A_PIN) for row in rows}

    def set_pin(self, username: str, pin: Pin) -> None:
        """Keep a person's PIN in place of the one before, and forget how often that one was tried."""
        values = {"pin_hash": pin.pin_hash, "digits": pin.digits, "set_at": self._clock()}
        with self._database.write(erases=True) as connection:
            connection.execute(delete(TILL_TRIES).filter_by(till_id=_ANYWHERE, username=username))
            upsert(connection, PINS, key={"username": username}, values=values)

    def issue_badge(self, username: str, code: str, *, by: str) -> None:
        """Make a code a person's badge, in place of the one before, of which nothing is worth anything any more."""
        with self._database.write(erases=True) as connection:
            values = {"code_hash": _badge(connection, code), "issued_by": by, "issued_at": self._clock()}
            upsert(connection, BADGES, key={"username": username}, values=values)

    def take_badge(self, username: str) -> bool:
        """A person's badge is worth nothing any more; False where there was none."""
        return self._change(delete(BADGES).filter_by(username=username), erases=True) == 1

    def badges(self) -> Mapping[str, datetime]:
        """Who has a badge, by login name, and since when."""
        return {row.username: row.issued_at for row in self._found(select(BADGES))}

    def owner_of_badge(self, code: str) -> str | None:
        """Whose badge has this code; None for nobody's."""
        with self._database.write() as connection:  # it may make the journal's secret
            hashed = _badge(connection, code)
            return connection.scalar(select(BADGES.c.username).filter_by(code_hash=hashed))

    def _becomes(self, connection: Connection, till_id: str, noting: Noted, **values: str) -> Till | None:
        live = update(TILLS).filter_by(till_id=till_id, environment=self._environment, revoked_at=None)
        changed = connection.execute(live.values(since=now(connection), **values).returning(TILLS))
        row = changed.first()
        if row is None:
            return None
        noting(connection)
        return _till(row)


def shop_now(database: Database) -> datetime:
    """This moment in the zone of the first store, else in this machine's: a day of commands, reports and nights."""
    return database.clock().astimezone(Tills(database).time_zone(FIRST_STORE))


def _till(row: Row[Any]) -> Till:
    return Till(**{name: getattr(row, name) for name in Till.__slots__})


def _badge(connection: Connection, code: str) -> str:
    return keyed_hash(connection, f"badge\n{code}")


def _hold(connection: Connection, till_id: str) -> Row[Any] | None:
    """The till's row, which nobody else changes until the transaction ends."""
    return connection.execute(select(TILLS).filter_by(till_id=till_id).with_for_update()).first()


def _tries(connection: Connection, till_id: str, username: str, moment: datetime) -> Row[Any]:
    return held(connection, TILL_TRIES, {"till_id": till_id, "username": username}, tries=0, last_at=moment)


def _count(connection: Connection, row: Row[Any], moment: datetime, *, anew: bool = False) -> None:
    """Count one more, or the first again."""
    one = update(TILL_TRIES).filter_by(till_id=row.till_id, username=row.username)
    connection.execute(one.values(tries=1 if anew else row.tries + 1, last_at=moment))


def _wrong(connection: Connection, till_id: str) -> int:
    counted = select(func.coalesce(func.sum(TILL_TRIES.c.tries), 0)).filter_by(till_id=till_id)
    return int(connection.execute(counted).scalar_one())


def _lock_if_too_many(connection: Connection, till_id: str, moment: datetime) -> None:
    locked = moment if _wrong(connection, till_id) >= MOST_WRONG else None
    connection.execute(update(TILLS).filter_by(till_id=till_id).values(pad_locked_at=locked))
