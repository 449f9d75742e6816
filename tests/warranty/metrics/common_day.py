"""A day of a shop on which nothing is wrong, minute by minute, as its desk would tell it.

Two thousand calls at the counter, claims looked at, an import, a night taken; and what happens on any day: typing
errors, a minute in which the service hangs, a moment without a network, a person who forgot a password, a sale that is
unknown until somebody settles it, a restart.
"""

import logging
from random import Random

from prometheus_client import CollectorRegistry

from tests.warranty.metrics import story
from warranty.metrics.counted import Counted

_HOUR = 60
OPENS, CLOSES, NIGHT = 9 * _HOUR, 20 * _HOUR, 2 * _HOUR + 40
IMPORT, SLOW, RESTART = 11 * _HOUR, 15 * _HOUR, 17 * _HOUR


class _Desk:
    """One start of the program."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.counted = Counted(self.registry)

    def tries(self, operation: str, outcome: str = "done", *, times: int = 1, seconds: float = 0.2) -> None:
        line = {"operation": operation, "outcome": outcome, "milliseconds": seconds * 1000}
        for _ in range(times):
            self.counted.handle(logging.makeLogRecord({"levelno": logging.INFO, "call": line}))
            for _ in range(2):
                self.counted.transaction("write", 0.004, False)

    def refuses(self, log: str) -> None:
        self.counted.handle(logging.makeLogRecord({"levelno": logging.WARNING, "name": log}))

    def told(self) -> dict[str, float]:
        """The counters; no rule asks for a histogram, and to write one takes longer than all else."""
        samples = [
            sample
            for metric in self.registry.collect()
            if metric.type == "counter"
            for sample in metric.samples
        ]
        return {story.series(sample.name, sample.labels): sample.value for sample in samples}


def common_day() -> list[story.Scrape | None]:
    """Its 1440 scrapes; at the restart there is none."""
    chance, desk = Random(15), _Desk()
    told: list[story.Scrape | None] = []
    for minute in range(24 * _HOUR):
        if minute == RESTART:
            desk = _Desk()
            told.append(None)
            continue
        if OPENS <= minute < CLOSES:
            _counter(desk, minute, chance)
        if NIGHT - 40 <= minute < NIGHT:
            desk.tries("claims", times=10)
        if IMPORT <= minute < IMPORT + 5:
            desk.tries("submit_order", times=100)
            desk.tries("submit_order", "ServiceFailed", times=2)
        if minute == SLOW:
            desk.tries("submit_order", "OutcomeUnknown", times=6, seconds=20)
            desk.tries("record_sale", "OutcomeUnknown", seconds=20)
        if minute == OPENS + 20:
            desk.tries("submit_order", "NotSent", times=3, seconds=5)
        told.append({**desk.told(), **_standing(minute)})
    return told


def _counter(desk: _Desk, minute: int, chance: Random) -> None:
    """What people do in a minute of the day."""
    desk.tries("submit_order", times=chance.randint(0, 3))
    desk.tries("record_sale", times=chance.randint(0, 1))
    if minute % 5 == 0:
        desk.tries(chance.choice(["submit_order", "record_sale"]), "RequestRefused")
        desk.tries("verify_credentials")
    if minute % 30 == 0:
        desk.tries("claims", times=200)
        desk.tries("claims", "UnexpectedAnswer", times=6)  # 429, repeated
        desk.tries("record_sale", "OrderNotFound")
    wrong = 2 if minute < OPENS + 10 else int(minute % 90 == 0)
    for _ in range(wrong):
        desk.refuses("warranty.sign_in")
    if minute == OPENS:
        desk.refuses("warranty.provider")  # somebody new, who is in no group yet
    if minute % 60 == 0:
        desk.refuses("warranty.door")  # a page that somebody has left open elsewhere


def _standing(minute: int) -> dict[str, float]:
    unknown = SLOW <= minute < SLOW + 25
    night = (minute - NIGHT) * 60 + (0 if minute >= NIGHT else 86_400) + 2400
    told = {
        "warranty_journal_up": 1,
        "warranty_ready": 1,
        "warranty_draining": float(minute == RESTART - 1),
        "warranty_unknowns": float(unknown),
        "warranty_oldest_unknown_seconds": (minute - SLOW) * 60 if unknown else 0,
        "warranty_queued_orders": 0,
        "warranty_oldest_queued_seconds": 0,
        "warranty_imports_left": float(IMPORT <= minute < IMPORT + 2),  # between its start and its lease
        "warranty_drift": 2,
        "warranty_pace_left": minute % 3 * 4,
        "warranty_retry_budget_left": 3 if SLOW <= minute < SLOW + 5 else 10,
        "warranty_night_age_seconds": night,
        "warranty_nights_unreadable": 0,
        "warranty_sessions": 12 if OPENS <= minute < CLOSES else 0,
    }
    return told if minute < OPENS else {**told, "warranty_reading_age_seconds": minute % 30 * 60}
