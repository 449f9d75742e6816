"""The end of keeping: the one place that deletes from the record."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from warranty.journal.tables import (
    ATTEMPTS,
    BATCH_ORDERS,
    DRAFTS,
    LINKS_SHOWN,
    ORDER_BATCHES,
    OUTCOMES,
    UNSETTLED,
)


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
    unsettled = select(UNSETTLED.c.attempt_id)
    old = select(ATTEMPTS.c.attempt_id).where(
        ATTEMPTS.c.started_at < attempts_before, ATTEMPTS.c.attempt_id.not_in(unsettled)
    )
    untouched = select(ATTEMPTS.c.attempt_id).where(ATTEMPTS.c.started_at < drafts_before)
    imports = select(ORDER_BATCHES.c.batch_id).where(ORDER_BATCHES.c.created_at < drafts_before)
    bodies = update(UNSETTLED).where(UNSETTLED.c.body.is_not(None), UNSETTLED.c.attempt_id.in_(untouched))
    with connection.begin_nested() as removal:
        connection.execute(delete(LINKS_SHOWN).where(LINKS_SHOWN.c.attempt_id.in_(old)))
        connection.execute(delete(OUTCOMES).where(OUTCOMES.c.attempt_id.in_(old)))
        connection.execute(delete(BATCH_ORDERS).where(BATCH_ORDERS.c.batch_id.in_(imports)))
        removed = (
            delete(ATTEMPTS).where(ATTEMPTS.c.attempt_id.in_(old)),
            delete(DRAFTS).where(DRAFTS.c.updated_at < drafts_before),
            delete(ORDER_BATCHES).where(ORDER_BATCHES.c.batch_id.in_(imports)),
            bodies.values(body=None),
        )
        purged = Purged(*(connection.execute(statement).rowcount for statement in removed))
        if only_count:
            removal.rollback()
    return purged
