"""Retention, at the start and once a day: what is older than the settings say goes, also where nobody runs `purge`."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from warranty.errors import DeskError
from warranty.journal.audit import AuditKind, AuditTrail, By
from warranty.journal.entries import Purged
from warranty.journal.journal import Journal

A_DAY: Final = timedelta(days=1)
_log: Final = logging.getLogger("warranty.journal")


def forget(journal: Journal, audit: AuditTrail, *, keep: timedelta, keep_drafts: timedelta, by: By) -> Purged:
    """Remove what is older, the audit trail's rows with the entries, and write down how much. As `Journal.purge`."""
    purged = journal.purge(keep=keep, keep_drafts=keep_drafts)
    if purged != Purged():
        audit.note(
            AuditKind.PURGE,
            by,
            entries=purged.attempts,
            drafts=purged.drafts,
            imports=purged.imports,
            bodies=purged.bodies,
        )
    audit.purge(journal.now() - keep)
    return purged


def start_forgetting(forgets: Callable[[], object], *, every: timedelta = A_DAY) -> Callable[[], None]:
    """Have it done again and again in a thread, first after `every`; gives what ends it."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(every.total_seconds()):
            try:
                forgets()
            except DeskError as problem:
                _log.error("what is old was not removed: %s", problem)
            except Exception as fault:  # noqa: BLE001 - whatever it was, the next day may do it
                _log.error("what is old was not removed: %s", type(fault).__name__)

    threading.Thread(target=work, name="retention", daemon=True).start()
    return over.set
