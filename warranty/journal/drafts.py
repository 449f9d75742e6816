"""What people have typed and not settled, per person and screen; it may hold customers' personal data."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select

from warranty.journal.database import Database
from warranty.journal.entries import AttemptState, Draft
from warranty.journal.tables import ATTEMPTS, DRAFTS, OUTCOMES
from warranty.journal.upsert import upsert


class Drafts:
    """One draft per environment, person and screen; erased when what became of it is settled as done."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def load(self, *, environment: str, username: str, screen: str) -> Draft | None:
        """The person's draft of this screen, or None. Raises `JournalUnavailable`."""

        def read(connection: Connection) -> Draft | None:
            row = (
                connection.execute(
                    select(DRAFTS).where(
                        DRAFTS.c.environment == environment,
                        DRAFTS.c.username == username,
                        DRAFTS.c.screen == screen,
                    )
                )
                .mappings()
                .one_or_none()
            )
            if row is None or _is_done(connection, environment, row["draft_id"]):
                return None
            return Draft(row["draft_id"], row["content"], row["updated_at"])

        return self._database.read(read)

    def save(
        self, *, environment: str, username: str, screen: str, draft_id: str, content: dict[str, Any]
    ) -> bool:
        """Keep what was typed in place of what was kept before; gives whether it was kept.

        A draft that is done is not kept again: another tab may still show the form. Raises
        `JournalUnavailable`.
        """

        def write(connection: Connection) -> bool:
            if _is_done(connection, environment, draft_id):
                return False
            upsert(
                connection,
                DRAFTS,
                key={"environment": environment, "username": username, "screen": screen},
                values={"draft_id": draft_id, "content": content, "updated_at": self._clock()},
            )
            return True

        return self._database.write(write)

    def discard(self, draft_id: str) -> None:
        """Erase a draft; nothing happens when there is none. Raises `JournalUnavailable`."""
        self._database.write(
            lambda connection: connection.execute(delete(DRAFTS).where(DRAFTS.c.draft_id == draft_id)),
            erases=True,
        )


def _is_done(connection: Connection, environment: str, draft_id: str) -> bool:
    return (
        connection.execute(
            select(ATTEMPTS.c.attempt_id)
            .join(OUTCOMES, OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id)
            .where(
                ATTEMPTS.c.environment == environment,
                ATTEMPTS.c.draft_id == draft_id,
                OUTCOMES.c.state == AttemptState.DONE.value,
            )
            .limit(1)
        ).first()
        is not None
    )
