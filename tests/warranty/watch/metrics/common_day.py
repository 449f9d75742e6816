"""A day of a shop on which nothing is wrong, minute by minute, as its desk would tell it.

Two thousand calls at the counter, claims looked at, an import, a night taken; and what happens on any day: typing
errors, a minute in which the service hangs, a moment without a network, a person who forgot a password, a sale that is
unknown until somebody settles it, a restart.
"""

import logging
from dataclasses import dataclass
from random import Random

from prometheus_client import CollectorRegistry

from tests.warranty.watch.metrics import story
from warranty.watch.metrics.serving import Counted


@dataclass(frozen=True, kw_only=True)
class Day:
    """Minutes from its begin; `night` is when the night's reading is done."""

    night: int = 2 * 60 + 40
    opens: int = 9 * 60
    imports: int = 11 * 60
    slow: int = 15 * 60
    restart: int = 17 * 60
    closes: int = 20 * 60
    ends: int = 24 * 60


SHORT = Day(night=45, opens=60, imports=100, slow=140, restart=200, closes=240, ends=270)
"""With everything that happens on a whole one."""


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
        counters = [metric for metric in self.registry.collect() if metric.type == "counter"]
        samples = [sample for metric in counters for sample in metric.samples]
        return {story.series(sample.name, sample.labels): sample.value for sample in samples}


def common_day(day: Day) -> list[story.Scrape | None]:
    """Its scrapes, one a minute; at the restart there is none."""
    chance, desk = Random(15), _Desk()
    told: list[story.Scrape | None] = []
    for minute in range(day.ends):
        if minute == day.restart:
            desk = _Desk()
            told.append(None)
            continue
        if day.opens <= minute < day.closes:
            _counter(desk, minute, day, chance)
        if day.night - 40 <= minute < day.night:
            desk.tries("claims", times=10)
        if day.imports <= minute < day.imports + 5:
            desk.tries("submit_order", times=100)
            desk.tries("submit_order", "ServiceFailed", times=2)
        if minute == day.slow:
            desk.tries("submit_order", "OutcomeUnknown", times=6, seconds=20)
            desk.tries("record_sale", "OutcomeUnknown", seconds=20)
        if minute == day.opens + 20:
            desk.tries("submit_order", "NotSent", times=3, seconds=5)
        told.append({**desk.told(), **_standing(minute, day)})
    return told


def _counter(desk: _Desk, minute: int, day: Day, chance: Random) -> None:
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
    wrong = 2 if minute < day.opens + 10 else int(minute % 90 == 0)
    for _ in range(wrong):
        desk.refuses("warranty.sign_in")
    if minute == day.opens:
        desk.refuses("warranty.provider")  # somebody new, who is in no group yet
    if minute % 60 == 0:
        desk.refuses("warranty.door")  # a page that somebody has left open elsewhere


def _standing(minute: int, day: Day) -> dict[str, float]:
    unknown = day.slow <= minute < day.slow + 25
    night = (minute - day.night) * 60 + (0 if minute >= day.night else 86_400) + 2400
    told = {
        "warranty_journal_up": 1, "warranty_ready": 1,
        "warranty_draining": float(minute == day.restart - 1),
        "warranty_unknowns": float(unknown),
        "warranty_oldest_unknown_seconds": (minute - day.slow) * 60 if unknown else 0,
        "warranty_queued_orders": 0, "warranty_oldest_queued_seconds": 0,
        "warranty_imports_left": float(0 <= minute - day.imports < 2),  # between its start and its lease
        "warranty_drift": 2, "warranty_pace_left": minute % 3 * 4,
        "warranty_retry_budget_left": 3 if 0 <= minute - day.slow < 5 else 10,
        "warranty_backup_age_seconds": night, "warranty_night_age_seconds": night, "warranty_nights_unreadable": 0,
        "warranty_sessions": 12 if day.opens <= minute < day.closes else 0,
    }  # fmt: skip
    return told if minute < day.opens else {**told, "warranty_reading_age_seconds": minute % 30 * 60}
