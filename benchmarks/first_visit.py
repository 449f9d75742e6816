"""A first visit over a slow line: 30 Mbit/s and 10 ms, with scripts compressed, against scripts as they are.

Chromium with an empty profile and the cookie of a manager who is signed in, from the navigation until what the screen
is for stands there. "As they are" is the same server, asked by a browser that takes no compression.
"""

import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from benchmarks.harness import Result, interleaved
from components.sign_in.training import TRAINING_ACCOUNTS
from tests.dashboard import CHROMIUM_ARGUMENTS, Dashboard, chromium

_LINE: Final = {
    "offline": False,
    "latency": 10,
    "downloadThroughput": 30_000_000 / 8,
    "uploadThroughput": 30_000_000 / 8,
}
_THERE: Final = {
    "submit_order": 'button:has-text("Send order")',
    "claims": '[data-testid="stDataFrame"] canvas',
}
_SLOW: Final = 60_000


def measure() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        with Dashboard(Path(folder)) as dashboard:
            state = _signed_in(browser, dashboard.url)
            visits = {
                (screen, compressed): partial(_visit, browser, state, dashboard.url, screen, compressed)
                for screen in _THERE
                for compressed in (True, False)
            }
            seconds = interleaved({f"{screen} {how}": visit for (screen, how), visit in visits.items()})
        browser.close()
    return [
        Result(
            f"first visit of {screen} over 30 Mbit/s and 10 ms, scripts compressed",
            "scripts as they are",
            seconds[f"{screen} True"] / seconds[f"{screen} False"],
            None,
            detail=f"{seconds[f'{screen} True']:.2f} s against {seconds[f'{screen} False']:.2f} s",
        )
        for screen in _THERE
    ]


def _signed_in(browser: Browser, url: str) -> Any:
    """The cookie of a manager, who has seen each screen: the claims are read before the clock starts."""
    manager = TRAINING_ACCOUNTS[1]
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    page.get_by_label("Name", exact=True).fill(manager.username)
    page.get_by_label("Password", exact=True).fill(manager.password)
    page.get_by_label("Password", exact=True).press("Enter")
    page.get_by_role("button", name="Sign out").wait_for(timeout=_SLOW)
    for screen, there in _THERE.items():
        page.goto(f"{url}/{screen}")
        page.locator(there).first.wait_for(timeout=_SLOW)
    state = context.storage_state()
    context.close()
    return state


def _visit(browser: Browser, state: Any, url: str, screen: str, compressed: bool) -> None:
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", _LINE)
    if not compressed:
        context.set_extra_http_headers({"Accept-Encoding": "identity"})
    page.goto(f"{url}/{screen}", wait_until="commit")
    page.locator(_THERE[screen]).first.wait_for(timeout=_SLOW)
    context.close()
