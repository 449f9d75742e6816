"""At a till: who is there by a badge, who by a password, and what ends either."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
import streamlit as st

from components.people.sign_in.limits import SHIFT, Place
from components.platform import session
from components.platform.cookies.names import TILL_COOKIE
from tests.components.people.sign_in.people import ADA, EVE, OneTill, People, sign_in_of, till_with
from warranty.access import Operator, Permission, Station
from warranty.people.accounts import Account
from warranty.people.tills.tills import Till

NOW = datetime.now(UTC)
BEFORE, LATER = NOW - timedelta(minutes=1), NOW + timedelta(minutes=1)
BY_BADGE, BY_PASSWORD = till_with("ada", NOW), till_with()


@pytest.mark.parametrize(
    ("till", "since", "at"),
    [
        (BY_BADGE, NOW, Station("harbour", "till-1", "badge")),
        (BY_PASSWORD, None, Station("harbour", "till-1")),
        (None, None, Station("first")),
        (None, NOW, Station("first", switched_by="pin")),
    ],
    ids=["by a badge", "by a password", "at home", "the till is gone"],
)
def test_who_came_by_a_pin_may_no_more_than_that_opens(till: Till | None, since: datetime | None, at: Station) -> None:
    ada = Operator("ada", "Ada", ADA.role, at=Station("first"))
    here = Place(OneTill(till), "its-key", since).standing(ada)
    assert here is not None
    assert here.at == at
    assert here.may(Permission.RECORD_SALES)
    assert here.may(Permission.SEE_ALL_ACTIVITY) is not bool(since)
    assert Place(OneTill(till), "its-key", since).standing(None) is None


@pytest.mark.parametrize(
    ("till", "ended"),
    [
        (BY_BADGE, False), (replace(BY_BADGE, since=LATER), True), (replace(BY_BADGE, username="eve"), True),
        (BY_PASSWORD, True), (None, True),
    ],
    ids=["is there", "came again", "another is there", "locked", "withdrawn"],
)  # fmt: skip
def test_who_is_switched_in_is_there_until_another_or_the_lock(till: Till | None, *, ended: bool) -> None:
    assert Place(OneTill(till), "its-key", NOW).has_ended("ada", NOW) is ended


@pytest.mark.parametrize(("left", "ended"), [(None, False), (BEFORE, False), (NOW, True), (LATER, True)])
def test_a_password_holds_at_a_till_until_it_is_left(left: datetime | None, *, ended: bool) -> None:
    for till in (BY_PASSWORD, None):  # also one that is no till any more
        assert Place(OneTill(till, left), "its-key", None).has_ended("ada", NOW) is ended


def cookie(since: datetime = NOW) -> str:
    content = {"username": "ada", "exp_date": (since + SHIFT).timestamp()}
    return jwt.encode(content, People().last().cookie_key, algorithm="HS256")


@pytest.mark.parametrize(
    ("sent", "tills", "account", "opens"),
    [
        (cookie(), OneTill(BY_PASSWORD, BEFORE), ADA, True), (cookie(), OneTill(BY_PASSWORD, LATER), ADA, False),
        (cookie(BEFORE), OneTill(till_with("eve", NOW), NOW), ADA, True), ("", OneTill(BY_BADGE), ADA, True),
        ("", OneTill(BY_BADGE), replace(ADA, locked=True), False), ("", OneTill(BY_PASSWORD), ADA, False),
        ("", OneTill(), ADA, False),
    ],
    ids=["since", "left since", "left, and another came", "by a badge", "locked out", "nobody", "no till"],
)  # fmt: skip
def test_files_go_out_at_a_till_to_who_is_there(sent: str, tills: OneTill, account: Account, *, opens: bool) -> None:
    desk = sign_in_of(People({"ada": account, "eve": EVE}), tills=tills)
    assert desk.is_signed_in(sent, "its-key") is opens


@pytest.mark.parametrize(
    ("tab", "account", "done", "is_out_everywhere", "by_way_of"),
    [
        ({}, ADA, [], True, "here"),
        ({}, replace(ADA, issuer="https://id.example"), [], True, "at the provider"),
        ({"desk.switched-in-since": NOW}, ADA, ["locked its-key"], False, "here"),
        ({"desk.switched-in-since": NOW}, replace(ADA, issuer="https://id.example"), ["locked its-key"], False, "here"),
    ],
    ids=["by a password", "by the provider", "by a badge", "by a badge, though they have a provider"],
)  # fmt: skip
def test_a_sign_out_ends_what_the_person_came_by_and_a_badge_leaves_the_till_alone(
    monkeypatch: pytest.MonkeyPatch,
    tab: dict[str, Any],
    account: Account,
    done: list[str],
    by_way_of: str,
    *,
    is_out_everywhere: bool,
) -> None:
    signed_in = {"authentication_status": True, "username": "ada", **tab}
    cookies, headers = {TILL_COOKIE: "its-key"}, {"Origin": "http://till"}
    browser = SimpleNamespace(cookies=cookies, headers=headers, ip_address="")
    monkeypatch.setattr(st, "session_state", signed_in)
    monkeypatch.setattr(st, "context", browser)
    people, tills = People({"ada": account}), OneTill(BY_BADGE)
    sign_in_of(people, tills=tills).begin_sign_out()
    assert tills.done == done
    assert ("ada" in people.signed_out) is is_out_everywhere
    assert session.recall("signing-out", "") == by_way_of
