"""The cookie of a signed-in person: good for a shift, once all of them is proven, and nothing else is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest
import streamlit as st

from components.people.sign_in import sign_in
from components.people.sign_in.limits import SHIFT, Limits
from components.platform import session
from components.platform.cookies.names import as_sent, name_in_browser, ours
from components.platform.sign_in_library import SignInLibrary
from tests.components.people.sign_in.people import ADA, EVE, People, sign_in_of

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
        return [
            (name, hours)
            for name in ("ada", "eve")
            for hours in (1, 2)
            if desk.is_signed_in(signed({"username": name, "exp_date": (NOW + timedelta(hours=hours)).timestamp()}))
        ]

    assert has_files() == []
    given.add(("ada", round((NOW + timedelta(hours=2) - SHIFT).timestamp())))
    assert has_files() == [("ada", 2)]


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("https://desk.example", "__Host-desk"),
        ("https://desk.example:443", "__Host-desk"),
        ("https://desk.example:8443", "__Host-desk_8443"),
        ("http://127.0.0.1:8501", "desk_8501"),
        ("http://127.0.0.1:80", "desk"),
    ],
)
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


@pytest.mark.parametrize(
    ("cookie", "is_secure", "sent"),
    [
        ("_streamlit_user=x; Max-Age=2592000; Path=/", True, "_streamlit_user=x; Max-Age=43200; Path=/; Secure"),
        ("_streamlit_user_tokens=x; max-age=600; SECURE", True, "_streamlit_user_tokens=x; max-age=600; SECURE"),
        ("_streamlit_xsrf=x; Max-Age=2592000", False, "_streamlit_xsrf=x; Max-Age=2592000"),
    ],
)  # fmt: skip
def test_what_the_platform_keeps_lasts_a_shift_on_https(cookie: str, sent: str, *, is_secure: bool) -> None:
    assert as_sent(cookie, is_secure=is_secure) == sent
