"""300 tablets that lose the Wi-Fi at once: each has its session again, and what was typed into it."""

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.streamlit_viewer import Viewer
from tests.chain.ordeal import cookie_of
from tests.dashboard import Dashboard
from tests.machine import in_a_loop_of_its_own
from warranty.access import Role
from warranty.accounts import account
from warranty.journal import open_journal

TABLETS = 300
AT_ONCE = 8
KEY = "k" * 64


def sign_up(folder: Path) -> list[str]:
    names = [f"clerk{number}" for number in range(TABLETS)]
    one = account("clerk", name="Clerk", role=Role.STAFF, password="counter-training", rounds=4)
    with closing(open_journal(f"sqlite:///{folder / 'journal.sqlite3'}")) as journal:
        journal.people.take_over([replace(one, username=name) for name in names], cookie_key=KEY)
    return names


async def at_work(tablets: list[Viewer]) -> None:
    """Each at a fresh order: a field typed and not yet left, on some after another that was sent."""
    some = asyncio.Semaphore(AT_ONCE)

    async def begin(number: int, tablet: Viewer) -> None:
        async with some:
            await tablet.__aenter__()
            await tablet.open()
            if number % 3 == 0:
                await tablet.set("text_input", "First name", string_value=f"Ada {number}")
            tablet.prepare("text_input", "E-mail", string_value=f"ada{number}@example.com")

    await asyncio.gather(*(begin(number, tablet) for number, tablet in enumerate(tablets)))


async def back(tablet: Viewer) -> None:
    await tablet.come_back()
    await tablet.open()


async def lost_and_back(dashboard: Dashboard, signed_in: list[str]) -> None:
    tablets = [Viewer(dashboard.url, cookie=each) for each in signed_in]
    await at_work(tablets)
    sessions = [tablet.session for tablet in tablets]
    for tablet in tablets[::2]:  # the server hears of these, and of the others nothing
        tablet.drop()
    async with asyncio.timeout(120):
        await asyncio.gather(*map(back, tablets))
    assert [tablet.session for tablet in tablets] == sessions
    emails, names = (
        [tablet.held[label] for tablet in of]
        for label, of in (("E-mail", tablets), ("First name", tablets[::3]))
    )
    assert emails == [f"ada{number}@example.com" for number in range(TABLETS)]
    assert names == [f"Ada {number}" for number in range(0, TABLETS, 3)]
    # Also where the session is gone, at another replica or after a restart: from the draft in the journal.
    for tablet in tablets[:10]:
        await tablet.__aexit__()
        async with Viewer(dashboard.url, cookie=tablet.cookie) as elsewhere:
            await elsewhere.open()
        assert elsewhere.session != tablet.session
        assert elsewhere.held["E-mail"] == tablet.held["E-mail"]


@pytest.mark.long
@pytest.mark.timeout(400)
def test_300_tablets_that_lose_the_wifi_at_once_lose_nothing(tmp_path: Path) -> None:
    names = sign_up(tmp_path)
    with Dashboard(tmp_path) as dashboard:
        signed_in = [cookie_of(name, KEY, dashboard.url) for name in names]
        in_a_loop_of_its_own(lost_and_back(dashboard, signed_in))
        dashboard.kill()  # 300 screens may still be drawn, for nobody
