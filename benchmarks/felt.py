"""Speed as felt, in Chromium beside a plain form in Streamlit: the first usable screen, and a rerun of each screen.

The plain form is New order's fields and buttons of the platform's own and the time, nothing else: what its parts cost
on a page of nobody's. Both servers have been visited before; a first visit is that of a browser without a cache, ours
with the cookie of a person who is signed in, until a field can be typed into. A rerun begins with a click on the open
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
from tests.browser.browser_shop import NOTE_WHAT_IS_SENT, come, settled
from tests.builders import MANAGER, seen_by
from tests.dashboard import CHROMIUM_ARGUMENTS, Dashboard, chromium

ROUNDS: Final = 7
FIRST_SCREEN: Final = "submit_order"
_SLOW: Final = 60_000
_READY: Final = '[data-testid="stMain"] input[aria-label="E-mail or phone"]:not([disabled])'
_PLAIN_FORM: Final = """
import time
import streamlit as st
def form():
    st.title("New order")
    st.text(time.time())
    for place, field in zip(st.columns(5), ("SKU", "Title", "Price", "Quantity", "Category")):
        place.text_input(field)
    st.button("Add item")
    st.header("Customer")
    for pair in (("First name", "E-mail or phone"), ("Last name", "Phone")):
        for place, field in zip(st.columns(2), pair):
            place.text_input(field)
    country, state, code = st.columns(3)
    country.selectbox("Country", ["United States", "France"])
    state.selectbox("State", ["New York (NY)", "Texas (TX)"], index=None)
    code.text_input("ZIP or postal code")
    with st.expander("Street and city"):
        for field in ("Street and number", "Apartment, floor", "City"):
            st.text_input(field)
    st.text_input("Order number")
    st.button("Send order", type="primary")
def other(): st.text("the other")
st.navigation([st.Page(form, title="Form"), st.Page(other, title="Other")], position="top").run()
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
    ran ||= app.innerText !== before;  // a short run may be over within a frame
    still = ran && !running ? still + 1 : 0;
    if (still === 1) window.ended = performance.now();
    still > 2 ? done(window.ended - begun) : requestAnimationFrame(look);
  };
  link.click();
  requestAnimationFrame(look);
})"""


class _Plain(Dashboard):
    """A server with nothing of ours in it."""

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/_stcore/health").is_success
        except httpx.TransportError:
            return False


def measure() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        (Path(folder) / "plain.py").write_text(_PLAIN_FORM)
        command = (sys.executable, "-m", "streamlit", "run", f"{folder}/plain.py", "--server.headless=true")
        with _Plain(Path(folder) / "none", command=command) as plain, Dashboard(Path(folder)) as ours:
            results = [_first_screen(browser, ours, plain), *_reruns(browser, ours, plain)]
        browser.close()
    return results


def _first_screen(browser: Browser, ours: Dashboard, plain: Dashboard) -> Result:
    come(page := browser.new_page(), ours, MANAGER.username, FIRST_SCREEN)
    settled(page)
    page.close()
    usable, of_form = [], []
    for _ in range(ROUNDS):
        usable.append(_visit(browser, f"{ours.url}/{FIRST_SCREEN}", _READY, ours.cookies[MANAGER.username]))
        of_form.append(_visit(browser, plain.url, _READY, []))
    return _told("the first usable screen", usable, of_form, goal=1.1)


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


def _reruns(browser: Browser, ours: Dashboard, plain: Dashboard) -> list[Result]:
    page, form = browser.new_page(), browser.new_page()
    page.add_init_script(NOTE_WHAT_IS_SENT)
    come(page, ours, MANAGER.username)
    form.goto(plain.url)
    form.locator(_READY).wait_for()
    results = []
    for screen in filter(seen_by(MANAGER), SCREENS):
        again, form_again = _rerun(page, screen.title), _rerun(form, "Form")
        page.get_by_role("link", name=screen.title, exact=True).click()
        expect(page.get_by_text("Reading claims")).to_have_count(0, timeout=_SLOW)
        settled(page)
        results.append(_told(f"a rerun of {screen.title}", *_in_turn(again, form_again), goal=1.5))
    return results


def _in_turn(mine: Callable[[], float], theirs: Callable[[], float]) -> tuple[list[float], list[float]]:
    rounds = [(mine(), theirs()) for _ in range(ROUNDS)]
    return [one for one, _ in rounds], [other for _, other in rounds]


def _rerun(page: Page, title: str) -> Callable[[], float]:
    def once() -> float:
        milliseconds: float = page.get_by_role("link", name=title, exact=True).evaluate(_RERUN)
        return milliseconds / 1000

    return once


def _told(what: str, mine: list[float], theirs: list[float], *, goal: float) -> Result:
    ours, plain = statistics.median(mine), statistics.median(theirs)
    detail = f"{ours * 1000:.0f} ms against {plain * 1000:.0f} ms"
    return Result(what, "the plain form's", ours / plain, goal, detail=detail)
