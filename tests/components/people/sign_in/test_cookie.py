"""Who is there by a cookie, a badge or a password at a till: good for a shift, once all is proven, until it is left."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
import streamlit as st

from components.people.sign_in import sign_in
from components.people.sign_in.limits import SHIFT, Limits, Place
from components.platform import session
from components.platform.cookies.names import TILL_COOKIE, as_sent, name_in_browser, ours
from components.platform.sign_in_library import SignInLibrary
from tests.components.people.sign_in.people import ADA, EVE, OneTill, People, sign_in_of, till_with
from warranty.access import Operator, Permission, Station
from warranty.people.accounts import Account
from warranty.people.tills.tills import Till

PEOPLE = People().last()
KEY = PEOPLE.cookie_key
NOW = datetime.now(UTC)
LATER = (NOW + timedelta(hours=1)).timestamp()


def read(cookie: str) -> tuple[str, datetime] | None:
    return sign_in._cookie(cookie, PEOPLE)


def signed(content: dict[str, Any], key: str = KEY) -> str:
    return jwt.encode(content, key, algorithm="HS256")


def test_a_cookie_tells_who_signed_in_and_when() -> None:
    found = read(signed({"username": "ada", "exp_date": LATER}))
    assert found is not None
    assert found[0] == "ada"
    assert found[1].timestamp() == pytest.approx(LATER - SHIFT.total_seconds())


def test_a_sign_in_begins_by_the_databases_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {"username": "ada"})
    behind = replace(PEOPLE, behind=timedelta(minutes=5))  # as at a desk whose clock is
    began = SignInLibrary(behind, "desk", SHIFT).give_cookie(behind.now())
    assert timedelta(0) <= behind.now() - began < timedelta(seconds=20)
    noted: dict[str, Any] = session.recall("cookies", {})
    cookie = noted["desk"][0]
    assert sign_in._cookie(cookie.value, behind) == ("ada", began)
    assert not Limits().ended(behind, "ada", began)
    assert read(cookie.value) is None, "of a time to come, where the clock is right"


ANY_OTHER = {
    "empty": "", "rubbish": "rubbish", "expired": signed({"username": "ada", "exp_date": NOW.timestamp() - 1}),
    "forged": signed({"username": "ada", "exp_date": LATER}, key="another-key-of-at-least-thirty-two-bytes"),
    "no end": signed({"username": "ada"}), "nobody": signed({"exp_date": LATER}),
    "odd end": signed({"username": "ada", "exp_date": "tomorrow"}),
    "endless": signed({"username": "ada", "exp_date": 1e300}),
    "unsigned": jwt.encode({"username": "ada", "exp_date": LATER}, "", algorithm="none"),
}  # fmt: skip


@pytest.mark.parametrize("cookie", ANY_OTHER.values(), ids=ANY_OTHER)
def test_any_other_cookie_lets_nobody_in(cookie: str) -> None:
    assert read(cookie) is None


def test_files_go_to_a_sign_in_whose_second_factor_was_given_and_to_no_other_of_the_same_person() -> None:
    given: set[tuple[str, int]] = set()
    desk = sign_in_of(
        People({"ada": ADA, "eve": EVE}),
        owes=lambda _, operator, since: (operator.username, round(since.timestamp())) not in given,
    )

    def has_files() -> list[tuple[str, int]]:
        ends = {hours: (NOW + timedelta(hours=hours)).timestamp() for hours in (1, 2)}
        asked = [(name, hours) for name in ("ada", "eve") for hours in ends]
        return [(who, at) for who, at in asked if desk.is_signed_in(signed({"username": who, "exp_date": ends[at]}))]

    assert has_files() == []
    given.add(("ada", round((NOW + timedelta(hours=2) - SHIFT).timestamp())))
    assert has_files() == [("ada", 2)]


@pytest.mark.parametrize(("origin", "name"), [
    ("https://desk.example", "__Host-desk"), ("https://desk.example:443", "__Host-desk"),
    ("https://desk.example:8443", "__Host-desk_8443"), ("http://127.0.0.1:8501", "desk_8501"),
    ("http://127.0.0.1:80", "desk"),
])  # fmt: skip
def test_a_cookie_of_ours_is_called_by_the_port_and_over_https_by_this_host(origin: str, name: str) -> None:
    assert name_in_browser("desk", origin) == name
    assert ours("desk", {name: "x"}, {"Origin": origin}) == "x"
    assert ours("desk", {"another": "x"}, {"Origin": origin}) == ""


def test_of_a_request_without_an_origin_the_proxy_says_whether_it_came_over_https() -> None:
    cookies = {"__Host-desk": "by tls", "desk_8501": "in plain"}
    host = {"host": "desk.example", "x-forwarded-proto": "https, http"}
    assert ours("desk", cookies, host, "http") == "by tls"
    assert ours("desk", cookies, {"host": "desk.example:8501"}, "http") == "in plain"
    assert ours("desk", cookies, {"host": "desk.example:8501"}) == ""
    assert ours("desk", cookies, {"host": "desk.example:port"}, "http") == ""


@pytest.mark.parametrize(("cookie", "is_secure", "sent"), [
    ("_streamlit_user=x; Max-Age=2592000; Path=/", True, "_streamlit_user=x; Max-Age=43200; Path=/; Secure"),
    ("_streamlit_user_tokens=x; max-age=600; SECURE", True, "_streamlit_user_tokens=x; max-age=600; SECURE"),
    ("_streamlit_xsrf=x; Max-Age=2592000", False, "_streamlit_xsrf=x; Max-Age=2592000"),
])  # fmt: skip
def test_what_the_platform_keeps_lasts_a_shift_on_https(cookie: str, sent: str, *, is_secure: bool) -> None:
    assert as_sent(cookie, is_secure=is_secure) == sent


BEFORE, AFTER = NOW - timedelta(minutes=1), NOW + timedelta(minutes=1)
BY_BADGE, BY_PASSWORD = till_with("ada", NOW), till_with()


@pytest.mark.parametrize(("till", "since", "at"), [
    (BY_BADGE, NOW, Station("harbour", "till-1", "badge")), (BY_PASSWORD, None, Station("harbour", "till-1")),
    (None, None, Station("first")), (None, NOW, Station("first", switched_by="pin")),
], ids=["by a badge", "by a password", "at home", "the till is gone"])  # fmt: skip
def test_who_came_by_a_pin_may_no_more_than_that_opens(till: Till | None, since: datetime | None, at: Station) -> None:
    here = Place(OneTill(till), "its-key", since).standing(Operator("ada", "Ada", ADA.role, at=Station("first")))
    assert here is not None
    assert here.at == at
    assert here.may(Permission.RECORD_SALES)
    assert here.may(Permission.SEE_ALL_ACTIVITY) is not bool(since)
    assert Place(OneTill(till), "its-key", since).standing(None) is None


@pytest.mark.parametrize(("till", "ended"), [
    (BY_BADGE, False), (replace(BY_BADGE, since=AFTER), True), (replace(BY_BADGE, username="eve"), True),
    (BY_PASSWORD, True), (None, True),
], ids=["is there", "came again", "another is there", "locked", "withdrawn"])  # fmt: skip
def test_who_is_switched_in_is_there_until_another_or_the_lock(till: Till | None, *, ended: bool) -> None:
    assert Place(OneTill(till), "its-key", NOW).has_ended("ada", NOW) is ended


@pytest.mark.parametrize(("left", "ended"), [(None, False), (BEFORE, False), (NOW, True), (AFTER, True)])
def test_a_password_holds_at_a_till_until_it_is_left(left: datetime | None, *, ended: bool) -> None:
    for till in (BY_PASSWORD, None):  # also one that is no till any more
        assert Place(OneTill(till, left), "its-key", None).has_ended("ada", NOW) is ended


def cookie(since: datetime = NOW) -> str:
    content = {"username": "ada", "exp_date": (since + SHIFT).timestamp()}
    return jwt.encode(content, People().last().cookie_key, algorithm="HS256")


@pytest.mark.parametrize(("sent", "tills", "account", "opens"), [
    (cookie(), OneTill(BY_PASSWORD, BEFORE), ADA, True), (cookie(), OneTill(BY_PASSWORD, AFTER), ADA, False),
    (cookie(BEFORE), OneTill(till_with("eve", NOW), NOW), ADA, True), ("", OneTill(BY_BADGE), ADA, True),
    ("", OneTill(BY_BADGE), replace(ADA, locked=True), False), ("", OneTill(BY_PASSWORD), ADA, False),
    ("", OneTill(), ADA, False),
], ids=["since", "left since", "left, and another came", "by a badge", "locked out", "nobody", "no till"])  # fmt: skip
def test_files_go_out_at_a_till_to_who_is_there(sent: str, tills: OneTill, account: Account, *, opens: bool) -> None:
    assert sign_in_of(People({"ada": account, "eve": EVE}), tills=tills).is_signed_in(sent, "its-key") is opens


@pytest.mark.parametrize(("tab", "account", "by_way_of"), [
    ({}, ADA, "here"), ({}, replace(ADA, issuer="https://id.example"), "at the provider"),
    ({"desk.switched-in-since": NOW}, ADA, "here"),
    ({"desk.switched-in-since": NOW}, replace(ADA, issuer="https://id.example"), "here"),
], ids=["by a password", "by the provider", "by a badge", "by a badge, though they have a provider"])  # fmt: skip
def test_a_sign_out_ends_what_the_person_came_by_and_a_badge_leaves_the_till_alone(
    monkeypatch: pytest.MonkeyPatch, tab: dict[str, Any], account: Account, by_way_of: str
) -> None:
    signed_in = {"authentication_status": True, "username": "ada", **tab}
    cookies, headers = {TILL_COOKIE: "its-key"}, {"Origin": "http://till"}
    browser = SimpleNamespace(cookies=cookies, headers=headers, ip_address="")
    monkeypatch.setattr(st, "session_state", signed_in)
    monkeypatch.setattr(st, "context", browser)
    people, tills = People({"ada": account}), OneTill(BY_BADGE)
    sign_in_of(people, tills=tills).begin_sign_out()
    assert (tills.done, "ada" in people.signed_out) == ((["locked its-key"], False) if tab else ([], True))
    assert session.recall("signing-out", "") == by_way_of
