"""A PIN from outside: without the key of a till's browser nothing is looked at, and with it five tries are."""

from datetime import timedelta

import httpx
import pytest

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.conftest import PIN
from tests.attacks.visits import cookie_at_a_till, done
from tests.chain.ordeal import cookie_of
from tests.dashboard import Dashboard
from warranty.people.tills.switching import new_badge_code


def tried(dashboard: Dashboard, till: str, **said: str) -> int:
    headers = {"Origin": dashboard.url, **({"Cookie": till} if till else {})}
    return httpx.post(f"{dashboard.url}/till/switch", json=said, headers=headers, timeout=60).status_code


def test_a_right_pin_opens_nothing_away_from_a_till(dashboard: Dashboard, till: str) -> None:
    name = till.split("=", maxsplit=1)[0]
    for elsewhere in ("", f"{name}=", f"{name}=guessed"):
        assert tried(dashboard, elsewhere, person="ada", pin=PIN) == 404
        assert tried(dashboard, elsewhere, badge=new_badge_code()) == 404
        assert httpx.get(f"{dashboard.url}/till/now", headers={"Cookie": elsewhere}, timeout=60).status_code == 404
    assert tried(dashboard, till, person="ada", pin=PIN) == 200


def test_what_is_no_try_is_told_nothing(dashboard: Dashboard, till: str) -> None:
    for body in (b"", b"[]", b"null", b'{"person": {"$ne": ""}, "pin": 1}', b"\xff" * 100, b"x" * 5_000):
        headers = {"Origin": dashboard.url}
        answer = httpx.post(f"{dashboard.url}/till/switch", content=body, headers=headers, timeout=60)
        assert (answer.status_code, answer.content) == (404, b"")


@pytest.mark.parametrize("by", ["pin", "password"])
@pytest.mark.parametrize(("minutes", "is_in"), [(1, True), (3, False)])
def test_a_till_whose_browser_was_closed_opens_to_nobody_after_its_screen_would_have_locked(
    dashboard: Dashboard, cookie_key: str, by: str, minutes: int, *, is_in: bool
) -> None:
    """The page locks it a minute after the last touch; that somebody works is written down once a minute."""
    ago = timedelta(minutes=minutes)  # of somebody whom no other test signs out
    cookie = cookie_at_a_till(dashboard, "cleo" if by == "pin" else "", ago=ago)
    if by == "password":
        cookie += "; " + cookie_of("cleo", cookie_key, dashboard.url, ago=ago)
    tab = Viewer(dashboard.url, cookie=cookie)

    async def open_again() -> None:
        async with tab:
            await tab.open()

    done(open_again())
    assert (("button", "Sign out") in tab.widgets) is is_in
