"""Which database a journal is and how it stands, for whoever looks after it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, select

from warranty.database.database import Database
from warranty.database.schema import Schema, schema_of
from warranty.database.tables import BACKED_UP_AT, PREFERENCES


@dataclass(frozen=True, slots=True)
class JournalFacts:
    """Where a journal is, its bytes, its schema, and when its newest copy was taken, or that which it was made of."""

    place: str
    size: int
    schema: Schema
    copied_at: datetime | None


def journal_facts(database: Database) -> JournalFacts:
    """Ask the database; no password is in it. Raises `JournalUnavailable`."""
    with database.read() as connection:
        taken = connection.scalar(select(PREFERENCES.c.value).filter_by(**BACKED_UP_AT))
        place, size = (_file if database.is_sqlite else _server)(connection)
        return JournalFacts(place, size, schema_of(connection), datetime.fromisoformat(taken) if taken else None)


def _file(connection: Connection) -> tuple[str, int]:
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    size = pages * connection.exec_driver_sql("PRAGMA page_size").scalar_one()
    return f"SQLite, {Path(connection.engine.url.database or '').absolute()}", size


def _server(connection: Connection) -> tuple[str, int]:
    asked = "SELECT current_database(), host(inet_server_addr()), pg_database_size(current_database())"
    name, host, size = connection.exec_driver_sql(asked).one()
    return f"PostgreSQL, {name} at {host or 'this machine'}", size
