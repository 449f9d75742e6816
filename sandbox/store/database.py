"""The store in SQLite, by SQLAlchemy: in memory, or in a file that a killed process leaves whole."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    RowMapping,
    StaticPool,
    Table,
    bindparam,
    create_engine,
    event,
    insert,
    select,
)
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import DatabaseError, IntegrityError

from sandbox.store import rows, tables
from sandbox.store.interface import Records, SandboxDataProblem, UnitTaken
from sandbox.store.model import Claim, Message, Order, Product, Sale, SubscribedItem

# Statements are made once: making one costs more than running it.
_ADD_ORDER = sqlite_insert(tables.orders).on_conflict_do_nothing(index_elements=["order_id"])
_ADD = {table: insert(table) for table in tables.metadata.sorted_tables}
_ORDER = select(tables.orders).where(tables.orders.c.order_id == bindparam("order_id"))


def _parts_of_an_order(table: Table, *by: str) -> Any:
    """A query for the rows of an order in one of its tables."""
    return (
        select(table)
        .where(table.c.order_id == bindparam("order_id"))
        .order_by(*(table.c[name] for name in by))
    )


_LINE_ITEMS = _parts_of_an_order(tables.line_items, "line_item_id")
_PRODUCTS = _parts_of_an_order(tables.products, "line_item_id", "position")
_OFFERS = _parts_of_an_order(tables.offers, "offer_group", "months", "type")
_WARRANTIES = _parts_of_an_order(tables.warranties, "number")
_COVERED = _parts_of_an_order(tables.covered_products, "line_item_id", "unit", "position")


class DatabaseStore:
    """Implements `Store`. One connection, used by one thread at a time (the server's loop)."""

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
        with self._connection.begin():
            version = self._connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            if version not in {0, tables.VERSION}:
                raise SandboxDataProblem(
                    f"{file} was written by another version of the sandbox. Delete it to begin anew."
                )
            tables.metadata.create_all(self._connection)
            self._connection.exec_driver_sql(f"PRAGMA user_version = {tables.VERSION}")

    @contextmanager
    def transaction(self) -> Iterator[Records]:
        """See `Store.transaction`."""
        with self._connection.begin():
            yield _DatabaseRecords(self._connection)

    def close(self) -> None:
        """See `Store.close`."""
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


class _DatabaseRecords:
    """Implements `Records` on a connection inside its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def setting(self, name: str) -> str | None:
        query = select(tables.settings.c.value).where(tables.settings.c.name == name)
        return self._connection.execute(query).scalar_one_or_none()

    def keep_setting(self, name: str, value: str) -> None:
        self._connection.execute(
            sqlite_insert(tables.settings)
            .values(name=name, value=value)
            .on_conflict_do_update(index_elements=["name"], set_={"value": value})
        )

    def add_order(self, order: Order) -> bool:
        stored = self._connection.execute(
            _ADD_ORDER,
            {
                "order_id": order.order_id,
                "stored_at": order.stored_at.isoformat(),
                "merchant_external_id": order.merchant_external_id,
                "email": order.email,
                "phone": order.phone,
            },
        )
        if stored.rowcount == 0:
            return False
        items = order.line_items
        for table, parts in (
            (tables.line_items, [rows.line_item_row(order.order_id, item) for item in items]),
            (tables.products, [part for item in items for part in rows.product_rows(order.order_id, item)]),
            (tables.offers, [rows.offer_row(order.order_id, offer) for offer in order.offers]),
        ):
            if parts:
                self._connection.execute(_ADD[table], parts)
        return True

    def order(self, order_id: str) -> Order | None:
        head = self._connection.execute(_ORDER, {"order_id": order_id}).mappings().one_or_none()
        if head is None:
            return None
        products: dict[int, list[Product]] = {}
        for row in self._rows_of(_PRODUCTS, order_id):
            products.setdefault(row["line_item_id"], []).append(rows.product(row))
        covered: dict[tuple[int, int], list[Product]] = {}
        for row in self._rows_of(_COVERED, order_id):
            unit = (row["line_item_id"], row["unit"])
            covered.setdefault(unit, []).append(products[row["line_item_id"]][row["position"]])
        return Order(
            order_id=order_id,
            stored_at=datetime.fromisoformat(head["stored_at"]),
            merchant_external_id=head["merchant_external_id"],
            email=head["email"],
            phone=head["phone"],
            line_items=tuple(
                rows.line_item(row, products[row["line_item_id"]])
                for row in self._rows_of(_LINE_ITEMS, order_id)
            ),
            offers=tuple(rows.offer(row) for row in self._rows_of(_OFFERS, order_id)),
            warranties=tuple(
                rows.warranty(row, covered[row["line_item_id"], row["unit"]])
                for row in self._rows_of(_WARRANTIES, order_id)
            ),
        )

    def _rows_of(self, query: Any, order_id: str) -> Iterable[RowMapping]:
        return self._connection.execute(query, {"order_id": order_id}).mappings()

    def order_ids(self) -> list[str]:
        query = select(tables.orders.c.order_id).order_by(tables.orders.c.number)
        return list(self._connection.execute(query).scalars())

    def add_sale(self, sale: Sale) -> None:
        try:
            self._connection.execute(
                _ADD[tables.sales],
                {
                    "warranty_order_id": sale.warranty_order_id,
                    "order_id": sale.order_id,
                    "sold_at": sale.sold_at.isoformat(),
                    "channel": sale.channel,
                },
            )
            self._connection.execute(
                _ADD[tables.warranties], [rows.warranty_row(sale, warranty) for warranty in sale.warranties]
            )
            self._connection.execute(
                _ADD[tables.covered_products],
                [row for warranty in sale.warranties for row in rows.covered_rows(sale, warranty)],
            )
        except IntegrityError as problem:
            raise UnitTaken(sale.order_id) from problem

    def add_message(self, message: Message) -> None:
        row = {**rows.columns(message), "sent_at": message.sent_at.isoformat()}
        self._connection.execute(_ADD[tables.messages], row)

    def messages(self) -> list[Message]:
        query = select(tables.messages).order_by(tables.messages.c.number)
        return [
            Message(**{**rows.without_number(row), "sent_at": datetime.fromisoformat(row["sent_at"])})
            for row in self._connection.execute(query).mappings()
        ]

    def subscribe(self, email: str) -> None:
        self._connection.execute(
            sqlite_insert(tables.subscriptions).on_conflict_do_nothing(), {"email": email.casefold()}
        )

    def subscribers(self) -> list[str]:
        query = select(tables.subscriptions.c.email).order_by(tables.subscriptions.c.email)
        return list(self._connection.execute(query).scalars())

    def add_to_subscription(self, items: Iterable[SubscribedItem]) -> list[SubscribedItem]:
        statement = sqlite_insert(tables.subscribed_items).on_conflict_do_nothing()
        return [
            item
            for item in items
            if self._connection.execute(
                statement, {**rows.columns(item), "added_at": item.added_at.isoformat()}
            ).rowcount
        ]

    def subscribed_items(self) -> list[SubscribedItem]:
        query = select(tables.subscribed_items).order_by(tables.subscribed_items.c.number)
        return [
            SubscribedItem(
                **{**rows.without_number(row), "added_at": datetime.fromisoformat(row["added_at"])}
            )
            for row in self._connection.execute(query).mappings()
        ]

    def add_claims(self, claims: Sequence[Claim]) -> None:
        if claims:
            self._connection.execute(_ADD[tables.claims], [rows.columns(claim) for claim in claims])

    def claims(self) -> list[Claim]:
        query = select(
            tables.claims.c.claim_date,
            tables.claims.c.warranty_started,
            tables.claims.c.customer_email,
            tables.claims.c.record,
        ).order_by(tables.claims.c.claim_date, tables.claims.c.number)
        return [Claim(*row) for row in self._connection.execute(query)]

    def clear(self) -> None:
        for table in reversed(tables.metadata.sorted_tables):
            if table is not tables.settings:
                self._connection.execute(table.delete())
