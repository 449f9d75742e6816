"""Switching at a registered till: what a PIN and a badge are worth there, and that they are worth nothing elsewhere."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.warranty.conftest import Clock
from warranty.__main__ import main
from warranty.access import BY_PIN, FIRST_STORE, GRANTS, Operator, Permission, Role, Station
from warranty.accounts import KnownAccounts
from warranty.errors import PermissionDenied
from warranty.journal import Journal, open_journal
from warranty.journal.audit import AuditFilter, AuditKind
from warranty.journal.shared.people import Account
from warranty.journal.shared.tills import MOST_OF_A_PIN, MOST_OPENED, MOST_WRONG
from warranty.tills import Answer, EasyPin, TillDesk
from warranty.tills.codes import fits, pin_of
from warranty.tills.switching import PROOF_LASTS

MO = Operator("mo", "Mo Winter", Role.MANAGER)
ADA = Operator("ada", "Ada Byron", Role.STAFF)
PIN = "8250"


def desk_of(journal: Journal) -> TillDesk:
    known, audit = journal.people.accounts, journal.audit("sandbox")
    return TillDesk(journal.tills("sandbox"), known, audit, clock=journal.now)


@pytest.fixture
def tills(journal: Journal) -> TillDesk:
    for operator in (MO, ADA):
        journal.people.put(Account(operator.username, operator.name, operator.role, "$2b$12$" + "x" * 53))
    desk = desk_of(journal)
    desk.set_pin(ADA, PIN)
    return desk


@pytest.fixture
def key(tills: TillDesk) -> str:
    return tills.register(MO, "Front")[1]


@pytest.mark.parametrize(
    "easy", ["1234", "0000", "4321", "111111", "1212", "123123", "8901", "3210", "56789", "0123"]
)
def test_a_pin_that_others_would_guess_is_refused(easy: str) -> None:
    with pytest.raises(EasyPin) as refused:
        pin_of(easy)
    assert refused.value.easy


@pytest.mark.parametrize("odd", ["", "825", "8250417", "82 5", "825a", "٨٢٥٠"])
def test_a_pin_has_four_to_six_digits(odd: str) -> None:
    with pytest.raises(EasyPin) as refused:
        pin_of(odd)
    assert not refused.value.easy


def test_a_pin_is_kept_as_a_hash() -> None:
    kept = pin_of(PIN)
    assert PIN not in kept.pin_hash
    assert (fits(kept, PIN), fits(kept, "8251"), fits(kept, "")) == (True, False, False)


def test_a_person_is_switched_in_by_their_pin_and_by_their_badge(tills: TillDesk, key: str) -> None:
    assert tills.by_pin(key, "ada", PIN) is Answer.IN
    till = tills.at(key)
    assert till is not None
    assert (till.username, till.station) == ("ada", Station(FIRST_STORE, till.till_id, "pin"))
    code = tills.issue_badge(MO, "mo")
    assert tills.by_badge(key, code.lower()) is Answer.IN  # as a Caps Lock has it
    till = tills.at(key)
    assert till is not None
    assert (till.username, till.switched_by) == ("mo", "badge")


def test_a_pin_and_a_badge_are_worth_nothing_away_from_the_till(tills: TillDesk, key: str) -> None:
    code = tills.issue_badge(MO, "ada")
    for elsewhere in ("", "another-browsers-key"):
        assert tills.by_pin(elsewhere, "ada", PIN) is Answer.NO_TILL
        assert tills.by_badge(elsewhere, code) is Answer.NO_TILL
    till = tills.at(key)
    assert till is not None
    tills.revoke(MO, till.till_id)
    assert tills.by_pin(key, "ada", PIN) is Answer.NO_TILL
    assert tills.left_since(key) is not None  # who registered it with a password is not in again


@pytest.mark.parametrize("number_of_guesses", [500, pytest.param(10_000, marks=pytest.mark.soak)])
def test_guesses_at_two_desks_open_nothing(
    tills: TillDesk, key: str, journal_url: str, clock: Clock, *, number_of_guesses: int
) -> None:
    with closing(open_journal(journal_url, clock=clock)) as another, ThreadPoolExecutor(4) as pool:
        desks = tills, desk_of(another)
        guesses = [f"{number:04}" for number in range(number_of_guesses) if f"{number:04}" != PIN]
        answers = list(pool.map(lambda one: desks[int(one) % 2].by_pin(key, "ada", one), [*guesses, PIN]))
    assert answers.count(Answer.WRONG) == MOST_WRONG
    assert set(answers) == {Answer.WRONG, Answer.LOCKED}


def test_a_locked_pad_is_opened_by_a_password_and_the_account_was_never_locked(
    tills: TillDesk, key: str
) -> None:
    while tills.by_pin(key, "ada", "9999") is Answer.WRONG:
        pass
    assert tills.by_pin(key, "ada", PIN) is Answer.LOCKED
    other = tills.register(MO, "Back")[1]
    assert tills.by_pin(other, "ada", PIN) is Answer.IN
    till = tills.at(key)
    assert till is not None
    tills.signed_in_with_password(till, "mo")
    assert tills.by_pin(key, "ada", PIN) is Answer.IN


@pytest.mark.parametrize("number_of_guesses", [100, pytest.param(10_000, marks=pytest.mark.soak)])
def test_who_guesses_a_colleagues_pin_and_gives_their_own_password_in_between_opens_nothing(
    journal: Journal, tills: TillDesk, key: str, clock: Clock, *, number_of_guesses: int
) -> None:
    """A day at a till: 20 are judged; then the pad stays locked to them, and the colleague has lost nothing."""
    till = tills.at(key)
    assert till is not None
    answers = []
    for guess in range(number_of_guesses):
        if f"{guess:04}" != PIN:
            answers.append(tills.by_pin(key, "ada", f"{guess:04}"))
        if answers[-1] is Answer.LOCKED:
            tills.signed_in_with_password(till, "mo")
    assert answers.count(Answer.WRONG) == MOST_WRONG * (1 + MOST_OPENED)
    rows = journal.audit("sandbox").rows(AuditFilter())[::-1]
    said = [(row.username, row.details.get("pad") or row.details.get("what")) for row in rows]
    assert said.count(("ada", "locked")) == 1 + MOST_OPENED
    assert said.count(("mo", "pad opened")) == MOST_OPENED
    assert ("mo", "pad stays locked") in said
    tills.signed_in_with_password(till, "ada")
    assert tills.by_pin(key, "ada", PIN) is Answer.IN


def test_who_goes_on_for_days_spends_the_pin_and_its_person_chooses_another(
    journal: Journal, tills: TillDesk, key: str, clock: Clock
) -> None:
    till, judged = tills.at(key), 0
    assert till is not None
    for day in range(8):
        clock.advance(timedelta(days=1, seconds=1))
        for guess in range(25):
            answer = tills.by_pin(key, "ada", f"{day:02}{guess:02}")
            judged += answer is Answer.WRONG
            if answer is Answer.LOCKED:
                tills.signed_in_with_password(till, "mo")
            clock.advance(timedelta(seconds=20))
    assert tills.by_pin(key, "ada", PIN) is Answer.SPENT
    assert judged <= MOST_WRONG * MOST_OF_A_PIN
    (last,) = journal.audit("sandbox").rows(AuditFilter(kind=AuditKind.WRONG_TRY, limit=1))
    assert (last.username, last.details["pin"]) == ("ada", "spent")
    code = tills.issue_badge(MO, "ada")
    tills.signed_in_with_password(till, "ada")
    assert tills.by_badge(key, code) is Answer.IN
    tills.set_pin(ADA, "7193")
    assert tills.by_pin(key, "ada", "7193") is Answer.IN


def test_only_people_with_a_pin_of_the_tills_store_stand_on_its_pad(
    journal: Journal, tills: TillDesk, key: str
) -> None:
    elsewhere = Account("eve", "Eve", Role.STAFF, "$2b$12$" + "x" * 53, home_store="another")
    journal.people.put(elsewhere)
    tills.set_pin(elsewhere.operator, PIN)
    till = tills.at(key)
    assert till is not None
    assert [one.username for one in tills.people(till)] == ["ada"]
    assert tills.by_pin(key, "eve", PIN) is Answer.WRONG


def test_a_pin_of_whom_the_identity_provider_has_not_seen_for_a_week_opens_nothing(
    journal: Journal, tills: TillDesk, key: str, clock: Clock
) -> None:
    eve = Account(
        "eve", "Eve", Role.STAFF, "-", issuer="https://id.example", subject="1", proven_at=clock.now
    )
    assert journal.people.take_proof(eve)
    tills.set_pin(eve.operator, PIN)
    clock.advance(PROOF_LASTS - timedelta(seconds=1))
    assert tills.by_pin(key, "eve", PIN) is Answer.IN
    clock.advance(timedelta(seconds=1))
    till = tills.at(key)
    assert till is not None
    assert [one.username for one in tills.people(till)] == ["ada"]
    assert tills.by_pin(key, "eve", PIN) is Answer.WRONG
    assert journal.people.take_proof(replace(eve, proven_at=clock.now))
    assert tills.by_pin(key, "eve", PIN) is Answer.IN


@pytest.mark.parametrize("role", list(Role))
def test_a_pin_opens_no_more_than_staff_may_whatever_the_role(role: Role) -> None:
    at_till = Operator("mo", "Mo", role, at=Station(FIRST_STORE, "till", "pin"))
    opened = {permission for permission in Permission if at_till.may(permission)}
    assert opened <= GRANTS[Role.STAFF] & GRANTS[role] & BY_PIN
    never = {
        Permission.EXPORT_CLAIMS,
        Permission.EXPORT_ACTIVITY,
        Permission.SEE_ALL_ACTIVITY,
        Permission.ADMINISTER_ACCOUNTS,
        Permission.MANAGE_CATALOGUE,
        Permission.REGISTER_TILLS,
        Permission.SET_OWN_PIN,
    }
    assert not opened & never


def test_only_who_may_register_a_till_withdraws_one_and_issues_a_badge(tills: TillDesk, key: str) -> None:
    till = tills.at(key)
    assert till is not None
    for act in (
        lambda: tills.register(ADA, "Mine"),
        lambda: tills.revoke(ADA, till.till_id),
        lambda: tills.issue_badge(ADA, "mo"),
        lambda: tills.take_badge(ADA, "mo"),
    ):
        with pytest.raises(PermissionDenied):
            act()


def test_whatever_happens_at_a_till_stands_in_the_audit_trail_with_its_person_till_and_store(
    journal: Journal, tills: TillDesk, key: str
) -> None:
    till = tills.at(key)
    assert till is not None
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
    rows = journal.audit("sandbox").rows(AuditFilter())[::-1]
    told = [(row.kind, row.username, row.till == till.till_id, dict(row.details)) for row in rows]
    wrong = ("wrong try", "ada", True, {"how": "pin"})
    assert told == [
        ("account", "ada", False, {"what": "PIN set"}),
        ("settings", "mo", False, {"what": "till registered", "till": "Front"}),
        ("account", "mo", False, {"what": "badge issued", "account": "mo"}),
        *[wrong] * (MOST_WRONG - 1),
        ("wrong try", "ada", True, {"how": "pin", "pad": "locked"}),
        ("settings", "mo", True, {"what": "pad opened", "till": "Front"}),
        ("switch", "ada", True, {"how": "pin"}),
        ("switch", "mo", True, {"how": "badge", "before": "ada"}),
        ("sign-out", "mo", True, {"how": "till locked"}),
        ("account", "mo", False, {"what": "badge taken", "account": "mo"}),
        ("settings", "mo", False, {"what": "till withdrawn", "till": "Front"}),
    ]
    assert {row.store for row in rows} == {FIRST_STORE}
    assert not [secret for secret in (PIN, code, "9999") if secret in str(told)]


def test_who_signs_in_and_out_with_a_password_does_so_at_a_till_or_at_home(
    journal: Journal, tills: TillDesk, key: str
) -> None:
    till, people = tills.at(key), KnownAccounts(journal.people, audit=journal.audit("sandbox"))
    assert till is not None
    people()
    for at in (None, till.station):
        people.came("ada", "192.0.2.1", at)
        people.refused("ada", "192.0.2.1", at)
        people.went("ada", "192.0.2.1", at)
    rows = journal.audit("sandbox").rows(AuditFilter(limit=6))
    assert [(row.username, row.store, row.till) for row in rows] == [
        ("ada", FIRST_STORE, at) for at in (till.till_id, "") for _ in range(3)
    ]


def test_a_till_of_a_store_that_nobody_named_before_is_made_with_it(
    journal: Journal, tills: TillDesk
) -> None:
    north = replace(MO, at=Station("north"))
    till, key = tills.register(north, "North 1")
    tills.by_pin(key, "ada", PIN)
    assert till.station.store_id == "north"
    assert [store.store_id for store in journal.tills("sandbox").stores()] == [FIRST_STORE, "north"]


def test_a_store_is_given_a_name_and_a_time_zone_by_a_command(
    journal: Journal, journal_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARRANTY_JOURNAL_URL", journal_url)
    assert main(["tills", "store", "north", "--name", "North Street", "--time-zone", "America/Chicago"]) == 0
    assert main(["tills", "store", FIRST_STORE, "--name", "Main Street"]) == 0
    with pytest.raises(SystemExit):
        main(["tills", "store", "north", "--name", "North Street", "--time-zone", "Chicago"])
    capsys.readouterr()
    assert main(["tills", "stores"]) == 0
    told = f"{FIRST_STORE}\tMain Street\t\nnorth\tNorth Street\tAmerica/Chicago\n"
    assert capsys.readouterr().out == told
    assert main(["tills", "store", "north", "--name", " "]) == 2
    rows = journal.audit("sandbox").rows(AuditFilter(kind="settings"))
    assert [row.details["named"] for row in rows if row.details.get("what") == "store named"] == [
        FIRST_STORE, "north",
    ]  # fmt: skip
