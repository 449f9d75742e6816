"""What commands share: the records as one opens them, what an option takes, how one says how many."""

import argparse
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final, TypeVar

from warranty.access import Operator, Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.people.audit import AuditTrail
from warranty.settings import Settings, load_settings

T = TypeVar("T")
MACHINE: Final = Operator("", "the command line", Role.ADMINISTRATOR)
"""Whoever has this machine."""


def option(read: Callable[[str], T], means: str) -> Callable[[str], T]:
    """A type of an option whose words are refused in a sentence, in place of a function's name."""

    def typed(text: str) -> T:
        try:
            return read(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not {means}") from None

    return typed


def counted(*parts: tuple[int, str, str]) -> str:
    """`2 entries, 1 draft`; of what there is none, nothing."""
    return ", ".join(f"{number:,} {one if number == 1 else many}" for number, one, many in parts if number)


@contextmanager
def audit_on_stderr() -> Iterator[None]:
    """Have the rows of the audit trail written to stderr while this lasts, one JSON line each; not to a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        yield
        return
    log, handler = logging.getLogger("warranty.audit"), logging.StreamHandler(sys.stderr)
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


@contextmanager
def opened_records() -> Iterator[tuple[Settings, Journal, AuditTrail]]:
    """The settings, their journal, and the audit trail of their environment."""
    settings = load_settings()
    with audit_on_stderr(), closing(open_journal(settings.journal_url)) as journal:
        yield settings, journal, AuditTrail(journal.database, settings.environment, settings.audit_secret)
