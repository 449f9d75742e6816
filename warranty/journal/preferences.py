"""Small choices of a person that outlive the session: saved views, remembered column mappings."""

from typing import Any

from sqlalchemy import select

from warranty.journal.database import Database
from warranty.journal.tables import PREFERENCES
from warranty.journal.upsert import upsert


class Preferences:
    """JSON values by person and name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, username: str, name: str) -> Any:
        """The value, or None when nothing was saved. Raises `JournalUnavailable`."""
        return self._database.read(
            lambda connection: connection.execute(
                select(PREFERENCES.c.value).where(
                    PREFERENCES.c.username == username, PREFERENCES.c.name == name
                )
            ).scalar_one_or_none()
        )

    def save(self, username: str, name: str, value: Any) -> None:
        """Keep a JSON value in place of the one before. Raises `JournalUnavailable`."""
        self._database.write(
            lambda connection: upsert(
                connection, PREFERENCES, key={"username": username, "name": name}, values={"value": value}
            )
        )
