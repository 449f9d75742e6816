"""The cookie of a signed-in person: good for a shift, and nothing else is."""

from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest

from components.sign_in import sign_in
from components.sign_in.limits import SHIFT

KEY = "a-key-of-at-least-thirty-two-bytes-for-tests"
LATER = (datetime.now(UTC) + timedelta(hours=1)).timestamp()


def read(cookie: str) -> tuple[str, datetime] | None:
    return sign_in._cookie(cookie, KEY)


def signed(content: dict[str, Any], key: str = KEY) -> str:
    return jwt.encode(content, key, algorithm="HS256")


def test_a_cookie_tells_who_signed_in_and_when() -> None:
    found = read(signed({"username": "ada", "exp_date": LATER}))
    assert found is not None
    assert found[0] == "ada"
    assert found[1].timestamp() == pytest.approx(LATER - SHIFT.total_seconds())


@pytest.mark.parametrize(
    "cookie",
    [
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
def test_any_other_cookie_lets_nobody_in(cookie: str) -> None:
    assert read(cookie) is None
