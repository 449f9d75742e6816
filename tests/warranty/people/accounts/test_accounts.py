"""Who may sign in, as every desk of a shop knows it."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select, text

from tests.warranty.conftest import Clock
from warranty.access import Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.preferences import Preference
from warranty.database.recent import Recent
from warranty.desk.journal import Batches, Drafts, Journal
from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.people.accounts import Account, KnownAccounts, account, accounts_of_file
from warranty.people.accounts.cookie_tickets import CookieTickets
from warranty.people.accounts.people import People
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
        assert known().by_username["ada"] == change
        assert "$2b$" not in repr(known())
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
    assert not here().left("staff", signed_in)
    assert not there().left("staff", signed_in)
    here.sign_out("staff")
    assert here().left("staff", signed_in), "here at once"
    seconds_later(there)
    assert there().left("staff", signed_in)
    assert not there().left("staff", signed_in + timedelta(minutes=1)), "a later sign-in is another"
    with closing(open_journal(journal_url)) as restarted:
        assert KnownAccounts(restarted.database)().left("staff", signed_in)


@pytest.mark.parametrize("there_is_somebody", [True, False])
def test_one_key_of_cookies_is_every_desks_and_that_of_the_accounts_file_until_there_are_accounts(
    journal: Journal, elsewhere: Journal, *, there_is_somebody: bool
) -> None:
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
    with pytest.raises(JournalUnavailable):
        recent.fresh()
    with pytest.raises(JournalUnavailable):
        Recent(read)()


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
    path.write_text(
        "cookie: {key: 0123456789abcdef0123456789abcdef}\n"
        "credentials: {usernames: {ada: {name: Ada, password: plain-secret, roles: [staff]}}}\n"
    )
    with pytest.raises(SettingsProblem, match="not a bcrypt hash") as caught:
        accounts_of_file(path)
    assert "plain-secret" not in str(caught.value)


@pytest.fixture
def tickets(journal: Journal, clock: Clock) -> CookieTickets:
    """By the clock of the test in place of the database's."""
    tickets = CookieTickets(journal.database)
    tickets._now = lambda connection: clock()  # type: ignore[method-assign]
    return tickets


def test_a_ticket_is_good_once_and_for_a_minute(tickets: CookieTickets, clock: Clock) -> None:
    used, late = tickets.give("a cookie"), tickets.give("another")
    clock.advance(timedelta(seconds=59))
    assert [tickets.take(used), tickets.take(used), tickets.take("made up")] == ["a cookie", None, None]
    clock.advance(timedelta(seconds=1))
    assert tickets.take(late) is None
    assert (tickets.was_taken(used), tickets.was_taken(late)) == (True, False)


def test_the_rows_tell_neither_and_soon_go(tickets: CookieTickets, journal: Journal, clock: Clock) -> None:
    ticket = tickets.give("a cookie")
    with journal.database.read() as connection:
        rows = str(connection.execute(select(COOKIE_TICKETS)).all())
    assert "a cookie" not in rows
    assert ticket not in rows
    clock.advance(timedelta(hours=2))
    tickets.take(tickets.give("the next"))
    with journal.database.read() as connection:
        assert connection.execute(select(COOKIE_TICKETS)).all() == []
