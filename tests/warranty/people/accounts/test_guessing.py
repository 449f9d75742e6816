"""Wrong tries to sign in, counted for all desks of a journal together, and whom guessing does not keep out."""

from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from tests.warranty.conftest import Clock
from tests.warranty.desk.processes import PROCESSES, running
from tests.warranty.people.accounts.guesser import attack
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.housekeeping.retention import purge
from warranty.desk.journal import Journal
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.accounts.tables import SIGN_IN_TRIES

SHOP = "192.0.2.7"
NONE = timedelta(0)
DAY = timedelta(days=1)


@pytest.fixture
def tries(journal: Journal, clock: Clock) -> SignInTries:
    """By the clock of the test in place of the database's."""
    tries = SignInTries(journal.database)
    tries._now = lambda connection: clock()  # type: ignore[method-assign]
    return tries


def rows(journal: Journal) -> list[str]:
    with journal.database.read() as connection:
        return [str(row) for row in connection.execute(select(SIGN_IN_TRIES))]


def judged_in(tries: SignInTries, clock: Clock, name: str, lasts: timedelta) -> int:
    """How many tries of a stranger are judged who never stops, each from another address."""
    judged, end = 0, clock() + lasts
    while clock() < end:
        wait = tries.begin(name, f"198.51.100.{judged}")
        judged += wait == NONE
        clock.advance(wait)
    return judged


@pytest.mark.both_databases
def test_three_desks_judge_five_wrong_passwords_in_all(journal: Journal, journal_url: str) -> None:
    start, moment = PROCESSES.Barrier(3), datetime.now(UTC)
    with ExitStack() as desks:
        counts = [desks.enter_context(running(attack, journal_url, 10, moment, start))[1] for _ in range(3)]
        assert sum(each.recv() for each in counts) == 5
    with closing(open_journal(journal_url)) as restarted:
        tries = SignInTries(restarted.database)
        tries._now = lambda connection: moment  # type: ignore[method-assign]
        assert tries.begin("ada", SHOP) > NONE
        assert tries.begin("bob", SHOP) == NONE


def test_the_wait_grows_to_five_minutes_and_no_further(tries: SignInTries, clock: Clock) -> None:
    assert [tries.begin("ada", SHOP) for _ in range(5)] == [NONE] * 5
    waits = []
    for _ in range(9):
        waits.append(tries.begin("ada", SHOP))
        clock.advance(waits[-1])
        assert tries.begin("ada", SHOP) == NONE
    assert [wait.total_seconds() for wait in waits] == [5, 10, 20, 40, 80, 160, 300, 300, 300]


def test_who_has_to_wait_writes_nothing(tries: SignInTries, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """An attack that is held off must not hold up the counters' own writes."""
    for _ in range(5):
        tries.begin("ada", SHOP)
    monkeypatch.setattr(journal.database, "write", None)
    assert tries.begin("ada", SHOP) > NONE


def test_another_person_and_another_place_never_wait(tries: SignInTries) -> None:
    assert [tries.begin("ada", SHOP) > NONE for _ in range(6)] == [False] * 5 + [True]
    assert tries.begin("bob", SHOP) == tries.begin("ada", "198.51.100.1") == NONE


def test_the_right_password_or_quiet_minutes_clear_the_wrong_tries(tries: SignInTries, clock: Clock) -> None:
    assert [tries.begin("ada", SHOP) for _ in range(4)] == [NONE] * 4
    tries.succeeded("ada", SHOP)
    assert [tries.begin("ada", SHOP) for _ in range(4)] == [NONE] * 4
    clock.advance(timedelta(minutes=5, seconds=1))
    assert [tries.begin("ada", SHOP) for _ in range(4)] == [NONE] * 4
    assert [tries.begin("ada", SHOP) > NONE for _ in range(2)] == [False, True]


def test_who_guesses_many_names_waits_and_leaves_none(tries: SignInTries, journal: Journal) -> None:
    waits = [tries.begin(f"name-{number}", SHOP) for number in range(60)]
    assert [wait == NONE for wait in waits] == [True] * 50 + [False] * 10
    assert len(rows(journal)) == 101


def test_a_network_of_the_longer_addresses_counts_as_one_address(tries: SignInTries) -> None:
    waits = [tries.begin("ada", f"2001:db8:0:1::{number:x}") for number in range(6)]
    assert [wait == NONE for wait in waits] == [True] * 5 + [False]
    assert tries.begin("bob", "2001:db8:0:2::1") == NONE


def test_a_shop_that_signs_in_all_day_from_one_address_never_waits(tries: SignInTries, clock: Clock) -> None:
    for number in range(100):  # every second person mistypes once
        clock.advance(timedelta(minutes=1))
        assert [tries.begin(f"name-{number}", SHOP) for _ in range(1 + number % 2)][-1] == NONE
        tries.succeeded(f"name-{number}", SHOP)


def test_no_name_or_address_is_there_and_what_is_old_goes(tries: SignInTries, journal: Journal, clock: Clock) -> None:
    tries.begin("olga", SHOP)
    clock.advance(timedelta(days=1, minutes=6))
    tries.begin("bob", SHOP)
    assert len(rows(journal)) == 5
    assert not [row for row in rows(journal) if "olga" in row or SHOP in row]
    purge(journal.database, keep=DAY, keep_drafts=DAY)
    assert len(rows(journal)) == 3


@pytest.mark.both_databases
def test_the_tries_are_counted_by_the_clock_of_the_database(journal: Journal) -> None:
    SignInTries(journal.database).begin("ada", SHOP)
    with journal.database.read() as connection:
        moments = connection.scalars(select(SIGN_IN_TRIES.c.blocked_until)).all()
    assert all(abs(moment - datetime.now(UTC)) < timedelta(minutes=1) for moment in moments)


def test_of_any_addresses_ten_are_judged_at_once_and_thirty_a_day(tries: SignInTries, clock: Clock) -> None:
    at_once = [tries.begin("bob", f"198.51.100.{number}") == NONE for number in range(12)]
    assert at_once == [True] * 10 + [False] * 2, "before a name has to wait (docs/decisions/sign-in.md)"
    assert judged_in(tries, clock, "ada", DAY) <= 45
    assert judged_in(tries, clock, "ada", DAY) <= 25


def test_a_device_of_ones_own_waits_for_no_stranger_and_guesses_no_faster(tries: SignInTries) -> None:
    for number in range(120):  # from the shop's own address, at that
        tries.begin("ada" if number % 2 else f"name-{number}", SHOP)
        tries.begin("ada", f"198.51.100.{number}")
    assert NONE not in (tries.begin("ada", SHOP), tries.begin("bo", SHOP))
    for _ in range(20):
        assert tries.begin("ada", SHOP, "adas-till") == NONE
        tries.succeeded("ada", SHOP, "adas-till")
    for elsewhere in (SHOP, "203.0.113.9"):
        assert tries.begin("ada", elsewhere) > NONE, "what the strangers tried still counts"
    assert [tries.begin("ada", SHOP, "adas-till") for _ in range(5)] == [NONE] * 5
    assert tries.begin("ada", SHOP, "adas-till") > NONE
    assert tries.begin("bo", SHOP, "adas-till") == NONE
