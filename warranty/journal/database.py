"""The one way to the database: durable, its failures turned into `JournalUnavailable` that quote no values."""

import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, ColumnElement, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from warranty.errors import JournalUnavailable, SettingsProblem

_log = logging.getLogger("warranty.journal")

LOCK_WAIT_SECONDS = 10
"""How long a write waits for another process; a counter's write takes milliseconds."""

_LOG_WAIT_MILLISECONDS = 50


class Database:
    """A SQLite file (WAL, full sync, foreign keys) or a PostgreSQL, by URL.

    SQLAlchemy's and the driver's errors may quote the values of a row, so none of them leaves this class, not
    even as the context of another error.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"

    @contextmanager
    def write(self, *, erases: bool = False) -> Iterator[Connection]:
        """One transaction, durably committed at its end.

        With `erases`, what was deleted is gone from a SQLite file and its log afterwards, too.
        Raises `JournalUnavailable` when it cannot; then nothing of it is written, as far as can be told.
        """
        with self._transaction(writes=True) as connection:
            yield connection
        if erases and self.is_sqlite:
            self._truncate_log()

    def read(self) -> AbstractContextManager[Connection]:
        """One consistent state. Raises `JournalUnavailable`."""
        return self._transaction(writes=False)

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        options = {"warranty_writes": writes}
        try:
            with self.engine.connect().execution_options(**options) as connection, connection.begin():
                yield connection
            return
        except SQLAlchemyError as error:
            problem = _named(error)
        _log.error("journal %s failed: %s", "write" if writes else "read", problem)
        failure = JournalUnavailable(f"The journal cannot be {'written' if writes else 'read'} ({problem}).")
        try:
            raise failure
        finally:
            failure.__context__ = None  # the error that left the caller's block, which may quote values

    def _truncate_log(self) -> None:
        """Move the write-ahead log into the file and empty it, so that erased values are in neither.

        A reader in another process can hold this up; then the next erasing write does it.
        """
        try:
            with closing(self.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute(f"PRAGMA busy_timeout={_LOG_WAIT_MILLISECONDS}")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                cursor.execute(f"PRAGMA busy_timeout={LOCK_WAIT_SECONDS * 1000}")
        except (SQLAlchemyError, sqlite3.Error) as error:
            _log.warning("journal log not emptied: %s", type(error).__name__)


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise SettingsProblem(
            "WARRANTY_JOURNAL_URL is no database URL. Write sqlite:///journal.sqlite or "
            "postgresql://user@host/database."
        ) from None
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    if parsed.get_backend_name() == "postgresql":
        return _postgresql(parsed)
    raise SettingsProblem(
        "The journal is kept in SQLite or PostgreSQL; "
        f"WARRANTY_JOURNAL_URL names {parsed.get_backend_name()}."
    )


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise SettingsProblem("The journal must outlive the program: WARRANTY_JOURNAL_URL must name a file.")
    try:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        # Drafts and unsettled sendings hold customers' data: a new file is its owner's alone, its log with it.
        os.close(os.open(url.database, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise JournalUnavailable(f"The journal's file cannot be made ({type(error).__name__}).") from None
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": LOCK_WAIT_SECONDS})

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # BEGIN is ours, below
        # FULL: a commit is on the disk when it returns. secure_delete: erased rows are overwritten.
        for pragma in ("foreign_keys=ON", "synchronous=FULL", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer takes its lock at once: one that reads first and then writes could find itself shut out.
        writes = connection.get_execution_options().get("warranty_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: URL) -> Engine:
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": 5,
            # A database that hangs must not hold a counter; commits are on the disk when they return.
            "options": f"-c statement_timeout={LOCK_WAIT_SECONDS}s -c synchronous_commit=on",
        },
    )


def _named(error: SQLAlchemyError) -> str:
    """What went wrong, without any value: the driver's error name and its code."""
    original = error.orig if isinstance(error, DBAPIError) else None
    if original is None:
        return type(error).__name__
    code = getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None)
    return f"{type(original).__name__} {code}" if code else type(original).__name__


def insert_unless_there(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one with the same unique key is there; gives whether it was inserted.

    Of any number of writers at once exactly one inserts; the others see its row afterwards.
    """
    # RETURNING tells on both databases; the row count does not.
    statement = _insert(connection, table).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(statement, dict(values)).first() is not None


def upsert(
    connection: Connection,
    table: Table,
    *,
    key: Mapping[str, Any],
    values: Mapping[str, Any],
    where: ColumnElement[bool] | None = None,
) -> bool:
    """Insert a row, or give the one with this primary key these values, if `where` holds for it as it stands.

    Gives whether one of them was done. Of writers at once, each sees what the one before has left.
    """
    statement = _insert(connection, table).values(**key, **values)
    changed = statement.on_conflict_do_update(index_elements=list(key), set_=dict(values), where=where)
    return connection.execute(changed.returning(*table.primary_key)).first() is not None


def _insert(connection: Connection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
