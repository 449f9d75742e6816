"""What people have typed and not settled, per person and screen; it may hold customers' personal data."""

from typing import Any

from sqlalchemy import ColumnElement, Exists, delete, exists, null, select

from warranty.access import AWAY, Station
from warranty.database.database import Database, Repository, upsert
from warranty.database.preferences import Preference
from warranty.desk.journal.entries import AttemptState, Draft
from warranty.desk.journal.tables import ATTEMPTS, DRAFTS, OUTCOMES, UNSETTLED


class Drafts(Repository):
    """One person's drafts of one screen; erased when what became of one is settled as done.

    `last_sent` is the id of the draft that this screen sent last; `at` is where a draft is kept from now on. Every
    method may raise `JournalUnavailable`.
    """

    def __init__(self, database: Database, environment: str, username: str, screen: str, *, at: Station = AWAY) -> None:
        super().__init__(database, environment)
        self._mine = {"environment": environment, "username": username, "screen": screen}
        self._at = at
        self.last_sent = Preference(database, username, f"last-sent.{environment}.{screen}")

    def all(self) -> list[Draft]:
        """Those that are not done, newest first."""
        statement = (
            select(DRAFTS.c.draft_id, DRAFTS.c.content, DRAFTS.c.updated_at, _waits(self._environment))
            .filter_by(**self._mine)
            .where(~_is_done(self._environment, DRAFTS.c.draft_id))
            .order_by(DRAFTS.c.updated_at.desc(), DRAFTS.c.draft_id)
        )
        return [Draft(*row) for row in self._found(statement)]

    def save(self, draft_id: str, content: dict[str, Any]) -> bool:
        """Keep what was typed in place of what was kept before; gives whether it was kept.

        A draft stays as it was sent while that is open, and is not kept again when it is done: another tab may
        still show the form.
        """
        where = {"store_id": self._at.store_id, "till_id": self._at.till_id}
        values = {"content": content, "updated_at": self._clock(), **where}
        is_open = exists(select(UNSETTLED).join(ATTEMPTS).filter_by(environment=self._environment, draft_id=draft_id))
        with self._database.write() as connection:
            if connection.scalar(select(is_open | _is_done(self._environment, draft_id))):
                return False
            upsert(connection, DRAFTS, key={**self._mine, "draft_id": draft_id}, values=values)
            return True

    def discard(self, draft_id: str) -> None:
        """Erase a draft; nothing happens when there is none."""
        self._change(delete(DRAFTS).filter_by(**self._mine, draft_id=draft_id), erases=True)


def _waits(environment: str) -> Exists:
    """Whether the link of a draft's order was handed out and the order is not settled."""
    return exists().where(
        UNSETTLED.c.attempt_id == ATTEMPTS.c.attempt_id,
        OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id,
        OUTCOMES.c.landing_url.is_not(null()),
        ATTEMPTS.c.environment == environment,
        ATTEMPTS.c.draft_id == DRAFTS.c.draft_id,
    )


def _is_done(environment: str, draft_id: str | ColumnElement[str]) -> Exists:
    """Whether the service has what became of the draft."""
    return exists().where(
        OUTCOMES.c.attempt_id == ATTEMPTS.c.attempt_id,
        OUTCOMES.c.state == AttemptState.DONE,
        ATTEMPTS.c.environment == environment,
        ATTEMPTS.c.draft_id == draft_id,
    )
