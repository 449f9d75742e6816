"""Whatever a stranger or a clerk's page says, the desk goes on for everybody."""

import asyncio

import pytest

from benchmarks.streamlit_viewer import Viewer
from tests.attacks.fuzz import WARM, Fuzz, megabytes
from tests.attacks.visits import done
from tests.dashboard import Dashboard
from tests.waiting import until


@pytest.mark.parametrize("seconds", [3, pytest.param(30, marks=pytest.mark.long)])
def test_a_desk_that_hears_anything_at_all_goes_on_for_everybody(dashboard: Dashboard, ada: str, seconds: int) -> None:
    fuzz = Fuzz(dashboard, ada)
    done(fuzz.go(3, seed=0))  # what is there once, is there
    before = megabytes(dashboard.pid)
    done(fuzz.go(seconds, seed=seconds))
    assert fuzz.longest < 2  # half a second on a quiet machine
    # The platform keeps the sessions that were left for a while.
    until(lambda: megabytes(dashboard.pid) - before < max(20, before / 10), seconds=WARM)
    assert {f"{what} of {who}" for what in ("messages", "requests") for who in ("a clerk", "a stranger")} < set(
        fuzz.said
    )

    async def open_a_screen() -> None:
        async with asyncio.timeout(60), Viewer(dashboard.url, cookie=ada) as tab:
            await tab.open()
            assert ("button", "Sign out") in tab.widgets

    done(open_a_screen())
