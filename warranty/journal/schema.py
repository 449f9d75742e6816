"""The schema of the journal, brought up to date on opening; safe when several programs open it at once."""

import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.journal.database import LOCK_WAIT_SECONDS, Database

_log = logging.getLogger("warranty.journal")
_LOCK: Final = 0x77617272616E7479  # "warranty": one number for all who open a journal in this PostgreSQL


def bring_up_to_date(database: Database) -> None:
    """Apply the missing migrations in one transaction, under a lock.

    Raises `SettingsProblem` when the journal was written by a newer version of this program, and
    `JournalUnavailable` when the database does not answer.
    """
    if database.is_sqlite:
        _write_ahead(database)
    script = ScriptDirectory(Path(__file__).parent / "migrations")
    head = script.get_current_head()
    if database.read(_current) != head:
        database.write(lambda connection: _upgrade(connection, script))


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection, script: ScriptDirectory) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    # In SQLite the write transaction itself is the lock.
    current = _current(connection)
    if current == script.get_current_head():
        return
    known = {revision.revision for revision in script.walk_revisions()}
    if current is not None and current not in known:
        raise SettingsProblem(
            "This journal was written by a newer version of the program. Update the program, "
            "or name another journal in WARRANTY_JOURNAL_URL."
        )

    def steps(revision: Any, _context: MigrationContext) -> Any:
        # As Alembic's own commands do; platform: name alembic.script.ScriptDirectory._upgrade_revs
        return script._upgrade_revs("head", revision)

    context = MigrationContext.configure(connection, opts={"fn": steps})
    with Operations.context(context):
        context.run_migrations()
    _log.info("journal schema is now %s", script.get_current_head())


def _write_ahead(database: Database) -> None:
    """Switch the file to write-ahead logging, which it then keeps.

    The switch needs the file to itself and does not wait for it, so waiting is ours.
    """
    give_up = time.monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            with closing(database.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute("PRAGMA journal_mode=WAL")
                row = cursor.fetchone()
                if row is not None and row[0] == "wal":
                    return
        except (SQLAlchemyError, sqlite3.Error) as error:
            locked = "locked" in str(error) or "busy" in str(error)
            problem = type(error).__name__
            if not locked:
                break
        if time.monotonic() > give_up:
            problem = "locked"
            break
        time.sleep(0.02)
    raise JournalUnavailable(f"The journal's file cannot be opened ({problem}).")
