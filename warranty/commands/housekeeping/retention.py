"""Retention: the one place that deletes from the record, at the start, once a day, and when `purge` is run."""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select, update

from warranty.database.background import Background
from warranty.database.database import Database
from warranty.desk.journal.entries import Purged
from warranty.desk.journal.tables import (
    ATTEMPTS,
    BATCH_ORDERS,
    CAME_BACK,
    DRAFTS,
    LINKS_SHOWN,
    ORDER_BATCHES,
    OUTCOMES,
    UNSETTLED,
)
from warranty.people.accounts.sign_in_tries import KEPT
from warranty.people.accounts.tables import SIGN_IN_TRIES
from warranty.people.audit import AuditKind, AuditTrail, By
from warranty.watch.alerts.alert_log import ALERT_MESSAGES, ALERTS

A_DAY: Final = timedelta(days=1)
_log: Final = logging.getLogger("warranty.journal")


def purge(database: Database, *, keep: timedelta, keep_drafts: timedelta, only_count: bool = False) -> Purged:
    """Remove settled attempts older than `keep`, and personal data untouched for longer than `keep_drafts`.

    Concerns all environments. Imports go with the drafts: what their orders became stands in the attempts. Who showed a
    link goes with the attempt that gave it, and alerts that were over before go with their messages. An attempt that
    nobody has settled stays, whatever its age, without what was sent: it holds nothing personal then, and is settled by
    hand. With `only_count` nothing is removed. Raises `JournalUnavailable`.
    """
    moment = database.clock()
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
        with_alerts = select(ALERTS.c.message_id)
        connection.execute(delete(ALERT_MESSAGES).where(ALERT_MESSAGES.c.message_id.not_in(with_alerts)))
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


def forget(database: Database, audit: AuditTrail, *, keep: timedelta, keep_drafts: timedelta, by: By) -> Purged:
    """Remove what is older, the audit trail's rows with the entries, and write down how much. As `purge`."""
    purged = purge(database, keep=keep, keep_drafts=keep_drafts)
    if purged != Purged():
        gone = {"drafts": purged.drafts, "imports": purged.imports, "bodies": purged.bodies}
        audit.note(AuditKind.PURGE, by, entries=purged.attempts, **gone)
    audit.purge(database.clock() - keep)
    return purged


def start_forgetting(forgets: Callable[[], object], *, every: timedelta = A_DAY) -> Callable[[], None]:
    """Have it done again and again in a thread, first after `every`; gives what ends it."""
    background = Background("retention", forgets, every=every, log=_log, fault="what is old was not removed")
    background.start()
    return background.stop
