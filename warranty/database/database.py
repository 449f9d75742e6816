"""The one way to the database: durable, its failures turned into `JournalUnavailable` that quote no values."""

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL, ColumnElement, Connection, Engine, Row, Table, create_engine, event, func, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.sql import Executable

from warranty.clock import utc_now
from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.language import Sentence

_log = logging.getLogger("warranty.journal")

LOCK_WAIT_SECONDS = 10
"""How long a write waits for another process; a counter's write takes milliseconds."""

_LOG_WAIT_MILLISECONDS = 50


Noted = Callable[[Connection], None]
"""What is written with a transaction, as its last statement, if it changes something."""
Observer = Callable[[str, float, bool], None]
"""Told of each transaction when it is over: `read` or `write`, its seconds, and whether the database failed it."""


class Database:
    """A SQLite file (WAL, full sync, foreign keys) or a PostgreSQL, by URL, with the clock of this program.

    SQLAlchemy's and the driver's errors may quote the values of a row, so none of them leaves this class, not
    even as the context of another error.
    """

    def __init__(self, url: str, clock: Callable[[], datetime] = utc_now) -> None:
        self.clock = clock
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self.observer: Observer = lambda _kind, _seconds, _failed: None

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

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """One state over any number of statements, however long they take. Raises `JournalUnavailable`."""
        one_state = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self._transaction(writes=False, **one_state) as connection:
            self.without_time_limit(connection)
            yield connection

    def without_time_limit(self, connection: Connection) -> None:
        """Let the statements of this transaction take as long as they need: no counter waits for them."""
        if not self.is_sqlite:
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")

    def is_used_by_others(self) -> bool:
        """Whether another program has it open now, be it idle. Raises `JournalUnavailable`."""
        if not self.is_sqlite:
            others = (
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            with self.read() as connection:
                return bool(connection.exec_driver_sql(others).scalar_one())
        try:
            with closing(self.engine.raw_connection()) as alone:
                # Only who has the file alone can switch the log off; the next opening switches it on again.
                alone.cursor().execute("PRAGMA journal_mode=DELETE")
        except (SQLAlchemyError, sqlite3.Error) as error:
            if "locked" in str(error):
                return True
            raise JournalUnavailable(_cannot_write(type(error).__name__)) from None
        return False

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    @contextmanager
    def _transaction(self, *, writes: bool, **options: str) -> Iterator[Connection]:
        began, failed = time.perf_counter(), True
        try:
            opened = self.engine.connect().execution_options(warranty_writes=writes, **options)
            with opened as connection, connection.begin():
                yield connection
            failed = False
            return
        except SQLAlchemyError as error:
            problem = named(error)
        except BaseException:
            failed = False  # the caller's own; the database did what it was asked
            raise
        finally:
            self.observer("write" if writes else "read", time.perf_counter() - began, failed)
        _log.error("journal %s failed: %s", "write" if writes else "read", problem)
        cannot_read = Sentence("The journal cannot be read ({problem}).", problem=problem)
        failure = JournalUnavailable(_cannot_write(problem) if writes else cannot_read)
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


class Repository:
    """What one subject keeps, of one environment where it has several; each method may raise `JournalUnavailable`."""

    def __init__(self, database: Database, environment: str = "") -> None:
        self._database = database
        self._environment = environment

    def _clock(self) -> datetime:
        return self._database.clock()

    def _now(self, connection: Connection) -> datetime:
        return now(connection)

    def _found(self, statement: Executable) -> Sequence[Row[*tuple[Any, ...]]]:
        """All rows that a statement asks for."""
        with self._database.read() as connection:
            return connection.execute(statement).all()

    def _change(self, statement: Executable, *, erases: bool = False) -> int:
        """Carry out a statement alone, and give how many rows were there for it."""
        with self._database.write(erases=erases) as connection:
            return int(connection.execute(statement).rowcount)


def _engine(url: str) -> Engine:
    kind = url.partition(":")[0].partition("+")[0]
    if kind in {"postgresql", "postgres"}:
        return _postgresql(url)
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise SettingsProblem(
            "WARRANTY_JOURNAL_URL is no database URL. Write sqlite:///journal.sqlite or "
            "postgresql://user@host/database."
        ) from None
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    raise SettingsProblem(
        f"The journal is kept in SQLite or PostgreSQL; WARRANTY_JOURNAL_URL names {parsed.get_backend_name()}."
    )


def _cannot_write(problem: str) -> Sentence:
    return Sentence("The journal cannot be written ({problem}).", problem=problem)


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise SettingsProblem("The journal must outlive the program: WARRANTY_JOURNAL_URL must name a file.")
    try:
        Path(url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Drafts and unsettled sendings hold customers' data: a new file is its owner's alone, its log with it.
        os.close(os.open(url.database, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        problem = type(error).__name__
        message = Sentence("The journal's file cannot be made ({problem}).", problem=problem)
        raise JournalUnavailable(message) from None
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


def _postgresql(url: str) -> Engine:
    """Connect by libpq's own URL, so that it may name several servers and whatever else libpq knows."""
    address = f"postgresql:{url.partition(':')[2]}"
    del url
    connect = partial(
        psycopg.connect,
        address,
        connect_timeout=5,  # seconds, for each server that the address names
        # A database that hangs must not hold a counter, nor one whose machine is gone without a word.
        tcp_user_timeout=LOCK_WAIT_SECONDS * 1000,
        # Commits are on the disk when they return.
        options=f"-c statement_timeout={LOCK_WAIT_SECONDS}s -c synchronous_commit=on",
    )
    try:
        conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        raise SettingsProblem(
            "WARRANTY_JOURNAL_URL cannot be read by PostgreSQL. Write postgresql://user@host/database, or with two "
            "servers postgresql://user@host1,host2/database?target_session_attrs=read-write."
        ) from None
    return create_engine("postgresql+psycopg://", creator=connect, hide_parameters=True, pool_pre_ping=True)


def named(error: SQLAlchemyError) -> str:
    """What went wrong, without any value: the driver's error name and its code."""
    original = error.orig if isinstance(error, DBAPIError) else None
    if original is None:
        return type(error).__name__
    code = getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None)
    return f"{type(original).__name__} {code}" if code else type(original).__name__


def now(connection: Connection) -> datetime:
    """This moment by the one clock of all who share a journal: PostgreSQL's, or that of a SQLite file's machine."""
    if connection.dialect.name == "postgresql":
        moment: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        return moment.astimezone(UTC)
    return datetime.now(UTC)


def held(connection: Connection, table: Table, key: Mapping[str, Any], **first: Any) -> Row[Any]:
    """Give the row of a key, made with the `first` values where there is none; nobody else changes it meanwhile."""
    found = select(table).filter_by(**key).with_for_update()
    row = connection.execute(found).first()
    if row is None:
        insert_unless_there(connection, table, {**key, **first})
        row = connection.execute(found).one()
    return row


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
    changes: Mapping[str, Any] | None = None,
    where: ColumnElement[bool] | None = None,
) -> bool:
    """Insert a row, or give the one with this primary key these values, if `where` holds for it as it stands.

    With `changes` it is given those, which may count on from what it has. Gives whether one of them was done. Of
    writers at once, each sees what the one before has left.
    """
    statement = _insert(connection, table).values(**key, **values)
    changed = statement.on_conflict_do_update(index_elements=list(key), set_=dict(changes or values), where=where)
    return connection.execute(changed.returning(*table.primary_key)).first() is not None


def _insert(connection: Connection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
