"""The store in SQLite, by SQLAlchemy: in memory, or in a file that a killed process leaves whole.

Everything is read and written inside a transaction, whole or not at all. What must never happen twice is a unique key
here, not a check in the code; what an order, a warranty or a message says stands beside its keys as JSON.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    StaticPool,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    create_engine,
    delete,
    event,
    insert,
    select,
)
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import DatabaseError, IntegrityError

from sandbox.store.model import Claim, Message, Order, SubscribedItem, Warranty

_VERSION: Final = 2
"""Raised when a table changes: a data file of an earlier version begins anew, one of a later is refused."""

_TABLES: Final = MetaData()


def _table(name: str, *parts: Any) -> Table:
    return Table(name, _TABLES, *parts)


def _number() -> Column[int]:
    """What only says in which order the rows came."""
    return Column("number", Integer, primary_key=True)


def _text(name: str, *more: Any, **options: Any) -> Column[str]:
    return Column(name, Text, *more, nullable=False, **options)


_SETTINGS = _table("settings", Column("name", Text, primary_key=True), _text("value"))
_ORDERS = _table("orders", _number(), _text("order_id", unique=True), _text("said"))
_WARRANTIES = _table(
    "warranties",
    _number(),
    _text("order_id", ForeignKey("orders.order_id")),
    Column("line_item_id", Integer, nullable=False),
    Column("unit", Integer, nullable=False),
    _text("said"),
    # One warranty per unit: whoever comes second fails here, whatever the code above believed.
    UniqueConstraint("order_id", "line_item_id", "unit"),
)
_MESSAGES = _table("messages", _number(), _text("said"))
_SUBSCRIPTIONS = _table("subscriptions", Column("email", Text, primary_key=True))
_SUBSCRIBED_ITEMS = _table(
    "subscribed_items",
    _number(),
    _text("email"),
    _text("order_id"),
    Column("line_item_id", Integer, nullable=False),
    _text("said"),
    UniqueConstraint("email", "order_id", "line_item_id"),
)
_CLAIMS = _table(
    "claims",
    _number(),
    _text("claim_date"),
    Column("warranty_started", Integer),
    _text("customer_email"),
    _text("record"),
)

# Made once: making one costs more than running it.
_ORDER, _WARRANTY, _MESSAGE, _ITEM = map(TypeAdapter[Any], (Order, Warranty, Message, SubscribedItem))
_ADD_ORDER = sqlite_insert(_ORDERS).on_conflict_do_nothing(index_elements=["order_id"])
_ADD_ITEM = sqlite_insert(_SUBSCRIBED_ITEMS).on_conflict_do_nothing()
_ADD_WARRANTIES, _ADD_MESSAGE, _ADD_CLAIMS = insert(_WARRANTIES), insert(_MESSAGES), insert(_CLAIMS)
_FOUND = select(_ORDERS.c.said).where(_ORDERS.c.order_id == bindparam("order_id"))
_SOLD = select(_WARRANTIES.c.said).where(_WARRANTIES.c.order_id == bindparam("order_id")).order_by(_WARRANTIES.c.number)


class SandboxDataProblem(Exception):
    """The data file cannot be used; the sentence says why and what to do."""


class UnitTaken(Exception):
    """A unit of a line item carries a warranty already; the transaction must be given up."""


class Store:
    """One connection, used by one thread at a time (the server's loop); two processes may share a file."""

    def __init__(self, *, file: Path | None = None) -> None:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            # Tokens and whatever a trainer types are in there: nobody else's business.
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        self._engine = _engine(file)
        try:
            self._connection = self._engine.connect()
            self._prepare(file)
        except DatabaseError as problem:
            self._engine.dispose()
            raise SandboxDataProblem(
                f"{file} cannot be used as the sandbox's data file ({problem.orig}). Name another, or delete it."
            ) from problem

    def _prepare(self, file: Path | None) -> None:
        connection = self._connection
        with connection.begin():
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            if version > _VERSION:
                raise SandboxDataProblem(
                    f"{file} was written by another version of the sandbox. Delete it to begin anew."
                )
            if 0 < version < _VERSION:
                former = MetaData()
                former.reflect(connection)
                retained = former.tables[_SETTINGS.name]
                former.drop_all(connection, [each for each in former.sorted_tables if each is not retained])
                connection.execute(delete(_SETTINGS).filter_by(name="seed"))
            _TABLES.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def transaction(self) -> Iterator["Records"]:
        """Commit at the end of the block, roll back when it raises."""
        with self._connection.begin():
            yield Records(self._connection)

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()
        self._engine.dispose()


def _engine(file: Path | None) -> Engine:
    engine = create_engine(
        "sqlite://" if file is None else f"sqlite:///{file}",
        poolclass=StaticPool,
        connect_args={"check_same_thread": False, "timeout": 15},
        hide_parameters=True,  # an error's text must not show what a trainer typed
    )

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, below
        connection.execute("PRAGMA foreign_keys = ON")
        if file is not None:
            # A killed process loses nothing that was committed; only a power cut could, and not the file's sense.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # IMMEDIATE: what a transaction reads is still true when it writes, also with two processes on a file.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


class Records:
    """What can be read and written in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def setting(self, name: str) -> str | None:
        """A value that outlives resets and restarts, such as a token."""
        return self._connection.scalar(select(_SETTINGS.c.value).filter_by(name=name))

    def keep_setting(self, name: str, value: str) -> None:
        """Write or replace a setting."""
        self._connection.execute(
            sqlite_insert(_SETTINGS)
            .values(name=name, value=value)
            .on_conflict_do_update(index_elements=["name"], set_={"value": value})
        )

    def add_order(self, order: Order) -> bool:
        """Store an order with its line items and offers; False, and nothing changed, when its id is known."""
        row = {"order_id": order.order_id, "said": _ORDER.dump_json(order).decode()}
        return self._connection.execute(_ADD_ORDER, row).rowcount == 1

    def order(self, order_id: str) -> Order | None:
        """An order with everything it carries by now."""
        parameters = {"order_id": order_id}
        stored = self._connection.scalar(_FOUND, parameters)
        if stored is None:
            return None
        order: Order = _ORDER.validate_json(stored)
        sold = map(_WARRANTY.validate_json, self._connection.scalars(_SOLD, parameters))
        return replace(order, warranties=tuple(sold))

    def order_ids(self) -> list[str]:
        """The ids of all orders, in the order in which they came."""
        return list(self._connection.scalars(select(_ORDERS.c.order_id).order_by(_ORDERS.c.number)))

    def add_warranties(self, order_id: str, warranties: Iterable[Warranty]) -> None:
        """Attach the warranties of a sale; `UnitTaken` when a unit carries one."""
        sold = [
            {
                "order_id": order_id,
                "line_item_id": warranty.line_item_id,
                "unit": warranty.unit,
                "said": _WARRANTY.dump_json(warranty).decode(),
            }
            for warranty in warranties
        ]
        try:
            self._connection.execute(_ADD_WARRANTIES, sold)
        except IntegrityError as problem:
            raise UnitTaken(order_id) from problem

    def add_message(self, message: Message) -> None:
        """Put a mail or text message into the outbox."""
        self._connection.execute(_ADD_MESSAGE, {"said": _MESSAGE.dump_json(message).decode()})

    def messages(self) -> list[Message]:
        """The outbox, oldest first."""
        stored = self._connection.scalars(select(_MESSAGES.c.said).order_by(_MESSAGES.c.number))
        return [_MESSAGE.validate_json(each) for each in stored]

    def subscribe(self, email: str) -> None:
        """Give a customer an active subscription; a second time changes nothing."""
        subscribed = sqlite_insert(_SUBSCRIPTIONS).on_conflict_do_nothing()
        self._connection.execute(subscribed, {"email": email.casefold()})

    def subscribers(self) -> list[str]:
        """The addresses with an active subscription, in lower case."""
        return list(self._connection.scalars(select(_SUBSCRIPTIONS.c.email).order_by(_SUBSCRIPTIONS.c.email)))

    def add_to_subscription(self, items: Iterable[SubscribedItem]) -> list[SubscribedItem]:
        """Take items into a subscription and return those that it did not hold yet."""
        return [
            item
            for item in items
            if self._connection.execute(
                _ADD_ITEM,
                {
                    "email": item.email,
                    "order_id": item.order_id,
                    "line_item_id": item.line_item_id,
                    "said": _ITEM.dump_json(item).decode(),
                },
            ).rowcount
        ]

    def subscribed_items(self) -> list[SubscribedItem]:
        """What the subscriptions took in, oldest first."""
        stored = self._connection.scalars(select(_SUBSCRIBED_ITEMS.c.said).order_by(_SUBSCRIBED_ITEMS.c.number))
        return [_ITEM.validate_json(each) for each in stored]

    def add_claims(self, claims: Sequence[Claim]) -> None:
        """Store claims."""
        names = [column.name for column in _CLAIMS.c if column.name != "number"]
        if claims:
            rows = [{name: getattr(claim, name) for name in names} for claim in claims]
            self._connection.execute(_ADD_CLAIMS, rows)

    def claims(self) -> list[Claim]:
        """All claims, by claim date."""
        statement = select(_CLAIMS).order_by(_CLAIMS.c.claim_date, _CLAIMS.c.number)
        return [Claim(*row[1:]) for row in self._connection.execute(statement)]

    def clear(self) -> None:
        """Remove everything but the settings."""
        for table in reversed(_TABLES.sorted_tables):
            if table is not _SETTINGS:
                self._connection.execute(delete(table))
