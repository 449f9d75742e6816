"""A run may be cut off wherever it touches what the tab remembers: by the next click, or a second press."""

from collections import UserDict
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bcrypt
import pytest
import streamlit as st

from components.people.sign_in.sign_in import SignIn
from components.platform import session
from components.platform.browser_part import BrowserPart
from components.platform.cookies.tickets import Cookie, Tickets
from tests.components.people.sign_in.people import People as Remembered
from tests.components.people.sign_in.people import sign_in_of
from tests.journals import empty_journal
from warranty.access import Operator, Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.people.accounts import Account, KnownAccounts
from warranty.people.accounts.cookie_tickets import CookieTickets
from warranty.people.accounts.people import People

HASH = bcrypt.hashpw(b"counter-training", bcrypt.gensalt(4)).decode()
PERSON = Account(username="staff", name="Sam Counter", role=Role.STAFF, password_hash=HASH)


class CutOff(BaseException):
    """As the platform ends a run: nothing of ours may catch it."""


class Tab(UserDict[Any, Any]):
    """What a tab remembers; it ends the run at the given touch, as Streamlit does at any."""

    touches_left = 1_000_000

    def _touch(self) -> None:
        self.touches_left -= 1
        if self.touches_left == 0:
            raise CutOff

    def __getitem__(self, key: Any) -> Any:
        self._touch()
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._touch()
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        self._touch()
        super().__delitem__(key)

    def __contains__(self, key: Any) -> bool:
        self._touch()
        return super().__contains__(key)


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
        "desk.signed-in-at": datetime.now(UTC) - timedelta(minutes=1),
        "desk.signing-out": "here",
        "first-name": "a customer's",
        "desk.device": "on which no stranger is waited for",
    }
    for tab in runs_cut_off_at_every_touch(monkeypatch, parts, signed_in):
        assert session.signed_in_username() is None
        assert "first-name" not in tab
        assert not [name for name in tab if name in {"desk.signing-out", "desk.signed-in-at"}]
        assert parts.tickets.take(handed.pop()) == Cookie("desk", "", 0)
        handed.clear()
    assert "desk.device" in tab, "which is the tab's, not the person's"


def test_half_a_sign_in_is_none(monkeypatch: pytest.MonkeyPatch, parts: SignIn, handed: list[str]) -> None:
    monkeypatch.setattr(st, "session_state", Tab(authentication_status=True))
    assert parts.operator(beside_form=lambda: None) is None
    assert session.signed_in_username() is None
    assert not st.session_state["authentication_status"]  # else the library would draw no form
    assert handed == [""]


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


def test_a_name_that_was_typed_with_a_wrong_password_is_nobodys_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", Tab(authentication_status=False, username="staff"))
    assert session.signed_in_username() is None
