"""The records as a command opens them; what it writes down is told on stderr as the dashboard tells it."""

import logging
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

from warranty.journal import Journal, open_journal
from warranty.journal.audit import AuditTrail
from warranty.settings import Settings, load_settings


@contextmanager
def told_on_stderr() -> Iterator[None]:
    """Have the rows of the audit trail told while this lasts, one JSON line each."""
    log, handler = logging.getLogger("warranty.audit"), logging.StreamHandler(sys.stderr)
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


@contextmanager
def opened_records() -> Iterator[tuple[Settings, Journal, AuditTrail]]:
    """The settings, their journal, and the audit trail of their environment, told on stderr."""
    settings = load_settings()
    with told_on_stderr(), closing(open_journal(settings.journal_url)) as journal:
        yield settings, journal, journal.audit(settings.environment, settings.audit_secret)
