"""From what was written down to those who are told: one program at a time, each way noted when it took a message.

A program may die between a way's "taken" and our note, and a lease may end under one that hangs: then a message goes
out again, under the same id, by which a receiver knows it (docs/decisions/alerts.md).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from warranty.database.leases import Leases
from warranty.desk.journal import Journal
from warranty.errors import LeaseHeld, LeaseLost
from warranty.watch.alerts.alert_log import AlertLog, Message
from warranty.watch.alerts.letter import Letter
from warranty.watch.alerts.ways import NotTaken, Way

_LASTS: Final = timedelta(minutes=5)
"""Longer than any one sending takes."""
_log = logging.getLogger("warranty.alerts")


@dataclass(slots=True)
class Delivered:
    """How many messages each way took, and why a way took none any more; `elsewhere`: another program is at it."""

    taken: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    elsewhere: bool = False


def deliver(
    journal: Journal, environment: str, ways: Sequence[Way], *, letter: Callable[[Message], Letter | None]
) -> Delivered:
    """Send what is owed to these ways; one that fails is left alone until the next time, the others go on.

    `letter` puts a message into words, and gives None for one that is told elsewhere.
    """
    ended, alert_log = Delivered(), AlertLog(journal.database, environment)
    try:
        with Leases(journal.database).taken(f"alerts {environment}", lasts=_LASTS) as lease:
            for message in alert_log.owed([way.name for way in ways]):
                written = letter(message)
                for way in ways:
                    if written is None or way.name not in message.owed or way.name in ended.failed:
                        continue
                    lease.renew()
                    try:
                        way.send(written)
                    except NotTaken as problem:
                        ended.failed[way.name] = str(problem)
                        _log.warning("%s: %s", way.name, problem)
                        continue
                    alert_log.took(message.message_id, way.name)
                    ended.taken[way.name] = ended.taken.get(way.name, 0) + 1
    except (LeaseHeld, LeaseLost):
        ended.elsewhere = True
    return ended
