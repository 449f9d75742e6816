"""What an administrator does about accounts, and everybody about their own password."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from warranty.access import Operator, Permission, Role
from warranty.clock import utc_now
from warranty.desk.journal import Journal
from warranty.errors import PermissionDenied, SignedOut
from warranty.people.accounts import AccountRefused, Administration, KnownAccounts, Refusal, account
from warranty.people.accounts.passwords import check_password, is_password_of
from warranty.people.accounts.people import Account, People
from warranty.people.accounts.sign_in_tries import SignInTries

ALEX = Operator("alex", "Alex", Role.ADMINISTRATOR)
GOOD, NEW = "three odd teapots", "purple kayak sunrise"


@pytest.fixture
def shop(journal: Journal) -> Administration:
    for username, role in (("alex", Role.ADMINISTRATOR), ("maya", Role.MANAGER), ("sam", Role.STAFF)):
        People(journal.database).put(account(username, name=username.title(), role=role, password=GOOD, rounds=4))
    trainee = account("trainee", name="", role=Role.STAFF, password="counter-training", rounds=4)
    known = KnownAccounts(journal.database, [trainee])
    return Administration(journal.database, known, rounds=4)


def kept(journal: Journal, username: str) -> Account:
    return People(journal.database).accounts().by_username[username]


def refused(why: Refusal, do: Callable[[], object]) -> None:
    with pytest.raises(AccountRefused) as caught:
        do()
    assert caught.value.reason is why


def test_who_is_invited_has_a_password_for_once(shop: Administration, journal: Journal) -> None:
    password = shop.invite(ALEX, "Rio", name="Rio Till", role=Role.STAFF, home_store="north")
    rio = kept(journal, "rio")
    assert (rio.name, rio.role, rio.home_store) == ("Rio Till", Role.STAFF, "north")
    assert is_password_of(password, rio.password_hash)
    assert password not in repr(rio)
    assert rio.one_time_until
    assert rio.one_time_until > journal.database.clock()
    assert [right for right in Permission if rio.operator.may(right)] == []
    shop.change_own_password(rio.operator, "", NEW)
    assert kept(journal, "rio").operator.may(Permission.SUBMIT_ORDERS)
    refused(Refusal.TAKEN, lambda: shop.invite(ALEX, "rio", name="", role=Role.STAFF))


@pytest.mark.parametrize("role", [Role.STAFF, Role.MANAGER])
def test_only_an_administrator_touches_an_account(shop: Administration, journal: Journal, role: Role) -> None:
    before = People(journal.database).accounts().by_username
    who = Operator("maya", "Maya", role)
    for do in (
        lambda: shop.accounts(who),
        lambda: shop.invite(who, "rio", name="", role=Role.STAFF),
        lambda: shop.add(who, "rio", name="", role=Role.STAFF, password=GOOD),
        lambda: shop.set_role(who, "maya", Role.ADMINISTRATOR),
        lambda: shop.set_home_store(who, "sam", "north"),
        lambda: shop.lock(who, "sam"),
        lambda: shop.unlock(who, "sam"),
        lambda: shop.end_sessions(who, "sam"),
        lambda: shop.reset_password(who, "sam"),
        lambda: shop.remove(who, "sam"),
    ):
        with pytest.raises(PermissionDenied):
            do()
    assert People(journal.database).accounts().by_username == before


def test_a_tab_that_was_an_administrators_touches_none_either(shop: Administration, journal: Journal) -> None:
    stale = replace(ALEX, as_of_now=lambda: None)
    demoted = replace(ALEX, as_of_now=lambda: replace(ALEX, role=Role.MANAGER))
    with pytest.raises(SignedOut):
        shop.lock(stale, "sam")
    with pytest.raises(PermissionDenied):
        shop.reset_password(demoted, "sam")
    assert not kept(journal, "sam").locked


@pytest.mark.both_databases
@pytest.mark.parametrize(("change", "ends"), [
    (lambda shop: shop.set_role(ALEX, "sam", Role.MANAGER), True), (lambda shop: shop.lock(ALEX, "sam"), True),
    (lambda shop: shop.reset_password(ALEX, "sam"), True), (lambda shop: shop.end_sessions(ALEX, "sam"), True),
    (lambda shop: shop.set_home_store(ALEX, "sam", "north"), False),
    (lambda shop: shop.set_role(ALEX, "sam", Role.STAFF), False),
])  # fmt: skip
def test_another_role_lock_or_password_ends_what_was_signed_in(
    shop: Administration, journal: Journal, change: Callable[[Administration], object], ends: bool
) -> None:
    journal.database.clock = lambda: utc_now() - timedelta(minutes=5)  # this desk's is behind
    signed_in = People(journal.database).accounts().now()
    change(shop)
    later = People(journal.database).accounts()
    assert later.left("sam", signed_in) is ends
    assert not later.left("maya", signed_in)
    assert not later.left("sam", later.now())


@pytest.mark.parametrize("let_in", [Administration.unlock, Administration.reset_password])
def test_who_is_locked_out_is_let_in(shop: Administration, journal: Journal, let_in: Callable[..., object]) -> None:
    def waits() -> bool:
        return SignInTries(journal.database).begin("sam", "203.0.113.1") > timedelta(0)

    for number in range(12):
        SignInTries(journal.database).begin("sam", f"198.51.100.{number}")
    assert waits()
    let_in(shop, ALEX, "sam")
    assert not waits()


def test_who_is_locked_is_nobody_until_unlocked(shop: Administration, journal: Journal) -> None:
    shop.lock(ALEX, "sam")
    assert People(journal.database).accounts().operator("sam") is None
    shop.unlock(ALEX, "sam")
    assert People(journal.database).accounts().operator("sam") == Operator("sam", "Sam", Role.STAFF)


def test_an_account_of_the_sandbox_stays_as_it_is(shop: Administration) -> None:
    refused(Refusal.TRAINING, lambda: shop.lock(ALEX, "Trainee"))
    refused(Refusal.TAKEN, lambda: shop.invite(ALEX, "trainee", name="", role=Role.STAFF))


def test_nobody_locks_or_demotes_themselves_or_the_last_one(shop: Administration, journal: Journal) -> None:
    machine = Operator("", "the command line", Role.ADMINISTRATOR)
    for who, why in ((ALEX, Refusal.YOURSELF), (machine, Refusal.LAST)):
        refused(why, lambda who=who: shop.lock(who, "alex"))  # type: ignore[misc]
        refused(why, lambda who=who: shop.set_role(who, "alex", Role.MANAGER))  # type: ignore[misc]
        refused(why, lambda who=who: shop.remove(who, "alex"))  # type: ignore[misc]
    refused(Refusal.LAST, lambda: shop.add(machine, "alex", name="", role=Role.STAFF, password=GOOD))
    shop.set_role(ALEX, "maya", Role.ADMINISTRATOR)
    shop.lock(Operator("maya", "Maya", Role.ADMINISTRATOR), "alex")
    assert kept(journal, "alex").locked
    refused(Refusal.LAST, lambda: shop.lock(machine, "maya"))


@pytest.mark.both_databases
def test_of_two_who_demote_each_other_at_once_one_stays(shop: Administration, journal: Journal) -> None:
    shop.set_role(ALEX, "maya", Role.ADMINISTRATOR)
    maya = Operator("maya", "Maya", Role.ADMINISTRATOR)

    def demote(who: Operator, whom: str) -> None:
        with suppress(AccountRefused):
            shop.set_role(who, whom, Role.STAFF)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(demote, (ALEX, maya), ("maya", "alex")))
    roles = [each.role for each in People(journal.database).accounts().by_username.values()]
    assert roles.count(Role.ADMINISTRATOR) == 1


def test_one_changes_ones_own_password_by_giving_it(shop: Administration, journal: Journal) -> None:
    sam = Operator("sam", "Sam", Role.STAFF)
    for _ in range(4):
        refused(Refusal.WRONG, lambda: shop.change_own_password(sam, "not this one", NEW))
    refused(Refusal.SAME, lambda: shop.change_own_password(sam, GOOD, GOOD))
    assert is_password_of(GOOD, kept(journal, "sam").password_hash)
    shop.change_own_password(sam, GOOD, NEW)
    assert is_password_of(NEW, kept(journal, "sam").password_hash)
    with pytest.raises(SignedOut):
        shop.change_own_password(replace(sam, as_of_now=lambda: None), NEW, GOOD)
    for _ in range(5):
        refused(Refusal.WRONG, lambda: shop.change_own_password(sam, "not this one", GOOD))
    refused(Refusal.TOO_MANY, lambda: shop.change_own_password(sam, NEW, GOOD))


@pytest.mark.parametrize("password", [
    "1234567890", "0123456789", "password12", "qwertyuiop1", "aaaaaaaaaaaa", "Maya-Office", "maya-office1",
    "passw0rd123", "iloveyou123", "warranty desk", "abcdefghij", "x7x7x7x7x7x7x7x7", "qazwsxedcrfv", "passer2009",
    "Telechargement", "x4IVYGA51F",
])  # fmt: skip
def test_a_common_password_one_made_of_a_name_and_one_known_from_a_breach_are_refused(password: str) -> None:
    refused(Refusal.COMMON, lambda: check_password(password, known=("maya", "Maya Office")))


@pytest.mark.parametrize("password", [GOOD, "correct horse battery", "Kx9-vTq2-Lm", "counter-training"])
def test_words_that_do_not_belong_together_are_a_password(password: str) -> None:
    check_password(password, known=("maya", "Maya Office"))
