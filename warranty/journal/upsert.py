"""INSERT ... ON CONFLICT, which both databases have and SQLAlchemy spells once for each."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_unless_there(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one with the same unique key is there; gives whether it was inserted.

    Of any number of writers at once exactly one inserts; the others see its row afterwards.
    """
    # RETURNING tells on both databases; the row count does not.
    statement = _insert(connection, table).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(statement, dict(values)).first() is not None


def upsert(
    connection: Connection, table: Table, *, key: Mapping[str, Any], values: Mapping[str, Any]
) -> None:
    """Insert a row, or give the one with this primary key these values."""
    statement = _insert(connection, table).values(**key, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=dict(values)))


def _insert(connection: Connection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
