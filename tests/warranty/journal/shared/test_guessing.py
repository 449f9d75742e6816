"""Guessing from many addresses at once, and whom it does not keep out."""

import logging
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta

import pytest
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from tests.warranty.conftest import Clock
from tests.warranty.desk.processes import PROCESSES, running
from tests.warranty.journal.shared.guesser import attack
from warranty.access import Role
from warranty.accounts import account
from warranty.accounts.passwords import is_password_of
from warranty.errors import JournalUnavailable
from warranty.journal import Journal
from warranty.journal.shared.sign_in_tries import SignInTries

NONE = timedelta(0)
DAY = timedelta(days=1)
SHOP = "192.0.2.7"
RIGHT = "three odd teapots"
FREE_OF_A_NAME = 10
"""So many are judged of a name over all addresses before it has to wait (docs/decisions/guessing.md)."""


@pytest.fixture
def tries(journal: Journal, clock: Clock) -> SignInTries:
    """By the clock of the test in place of the database's."""
    return SignInTries(journal._database, lambda _connection: clock())


def judged_in(tries: SignInTries, clock: Clock, name: str, lasts: timedelta) -> int:
    """How many tries of a stranger are judged who never stops, each from another address."""
    judged, end = 0, clock() + lasts
    while clock() < end:
        wait = tries.begin(name, f"198.51.100.{judged}")
        judged += wait == NONE
        clock.advance(wait)
    return judged


def test_from_however_many_addresses_some_thirty_passwords_of_a_name_are_judged_in_a_day(
    tries: SignInTries, clock: Clock
) -> None:
    assert judged_in(tries, clock, "ada", DAY) <= 45
    assert judged_in(tries, clock, "ada", DAY) <= 25


def test_a_device_of_ones_own_waits_for_no_stranger_and_guesses_no_faster_itself(
    tries: SignInTries, clock: Clock
) -> None:
    for number in range(120):  # from the shop's own address, at that
        tries.begin("ada" if number % 2 else f"name-{number}", SHOP)
    assert tries.begin("ada", SHOP) > NONE
    assert tries.begin("bo", SHOP) > NONE
    for _ in range(20):
        assert tries.begin("ada", SHOP, "adas-till") == NONE
        tries.succeeded("ada", SHOP, "adas-till")
    assert tries.begin("ada", SHOP) > NONE, "what the stranger tried still counts"
    assert [tries.begin("ada", SHOP, "adas-till") for _ in range(5)] == [NONE] * 5
    assert tries.begin("ada", SHOP, "adas-till") > NONE
    assert tries.begin("bo", SHOP, "adas-till") == NONE


def test_who_was_locked_out_elsewhere_by_strangers_is_let_in_by_an_administrator(
    tries: SignInTries, clock: Clock
) -> None:
    judged_in(tries, clock, "ada", timedelta(hours=1))
    tries.begin("ada", "203.0.113.1")
    assert tries.begin("ada", "203.0.113.9") > NONE
    tries.forgive("ada")
    assert tries.begin("ada", "203.0.113.9") == NONE


def owner_signs_in(journal: Journal, name: str) -> bool:
    """A whole sign-in on the own device, as the form does it; False while the desks hold each other up."""
    with suppress(JournalUnavailable):  # then the owner presses again
        assert journal.sign_in_tries.begin(name, SHOP, f"till of {name}") == NONE
        assert is_password_of(RIGHT, journal.people.accounts().by_username[name].password_hash)
        journal.sign_in_tries.succeeded(name, SHOP, f"till of {name}")
        return True
    return False


def attacked(
    journal_url: str, each: Sequence[tuple[str, str, str]], journal: Journal, owners: Sequence[str]
) -> tuple[int, int, list[int]]:
    """Tries judged and passwords found by two desks' attackers, and sign-ins of each owner meanwhile."""
    start = PROCESSES.Barrier(3)
    with ExitStack() as desks:
        moment = datetime.now(UTC)
        told = [
            desks.enter_context(running(attack, journal_url, each[half::2], moment, start))[1]
            for half in (0, 1)
        ]
        start.wait(timeout=60)
        let_in = [0] * len(owners)
        while not all(one.poll() for one in told):
            for place, name in enumerate(owners):
                let_in[place] += owner_signs_in(journal, name)
        found = [one.recv() for one in told]
    return sum(judged for judged, _ in found), sum(right for _, right in found), let_in


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("names", "count"),
    [
        (1, 400),
        (20, 400),
        pytest.param(1, 10_000, marks=pytest.mark.soak),
        pytest.param(500, 10_000, marks=pytest.mark.soak),
    ],
)
def test_of_ten_thousand_guesses_from_five_hundred_addresses_at_two_desks_none_opens_and_the_owners_come_in(
    journal: Journal, journal_url: str, names: int, count: int
) -> None:
    """Each name is guessed at from other addresses at each round; its right password is the last of its guesses."""
    for number in range(names):
        who = f"name-{number}"
        journal.people.add(account(who, name=who, role=Role.STAFF, password=RIGHT, rounds=4))
    common = list(FREQUENCY_LISTS["passwords"])
    rounds = count // names
    guesses = [
        (
            f"name-{number}",
            f"198.51.{(address := (number + 37 * turn) % 500) // 250}.{address % 250}",
            RIGHT if turn == rounds - 1 else common[turn],
        )
        for turn in range(rounds)
        for number in range(names)
    ]
    owners = sorted({f"name-{number}" for number in (0, names // 2, names - 1)})
    began = time.monotonic()
    judged, opened, let_in = attacked(journal_url, guesses, journal, owners)
    told = "%d guesses at %d names: %d judged, %d opened in %.0f s; sign-ins of owners meanwhile: %s"
    logging.getLogger(__name__).warning(told, count, names, judged, opened, time.monotonic() - began, let_in)
    assert opened == 0
    assert judged == FREE_OF_A_NAME * names
    assert min(let_in) > 0
