"""What the desks of a shop saw of the service adds up, on both databases."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection

import pytest

from tests.warranty.desk.processes import running
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.watch.observed.observations import Observations, Oddity, Sighting

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FIELD = Oddity("claims", "field", "data[].severity: text")
STATUS = Oddity("submit_order", "HTTP status", "429")


def seen(oddity: Oddity, *, at: datetime = NOON, times: int = 1) -> Sighting:
    return Sighting(oddity, at, at, times)


def test_first_and_last_sight_and_the_counts_of_all_desks_are_kept(journal: Journal) -> None:
    mine = Observations(journal.database, "production")
    mine.add([seen(FIELD, times=3)])
    mine.add([seen(FIELD, at=NOON - timedelta(days=1)), seen(STATUS)])
    mine.add([seen(FIELD, at=NOON + timedelta(days=1))])
    assert list(mine.drift()) == [seen(STATUS), Sighting(FIELD, NOON - timedelta(days=1), NOON + timedelta(days=1), 5)]
    assert list(Observations(journal.database, "staging").drift()) == []


def add_often(url: str, backwards: bool, *, progress: Connection) -> None:
    journal = open_journal(url)
    both = [seen(FIELD), seen(STATUS)]
    for _ in range(25):
        Observations(journal.database, "production").add(both[::-1] if backwards else both)
    journal.close()
    progress.send("over")


@pytest.mark.both_databases
def test_two_processes_that_count_at_once_add_up(journal: Journal, journal_url: str) -> None:
    with ExitStack() as desks:
        ends = [desks.enter_context(running(add_often, journal_url, back))[1] for back in (False, True)]
        assert [end.recv() for end in ends] == ["over"] * 2
    assert [each.times for each in Observations(journal.database, "production").drift()] == [50, 50]
