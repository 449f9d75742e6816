"""When a person of the desk first had the landing page's link of an order on the screen, to hand it over.

Nothing here says who the customer is. A row belongs to the attempt that gave the link and goes with it when its
retention ends; it is added once for each person and order, whatever is clicked, and never changed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, Connection, ForeignKey, Index, Select, Table, Text, select

from warranty.journal.database import Database
from warranty.journal.tables import ATTEMPTS, METADATA, Instant
from warranty.journal.upsert import insert_unless_there

LINKS_SHOWN: Final = Table(
    "links_shown",
    METADATA,
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
    Column("username", Text, primary_key=True),
    Column("operator_name", Text, nullable=False),
    Column("shown_at", Instant, nullable=False),
    Index(None, "shown_at"),
)


@dataclass(frozen=True, slots=True)
class LinkShown:
    """One person had the link of one order on the screen; `shown_at`, the first time, is aware, in UTC."""

    order_id: str
    username: str
    operator_name: str
    shown_at: datetime


class LinksShown:
    """Who showed which order's link; every method may raise `JournalUnavailable`."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def note(self, attempt_id: str, *, username: str, operator_name: str) -> bool:
        """Write down that this person has the link of this attempt's order; gives whether that is new.

        An attempt that is not in the journal is not noted.
        """

        def read(connection: Connection) -> bool:
            return connection.execute(_of_the_same_order(attempt_id, username)).first() is not None

        def write(connection: Connection) -> bool:
            if read(connection) or not _is_journalled(connection, attempt_id):
                return False
            row = {
                "attempt_id": attempt_id,
                "username": username,
                "operator_name": operator_name,
                "shown_at": self._clock(),
            }
            return insert_unless_there(connection, LINKS_SHOWN, row)

        # Most often it is known, and then nobody else's write has to wait.
        return False if self._database.read(read) else self._database.write(write)

    def of_order(self, environment: str, order_id: str) -> list[LinkShown]:
        """Who has shown the link of the order of exactly this id, oldest first."""
        return self._found(_all(environment).where(ATTEMPTS.c.order_id == order_id))

    def between(self, environment: str, start: datetime | None, end: datetime | None) -> list[LinkShown]:
        """The links first shown to a person at or after `start` and before `end` (aware; None: without a bound)."""
        statement = _all(environment)
        if start is not None:
            statement = statement.where(LINKS_SHOWN.c.shown_at >= start)
        if end is not None:
            statement = statement.where(LINKS_SHOWN.c.shown_at < end)
        return self._found(statement)

    def _found(self, statement: Select[Any]) -> list[LinkShown]:
        return self._database.read(
            lambda connection: [LinkShown(*row) for row in connection.execute(statement)]
        )


def _all(environment: str) -> Select[Any]:
    """All of an environment, oldest first.

    The environment is compared as an expression, since SQLite would walk all its attempts otherwise (see `queries`).
    """
    return (
        select(
            ATTEMPTS.c.order_id, LINKS_SHOWN.c.username, LINKS_SHOWN.c.operator_name, LINKS_SHOWN.c.shown_at
        )
        .join(ATTEMPTS, ATTEMPTS.c.attempt_id == LINKS_SHOWN.c.attempt_id)
        .where(ATTEMPTS.c.environment.concat("") == environment)
        .order_by(LINKS_SHOWN.c.shown_at, LINKS_SHOWN.c.username)
    )


def _of_the_same_order(attempt_id: str, username: str) -> Select[Any]:
    """What this person was shown of the order of this attempt, by whichever sending of it."""
    this, others = ATTEMPTS.alias("this"), ATTEMPTS.alias("others")
    return (
        select(LINKS_SHOWN.c.attempt_id)
        .join(others, others.c.attempt_id == LINKS_SHOWN.c.attempt_id)
        .join(this, (this.c.order_id == others.c.order_id) & (this.c.environment == others.c.environment))
        .where(this.c.attempt_id == attempt_id, LINKS_SHOWN.c.username == username)
        .limit(1)
    )


def _is_journalled(connection: Connection, attempt_id: str) -> bool:
    found = connection.execute(select(ATTEMPTS.c.attempt_id).where(ATTEMPTS.c.attempt_id == attempt_id))
    return found.first() is not None
