"""The claims page in Chromium: cold navigation to the table, and a change of the filter to the charts redrawn.

10,000 claims that each server has read before, seven rounds in turn. Cold means a new browser profile; the server was
visited before, and ours is entered with the cookie of a person who is signed in. Times are taken inside the page, at
the frame in which the grid's first canvas or row is there, or the bars of all charts have changed. The filter's change
begins when the person leaves the date field (Streamlit) or when the picked date is set (Dash, Panel). Ours draws one
chart over its table where the others draw two. RIVALS_PYTHON names the interpreter of the rivals (see the Makefile).
"""

import os
import statistics
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.claims_servers import (
    DAYS,
    PASSWORD,
    RIVALS_PYTHON,
    Server,
    claims_frame,
    ours,
    records,
    rival,
    today,
    usual,
)
from benchmarks.harness import Result
from tests.dashboard import CHROMIUM_ARGUMENTS, chromium

ROUNDS: Final = 7
_LONGEST: Final = 60_000
_FIRST: Final = (today() - timedelta(days=DAYS)).date()
_LAST: Final = (today() - timedelta(days=1)).date()
_WATCH: Final = """
(() => {
    const found = (selector) => {
        const all = [], roots = [document];
        while (roots.length) {
            const root = roots.pop();
            all.push(...root.querySelectorAll(selector));
            for (const each of root.querySelectorAll('*')) if (each.shadowRoot) roots.push(each.shadowRoot);
        }
        return all;
    };
    const bars = (chart) => [...chart.querySelectorAll('.bars .point path')].map((bar) => bar.getAttribute('d')).join();
    window.charts = () => found('.js-plotly-plot').map(bars);
    window.seen = {};
    const look = () => {
        if (window.seen.table === undefined &&
            found('[data-testid=stDataFrame] canvas, .ag-row, .tabulator-row').length) {
            window.seen.table = performance.now();
        }
        if (window.before) {
            const now = window.charts();
            if (now.length === window.before.length && now.every((each, at) => each && each !== window.before[at])) {
                window.seen.redrawn = performance.now() - window.begun;
                window.before = null;
            }
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})();
"""
_BEGIN: Final = (
    "() => { delete window.seen.redrawn; window.before = window.charts(); window.begun = performance.now();"
)


def _leave_the_date_field(page: Page, _: date) -> None:
    """Change the month of the last day, there and back, and leave the field: that is when Streamlit takes it."""
    month = page.locator("[data-testid=stDateInput] [data-range-field=end] [data-type=month]").first
    month.focus()
    back = int(month.get_attribute("aria-valuenow") or 0) != _LAST.month
    page.keyboard.press("ArrowUp" if back else "ArrowDown")
    page.evaluate(
        f"{_BEGIN} addEventListener('pointerdown', () => window.begun = performance.now(), {{once: true}}); }}"
    )
    page.mouse.click(3, 700)


def _set_in_dash(page: Page, last: date) -> None:
    page.evaluate(f"{_BEGIN} dash_clientside.set_props('dates', {{end_date: '{last}'}}); }}")


def _set_in_panel(page: Page, last: date) -> None:
    picker = page.locator("input.flatpickr-input").first
    picker.evaluate(
        f"(input) => {{ ({_BEGIN} }})(); input._flatpickr.setDate(['{_FIRST}', '{last}'], true); }}"
    )


@dataclass
class Rival:
    """A page, how a person changes its filter, and what was measured."""

    server: Server
    change: Callable[[Page, date], None]
    charts: int = 2
    path: str = ""
    state: str | None = None
    cold: list[float] = field(default_factory=list)
    redrawn: list[float] = field(default_factory=list)

    def context(self, browser: Browser) -> BrowserContext:
        """A new browser profile."""
        context = browser.new_context(viewport={"width": 1280, "height": 900}, storage_state=self.state)
        context.add_init_script(_WATCH)
        return context


def measure() -> list[Result]:
    claims = records()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        file = folder / "claims.parquet"
        claims_frame(claims).to_parquet(file)
        days = f"claims?claimed={_FIRST}..{_LAST}"
        own = Rival(stack.enter_context(ours(claims)), _leave_the_date_field, charts=1, path=days)
        rivals = [Rival(stack.enter_context(usual(file)), _leave_the_date_field)]
        if os.environ.get(RIVALS_PYTHON):
            rivals.append(Rival(stack.enter_context(rival("Dash", "dash_page.py", file)), _set_in_dash))
            rivals.append(Rival(stack.enter_context(rival("Panel", "panel_page.py", file)), _set_in_panel))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        stack.callback(browser.close)
        own.state = _signed_in(browser, own, folder / "cookies.json")
        for each in (own, *rivals):
            _visit(browser, each)
            each.cold.clear()
            each.redrawn.clear()
        for _ in range(ROUNDS):
            for each in (own, *rivals):
                _visit(browser, each)
    return [
        result
        for other, to_charts, to_table in zip(rivals, (0.6, 0.45, 0.7), (0.6, 0.75, 0.6), strict=False)
        for result in (
            _ratio(
                "filter change to charts redrawn", own.redrawn, other.server.name, other.redrawn, to_charts
            ),
            _ratio("cold navigation to table", own.cold, other.server.name, other.cold, to_table),
        )
    ]


def _signed_in(browser: Browser, own: Rival, cookies: Path) -> str:
    """Sign in, wait until both ranges of claims are read, and keep the cookie."""
    with own.context(browser) as context:
        page = context.new_page()
        page.goto(f"{own.server.url}/{own.path}")
        page.get_by_role("textbox", name="Name").fill("manager")
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.get_by_role("textbox", name="Password").press("Enter")
        _drawn(page, own)
        context.storage_state(path=cookies)
    return str(cookies)


def _visit(browser: Browser, rival: Rival) -> None:
    """Open the page cold, then change the filter and change it back."""
    with rival.context(browser) as context:
        page = context.new_page()
        page.goto(f"{rival.server.url}/{rival.path}", wait_until="commit")
        page.wait_for_function("window.seen && window.seen.table", timeout=_LONGEST)
        rival.cold.append(page.evaluate("window.seen.table") / 1000)
        _drawn(page, rival)
        month_before = _LAST.replace(day=1) - timedelta(days=1)
        for last in (month_before.replace(day=min(_LAST.day, month_before.day)), _LAST):
            rival.change(page, last)
            page.wait_for_function("window.seen.redrawn", timeout=_LONGEST)
            rival.redrawn.append(page.evaluate("window.seen.redrawn") / 1000)
            page.wait_for_timeout(500)  # what is still being drawn would count with the next change


def _drawn(page: Page, rival: Rival) -> None:
    page.wait_for_function(
        "count => window.charts().filter(Boolean).length >= count", arg=rival.charts, timeout=_LONGEST
    )
    page.wait_for_timeout(1_000)


def _ratio(what: str, mine: list[float], name: str, theirs: list[float], goal: float) -> Result:
    own, other = statistics.median(mine), statistics.median(theirs)
    return Result(
        what,
        f"the usual page in {name.replace('usual', '').strip()}",
        own / other,
        goal,
        detail=f"{own * 1000:.0f} ms against {other * 1000:.0f} ms",
    )
