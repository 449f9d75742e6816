"""The schema of the journal, brought up to date on opening; safe when several programs open it at once."""

import logging
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Column, Connection, MetaData, String, Table, delete, func, insert, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateColumn

from warranty.database.database import LOCK_WAIT_SECONDS, Database
from warranty.database.tables import BACKED_UP_AT, METADATA, PREFERENCES
from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.language import Sentence

_log = logging.getLogger("warranty.journal")
NEWEST: Final = "0018"
"""The revision of the tables as this program knows them: it counts on with each table and each column that is added."""
_REVISION: Final = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
_DRAFTS_SIDE_BY_SIDE: Final = "0004"
_LOCK: Final = 0x77617272616E7479  # "warranty": one number for all who open a journal in this PostgreSQL


@dataclass(frozen=True, slots=True)
class Schema:
    """The revision of a journal's tables; None where there are none."""

    revision: str | None

    @property
    def fits(self) -> bool:
        """Whether this program can work on them: they have all that it knows.

        A newer program may have added to them while this one runs (docs/decisions/backup.md).
        """
        return self.revision is not None and self.revision >= NEWEST

    @property
    def is_own(self) -> bool:
        """Whether it is what this program makes, no less and no more."""
        return self.revision == NEWEST

    @property
    def is_newer(self) -> bool:
        """Whether a newer program has been at them, which this one cannot take back."""
        return self.revision is not None and self.revision > NEWEST


def bring_up_to_date(database: Database) -> None:
    """Add what an earlier version has not, in one transaction under a lock, and make the tables that are not there.

    Raises `SettingsProblem` when the journal was written by a newer version of this program, and
    `JournalUnavailable` when the database does not answer.
    """
    if database.is_sqlite:
        _write_ahead(database)
    with database.read() as connection:
        version = schema_of(connection).revision
    if version != NEWEST:
        with database.write() as connection:
            make_tables(connection)
        _log.info("journal schema is now %s", NEWEST)


def schema_of(connection: Connection) -> Schema:
    """The schema that a journal has now."""
    return Schema(MigrationContext.configure(connection).get_current_revision())


def writable_schema(database: Database) -> Schema:
    """The schema that it has now; read as a write is, so that what stops one is found. Raises `JournalUnavailable`.

    All but a full disk, which shows only in a write.
    """
    with database.write() as connection:
        if not database.is_sqlite and connection.scalar(text("SHOW transaction_read_only")) == "on":
            raise JournalUnavailable(Sentence("The journal cannot be written (a standby, or read-only)."))
        return schema_of(connection)


def make_tables(connection: Connection) -> None:
    """Make the tables that are not there, and change those of an earlier version; as `bring_up_to_date` raises."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    # In SQLite the write transaction itself is the lock.
    schema = schema_of(connection)
    if schema.is_newer:
        raise SettingsProblem(
            "This journal was written by a newer version of the program. Update the program, "
            "or name another journal in WARRANTY_JOURNAL_URL."
        )
    if schema.revision is not None and schema.revision < _DRAFTS_SIDE_BY_SIDE:
        with Operations(MigrationContext.configure(connection)).batch_alter_table("drafts") as drafts:
            drafts.drop_constraint("pk_drafts", type_="primary")
            drafts.create_primary_key("pk_drafts", ["environment", "username", "screen", "draft_id"])
    _add_columns(connection)
    METADATA.create_all(connection)
    _REVISION.create(connection, checkfirst=True)
    connection.execute(delete(_REVISION))
    connection.execute(insert(_REVISION), {"version_num": NEWEST})


def _add_columns(connection: Connection) -> None:
    """Add to the tables that are there what this program knows of them: rows may lack it, or get its default.

    So a program of the version before goes on writing (docs/decisions/backup.md).
    """
    there = inspect(connection)
    for table in METADATA.sorted_tables:
        known = {each["name"] for each in there.get_columns(table.name)} if there.has_table(table.name) else set()
        for column in table.columns:
            if known and column.name not in known:
                added = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {added}")


def make_tables_anew(connection: Connection) -> None:
    """Drop the journal's tables with all that is in them, whichever program made them, and make this program's.

    A SQLite file is the journal's alone. In a PostgreSQL there may be somebody's tables beside it: dropped are those
    that this program knows and those that refer to them.
    """
    found = MetaData()
    found.reflect(connection)
    own, is_sqlite = {*METADATA.tables, _REVISION.name}, connection.dialect.name == "sqlite"
    quoted = connection.dialect.identifier_preparer.quote
    more = "" if is_sqlite else " CASCADE"  # somebody's views may hang on them
    for each in reversed(found.sorted_tables):
        if is_sqlite or own & {each.name, *(key.column.table.name for key in each.foreign_keys)}:
            connection.exec_driver_sql(f"DROP TABLE {quoted(each.name)}{more}")
    make_tables(connection)


def _write_ahead(database: Database) -> None:
    """Switch the file to write-ahead logging, which it then keeps.

    The switch needs the file to itself and does not wait for it, so waiting is ours.
    """
    give_up = time.monotonic() + LOCK_WAIT_SECONDS
    problem = "locked"
    while problem == "locked" and time.monotonic() < give_up:
        try:
            with closing(database.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute("PRAGMA journal_mode=WAL")
                if cursor.fetchone() == ("wal",):
                    return
        except (SQLAlchemyError, sqlite3.Error) as error:
            if "locked" not in str(error) and "busy" not in str(error):
                problem = type(error).__name__
        time.sleep(0.02)
    raise JournalUnavailable(Sentence("The journal's file cannot be opened ({problem}).", problem=problem))


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
    statement = "SELECT current_database(), host(inet_server_addr()), pg_database_size(current_database())"
    name, host, size = connection.exec_driver_sql(statement).one()
    return f"PostgreSQL, {name} at {host or 'this machine'}", size
