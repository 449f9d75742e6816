"""A program that tells, in a process of its own: until all is told, or until it is killed at a moment of its own."""

import threading
from contextlib import closing
from datetime import timedelta
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Any, cast

from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.settings import load_settings
from warranty.watch.alerts import watch
from warranty.watch.alerts.alert_log import Alert, AlertLog, Known
from warranty.watch.alerts.watch import deliver
from warranty.watch.alerts.ways import Letter, Way, letter_of, ways_of

KIND = "entry-unknown"


def trouble(*names: str) -> Known:
    return Known("unknown ", tuple(Alert(KIND, f"unknown {name}", f"Trouble {name}.") for name in names))


def told(journal: Journal, ways: list[Way]) -> watch.Delivered:
    return deliver(journal, "sandbox", ways, letter=partial(letter_of, shop="Our shop", environment="sandbox"))


def tell_rounds(given: dict[str, Any], rounds: int, start: Barrier, *, progress: Connection) -> None:
    """Find the same trouble as another program at the same moment, again and again, and tell it."""
    settings = load_settings(given)
    with closing(open_journal(settings.journal_url)) as journal:
        alerts, ways = AlertLog(journal.database, "sandbox"), ways_of(settings)
        for number in range(rounds):
            start.wait()
            alerts.note([trouble(*map(str, range(number + 1)))], ways=settings.alert_ways)
            while told(journal, ways).elsewhere:
                pass
    progress.send("finished")


class Stops:
    """A way that stands still before or after it hands over, until the program is killed."""

    def __init__(self, way: Way, when: str, progress: Connection) -> None:
        self._way, self._when, self._progress = way, when, progress

    @property
    def name(self) -> str:
        return self._way.name

    def send(self, letter: Letter) -> None:
        if self._when == "after":
            self._way.send(letter)
        self._progress.send(f"stands still {self._when}")
        threading.Event().wait()


def tell_and_stop(given: dict[str, Any], when: str, *, progress: Connection) -> None:
    """Write trouble down and stand still before or after it is sent; its lease is over at once."""
    watch._LASTS = timedelta(0)  # type: ignore[misc]
    settings = load_settings(given)
    with closing(open_journal(settings.journal_url)) as journal:
        AlertLog(journal.database, "sandbox").note([trouble("a")], ways=settings.alert_ways)
        told(journal, [cast("Way", Stops(way, when, progress)) for way in ways_of(settings)])
