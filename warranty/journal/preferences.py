"""Small choices of a person that outlive the session: saved views, remembered column mappings."""

from typing import Any

from sqlalchemy import select

from warranty.journal.database import Database, upsert
from warranty.journal.tables import PREFERENCES


class Preferences:
    """JSON values by person and name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, username: str, name: str) -> Any:
        """The value, or None when nothing was saved. Raises `JournalUnavailable`."""
        with self._database.read() as connection:
            return connection.execute(
                select(PREFERENCES.c.value).filter_by(username=username, name=name)
            ).scalar_one_or_none()

    def save(self, username: str, name: str, value: Any) -> None:
        """Keep a JSON value in place of the one before. Raises `JournalUnavailable`."""
        key = {"username": username, "name": name}
        with self._database.write() as connection:
            upsert(connection, PREFERENCES, key=key, values={"value": value})
