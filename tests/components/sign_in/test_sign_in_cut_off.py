"""A run may be cut off wherever it touches what the tab remembers: by the next click, or a second press."""

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

from components import session
from components.sign_in import cookie
from components.sign_in.sign_in import SignIn
from tests.components.sign_in.people import AnyNumber, People
from warranty.access import Operator, Role
from warranty.accounts import Account, KnownAccounts
from warranty.journal import Journal, open_journal

HASH = bcrypt.hashpw(b"counter-training", bcrypt.gensalt(4)).decode()


class CutOff(BaseException):
    """As the platform ends a run: nothing of ours may catch it."""


class Tab(dict[str, Any]):
    """What a tab remembers; it ends the run at the given touch, as Streamlit does at any."""

    touches_left = 1_000_000

    def _touch(self) -> None:
        self.touches_left -= 1
        if self.touches_left == 0:
            raise CutOff

    def __getitem__(self, key: str) -> Any:
        self._touch()
        return super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._touch()
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        self._touch()
        super().__delitem__(key)

    def __contains__(self, key: object) -> bool:
        self._touch()
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._touch()
        return super().get(key, default)

    def pop(self, key: str, default: Any = None) -> Any:
        found = self.get(key, default)
        if key in self:
            del self[key]
        return found


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cookies that the browser was told to write."""
    told: list[str] = []
    monkeypatch.setattr(
        cookie,
        "browser_part",
        lambda name, js: lambda *, key, data: told.append(data["cookie"]) if key else None,
    )
    monkeypatch.setattr(
        st._main, "_form_data", None
    )  # outside a server a form stays open for all that comes after
    monkeypatch.setattr(st, "context", SimpleNamespace(cookies={}, ip_address="10.0.0.1"))
    return told


@pytest.fixture
def parts() -> SignIn:
    person = Account(username="staff", name="Sam Counter", role=Role.STAFF, password_hash=HASH)
    return SignIn(
        people=People({"staff": person}),
        cookie_name="desk",
        tries=AnyNumber(),
    )


def runs_cut_off_at_every_touch(
    monkeypatch: pytest.MonkeyPatch, parts: SignIn, start: dict[str, Any]
) -> Iterator[Tab]:
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


def test_whoever_was_let_in_gets_a_cookie_and_a_moment_wherever_the_run_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, parts: SignIn, written: list[str]
) -> None:
    let_in = {"authentication_status": True, "username": "staff", "logout": True}
    for tab in runs_cut_off_at_every_touch(monkeypatch, parts, let_in):
        assert session.signed_in_username() == "staff"
        assert tab["desk.signed-in-at"] <= datetime.now(UTC)
        assert written.pop().startswith("desk=ey")
        written.clear()


def test_a_sign_out_is_whole_wherever_the_run_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, parts: SignIn, written: list[str]
) -> None:
    signed_in = {"authentication_status": True, "username": "staff", "logout": True} | {
        "desk.signed-in-at": datetime.now(UTC) - timedelta(minutes=1),
        "desk.signing-out": True,
        "first-name": "a customer's",
    }
    for tab in runs_cut_off_at_every_touch(monkeypatch, parts, signed_in):
        assert session.signed_in_username() is None
        assert "first-name" not in tab
        assert not [name for name in tab if name in {"desk.signing-out", "desk.signed-in-at"}]
        assert written.pop().startswith("desk=;")
        written.clear()


def test_half_a_sign_in_is_no_sign_in(
    monkeypatch: pytest.MonkeyPatch, parts: SignIn, written: list[str]
) -> None:
    monkeypatch.setattr(st, "session_state", Tab(authentication_status=True))
    assert parts.operator(beside_form=lambda: None) is None
    assert session.signed_in_username() is None
    assert not st.session_state["authentication_status"]  # else the library would draw no form
    assert written == [""]


def test_who_signed_in_at_a_desk_that_is_gone_is_signed_in_at_another_until_they_sign_out_there(
    monkeypatch: pytest.MonkeyPatch, written: list[str], tmp_path: Path
) -> None:
    person = Account(username="staff", name="Sam Counter", role=Role.STAFF, password_hash=HASH)

    def a_desk(journal: Journal) -> SignIn:
        return SignIn(people=KnownAccounts(journal.people), cookie_name="desk", tries=AnyNumber())

    def comes_to(desk: SignIn, tab: Tab) -> Operator | None:
        monkeypatch.setattr(st, "session_state", tab)
        return desk.operator(beside_form=lambda: None)

    url = f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    with closing(open_journal(url)) as here, closing(open_journal(url)) as there:
        here.people.put(person)
        comes_to(a_desk(here), Tab({"authentication_status": True, "username": "staff", "logout": True}))
        cookies = {"desk": written.pop().split(";")[0].removeprefix("desk=")}
        monkeypatch.setattr(st, "context", SimpleNamespace(cookies=cookies, ip_address="10.0.0.1"))
        other = a_desk(there)
        assert comes_to(other, Tab()) == person.operator
        other.begin_sign_out()
        assert comes_to(a_desk(here), Tab()) is None, "the copy of a cookie"
