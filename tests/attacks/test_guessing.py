"""Passwords and PINs guessed from outside, as a program does it (docs/security.md, H3)."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.conftest import PIN
from tests.attacks.visits import cookie_at_a_till, visited
from tests.builders import may_sign_in
from tests.chain.ordeal import cookie_of
from tests.dashboard import Dashboard
from tests.journals import journal_in
from tests.machine import in_a_loop_of_its_own as done
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail
from warranty.people.tills.switching import new_badge_code

RIGHT = "three odd teapots"
JUDGED = 5
"""So many tries of a name from an address are judged before the next one has to wait."""


@pytest.fixture
def guessed_at(tmp_path: Path) -> Iterator[Dashboard]:
    may_sign_in(tmp_path, "bob", name="Bob", password=RIGHT)
    with Dashboard(tmp_path) as running:
        yield running


async def guesses(desk: Dashboard, passwords: Sequence[str], *, at_once: bool) -> Counter[str]:
    async with AsyncExitStack() as open_:
        tabs = [
            await open_.enter_async_context(Viewer(desk.url, headers={"X-Forwarded-For": f"203.0.113.{number}"}))
            for number in range(len(passwords))
        ]
        for tab, password in zip(tabs, passwords, strict=True):
            await tab.open()
            tab.prepare("text_input", "Name", string_value="bob")
            tab.prepare("text_input", "Password", string_value=password)
        presses = [tab.set("button", "Sign in", trigger_value=True) for tab in tabs]
        if at_once:
            await asyncio.gather(*presses)
        else:
            for press in presses:
                await press
        for tab in tabs:
            if not tab.texts:  # who is in is taken on by a run of its own
                await tab.open()
        return Counter(_told(tab) for tab in tabs)


def _told(tab: Viewer) -> str:
    said = " ".join(tab.texts)
    if "Too many wrong tries" in said:
        return "waits"
    return "wrong" if "Name or password is not right" in said else "in"


@pytest.mark.long
@pytest.mark.parametrize(("tries", "at_once"), [(16, True), (12, False)], ids=["side by side", "an address each"])
def test_of_guesses_from_outside_five_are_judged_and_no_later(guessed_at: Dashboard, tries: int, at_once: bool) -> None:
    """The addresses that they claim are not believed; the right password comes last."""
    wrong = [f"wrong-{number}" for number in range(tries)]
    if at_once:  # whichever are first: no right one among them
        told = done(guesses(guessed_at, wrong, at_once=True))
    else:
        told = done(guesses(guessed_at, [*wrong[:-1], RIGHT], at_once=False))
    assert told == {"wrong": JUDGED, "waits": tries - JUDGED}
    with journal_in(guessed_at.data_dir) as journal:
        rows = AuditTrail(journal.database, "sandbox").rows(AuditFilter(kind=AuditKind.WRONG_TRY))
    assert [row.username for row in rows] == ["bob"] * JUDGED


def tried(dashboard: Dashboard, till: str, **said: str) -> int:
    headers = {"Origin": dashboard.url, **({"Cookie": till} if till else {})}
    return httpx.post(f"{dashboard.url}/till/switch", json=said, headers=headers, timeout=60).status_code


def test_a_right_pin_opens_nothing_away_from_a_till_and_no_try_is_told_nothing(dashboard: Dashboard, till: str) -> None:
    name = till.split("=", maxsplit=1)[0]
    for elsewhere in ("", f"{name}=", f"{name}=guessed"):
        assert tried(dashboard, elsewhere, person="ada", pin=PIN) == 404
        assert tried(dashboard, elsewhere, badge=new_badge_code()) == 404
        assert httpx.get(f"{dashboard.url}/till/now", headers={"Cookie": elsewhere}, timeout=60).status_code == 404
    assert tried(dashboard, till, person="ada", pin=PIN) == 200
    for body in (b"", b"[]", b"null", b'{"person": {"$ne": ""}, "pin": 1}', b"\xff" * 100, b"x" * 5_000):
        answer = httpx.post(f"{dashboard.url}/till/switch", content=body, headers={"Origin": dashboard.url}, timeout=60)
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
    assert (("button", "Sign out") in visited(Viewer(dashboard.url, cookie=cookie)).widgets) is is_in
