"""Who may sign in, as every desk of a shop knows it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select, text

from tests.warranty.conftest import Clock
from warranty.access import Operator, Permission, Role
from warranty.clock import utc_now
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.preferences import Preference
from warranty.database.recent import Recent
from warranty.desk.journal import Batches, Drafts, Journal
from warranty.errors import JournalUnavailable, PermissionDenied, SettingsProblem, SignedOut
from warranty.people.accounts import AccountRefused, Administration, KnownAccounts, Refusal, account, accounts_of_file
from warranty.people.accounts.cookie_tickets import CookieTickets
from warranty.people.accounts.passwords import check_password, is_password_of
from warranty.people.accounts.people import Account, People
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.accounts.tables import COOKIE_TICKETS
from warranty.people.tills.tills import Pin, Tills


def person(username: str, role: Role = Role.STAFF, password: str = "0123456789") -> Account:
    return account(username, name=username.title(), role=role, password=password, rounds=4)


@pytest.fixture
def elsewhere(journal: Journal, journal_url: str) -> Iterator[Journal]:
    with closing(open_journal(journal_url)) as opened:
        yield opened


def seconds_later(known: KnownAccounts) -> None:
    known._clock = lambda clock=known._clock: clock() + 2  # type: ignore[misc]


def test_what_one_desk_changes_all_know_in_two_seconds(journal: Journal, elsewhere: Journal) -> None:
    known = KnownAccounts(elsewhere.database)
    assert known().operator("ada") is None
    for change in (person("ada"), person("ada", Role.MANAGER), person("ada", password="another long one")):
        People(journal.database).put(change)
        seconds_later(known)
        assert (known().by_username["ada"], "$2b$" in repr(known())) == (change, False)
    assert People(journal.database).remove("Ada")
    assert not People(journal.database).remove("ada")
    assert known().operator("ada"), "not asked again at once"
    seconds_later(known)
    assert known().operator("ada") is None


def test_who_gets_the_name_of_somebody_removed_finds_nothing_of_theirs(journal: Journal) -> None:
    People(journal.database).add(person("ada"))
    tills = Tills(journal.database, "sandbox")
    tills.set_pin("ada", Pin("hash", 4))
    tills.issue_badge("ada", "CODE", by="mo")
    Preference(journal.database, "ada", "claims.views").save({"Mine": {"words": "lamp"}})
    drafts = Drafts(journal.database, "sandbox", "ada", "submit_order")
    drafts.save("d-1", {"billing_address.email": "ann@example.com"})
    imports = Batches(journal.database, "sandbox", "ada")
    source = {"number": 1, "name": "1", "row": 2, "email": "ann@example.com"}
    began = imports.begin(file_name="orders.csv", layout={}, choices={}, sources=[source])
    Drafts(journal.database, "sandbox", "bo", "submit_order").save("d-2", {"title": "Lamp"})
    assert People(journal.database).remove("Ada")
    assert (tills.pins(), tills.badges(), drafts.all(), imports.open_batch()) == ({}, {}, [], None)
    assert Preference(journal.database, "ada", "claims.views").load() is None
    assert [order.source for order in imports.orders(began)] == [None]
    assert Drafts(journal.database, "sandbox", "bo", "submit_order").all()


def test_who_signs_out_is_out_at_every_desk(journal: Journal, elsewhere: Journal, journal_url: str) -> None:
    here, there = KnownAccounts(journal.database), KnownAccounts(elsewhere.database)
    signed_in = datetime.now(UTC)
    assert [desk().left("staff", signed_in) for desk in (here, there)] == [False, False]
    here.sign_out("staff")
    assert here().left("staff", signed_in), "here at once"
    seconds_later(there)
    assert there().left("staff", signed_in)
    assert not there().left("staff", signed_in + timedelta(minutes=1)), "a later sign-in is another"
    with closing(open_journal(journal_url)) as restarted:
        assert KnownAccounts(restarted.database)().left("staff", signed_in)


@pytest.mark.parametrize("there_is_somebody", [True, False])
def test_one_key_of_cookies_is_every_desks(journal: Journal, elsewhere: Journal, there_is_somebody: bool) -> None:
    key = People(journal.database).accounts().cookie_key
    assert len(key) == 64
    if there_is_somebody:
        People(journal.database).put(person("ada"))
    People(journal.database).take_over([person("bo")], cookie_key="f" * 64)
    assert People(elsewhere.database).accounts().cookie_key == (key if there_is_somebody else "f" * 64)
    assert key not in repr(People(elsewhere.database).accounts())


def test_a_role_of_a_newer_version_lets_nobody_in_and_locks_nobody_else_out(journal: Journal) -> None:
    for username in ("ada", "bo"):
        People(journal.database).put(person(username))
    with journal.database.write() as connection:
        connection.execute(text("UPDATE accounts SET role = 'auditor' WHERE username = 'ada'"))
    assert list(People(journal.database).accounts().by_username) == ["bo"]


def test_while_the_database_is_away_who_is_signed_in_stays_and_it_is_asked_once_in_two_seconds() -> None:
    now, asked, away = [0.0], [0], [False]

    def read() -> str:
        asked[0] += 1
        if away[0]:
            raise JournalUnavailable
        return "ada"

    recent = Recent(read, clock=lambda: now[0])
    for now[0], away[0], times in ((0.0, False, 1), (1.9, True, 1), (2.1, True, 2), (3.9, True, 2), (4.2, False, 3)):
        assert recent() == recent() == "ada"
        assert asked[0] == times
    away[0] = True
    for ask in (recent.fresh, Recent(read)):
        with pytest.raises(JournalUnavailable):
            ask()


def test_while_one_tab_asks_a_slow_database_the_others_do_not_wait() -> None:
    asking, answered = Event(), Event()

    def read() -> int:
        if asked:
            asking.set()
            assert answered.wait(20)
        asked.append(1)
        return len(asked)

    asked: list[int] = []
    recent = Recent(read, seconds=0)
    assert recent() == 1
    waits = Thread(target=recent)
    waits.start()
    assert asking.wait(20)
    assert recent() == 1
    answered.set()
    waits.join(20)
    assert recent() == 3


@pytest.mark.parametrize(
    ("password", "words"), [("short", "at least 10"), ("x" * 73, "at most 72 bytes"), (" leading space", "space")]
)
def test_a_password_that_bcrypt_or_the_sign_in_would_misread_is_refused(password: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        account("ada", name="Ada", role=Role.STAFF, password=password)


def test_a_plain_password_in_the_file_is_named_as_the_problem_and_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "accounts.yaml"
    ada = "credentials: {usernames: {ada: {name: Ada, password: plain-secret, roles: [staff]}}}"
    path.write_text(f"cookie: {{key: 0123456789abcdef0123456789abcdef}}\n{ada}\n")
    with pytest.raises(SettingsProblem, match="not a bcrypt hash") as caught:
        accounts_of_file(path)
    assert "plain-secret" not in str(caught.value)


@pytest.fixture
def tickets(journal: Journal, clock: Clock) -> CookieTickets:
    """By the clock of the test in place of the database's."""
    tickets = CookieTickets(journal.database)
    tickets._now = lambda connection: clock()  # type: ignore[method-assign]
    return tickets


def test_a_ticket_is_good_once_and_for_a_minute(tickets: CookieTickets, clock: Clock, journal: Journal) -> None:
    used, late = tickets.give("a cookie"), tickets.give("another")
    clock.advance(timedelta(seconds=59))
    assert [tickets.take(used), tickets.take(used), tickets.take("made up")] == ["a cookie", None, None]
    clock.advance(timedelta(seconds=1))
    assert tickets.take(late) is None
    assert (tickets.was_taken(used), tickets.was_taken(late)) == (True, False)

    def rows() -> str:
        with journal.database.read() as connection:
            return str(connection.execute(select(COOKIE_TICKETS)).all())

    ticket = tickets.give("a cookie")
    assert ["a cookie" in rows(), ticket in rows()] == [False, False]
    clock.advance(timedelta(hours=2))
    tickets.take(tickets.give("the next"))
    assert rows() == "[]"


ALEX = Operator("alex", "Alex", Role.ADMINISTRATOR)
GOOD, NEW = "three odd teapots", "purple kayak sunrise"


@pytest.fixture
def shop(journal: Journal) -> Administration:
    for username, role in (("alex", Role.ADMINISTRATOR), ("maya", Role.MANAGER), ("sam", Role.STAFF)):
        People(journal.database).put(account(username, name=username.title(), role=role, password=GOOD, rounds=4))
    trainee = account("trainee", name="", role=Role.STAFF, password="counter-training", rounds=4)
    return Administration(journal.database, KnownAccounts(journal.database, [trainee]), rounds=4)


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
    assert (is_password_of(password, rio.password_hash), password in repr(rio)) == (True, False)
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
    of_sam = (shop.lock, shop.unlock, shop.end_sessions, shop.reset_password, shop.remove)
    for do in (
        partial(shop.accounts, who), partial(shop.invite, who, "rio", name="", role=Role.STAFF),
        partial(shop.add, who, "rio", name="", role=Role.STAFF, password=GOOD),
        partial(shop.set_role, who, "maya", Role.ADMINISTRATOR), partial(shop.set_home_store, who, "sam", "north"),
        *(partial(one, who, "sam") for one in of_sam),
    ):  # fmt: skip
        with pytest.raises(PermissionDenied):
            do()
    assert People(journal.database).accounts().by_username == before


def test_a_tab_that_was_an_administrators_touches_none_either(shop: Administration, journal: Journal) -> None:
    with pytest.raises(SignedOut):
        shop.lock(replace(ALEX, as_of_now=lambda: None), "sam")
    with pytest.raises(PermissionDenied):
        shop.reset_password(replace(ALEX, as_of_now=lambda: replace(ALEX, role=Role.MANAGER)), "sam")
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


def test_who_is_locked_is_nobody_until_unlocked_a_trainee_stays(shop: Administration, journal: Journal) -> None:
    for act, found in ((shop.lock, None), (shop.unlock, Operator("sam", "Sam", Role.STAFF))):
        act(ALEX, "sam")
        assert People(journal.database).accounts().operator("sam") == found
    refused(Refusal.TRAINING, lambda: shop.lock(ALEX, "Trainee"))
    refused(Refusal.TAKEN, lambda: shop.invite(ALEX, "trainee", name="", role=Role.STAFF))


def test_nobody_locks_or_demotes_themselves_or_the_last_one(shop: Administration, journal: Journal) -> None:
    machine = Operator("", "the command line", Role.ADMINISTRATOR)
    for who, why in ((ALEX, Refusal.YOURSELF), (machine, Refusal.LAST)):
        for do in (shop.lock, shop.remove, partial(shop.set_role, role=Role.MANAGER)):
            refused(why, partial(do, who, "alex"))
    refused(Refusal.LAST, lambda: shop.add(machine, "alex", name="", role=Role.STAFF, password=GOOD))
    shop.set_role(ALEX, "maya", Role.ADMINISTRATOR)
    shop.lock(Operator("maya", "Maya", Role.ADMINISTRATOR), "alex")
    assert kept(journal, "alex").locked
    refused(Refusal.LAST, lambda: shop.lock(machine, "maya"))


@pytest.mark.both_databases
def test_of_two_who_demote_each_other_at_once_one_stays(shop: Administration, journal: Journal) -> None:
    shop.set_role(ALEX, "maya", Role.ADMINISTRATOR)

    def demote(who: Operator, whom: str) -> None:
        with suppress(AccountRefused):
            shop.set_role(who, whom, Role.STAFF)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(demote, (ALEX, Operator("maya", "Maya", Role.ADMINISTRATOR)), ("maya", "alex")))
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
