"""Small choices of a person that outlive the session: saved views, remembered column mappings."""

from typing import Any

from sqlalchemy import select

from warranty.journal.database import Database, upsert
from warranty.journal.tables import PREFERENCES


class Preference:
    """One person's choice under a name, a JSON value. Both methods may raise `JournalUnavailable`."""

    def __init__(self, database: Database, username: str, name: str) -> None:
        self._database = database
        self._key = {"username": username, "name": name}

    def load(self) -> Any:
        """The value, or None when nothing was saved."""
        with self._database.read() as connection:
            return connection.scalar(select(PREFERENCES.c.value).filter_by(**self._key))

    def save(self, value: Any) -> None:
        """Keep a value in place of the one before."""
        with self._database.write() as connection:
            upsert(connection, PREFERENCES, key=self._key, values={"value": value})
