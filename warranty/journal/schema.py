"""The schema of the journal, brought up to date on opening; safe when several programs open it at once."""

import logging
import sqlite3
import time
from contextlib import closing
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError  # platform: name alembic.util.CommandError
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.journal.database import LOCK_WAIT_SECONDS, Database
from warranty.journal.tables import METADATA

_log = logging.getLogger("warranty.journal")
_LOCK: Final = 0x77617272616E7479  # "warranty": one number for all who open a journal in this PostgreSQL


def bring_up_to_date(database: Database) -> None:
    """Apply the missing migrations in one transaction, under a lock, and make the tables that are not there.

    Raises `SettingsProblem` when the journal was written by a newer version of this program, and
    `JournalUnavailable` when the database does not answer.
    """
    if database.is_sqlite:
        _write_ahead(database)
    config = Config()
    config.set_main_option("script_location", "warranty.journal:migrations")
    head = ScriptDirectory.from_config(config).get_current_head()
    with database.read() as connection:
        version = _version(connection)
    if version != head:
        with database.write() as connection:
            _upgrade(connection, config)
        _log.info("journal schema is now %s", head)


def _version(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection, config: Config) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    # In SQLite the write transaction itself is the lock.
    config.attributes["connection"] = connection
    try:
        if _version(connection) is None:
            command.stamp(config, "head")
        else:
            command.upgrade(config, "head")
    except CommandError:
        raise SettingsProblem(
            "This journal was written by a newer version of the program. Update the program, "
            "or name another journal in WARRANTY_JOURNAL_URL."
        ) from None
    METADATA.create_all(connection)


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
    raise JournalUnavailable(f"The journal's file cannot be opened ({problem}).")
