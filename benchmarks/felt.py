"""Speed as felt, in Chromium beside an empty Streamlit app: the first usable screen, and a rerun of each screen.

The empty app has two pages of one line of text each, the time on the one that is measured. Both servers have been
visited before; a first visit is that of a browser without a cache, ours with the cookie of a person who is signed in,
until a field can be typed into (the text of the empty app stands there). A rerun begins with a click on the open
screen's own link, and ends when the page says for three frames that the script has stopped. In turn, median of the
rounds.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from benchmarks.harness import Result
from components.navigation import SCREENS
from tests.browser.browser_shop import come, settled
from tests.builders import MANAGER, seen_by
from tests.dashboard import CHROMIUM_ARGUMENTS, Dashboard, chromium

ROUNDS: Final = 7
FIRST_SCREEN: Final = "submit_order"
_SLOW: Final = 60_000
_READY: Final = '[data-testid="stMain"] input[aria-label="E-mail"]:not([disabled])'
_EMPTY_APP: Final = """
import time
import streamlit as st
def one(): st.text(time.time())
def two(): st.text("the other")
st.navigation([st.Page(one, title="One"), st.Page(two, title="Two")], position="top").run()
"""
_FIRST_FRAME: Final = """(() => {  // Playwright looks at longer and longer intervals, in the end twice a second
  const look = () => {
    if (document.querySelector(READY)) window.firstFrame = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""
_RERUN: Final = """link => new Promise((done, give_up) => {
  setTimeout(() => give_up(new Error("no end of a rerun")), 20000);
  const app = document.querySelector("[data-testid=stApp]"), begun = performance.now();
  const before = app.innerText, state = "data-test-script-state";
  let ran = false, still = 0;
  new MutationObserver(() => { ran = true; }).observe(app, { attributes: true, attributeFilter: [state] });
  const look = () => {
    const running = app.getAttribute(state) !== "notRunning";
    ran ||= app.innerText !== before;  // an empty run may be over within a frame
    still = ran && !running ? still + 1 : 0;
    if (still === 1) window.ended = performance.now();
    still > 2 ? done(window.ended - begun) : requestAnimationFrame(look);
  };
  link.click();
  requestAnimationFrame(look);
})"""


class _Empty(Dashboard):
    """A server with nothing of ours in it."""

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/_stcore/health").is_success
        except httpx.TransportError:
            return False


def measure() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        (Path(folder) / "empty.py").write_text(_EMPTY_APP)
        command = (sys.executable, "-m", "streamlit", "run", f"{folder}/empty.py", "--server.headless=true")
        with _Empty(Path(folder) / "none", command=command) as empty, Dashboard(Path(folder)) as ours:
            results = [_first_screen(browser, ours, empty), *_reruns(browser, ours, empty)]
        browser.close()
    return results


def _first_screen(browser: Browser, ours: Dashboard, empty: Dashboard) -> Result:
    come(page := browser.new_page(), ours, MANAGER.username, FIRST_SCREEN)
    settled(page)
    page.close()
    usable, text = [], []
    for _ in range(ROUNDS):
        usable.append(_visit(browser, f"{ours.url}/{FIRST_SCREEN}", _READY, ours.cookies[MANAGER.username]))
        text.append(_visit(browser, empty.url, '[data-testid="stText"]', []))
    return _told("the first usable screen", "the empty app's first text", usable, text, goal=1.5)


def _visit(browser: Browser, url: str, ready: str, cookies: list[object]) -> float:
    context: BrowserContext = browser.new_context()
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(_FIRST_FRAME.replace("READY", json.dumps(ready)))
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.firstFrame", timeout=_SLOW)
    milliseconds: float = page.evaluate("window.firstFrame")
    context.close()
    return milliseconds / 1000


def _reruns(browser: Browser, ours: Dashboard, empty: Dashboard) -> list[Result]:
    page, beside = browser.new_page(), browser.new_page()
    come(page, ours, MANAGER.username)
    beside.goto(empty.url)
    results = []
    for screen in filter(seen_by(MANAGER), SCREENS):
        again, empty_again = _rerun(page, screen.title), _rerun(beside, "One")
        page.get_by_role("link", name=screen.title, exact=True).click()
        expect(page.get_by_text("Reading claims")).to_have_count(0, timeout=_SLOW)
        settled(page)
        mine, theirs = [], []
        for _ in range(ROUNDS):
            mine.append(again())
            theirs.append(empty_again())
        goal = 2.0 if screen.name == "claims" else 1.5
        results.append(_told(f"a rerun of {screen.title}", "the empty page's", mine, theirs, goal=goal))
    return results


def _rerun(page: Page, title: str) -> Callable[[], float]:
    def once() -> float:
        milliseconds: float = page.get_by_role("link", name=title, exact=True).evaluate(_RERUN)
        return milliseconds / 1000

    return once


def _told(what: str, baseline: str, mine: list[float], theirs: list[float], *, goal: float) -> Result:
    ours, empty = statistics.median(mine), statistics.median(theirs)
    detail = f"{ours * 1000:.0f} ms against {empty * 1000:.0f} ms"
    return Result(what, baseline, ours / empty, goal, detail=detail)
