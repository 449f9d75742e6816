"""What people have typed and not settled, per person and screen; it may hold customers' personal data."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, select

from warranty.journal.database import Database
from warranty.journal.entries import AttemptState, Draft
from warranty.journal.tables import ATTEMPTS, DRAFTS, OUTCOMES, UNSETTLED
from warranty.journal.upsert import upsert


class Drafts:
    """Drafts per environment, person and screen; erased when what became of one is settled as done."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def of(self, *, environment: str, username: str, screen: str) -> list[Draft]:
        """The person's drafts of this screen, newest first. Raises `JournalUnavailable`."""
        done = (
            select(ATTEMPTS.c.draft_id)
            .join(OUTCOMES, OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id)
            .where(ATTEMPTS.c.environment == environment, OUTCOMES.c.state == AttemptState.DONE.value)
            .where(ATTEMPTS.c.draft_id == DRAFTS.c.draft_id)
        )
        statement = (
            select(DRAFTS)
            .where(
                DRAFTS.c.environment == environment,
                DRAFTS.c.username == username,
                DRAFTS.c.screen == screen,
                ~done.exists(),
            )
            .order_by(DRAFTS.c.updated_at.desc(), DRAFTS.c.draft_id)
        )
        return self._database.read(
            lambda connection: [
                Draft(row["draft_id"], row["content"], row["updated_at"])
                for row in connection.execute(statement).mappings()
            ]
        )

    def save(
        self, *, environment: str, username: str, screen: str, draft_id: str, content: dict[str, Any]
    ) -> bool:
        """Keep what was typed in place of what was kept before; gives whether it was kept.

        A draft stays as it was sent while that is open, and is not kept again when it is done: another tab may
        still show the form. Raises `JournalUnavailable`.
        """

        def write(connection: Connection) -> bool:
            if connection.execute(_open_or_done(environment, draft_id)).first() is not None:
                return False
            upsert(
                connection,
                DRAFTS,
                key={
                    "environment": environment,
                    "username": username,
                    "screen": screen,
                    "draft_id": draft_id,
                },
                values={"content": content, "updated_at": self._clock()},
            )
            return True

        return self._database.write(write)

    def discard(self, draft_id: str) -> None:
        """Erase a draft; nothing happens when there is none. Raises `JournalUnavailable`."""
        self._database.write(
            lambda connection: connection.execute(delete(DRAFTS).where(DRAFTS.c.draft_id == draft_id)),
            erases=True,
        )


def _open_or_done(environment: str, draft_id: str) -> Select[Any]:
    return (
        select(ATTEMPTS.c.attempt_id)
        .outerjoin(UNSETTLED, UNSETTLED.c.attempt_id == ATTEMPTS.c.attempt_id)
        .outerjoin(
            OUTCOMES,
            (OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id) & (OUTCOMES.c.state == AttemptState.DONE.value),
        )
        .where(ATTEMPTS.c.environment == environment, ATTEMPTS.c.draft_id == draft_id)
        .where(UNSETTLED.c.attempt_id.is_not(None) | OUTCOMES.c.attempt_id.is_not(None))
        .limit(1)
    )
