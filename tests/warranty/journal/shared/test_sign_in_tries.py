"""Wrong tries to sign in, counted for all desks of a journal together."""

from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from tests.warranty.conftest import Clock
from tests.warranty.desk.processes import PROCESSES, running
from tests.warranty.journal.shared.guesser import guess
from warranty.journal import Journal, open_journal
from warranty.journal.shared.sign_in_tries import SignInTries
from warranty.journal.shared.tables import SIGN_IN_TRIES

SHOP = "192.0.2.7"
NONE = timedelta(0)


@pytest.fixture
def tries(journal: Journal, clock: Clock) -> SignInTries:
    """By the clock of the test in place of the database's."""
    return SignInTries(journal._database, lambda _connection: clock())


def test_three_desks_judge_five_wrong_passwords_of_a_name_in_all_and_none_after_a_restart(
    journal: Journal, journal_url: str
) -> None:
    start = PROCESSES.Barrier(3)
    with ExitStack() as desks:
        told = [desks.enter_context(running(guess, journal_url, 10, start))[1] for _ in range(3)]
        assert sum(each.recv() for each in told) == 5
    with closing(open_journal(journal_url)) as restarted:
        assert restarted.sign_in_tries.begin("ada", SHOP) > NONE
        assert restarted.sign_in_tries.begin("bob", SHOP) == NONE


def test_a_few_wrong_passwords_cost_nothing_and_then_the_wait_grows_to_five_minutes_and_no_further(
    tries: SignInTries, clock: Clock
) -> None:
    assert [tries.begin("ada", SHOP) for _ in range(5)] == [NONE] * 5
    waits = []
    for _ in range(9):
        waits.append(tries.begin("ada", SHOP))
        clock.advance(waits[-1])
        assert tries.begin("ada", SHOP) == NONE
    assert [wait.total_seconds() for wait in waits] == [5, 10, 20, 40, 80, 160, 300, 300, 300]


def test_a_wait_ends_by_itself_and_another_person_or_another_place_never_waits(
    tries: SignInTries, clock: Clock
) -> None:
    for _ in range(5):
        tries.begin("ada", SHOP)
    assert tries.begin("ada", SHOP) == timedelta(seconds=5)
    assert tries.begin("bob", SHOP) == NONE
    assert tries.begin("ada", "198.51.100.1") == NONE
    clock.advance(timedelta(seconds=5))
    assert tries.begin("ada", SHOP) == NONE


def test_the_right_password_clears_the_wrong_tries(tries: SignInTries) -> None:
    for _ in range(5):
        tries.begin("ada", SHOP)
    tries.succeeded("ada", SHOP)
    assert [tries.begin("ada", SHOP) for _ in range(5)] == [NONE] * 5


def test_quiet_minutes_clear_them_too(tries: SignInTries, clock: Clock) -> None:
    for _ in range(4):
        tries.begin("ada", SHOP)
    clock.advance(timedelta(minutes=5, seconds=1))
    assert [tries.begin("ada", SHOP) for _ in range(5)] == [NONE] * 5


def test_who_guesses_many_names_from_one_place_has_to_wait_and_leaves_no_names_behind(
    tries: SignInTries, journal: Journal
) -> None:
    waits = [tries.begin(f"name-{number}", SHOP) for number in range(60)]
    assert [wait == NONE for wait in waits] == [True] * 50 + [False] * 10
    with journal._database.read() as connection:
        assert len(connection.execute(select(SIGN_IN_TRIES)).all()) == 101


def test_whoever_has_a_network_of_the_longer_addresses_has_one_address_there(tries: SignInTries) -> None:
    waits = [tries.begin("ada", f"2001:db8:0:1::{number:x}") for number in range(6)]
    assert [wait == NONE for wait in waits] == [True] * 5 + [False]
    assert tries.begin("bob", "2001:db8:0:2::1") == NONE


def test_a_shop_that_signs_in_all_day_from_one_address_never_waits(tries: SignInTries, clock: Clock) -> None:
    for number in range(100):  # every second person mistypes once
        clock.advance(timedelta(minutes=1))
        assert [tries.begin(f"name-{number}", SHOP) for _ in range(1 + number % 2)][-1] == NONE
        tries.succeeded(f"name-{number}", SHOP)


def test_neither_names_nor_addresses_stand_there_and_what_is_old_goes_away(
    tries: SignInTries, journal: Journal, clock: Clock
) -> None:
    tries.begin("olga", SHOP)
    clock.advance(timedelta(days=1, minutes=6))
    tries.begin("bob", SHOP)
    with journal._database.read() as connection:
        rows = connection.execute(select(SIGN_IN_TRIES)).all()
    assert len(rows) == 5
    assert "olga" not in str(rows)
    assert SHOP not in str(rows)
    keep = timedelta(days=1)
    journal.purge(keep=keep, keep_drafts=keep)
    with journal._database.read() as connection:
        assert len(connection.execute(select(SIGN_IN_TRIES)).all()) == 3


def test_the_tries_are_counted_by_the_clock_of_the_database(journal: Journal) -> None:
    journal.sign_in_tries.begin("ada", SHOP)
    with journal._database.read() as connection:
        moments = connection.scalars(select(SIGN_IN_TRIES.c.blocked_until)).all()
    assert all(abs(moment - datetime.now(UTC)) < timedelta(minutes=1) for moment in moments)
