"""The end of keeping: the one place that deletes from the record."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, func, select, update

from warranty.journal.batch_entries import BATCH_ORDERS, ORDER_BATCHES
from warranty.journal.links import LINKS_SHOWN
from warranty.journal.tables import ATTEMPTS, DRAFTS, OUTCOMES, UNSETTLED


@dataclass(frozen=True, slots=True)
class Purged:
    """How many were removed: settled attempts, drafts, imports, and what was kept to settle an attempt."""

    attempts: int = 0
    drafts: int = 0
    imports: int = 0
    bodies: int = 0


def purge(
    connection: Connection, *, attempts_before: datetime, drafts_before: datetime, only_count: bool
) -> Purged:
    """Remove settled attempts begun before `attempts_before`, and personal data untouched since `drafts_before`.

    Imports go with the drafts: what their orders became stands in the attempts. Who showed a link goes with the attempt
    that gave it. An attempt that nobody has settled stays, whatever its age, without what was sent: it holds nothing
    personal then, and is settled by hand.
    """
    old = (
        select(ATTEMPTS.c.attempt_id)
        .where(ATTEMPTS.c.started_at < attempts_before)
        .where(ATTEMPTS.c.attempt_id.not_in(select(UNSETTLED.c.attempt_id)))
    )
    bodies = UNSETTLED.c.body.is_not(None) & UNSETTLED.c.attempt_id.in_(
        select(ATTEMPTS.c.attempt_id).where(ATTEMPTS.c.started_at < drafts_before)
    )
    drafts = DRAFTS.c.updated_at < drafts_before
    imports = select(ORDER_BATCHES.c.batch_id).where(ORDER_BATCHES.c.created_at < drafts_before)

    def count(statement: Select[Any]) -> int:
        return int(connection.execute(select(func.count()).select_from(statement.subquery())).scalar_one())

    found = Purged(
        attempts=count(old),
        drafts=count(select(DRAFTS.c.draft_id).where(drafts)),
        imports=count(imports),
        bodies=count(select(UNSETTLED.c.attempt_id).where(bodies)),
    )
    if not only_count:
        connection.execute(delete(LINKS_SHOWN).where(LINKS_SHOWN.c.attempt_id.in_(old)))
        connection.execute(delete(OUTCOMES).where(OUTCOMES.c.attempt_id.in_(old)))
        connection.execute(delete(ATTEMPTS).where(ATTEMPTS.c.attempt_id.in_(old)))
        connection.execute(delete(DRAFTS).where(drafts))
        connection.execute(delete(BATCH_ORDERS).where(BATCH_ORDERS.c.batch_id.in_(imports)))
        connection.execute(delete(ORDER_BATCHES).where(ORDER_BATCHES.c.batch_id.in_(imports)))
        connection.execute(update(UNSETTLED).where(bodies).values(body=None))
    return found
