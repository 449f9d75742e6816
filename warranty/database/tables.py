"""What every table is made of, and the tables of the database's own: leases, limits, and small values by name."""

from datetime import UTC, datetime
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    DateTime,
    Dialect,
    Float,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    delete,
    event,
)


class Instant(TypeDecorator[datetime]):
    """An aware moment, kept in UTC: a timestamp with zone where the database has one, else UTC without."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment in UTC; raises `ValueError` for one without a zone, which could be any moment."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a zone")
        in_utc = value.astimezone(UTC)
        return in_utc.replace(tzinfo=None) if dialect.name == "sqlite" else in_utc

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Give the aware moment in UTC."""
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class AsJson(TypeDecorator[Any]):
    """Values of one type as JSON; what another version kept beside what this one knows is passed over."""

    impl = JSON
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__(none_as_null=True)
        self.kind = kind
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def process_bind_param(self, value: Any | None, _dialect: Dialect) -> Any | None:
        """Give what JSON can hold: prices and times as text."""
        return None if value is None else self._adapter.dump_python(value, mode="json")

    def process_result_value(self, value: Any | None, _dialect: Dialect) -> Any | None:
        """Give the value."""
        return None if value is None else self._adapter.validate_python(value)


METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def keys(*names: str) -> list[Column[str]]:
    """Texts that are a row's key together."""
    return [Column(name, Text, primary_key=True) for name in names]


def texts(*names: str, default: str | None = None) -> list[Column[str]]:
    """Texts that every row has; one may be empty. With a `default` they are newer than their table."""
    return [Column(name, Text, nullable=False, server_default=default) for name in names]


def required(**kinds: Any) -> list[Column[Any]]:
    """What every row has, by name and kind."""
    return [Column(name, kind, nullable=False) for name, kind in kinds.items()]


def goes_with_its_account(table: Table) -> None:
    """Let the rows of a table go when the account of their `username` is removed."""

    def go(connection: Connection, username: str) -> None:
        connection.execute(delete(table).filter_by(username=username))

    table.info["on_removal"] = go


def never_changed(table: Table) -> None:
    """Let rows of a table be added, and deleted when their retention ends, but never changed."""
    table.info["guard"] = f"{table.name}_are_never_changed"
    event.listen(table, "after_create", _guard)


def _guard(table: Table, connection: Connection, **_: Any) -> None:
    guard = table.info["guard"]
    trigger = f"CREATE TRIGGER {guard} BEFORE UPDATE ON {table.name}"
    message = f"'{table.name} are never changed'"
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"{trigger} BEGIN SELECT RAISE(ABORT, {message}); END")
        return
    connection.exec_driver_sql(
        f"CREATE OR REPLACE FUNCTION {guard}() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN RAISE EXCEPTION {message}; END $$"
    )
    connection.exec_driver_sql(f"{trigger} FOR EACH ROW EXECUTE FUNCTION {guard}()")


LEASES: Final = Table(
    "leases",
    METADATA,
    # What at most one program may do at a time, and until when it may unless it says so again.
    *keys("name"),
    *required(holder=Text, until=Instant),
)

PACES: Final = Table(
    "paces",
    METADATA,
    # When the next call of this name may start, whichever desk makes it.
    Column("name", Text, primary_key=True),
    Column("next_start", Instant, nullable=False),
)

RETRY_BUDGETS: Final = Table("retry_budgets", METADATA, *keys("name"), *required(tokens=Float, changed_at=Instant))

PREFERENCES: Final = Table("preferences", METADATA, *keys("username", "name"), Column("value", JSON, nullable=False))
goes_with_its_account(PREFERENCES)
BACKED_UP_AT: Final = {"username": "", "name": "backed-up-at"}
"""Nobody's preference: when a backup was taken, in the backup and in what is restored from it."""
