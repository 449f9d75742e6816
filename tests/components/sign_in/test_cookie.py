"""The cookie of a signed-in person: good for a shift, and nothing else is."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
import streamlit

from components.sign_in import sign_in

KEY = "a-key-of-at-least-thirty-two-bytes-for-tests"
LATER = (datetime.now(UTC) + timedelta(hours=1)).timestamp()


def read(monkeypatch: pytest.MonkeyPatch, cookie: str | None) -> tuple[str, datetime] | None:
    cookies = {} if cookie is None else {"desk": cookie}
    monkeypatch.setattr(streamlit, "context", SimpleNamespace(cookies=cookies))
    return sign_in._cookie("desk", KEY)


def signed(content: dict[str, Any], key: str = KEY) -> str:
    return jwt.encode(content, key, algorithm="HS256")


def test_a_cookie_tells_who_signed_in_and_when(monkeypatch: pytest.MonkeyPatch) -> None:
    found = read(monkeypatch, signed({"username": "ada", "exp_date": LATER}))
    assert found is not None
    assert found[0] == "ada"
    assert found[1].timestamp() == pytest.approx(LATER - sign_in.SHIFT.total_seconds())


@pytest.mark.parametrize(
    "cookie",
    [
        None,
        "",
        "rubbish",
        signed({"username": "ada", "exp_date": datetime.now(UTC).timestamp() - 1}),
        signed({"username": "ada", "exp_date": LATER}, key="another-key-of-at-least-thirty-two-bytes"),
        signed({"username": "ada"}),
        signed({"exp_date": LATER}),
        signed({"username": "ada", "exp_date": "tomorrow"}),
        signed({"username": "ada", "exp_date": 1e300}),
        jwt.encode({"username": "ada", "exp_date": LATER}, "", algorithm="none"),
    ],
    ids=[
        "none",
        "empty",
        "rubbish",
        "expired",
        "forged",
        "no-end",
        "nobody",
        "odd-end",
        "endless",
        "unsigned",
    ],
)
def test_any_other_cookie_lets_nobody_in(monkeypatch: pytest.MonkeyPatch, cookie: str | None) -> None:
    assert read(monkeypatch, cookie) is None
