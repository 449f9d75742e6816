"""A sign-in: whole wherever its run is cut off; it ends where nobody works under it, and at its limit."""

from collections import UserDict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bcrypt
import jwt
import pytest
import streamlit as st

from components import gate
from components.people.sign_in.limits import SHIFT, Limits
from components.people.sign_in.sign_in import SignIn
from components.platform import session
from components.platform.browser_part import BrowserPart
from components.platform.cookies.tickets import Cookie, Tickets
from components.platform.session import HANDSHAKE
from tests.components.people.sign_in.people import ADA, EVE, sign_in_of
from tests.components.people.sign_in.people import People as Remembered
from tests.journals import empty_journal
from warranty.access import Operator, Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.people.accounts import Account, KnownAccounts, account
from warranty.people.accounts.cookie_tickets import CookieTickets
from warranty.people.accounts.people import People

HALF_AN_HOUR, A_SHIFT = timedelta(minutes=30), timedelta(hours=8)
LIMITS = Limits(longest=A_SHIFT, idle=HALF_AN_HOUR)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(open_journal(empty_journal(tmp_path / "journal.sqlite3"))) as opened:
        People(opened.database).put(account("ada", name="Ada", role=Role.MANAGER, password="0123456789", rounds=4))
        yield opened


@pytest.fixture
def sign_in(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> SignIn:
    monkeypatch.setattr(st, "session_state", {"authentication_status": True, "username": "ada"})
    connection = SimpleNamespace(cookies={}, headers={"Origin": "http://127.0.0.1"}, ip_address="10.0.0.1")
    monkeypatch.setattr(st, "context", connection)
    return sign_in_of(KnownAccounts(journal.database), limits=LIMITS)


def began(ago: timedelta, journal: Journal) -> datetime:
    moment = datetime.now(UTC) - ago
    with journal.database.write() as connection:
        connection.exec_driver_sql("update accounts set changed_at = '2020-01-01 00:00:00.000000'")
    session.remember("signed-in-at", moment)
    return moment


def test_an_idle_tab_is_out_and_work_at_one_desk_keeps_all_to_the_limit(sign_in: SignIn, journal: Journal) -> None:
    began(HALF_AN_HOUR + timedelta(minutes=1), journal)
    still = sign_in.watch(sign_in.people.fresh)
    assert still() is None
    since = began(HALF_AN_HOUR - timedelta(minutes=1), journal)
    other = KnownAccounts(journal.database)
    session.set_operator(sign_in.watch()(), still=sign_in.watch(), working=sign_in.works)
    gate.recheck(by_itself=True)  # a screen that draws itself again
    assert other.fresh().worked_at("ada", since) == since
    gate.recheck()  # a press
    assert datetime.now(UTC) - other.fresh().worked_at("ada", since) < HALF_AN_HOUR / 10
    since = began(A_SHIFT + timedelta(minutes=1), journal)
    sign_in.people.worked("ada", since)
    assert not LIMITS.is_idle(other.fresh(), "ada", since)
    assert sign_in.watch(sign_in.people.fresh)() is None


@pytest.mark.parametrize(("changed", "said"), [
    ({"role": Role.STAFF}, "Your role was changed: sign in again."),
    ({"locked": True}, "You were signed out: this account is locked. Ask an administrator."),
    ({"password_hash": "-"}, "You were signed out."),
    ({}, "You were signed out: this account no longer exists. Ask an administrator."),
])  # fmt: skip
def test_who_is_put_out_reads_why_above_the_form(
    changed: dict[str, Any], said: str, sign_in: SignIn, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    began(timedelta(minutes=1), journal)
    session.set_operator(sign_in.watch()())
    ada = People(journal.database).accounts().by_username["ada"]
    if not changed:
        People(journal.database).put(replace(ada, username="eve", role=Role.ADMINISTRATOR))
        People(journal.database).remove("ada")
    else:
        assert People(journal.database).change(ada, **changed)
    sign_in.people.fresh()
    read: list[str] = []
    monkeypatch.setattr(st, "info", read.append)
    monkeypatch.setattr(
        SignIn, "_form", lambda *_, **__: None
    )  # drawn in no run it would stand open for every other test
    for _ in range(2):
        assert sign_in.operator(beside_form=lambda: None) is None
    assert read == [said, said]


KEY = Remembered().last().cookie_key


def cookie(name: str, ago: timedelta = timedelta(minutes=1)) -> dict[str, str]:
    expires = (datetime.now(UTC) - ago + SHIFT).timestamp()
    return {"desk": jwt.encode({"username": name, "exp_date": expires}, KEY, algorithm="HS256")}


@pytest.mark.parametrize(("brings", "is_in"), [
    ({}, False),
    (cookie("ada", timedelta(hours=1)), False),
    (cookie("eve"), False),
    # The browser itself, whose line was away; in another tab of it she signed in anew.
    (cookie("ada"), True),
], ids=["nothing", "hers, idle", "another's", "hers"])  # fmt: skip
def test_only_a_living_cookie_of_its_person_acts_in_a_tab_that_another_connection_entered(
    monkeypatch: pytest.MonkeyPatch, brings: dict[str, str], *, is_in: bool
) -> None:
    def connected(handshake: str, cookies: dict[str, str]) -> None:
        headers = {"Origin": "http://127.0.0.1", HANDSHAKE: handshake}
        monkeypatch.setattr(st, "context", SimpleNamespace(cookies=cookies, headers=headers, ip_address="192.0.2.1"))

    monkeypatch.setattr(st, "session_state", {})
    desk = sign_in_of(Remembered({"ada": ADA, "eve": EVE}), limits=Limits(idle=timedelta(minutes=30)))
    connected("first", cookie("ada", timedelta(minutes=5)))
    ada = desk.operator(beside_form=lambda: None)
    assert ada is not None
    assert ada.is_still_in()
    connected("second", brings)
    assert ada.is_still_in() is is_in


HASH = bcrypt.hashpw(b"counter-training", bcrypt.gensalt(4)).decode()
PERSON = Account(username="staff", name="Sam Counter", role=Role.STAFF, password_hash=HASH)


class CutOff(BaseException):
    """As the platform ends a run: nothing of ours may catch it."""


class Tab(UserDict[Any, Any]):
    """What a tab remembers; it ends the run at the given touch, as Streamlit does at any."""

    touches_left = 1_000_000

    def __getattribute__(self, name: str) -> Any:
        if name == "data":  # where it keeps all that is read, set, looked for or taken out
            self.touches_left -= 1
            if self.touches_left == 0:
                raise CutOff
        return super().__getattribute__(name)


def connected(cookies: dict[str, str]) -> SimpleNamespace:
    return SimpleNamespace(cookies=cookies, headers={"Origin": "http://127.0.0.1"}, ip_address="10.0.0.1")


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tickets that the page was told to hand in; "" for a part that stands ready."""
    told: list[str] = []

    def draw(_: BrowserPart, *, key: str, data: dict[str, Any]) -> None:
        told.extend([each["ticket"] for each in data["tickets"]] or [""])

    monkeypatch.setattr(BrowserPart, "unseen", draw)
    # Outside a server a form stays open for all that comes after.
    monkeypatch.setattr(st._main, "_form_data", None)
    monkeypatch.setattr(st, "context", connected({}))
    return told


@pytest.fixture
def parts() -> SignIn:
    return sign_in_of(Remembered({"staff": PERSON}))


def runs_cut_off_at_every_touch(monkeypatch: pytest.MonkeyPatch, parts: SignIn, start: dict[str, Any]) -> Iterator[Tab]:
    """For each touch of a run: a tab that began like this, whose run was cut off there, and which then ran again."""
    for touch in count(1):
        tab = Tab(start)
        monkeypatch.setattr(st, "session_state", tab)
        tab.touches_left = touch
        try:
            parts.operator(beside_form=lambda: None)
            ended = True
        except CutOff:
            ended = False
        tab.touches_left = 1_000_000
        parts.operator(beside_form=lambda: None)
        yield tab
        if ended:
            assert touch > 5
            return


def test_whoever_is_let_in_gets_a_cookie(monkeypatch: pytest.MonkeyPatch, parts: SignIn, handed: list[str]) -> None:
    let_in = {"authentication_status": True, "username": "staff", "logout": True}
    for tab in runs_cut_off_at_every_touch(monkeypatch, parts, let_in):
        assert session.signed_in_username() == "staff"
        assert tab["desk.signed-in-at"] <= datetime.now(UTC)
        cookie = parts.tickets.take(handed.pop())
        assert cookie is not None
        assert (cookie.name, cookie.value[:2], cookie.seconds > 0) == ("desk", "ey", True)
        handed.clear()


def test_a_sign_out_is_whole(monkeypatch: pytest.MonkeyPatch, parts: SignIn, handed: list[str]) -> None:
    signed_in = {"authentication_status": True, "username": "staff", "logout": True} | {
        "desk.signed-in-at": datetime.now(UTC) - timedelta(minutes=1), "desk.signing-out": "here",
        "first-name": "a customer's", "desk.device": "on which no stranger is waited for",
    }  # fmt: skip
    for tab in runs_cut_off_at_every_touch(monkeypatch, parts, signed_in):
        assert session.signed_in_username() is None
        assert "first-name" not in tab
        assert not [name for name in tab if name in {"desk.signing-out", "desk.signed-in-at"}]
        assert parts.tickets.take(handed.pop()) == Cookie("desk", "", 0)
        handed.clear()
    assert "desk.device" in tab, "which is the tab's, not the person's"


def test_half_a_sign_in_is_none_and_a_name_typed_with_a_wrong_password_is_nobodys(
    monkeypatch: pytest.MonkeyPatch, parts: SignIn, handed: list[str]
) -> None:
    monkeypatch.setattr(st, "session_state", Tab(authentication_status=True))
    assert parts.operator(beside_form=lambda: None) is None
    assert session.signed_in_username() is None
    assert not st.session_state["authentication_status"]  # else the library would draw no form
    assert handed == [""]
    monkeypatch.setattr(st, "session_state", Tab(authentication_status=False, username="staff"))
    assert session.signed_in_username() is None


def test_another_desk_gives_the_cookie_once(monkeypatch: pytest.MonkeyPatch, handed: list[str], tmp_path: Path) -> None:
    def a_desk(journal: Journal) -> SignIn:
        return sign_in_of(KnownAccounts(journal.database), tickets=Tickets(CookieTickets(journal.database), patience=0))

    def comes_to(desk: SignIn, tab: Tab) -> Operator | None:
        monkeypatch.setattr(st, "session_state", tab)
        return desk.operator(beside_form=lambda: None)

    url = empty_journal(tmp_path / "journal.sqlite3")
    with closing(open_journal(url)) as here, closing(open_journal(url)) as there:
        People(here.database).put(PERSON)
        first = a_desk(here)
        comes_to(first, Tab({"authentication_status": True, "username": "staff", "logout": True}))
        ticket, other = handed.pop(), a_desk(there)
        cookie = other.tickets.take(ticket)
        assert cookie is not None
        assert [desk.tickets.take(ticket) for desk in (other, first)] == [None, None], "once, wherever"
        monkeypatch.setattr(st, "context", connected({"desk": cookie.value}))
        assert comes_to(other, Tab()) == PERSON.operator
        other.begin_sign_out()
        assert comes_to(a_desk(here), Tab()) is None, "the copy of a cookie"
