"""What people have typed and not settled, per person and screen; it may hold customers' personal data."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Exists, delete, exists, select

from warranty.journal.database import Database, upsert
from warranty.journal.entries import AttemptState, Draft
from warranty.journal.tables import ATTEMPTS, DRAFTS, OUTCOMES, UNSETTLED


class Drafts:
    """Drafts per environment, person and screen; erased when what became of one is settled as done."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def of(self, *, environment: str, username: str, screen: str) -> list[Draft]:
        """The person's drafts of this screen, newest first. Raises `JournalUnavailable`."""
        statement = (
            select(DRAFTS.c.draft_id, DRAFTS.c.content, DRAFTS.c.updated_at)
            .filter_by(environment=environment, username=username, screen=screen)
            .where(~_is_done(environment, DRAFTS.c.draft_id))
            .order_by(DRAFTS.c.updated_at.desc(), DRAFTS.c.draft_id)
        )
        with self._database.read() as connection:
            return [Draft(*row) for row in connection.execute(statement)]

    def save(
        self, *, environment: str, username: str, screen: str, draft_id: str, content: dict[str, Any]
    ) -> bool:
        """Keep what was typed in place of what was kept before; gives whether it was kept.

        A draft stays as it was sent while that is open, and is not kept again when it is done: another tab may
        still show the form. Raises `JournalUnavailable`.
        """
        key = {"environment": environment, "username": username, "screen": screen, "draft_id": draft_id}
        values = {"content": content, "updated_at": self._clock()}
        is_open = exists(
            select(UNSETTLED).join(ATTEMPTS).filter_by(environment=environment, draft_id=draft_id)
        )
        with self._database.write() as connection:
            if connection.scalar(select(is_open | _is_done(environment, draft_id))):
                return False
            upsert(connection, DRAFTS, key=key, values=values)
            return True

    def discard(self, *, environment: str, username: str, screen: str, draft_id: str) -> None:
        """Erase a draft of this person; nothing happens when there is none. Raises `JournalUnavailable`."""
        mine = {"environment": environment, "username": username, "screen": screen, "draft_id": draft_id}
        with self._database.write(erases=True) as connection:
            connection.execute(delete(DRAFTS).filter_by(**mine))


def _is_done(environment: str, draft_id: str | ColumnElement[str]) -> Exists:
    """Whether the service has what became of the draft."""
    return exists().where(
        OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id,
        OUTCOMES.c.state == AttemptState.DONE,
        ATTEMPTS.c.environment == environment,
        ATTEMPTS.c.draft_id == draft_id,
    )
