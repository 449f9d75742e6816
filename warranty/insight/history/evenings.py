"""The nights of a training: the sandbox says how claims stood on each evening, and they are stored as any night is."""

import logging
import shutil
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from warranty.claims.retrieval.answers import read_answer
from warranty.claims.retrieval.columns import ClaimColumns
from warranty.claims.retrieval.update import Reading
from warranty.clock import utc_now
from warranty.database.background import Background
from warranty.insight.history.keeping import keep
from warranty.insight.history.nights import Nights, stored_claims
from warranty.settings import Settings

_EVENINGS: Final = 60
_PAUSE: Final = 0.15
"""Seconds between two, so that who begins at this desk meanwhile does not wait."""


def start_evenings(settings: Settings, evening: Callable[[int], bytes]) -> Background:
    """Begin to take them: sixty soon after the first start, which does not wait for them, then each day's.

    `evening` gives what the service would have answered so many days ago, of all claims.
    """
    log, soon = logging.getLogger("warranty.history"), timedelta(seconds=15)
    fault = "no evening was taken"
    taking = Background(
        "evenings", lambda: take_evenings(settings, evening, taking.over), every=soon, log=log, fault=fault
    )
    taking.start()
    return taking


def take_evenings(settings: Settings, evening: Callable[[int], bytes], over: threading.Event) -> None:
    """Take those since the last; the first ones are there all at once, so that nobody reads of nights that are late."""
    nights, now = Nights.of(settings), utc_now()
    last, made = nights.last, nights.folder.with_name("evenings")
    shutil.rmtree(made, ignore_errors=True)  # of a program that was ended
    into = nights if last else Nights(made)
    for days_ago in reversed(range(_EVENINGS)):
        as_of = now - timedelta(days=days_ago)
        day = as_of.astimezone().date()
        if last and day <= last.day:
            continue
        if over.wait(_PAUSE):
            return
        columns = ClaimColumns()
        columns.add(read_answer(evening(days_ago), number=1))
        claims = columns.table().frame
        reading = Reading(stored_claims(claims, as_of), as_of, len(claims), closed=settings.closed_statuses)
        last = keep(into, reading, day=day, environment=settings.environment)
    if into.folder == made:
        made.rename(nights.folder)
