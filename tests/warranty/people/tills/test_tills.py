"""Tills, and what switches people there, as all desks of a journal have them."""

from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import select

from tests.warranty.conftest import Clock
from warranty.access import FIRST_STORE, Station
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.preferences import hash_of_secret
from warranty.desk.journal import Journal
from warranty.people.tills.tables import BADGES, TILLS
from warranty.people.tills.tills import MOST_OF_A_PIN, MOST_OPENED, MOST_WRONG, Pin, Till, Tills


@pytest.fixture
def tills(journal: Journal) -> Tills:
    return Tills(journal.database, "sandbox")


@pytest.fixture
def till(tills: Tills) -> Till:
    return tills.register("Front", "mo")[0]


def test_a_tills_key_is_not_kept_and_a_badge_as_a_hash(journal: Journal, tills: Tills) -> None:
    till, key = tills.register("Front", "mo")
    assert tills.all() == {till.till_id: till}
    assert (till.store_id, till.key_hash) == (FIRST_STORE, hash_of_secret(key))
    assert [store.store_id for store in tills.stores()] == [FIRST_STORE]
    with journal.database.read() as connection:
        assert key not in str(connection.execute(select(TILLS)).all())
    assert Tills(journal.database, "production").all() == {}
    tills.issue_badge("ada", "FIRST", by="mo")
    assert tills.owner_of_badge("FIRST") == "ada"
    tills.issue_badge("ada", "SECOND", by="mo")
    assert [tills.owner_of_badge(code) for code in ("FIRST", "SECOND")] == [None, "ada"]
    assert list(tills.badges()) == ["ada"]
    with journal.database.read() as connection:
        assert "SECOND" not in str(connection.execute(select(BADGES)).all())
    assert tills.take_badge("ada")
    assert tills.owner_of_badge("SECOND") is None


def test_a_switch_and_lock_hold_everywhere(journal_url: str, tills: Tills, till: Till) -> None:
    with closing(open_journal(journal_url)) as elsewhere:
        switched = tills.switch(till.till_id, "ada", "pin")
        assert switched is not None
        assert switched.station == Station(FIRST_STORE, till.till_id, "pin")
        assert Tills(elsewhere.database, "sandbox").all()[till.till_id] == switched
        tills.lock(till.till_id)
        locked = Tills(elsewhere.database, "sandbox").all()[till.till_id]
        assert (locked.username, locked.switched_by) == ("", "")
        assert switched.since is not None
        assert locked.since is not None
        assert switched.since < locked.since <= utc_now()  # not by this desk's clock


def test_at_a_till_that_was_withdrawn_nobody_is_and_nobody_gets_in(tills: Tills, till: Till) -> None:
    tills.switch(till.till_id, "ada", "pin")
    assert [tills.revoke(till.till_id) for _ in range(2)] == [True, False]
    assert tills.all()[till.till_id].username == ""
    assert tills.switch(till.till_id, "ada", "pin") is None
    assert not tills.begin_try(till.till_id, "ada")


def test_ones_own_right_pin_in_between_gains_no_guesses_at_a_colleagues(tills: Tills, till: Till) -> None:
    judged = 0
    for _ in range(20):
        judged += tills.begin_try(till.till_id, "bob") is not None
        if tried := tills.begin_try(till.till_id, "eve"):
            tills.switch(till.till_id, "eve", "pin", tried=tried)
    assert judged == MOST_WRONG


def test_a_password_forgets_no_tries_of_others_before_the_pad_is_locked(tills: Tills, till: Till) -> None:
    judged, (other, _) = 0, tills.register("Back", "mo")
    while tills.begin_try(till.till_id, "bob"):
        judged += 1
        if judged < MOST_WRONG:
            assert tills.open_pad(till.till_id, "eve") is None
    assert judged == MOST_WRONG
    assert tills.begin_try(other.till_id, "bob"), "the pad of another till is not locked"


def test_a_password_opens_three_locked_pads_a_day(tills: Tills, till: Till, clock: Clock) -> None:
    def locked_and_opened(by: str, at: Till) -> bool | None:
        while tills.begin_try(at.till_id, "bob"):
            pass
        return tills.open_pad(at.till_id, by)

    other, _ = tills.register("Back", "mo")
    assert [locked_and_opened("eve", at) for at in (till, other, till, other)] == [True] * MOST_OPENED + [False]
    assert locked_and_opened("mo", other)
    clock.advance(timedelta(days=1, seconds=1))
    assert locked_and_opened("eve", till)


def test_a_pin_tried_wrongly_twenty_times_opens_nothing(tills: Tills, till: Till, clock: Clock) -> None:
    """At whichever till, and over however many days; a moment's tries are one time."""
    for name in ("bob", "ada"):
        tills.set_pin(name, Pin("hash", 4))
    other, _ = tills.register("Back", "mo")
    for number in range(MOST_OF_A_PIN):
        clock.advance(timedelta(days=1, seconds=1))
        at = (till, other)[number % 2].till_id
        assert not tills.pins()["bob"].spent
        assert tills.begin_try(at, "bob")
        tills.begin_try(at, "bob")
    clock.advance(timedelta(days=100))
    assert [bool(tills.begin_try(till.till_id, name)) for name in ("bob", "ada")] == [False, True]
    assert [tills.pins()[name].spent for name in ("bob", "ada")] == [True, False]
    tills.set_pin("bob", Pin("another", 4))
    assert tills.begin_try(till.till_id, "bob")
    assert not tills.pins()["bob"].spent


def test_guesses_before_the_right_pin_of_its_owner_are_counted(tills: Tills, till: Till, clock: Clock) -> None:
    """Four wrong ones, and the owner comes within a minute, again and again: 100 are judged, no more."""
    for name in ("bob", "ada"):
        tills.set_pin(name, Pin("hash", 4))
        judged = 0
        for _ in range(2 * MOST_OF_A_PIN):
            guesses = [tills.begin_try(till.till_id, name) for _ in range(MOST_WRONG - 1)]
            judged += sum(guess is not None for guess in guesses)
            if right := tills.begin_try(till.till_id, name):
                tills.switch(till.till_id, name, "pin", tried=right)
            clock.advance(timedelta(hours=1))
        assert 70 < judged <= 100
        assert tills.pins()[name].spent
        tills.open_pad(till.till_id, name)


def test_years_of_mistyping_spend_no_pin_and_lock_nothing(tills: Tills, till: Till, clock: Clock) -> None:
    tills.set_pin("ada", Pin("hash", 4))
    for _ in range(2 * MOST_OF_A_PIN):
        clock.advance(timedelta(hours=1))
        assert tills.begin_try(till.till_id, "ada")
        clock.advance(timedelta(seconds=5))
        tills.switch(till.till_id, "ada", "pin", tried=tills.begin_try(till.till_id, "ada"))
    assert (tills.pins()["ada"].spent, tills.all()[till.till_id].pad_locked_at) == (False, None)
