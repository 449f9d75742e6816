"""A sign-in ends by itself: under which nobody works, and at its limit, whatever is done under it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
import streamlit as st

from components import gate
from components.people.sign_in.limits import SHIFT, Limits
from components.people.sign_in.sign_in import SignIn
from components.platform import session
from components.platform.session import HANDSHAKE
from tests.components.people.sign_in.people import ADA, EVE, sign_in_of
from tests.components.people.sign_in.people import People as Remembered
from tests.journals import empty_journal
from warranty.access import Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.people.accounts import KnownAccounts, account
from warranty.people.accounts.people import People

HALF_AN_HOUR, A_SHIFT = timedelta(minutes=30), timedelta(hours=8)
LIMITS = Limits(longest=A_SHIFT, idle=HALF_AN_HOUR)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(open_journal(empty_journal(tmp_path / "journal.sqlite3"))) as opened:
        ada = account("ada", name="Ada", role=Role.MANAGER, password="0123456789", rounds=4)
        People(opened.database).put(ada)
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


def test_an_idle_tab_is_out_and_a_press_in_it_does_nothing(sign_in: SignIn, journal: Journal) -> None:
    began(HALF_AN_HOUR + timedelta(minutes=1), journal)
    still = sign_in.watch(sign_in.people.fresh)
    assert still() is None


def test_work_at_one_desk_keeps_the_sign_in_at_all_to_its_limit(sign_in: SignIn, journal: Journal) -> None:
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


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"role": Role.STAFF}, "Your role was changed: sign in again."),
        ({"locked": True}, "You were signed out: this account is locked. Ask an administrator."),
        ({"password_hash": "-"}, "You were signed out."),
        ({}, "You were signed out: this account no longer exists. Ask an administrator."),
    ],
)
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


@pytest.mark.parametrize(
    ("brings", "is_in"),
    [
        ({}, False),
        (cookie("ada", timedelta(hours=1)), False),
        (cookie("eve"), False),
        # The browser itself, whose line was away; in another tab of it she signed in anew.
        (cookie("ada"), True),
    ],
    ids=["nothing", "hers, idle", "another's", "hers"],
)
def test_only_a_living_cookie_of_its_person_acts_in_a_tab_that_another_connection_entered(
    monkeypatch: pytest.MonkeyPatch, brings: dict[str, str], *, is_in: bool
) -> None:
    def connected(handshake: str, cookies: dict[str, str]) -> None:
        headers = {"Origin": "http://127.0.0.1", HANDSHAKE: handshake}
        context = SimpleNamespace(cookies=cookies, headers=headers, ip_address="192.0.2.1")
        monkeypatch.setattr(st, "context", context)

    monkeypatch.setattr(st, "session_state", {})
    desk = sign_in_of(Remembered({"ada": ADA, "eve": EVE}), limits=Limits(idle=timedelta(minutes=30)))
    connected("first", cookie("ada", timedelta(minutes=5)))
    ada = desk.operator(beside_form=lambda: None)
    assert ada is not None
    assert ada.is_still_in()
    connected("second", brings)
    assert ada.is_still_in() is is_in
