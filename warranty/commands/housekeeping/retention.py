"""Retention: the one place that deletes from the record, at the start, once a day, and when `purge` is run."""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select, update

from warranty.database.background import Background
from warranty.database.database import Database
from warranty.desk.journal import tables
from warranty.desk.journal.entries import Purged
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
    unsettled = select(tables.UNSETTLED.c.attempt_id)
    attempts = tables.ATTEMPTS.c
    settled = select(attempts.attempt_id).where(attempts.attempt_id.not_in(unsettled))
    old = settled.where(attempts.started_at < attempts_before)
    untouched = select(attempts.attempt_id).where(attempts.started_at < drafts_before)
    imports = select(tables.ORDER_BATCHES.c.batch_id).where(tables.ORDER_BATCHES.c.created_at < drafts_before)
    body, of = tables.UNSETTLED.c.body, tables.UNSETTLED.c.attempt_id
    bodies = update(tables.UNSETTLED).where(body.is_not(None), of.in_(untouched)).values(body=None)
    with database.write(erases=not only_count) as connection, connection.begin_nested() as removal:
        connection.execute(delete(ALERTS).where(ALERTS.c.over_at < attempts_before))
        connection.execute(delete(SIGN_IN_TRIES).where(SIGN_IN_TRIES.c.blocked_until < moment - KEPT))
        with_alerts = select(ALERTS.c.message_id)
        connection.execute(delete(ALERT_MESSAGES).where(ALERT_MESSAGES.c.message_id.not_in(with_alerts)))
        for each in (tables.LINKS_SHOWN, tables.CAME_BACK, tables.OUTCOMES):
            connection.execute(delete(each).where(each.c.attempt_id.in_(old)))
        connection.execute(delete(tables.BATCH_ORDERS).where(tables.BATCH_ORDERS.c.batch_id.in_(imports)))
        removed = (
            delete(tables.ATTEMPTS).where(attempts.attempt_id.in_(old)),
            delete(tables.DRAFTS).where(tables.DRAFTS.c.updated_at < drafts_before),
            delete(tables.ORDER_BATCHES).where(tables.ORDER_BATCHES.c.batch_id.in_(imports)),
            bodies,
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
