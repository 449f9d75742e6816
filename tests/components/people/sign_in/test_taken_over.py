"""The platform hands a tab to whoever names its session: a press of theirs, which runs before the screen, is void."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import jwt
import pytest
import streamlit as st

from components.people.sign_in.limits import SHIFT, Limits
from components.platform.session import HANDSHAKE
from tests.components.people.sign_in.people import ADA, EVE, People, sign_in_of

KEY = People().last().cookie_key


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
    desk = sign_in_of(People({"ada": ADA, "eve": EVE}), limits=Limits(idle=timedelta(minutes=30)))
    connected("first", cookie("ada", timedelta(minutes=5)))
    ada = desk.operator(beside_form=lambda: None)
    assert ada is not None
    assert ada.is_still_in()
    connected("second", brings)
    assert ada.is_still_in() is is_in
