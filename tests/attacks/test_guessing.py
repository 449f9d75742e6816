"""Passwords guessed from outside, at the form, as a program does it (docs/security.md, H3)."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.visits import done
from tests.builders import may_sign_in
from tests.dashboard import Dashboard
from tests.journals import journal_in
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail

RIGHT = "three odd teapots"
JUDGED = 5
"""So many tries of a name from an address are judged before the next one has to wait."""


@pytest.fixture
def guessed_at(tmp_path: Path) -> Iterator[Dashboard]:
    may_sign_in(tmp_path, "bob", name="Bob", password=RIGHT)
    with Dashboard(tmp_path) as running:
        yield running


async def guesses(desk: Dashboard, passwords: Sequence[str], *, at_once: bool) -> Counter[str]:
    """What became of each guess, from a tab of its own that names an address of its own."""
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
