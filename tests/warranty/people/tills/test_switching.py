"""Switching at a registered till: what a PIN and a badge are worth there, and that they are worth nothing elsewhere."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from tests.warranty.conftest import Clock
from warranty.__main__ import main
from warranty.access import BY_PIN, FIRST_STORE, GRANTS, Operator, Permission, Role, Station
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.errors import PermissionDenied
from warranty.people.accounts import Accounts, KnownAccounts
from warranty.people.accounts.people import Account, People
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail
from warranty.people.tills import Answer, EasyPin, TillDesk
from warranty.people.tills.switching import PROOF_LASTS, fits, pin_of
from warranty.people.tills.tables import TILL_TRIES
from warranty.people.tills.tills import MOST_OF_A_PIN, MOST_OPENED, MOST_WRONG, Pin, Till, Tills

MO = Operator("mo", "Mo Winter", Role.MANAGER)
ADA = Operator("ada", "Ada Byron", Role.STAFF)
HASH = "$2b$12$" + "x" * 53
PIN = "8250"


def desk_of(journal: Journal) -> TillDesk:
    known, audit = People(journal.database).accounts, AuditTrail(journal.database, "sandbox")
    return TillDesk(Tills(journal.database, "sandbox"), known, audit, clock=journal.database.clock)


@pytest.fixture
def tills(journal: Journal) -> TillDesk:
    for operator in (MO, ADA):
        People(journal.database).put(Account(operator.username, operator.name, operator.role, HASH))
    desk = desk_of(journal)
    desk.set_pin(ADA, PIN)
    return desk


@pytest.fixture
def key(tills: TillDesk) -> str:
    return tills.register(MO, "Front")[1]


@pytest.fixture
def till(tills: TillDesk, key: str) -> Till:
    return now_at(tills, key)


def now_at(tills: TillDesk, key: str) -> Till:
    found = tills.at(key)
    assert found is not None
    return found


EASY = ("1234", "0000", "4321", "1212", "123123", "8901", "3210")
NO_PIN = ("", "825", "8250417", "82 5", "825a", "٨٢٥٠")


@pytest.mark.parametrize("digits", EASY + NO_PIN)
def test_a_pin_has_four_to_six_digits_that_others_would_not_guess(digits: str) -> None:
    with pytest.raises(EasyPin) as refused:
        pin_of(digits)
    assert refused.value.easy is (digits in EASY)


def test_a_person_is_switched_in_by_their_pin_kept_as_a_hash_and_by_their_badge(tills: TillDesk, key: str) -> None:
    kept = pin_of(PIN)
    assert PIN not in kept.pin_hash
    assert (fits(kept, PIN), fits(kept, "8251"), fits(kept, "")) == (True, False, False)
    assert tills.by_pin(key, "ada", PIN) is Answer.IN
    till = now_at(tills, key)
    assert (till.username, till.station) == ("ada", Station(FIRST_STORE, till.till_id, "pin"))
    assert tills.by_badge(key, tills.issue_badge(MO, "mo").lower()) is Answer.IN  # as a Caps Lock has it
    till = now_at(tills, key)
    assert (till.username, till.switched_by) == ("mo", "badge")


def test_pin_and_badge_are_worth_nothing_away_from_the_till(tills: TillDesk, key: str, till: Till) -> None:
    code = tills.issue_badge(MO, "ada")
    for elsewhere in ("", "another-browsers-key"):
        assert tills.by_pin(elsewhere, "ada", PIN) is Answer.NO_TILL
        assert tills.by_badge(elsewhere, code) is Answer.NO_TILL
    tills.revoke(MO, till.till_id)
    assert tills.by_pin(key, "ada", PIN) is Answer.NO_TILL
    assert tills.left_since(key) is not None  # who registered it with a password is not in again


def test_five_parallel_tries_are_judged(tills: TillDesk, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A try counts before it is judged: none of the others is let off because the right one is among them."""
    judged, all_have_begun = list[str](), Barrier(10)

    def noted(pin: Pin, digits: str) -> bool:
        judged.append(digits)
        all_have_begun.wait(20)
        return fits(pin, digits)

    def tried(digits: str) -> Answer:
        answer = tills.by_pin(key, "ada", digits)
        if answer is Answer.LOCKED:
            all_have_begun.wait(20)
        return answer

    monkeypatch.setattr("warranty.people.tills.switching.fits", noted)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(tried, [PIN, *(f"999{number}" for number in range(9))]))
    assert (len(judged), answers.count(Answer.LOCKED)) == (MOST_WRONG, 10 - MOST_WRONG)


def test_a_right_pin_takes_back_one_try(tills: TillDesk, key: str, journal: Journal, clock: Clock) -> None:
    for digits, answer in (("9999", Answer.WRONG), (PIN, Answer.IN)):
        assert tills.by_pin(key, "ada", digits) is answer
        clock.advance(timedelta(minutes=2))
    with journal.database.read() as connection:
        assert connection.scalar(select(TILL_TRIES.c.tries).filter_by(till_id="", username="ada")) == 1


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_guesses_at_two_desks_are_vain(tills: TillDesk, key: str, journal_url: str, clock: Clock, count: int) -> None:
    with closing(open_journal(journal_url, clock=clock)) as another, ThreadPoolExecutor(4) as pool:
        desks = tills, desk_of(another)
        guesses = [f"{number:04}" for number in range(count) if f"{number:04}" != PIN]
        answers = list(pool.map(lambda one: desks[int(one) % 2].by_pin(key, "ada", one), [*guesses, PIN]))
    assert answers.count(Answer.WRONG) == MOST_WRONG
    assert set(answers) == {Answer.WRONG, Answer.LOCKED}


@pytest.mark.parametrize("count", [60, pytest.param(10_000, marks=[pytest.mark.long, pytest.mark.timeout(600)])])
def test_ones_own_password_buys_no_guesses(journal: Journal, tills: TillDesk, key: str, till: Till, count: int) -> None:
    """A day at a till: 20 are judged; then the pad stays locked to them, and the colleague has lost nothing."""
    answers = []
    for guess in range(count):
        if f"{guess:04}" != PIN:
            answers.append(tills.by_pin(key, "ada", f"{guess:04}"))
        if answers[-1] is Answer.LOCKED:
            tills.signed_in_with_password(till, "mo")
    assert answers.count(Answer.WRONG) == MOST_WRONG * (1 + MOST_OPENED)
    rows = AuditTrail(journal.database, "sandbox").rows(AuditFilter())[::-1]
    noted = [(row.username, row.details.get("pad") or row.details.get("what")) for row in rows]
    assert noted.count(("ada", "locked")) == 1 + MOST_OPENED
    assert noted.count(("mo", "pad opened")) == MOST_OPENED
    assert ("mo", "pad stays locked") in noted
    tills.signed_in_with_password(till, "ada")
    assert tills.by_pin(key, "ada", PIN) is Answer.IN


def test_days_of_guessing_spend_the_pin(journal: Journal, tills: TillDesk, key: str, till: Till, clock: Clock) -> None:
    for _ in range(MOST_OF_A_PIN - 1):
        assert Tills(journal.database, "sandbox").begin_try(till.till_id, "ada")
        clock.advance(timedelta(days=1, seconds=1))
    assert [tills.by_pin(key, "ada", digits) for digits in ("9999", PIN)] == [Answer.WRONG, Answer.SPENT]
    (last,) = AuditTrail(journal.database, "sandbox").rows(AuditFilter(kind=AuditKind.WRONG_TRY, limit=1))
    assert (last.username, last.details["pin"]) == ("ada", "spent")
    code = tills.issue_badge(MO, "ada")
    tills.signed_in_with_password(till, "ada")
    assert tills.by_badge(key, code) is Answer.IN
    tills.set_pin(ADA, "7193")
    assert tills.by_pin(key, "ada", "7193") is Answer.IN


def test_a_pad_shows_who_has_a_pin_there(journal: Journal, tills: TillDesk, key: str, till: Till) -> None:
    elsewhere = Account("eve", "Eve", Role.STAFF, HASH, home_store="another")
    here = Account("zed", "aaron Zed", Role.STAFF, HASH, home_store=till.store_id)
    everywhere, locked = replace(here, username="amy", home_store=""), replace(here, username="leo", locked=True)
    known = Accounts({one.username: one for one in (elsewhere, here, everywhere, locked)}, cookie_key="")
    assert set(known.of_store(till.store_id)) == {"zed", "amy"}
    for account in (elsewhere, here):
        People(journal.database).put(account)
        tills.set_pin(account.operator, PIN)
    assert [one.username for one in tills.people(till)] == ["zed", "ada"], "by the names that are read there"
    assert tills.by_pin(key, "eve", PIN) is Answer.WRONG


def test_a_pin_without_a_providers_word_is_none(journal: Journal, tills: TillDesk, key: str, clock: Clock) -> None:
    eve = Account("eve", "Eve", Role.STAFF, "-", issuer="https://id.example", subject="1", proven_at=clock.now)
    assert People(journal.database).take_proof(eve)
    tills.set_pin(eve.operator, PIN)
    clock.advance(PROOF_LASTS - timedelta(seconds=1))
    assert tills.by_pin(key, "eve", PIN) is Answer.IN
    clock.advance(timedelta(seconds=1))
    assert [one.username for one in tills.people(now_at(tills, key))] == ["ada"]
    assert tills.by_pin(key, "eve", PIN) is Answer.WRONG
    assert People(journal.database).take_proof(replace(eve, proven_at=clock.now))
    assert tills.by_pin(key, "eve", PIN) is Answer.IN


@pytest.mark.parametrize("role", list(Role))
def test_a_pin_opens_no_more_than_staff_may_whatever_the_role(role: Role) -> None:
    at_till = Operator("mo", "Mo", role, at=Station(FIRST_STORE, "till", "pin"))
    opened = {permission for permission in Permission if at_till.may(permission)}
    assert opened <= GRANTS[Role.STAFF] & GRANTS[role] & BY_PIN
    assert not opened & {
        Permission.EXPORT_CLAIMS, Permission.EXPORT_ACTIVITY, Permission.SEE_ALL_ACTIVITY, Permission.SET_OWN_PIN,
        Permission.ADMINISTER_ACCOUNTS, Permission.MANAGE_CATALOGUE, Permission.REGISTER_TILLS,
    }  # fmt: skip


def test_only_who_may_register_a_till_withdraws_one_and_issues_a_badge(tills: TillDesk, till: Till) -> None:
    of_mo = (
        (tills.register, "Mine"), (tills.revoke, till.till_id), (tills.issue_badge, "mo"), (tills.take_badge, "mo"),
    )  # fmt: skip
    for act, what in of_mo:
        with pytest.raises(PermissionDenied):
            act(ADA, what)


def test_whatever_a_till_does_is_audited(journal: Journal, tills: TillDesk, key: str, till: Till) -> None:
    code = tills.issue_badge(MO, "mo")
    for digits in ["9999"] * MOST_WRONG:
        tills.by_pin(key, "ada", digits)
    tills.signed_in_with_password(till, "mo")
    tills.by_pin(key, "ada", PIN)
    tills.by_badge(key, code)
    tills.lock(key)
    tills.take_badge(MO, "mo")
    assert not tills.take_badge(MO, "mo")
    tills.revoke(MO, till.till_id)
    rows = AuditTrail(journal.database, "sandbox").rows(AuditFilter())[::-1]
    noted = [(row.kind, row.username, row.till == till.till_id, dict(row.details)) for row in rows]
    assert noted == [
        ("account", "ada", False, {"what": "PIN set"}),
        ("settings", "mo", False, {"what": "till registered", "till": "Front"}),
        ("account", "mo", False, {"what": "badge issued", "account": "mo"}),
        *[("wrong try", "ada", True, {"how": "pin"})] * (MOST_WRONG - 1),
        ("wrong try", "ada", True, {"how": "pin", "pad": "locked"}),
        ("settings", "mo", True, {"what": "pad opened", "till": "Front"}), ("switch", "ada", True, {"how": "pin"}),
        ("switch", "mo", True, {"how": "badge", "before": "ada"}), ("sign-out", "mo", True, {"how": "till locked"}),
        ("account", "mo", False, {"what": "badge taken", "account": "mo"}),
        ("settings", "mo", False, {"what": "till withdrawn", "till": "Front"}),
    ]  # fmt: skip
    assert {row.store for row in rows} == {FIRST_STORE}
    assert not [secret for secret in (PIN, code, "9999") if secret in str(noted)]


def test_a_sign_in_with_a_password_is_noted_at_its_till_or_at_home(journal: Journal, till: Till) -> None:
    people = KnownAccounts(journal.database, audit=AuditTrail(journal.database, "sandbox"))
    people()
    for at in (None, till.station):
        for act in (people.came, people.refused, people.went):
            act("ada", "192.0.2.1", at)
    rows = AuditTrail(journal.database, "sandbox").rows(AuditFilter(limit=6))
    there = [("ada", FIRST_STORE, at) for at in (till.till_id, "") for _ in range(3)]
    assert [(row.username, row.store, row.till) for row in rows] == there


def test_a_store_that_nobody_named_before_is_made_with_its_till(journal: Journal, tills: TillDesk) -> None:
    till, key = tills.register(replace(MO, at=Station("north")), "North 1")
    tills.by_pin(key, "ada", PIN)
    assert till.station.store_id == "north"
    assert [store.store_id for store in Tills(journal.database, "sandbox").stores()] == [FIRST_STORE, "north"]


def test_a_store_is_given_a_name_and_a_time_zone_by_a_command(
    journal: Journal, journal_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARRANTY_JOURNAL_URL", journal_url)
    assert main(["tills", "store", "north", "--name", "North Street", "--time-zone", "America/Chicago"]) == 0
    assert "is called North Street, in the time zone America/Chicago." in capsys.readouterr().out
    assert main(["tills", "store", FIRST_STORE, "--name", "Main Street"]) == 0
    with pytest.raises(SystemExit):
        main(["tills", "store", "north", "--name", "North Street", "--time-zone", "Chicago"])
    said = capsys.readouterr()
    assert "is called Main Street, without a time zone of its own." in said.out
    assert "'Chicago' is not a time zone such as Europe/Madrid" in said.err
    assert main(["tills", "list"]) == 0
    assert capsys.readouterr() == ("", "No till is registered.\n")
    assert main(["tills", "stores"]) == 0
    assert capsys.readouterr().out == f"{FIRST_STORE}\tMain Street\t\nnorth\tNorth Street\tAmerica/Chicago\n"
    assert main(["tills", "store", "north", "--name", " "]) == 2
    rows = AuditTrail(journal.database, "sandbox").rows(AuditFilter(kind="settings"))
    named = [{**row.details} for row in rows if row.details.get("what") == "store named"]
    changes = {"name": "from north to North Street", "time_zone": "from none to America/Chicago"}
    assert named[1] == {"what": "store named", "named": "north", **changes}
