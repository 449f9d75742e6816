"""Small choices of a person that outlive the session (saved views, columns of files), and the journal's own secret."""

import hashlib
import hmac
import secrets
from typing import Any, Final

from sqlalchemy import Connection, select

from warranty.database.database import Database, insert_unless_there, upsert
from warranty.database.tables import PREFERENCES

_SECRET: Final = {"username": "", "name": "customer-mark"}  # nobody is called so


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


def hash_of_secret(secret: str) -> str:
    """What is kept of something that was made by chance and long: there is nothing to guess."""
    return hashlib.sha256(secret.encode()).hexdigest()


def keyed_hash(connection: Connection, text: str, *, make: bool = True) -> str:
    """Give a hash of a text, keyed by a secret of the journal that is made when first needed, if it may be now."""
    return hmac.new(own_secret(connection, make=make), text.encode(), "sha256").hexdigest()


def own_secret(connection: Connection, *, make: bool = True) -> bytes:
    """Give the secret that the journal makes for itself when it is first needed; empty where that may not be now."""
    if make:
        insert_unless_there(connection, PREFERENCES, {**_SECRET, "value": secrets.token_hex(32)})
    secret = connection.execute(select(PREFERENCES.c.value).filter_by(**_SECRET)).scalar_one_or_none()
    return bytes.fromhex(secret or "")
