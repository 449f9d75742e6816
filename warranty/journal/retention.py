"""What is removed when its time is over: the one place that deletes from the record."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select, update

from warranty.journal.database import Database
from warranty.journal.entries import Purged
from warranty.journal.shared.sign_in_tries import KEPT
from warranty.journal.shared.tables import CAME_BACK, SIGN_IN_TRIES
from warranty.journal.tables import (
    ALERT_MESSAGES,
    ALERTS,
    ATTEMPTS,
    BATCH_ORDERS,
    DRAFTS,
    LINKS_SHOWN,
    ORDER_BATCHES,
    OUTCOMES,
    UNSETTLED,
)


def purge(database: Database, moment: datetime, *, keep: timedelta, keep_drafts: timedelta, only_count: bool) -> Purged:
    """Remove settled attempts older than `keep`, and personal data untouched for longer than `keep_drafts`.

    Concerns all environments. Imports go with the drafts: what their orders became stands in the attempts. Who showed a
    link goes with the attempt that gave it, and alerts that were over before go with their messages. An attempt that
    nobody has settled stays, whatever its age, without what was sent: it holds nothing personal then, and is settled by
    hand. With `only_count` nothing is removed. Raises `JournalUnavailable`.
    """
    attempts_before, drafts_before = moment - keep, moment - keep_drafts
    unsettled = select(UNSETTLED.c.attempt_id)
    old = select(ATTEMPTS.c.attempt_id).where(
        ATTEMPTS.c.started_at < attempts_before, ATTEMPTS.c.attempt_id.not_in(unsettled)
    )
    untouched = select(ATTEMPTS.c.attempt_id).where(ATTEMPTS.c.started_at < drafts_before)
    imports = select(ORDER_BATCHES.c.batch_id).where(ORDER_BATCHES.c.created_at < drafts_before)
    bodies = update(UNSETTLED).where(UNSETTLED.c.body.is_not(None), UNSETTLED.c.attempt_id.in_(untouched))
    with database.write(erases=not only_count) as connection, connection.begin_nested() as removal:
        connection.execute(delete(ALERTS).where(ALERTS.c.over_at < attempts_before))
        tries_before = moment - KEPT
        connection.execute(delete(SIGN_IN_TRIES).where(SIGN_IN_TRIES.c.blocked_until < tries_before))
        told = select(ALERTS.c.message_id)
        connection.execute(delete(ALERT_MESSAGES).where(ALERT_MESSAGES.c.message_id.not_in(told)))
        connection.execute(delete(LINKS_SHOWN).where(LINKS_SHOWN.c.attempt_id.in_(old)))
        connection.execute(delete(CAME_BACK).where(CAME_BACK.c.attempt_id.in_(old)))
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
