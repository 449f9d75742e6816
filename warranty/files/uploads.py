"""The files that a manager put in, as they are: one of each kind, the same for all desks of a journal."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import Column, LargeBinary, Table, Text, delete, select

from warranty.database.database import Repository, insert_unless_there, upsert
from warranty.database.tables import METADATA, Instant, texts

SHOP_FILES: Final = Table(
    "shop_files",
    METADATA,
    Column("name", Text, primary_key=True),  # what it is to the desk: catalogue, price list
    Column("content", LargeBinary, nullable=False),
    *texts("file_name", "username"),
    Column("changed_at", Instant, nullable=False),
)


class Uploads(Repository):
    """Files by their kind. Who may change them is asked above."""

    def moments(self) -> Mapping[str, datetime]:
        """When each that is there was put in."""
        with self._database.read() as connection:
            found = select(SHOP_FILES.c.name, SHOP_FILES.c.changed_at)
            return {row.name: row.changed_at for row in connection.execute(found)}

    def content(self, kind: str) -> bytes | None:
        """The file of this kind; None when there is none."""
        with self._database.read() as connection:
            return connection.scalar(select(SHOP_FILES.c.content).filter_by(name=kind))

    def put(
        self, kind: str, content: bytes, *, file_name: str = "", username: str = "", unless_there: bool = False
    ) -> None:
        """Keep a file, in place of the one before."""
        key, named = {"name": kind}, {"file_name": file_name[:200], "username": username}
        values = {"content": content, **named, "changed_at": self._clock()}
        with self._database.write() as connection:
            if unless_there:
                insert_unless_there(connection, SHOP_FILES, {**key, **values})
            else:
                upsert(connection, SHOP_FILES, key=key, values=values)

    def remove(self, kind: str) -> None:
        """Remove a file, if there is one."""
        with self._database.write() as connection:
            connection.execute(delete(SHOP_FILES).filter_by(name=kind))
