"""The claims page in Chromium: cold navigation to the table, and a change of the filter to the charts redrawn.

10,000 claims, seven rounds, each with servers that have just been started, in turn. Cold means a new browser profile
and the first visitor of the server; what the second visitor of a server waits for stands beside it. Our server has
read the claims from the service before the clock starts, through a viewer without a browser (it shares what it has
read among all people), the other three have them in a file: reading is not what is compared. Ours is entered with
the cookie of a person who is signed in. Times are taken inside the page, at the frame in which the grid's first
canvas or row is there, or the bars of all charts have changed. The filter's change begins when the person leaves the
date field (Streamlit) or when the picked date is set (Dash, Panel); the first change there and back is not counted.
Ours draws one chart over its table where the others draw two. RIVALS_PYTHON names the interpreter of the rivals (see
the Makefile).
"""

import asyncio
import os
import re
import statistics
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pandas as pd
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.claims_servers import (
    DAYS,
    RIVALS_PYTHON,
    Server,
    claims_frame,
    cookie,
    own_server,
    records,
    rival,
    service,
    today,
    usual,
)
from benchmarks.harness import Result
from benchmarks.streamlit_viewer import Viewer
from tests.dashboard import CHROMIUM_ARGUMENTS, chromium

ROUNDS: Final = 7
_LONGEST: Final = 60_000
_FIRST: Final = (today() - timedelta(days=DAYS)).date()
_LAST: Final = (today() - timedelta(days=1)).date()
_MONTH_BEFORE: Final = (pd.Timestamp(_LAST) - pd.DateOffset(months=1)).date()
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
            found('[data-testid=stDataFrame] canvas, .one-line tbody tr, .ag-row, .tabulator-row').length) {
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
_BEGIN: Final = "() => { delete window.seen.redrawn; window.before = window.charts(); window.begun = performance.now();"


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
    picker.evaluate(f"(input) => {{ ({_BEGIN} }})(); input._flatpickr.setDate(['{_FIRST}', '{last}'], true); }}")


@dataclass
class Rival:
    """A page, how its server is started, how a person changes its filter, and what was measured."""

    name: str
    start: Callable[[], AbstractContextManager[Server]]
    change: Callable[[Page, date], None]
    charts: int = 2
    path: str = ""
    cold: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)
    redrawn: list[float] = field(default_factory=list)


def measure() -> list[Result]:
    claims = records()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        file = folder / "claims.parquet"
        claims_frame(claims).to_parquet(file)
        environment = stack.enter_context(service(claims))
        own = Rival("ours", partial(own_server, environment), _leave_the_date_field, 1, f"claims?{_days(_LAST)}")
        rivals = [Rival("Streamlit", partial(usual, file), _leave_the_date_field)]
        if os.environ.get(RIVALS_PYTHON):
            rivals.append(Rival("Dash", partial(rival, "Dash", "dash_page.py", file), _set_in_dash))
            rivals.append(Rival("Panel", partial(rival, "Panel", "panel_page.py", file), _set_in_panel))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        stack.callback(browser.close)
        for _ in range(ROUNDS):
            for each in (own, *rivals):
                _visit(browser, each)
    return [
        result
        for other, to_charts, to_table in zip(rivals, (0.6, 0.45, 0.7), (0.6, 0.75, 0.6), strict=False)
        for result in (
            _ratio("filter change to charts redrawn", own.redrawn, other.name, other.redrawn, to_charts),
            _ratio("cold navigation to table", own.cold, other.name, other.cold, to_table),
            _ratio("the same for the server's second visitor", own.second, other.name, other.second, None),
        )
    ]


def _visit(browser: Browser, rival: Rival) -> None:
    """Open the page of a server that has just been started, twice; then change the filter and change it back."""
    with rival.start() as server:
        if rival.name == "ours":
            # In a thread of its own: this one has the browser's loop.
            with ThreadPoolExecutor(1) as aside:
                aside.submit(asyncio.run, _read_claims(server)).result()
        for seconds in (rival.cold, rival.second):
            with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
                page = _arrive(context, server, rival)
                seconds.append(page.evaluate("window.seen.table") / 1000)
                _drawn(page, rival)
                assert page.get_by_text(re.compile("10,?000 claims")).count(), "another range of claims is shown"
                if seconds is rival.second:
                    _change_filter(page, rival)
                    rival.redrawn.extend(_change_filter(page, rival))


def _arrive(context: BrowserContext, server: Server, rival: Rival) -> Page:
    context.add_init_script(_WATCH)
    if rival.name == "ours":
        name, value = cookie(server.url).split("=", 1)
        context.add_cookies([{"name": name, "value": value, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/{rival.path}", wait_until="commit")
    page.wait_for_function("() => window.seen && window.seen.table", timeout=_LONGEST)
    return page


def _change_filter(page: Page, rival: Rival) -> list[float]:
    seconds = []
    for last in (_MONTH_BEFORE, _LAST):
        rival.change(page, last)
        page.wait_for_function("() => window.seen.redrawn", timeout=_LONGEST)
        seconds.append(page.evaluate("window.seen.redrawn") / 1000)
        page.wait_for_timeout(500)  # what is still being drawn would count with the next change
    return seconds


async def _read_claims(server: Server) -> None:
    """Have both ranges of claims read."""
    for last in (_MONTH_BEFORE, _LAST):
        query = _days(last)
        async with Viewer(server.url, page="claims", query=query, cookie=cookie(server.url)) as viewer:
            await viewer.open()
            while not any("complete:" in text for text in viewer.texts):
                await asyncio.sleep(0.3)
                await viewer.open()


def _days(last: date) -> str:
    return f"claimed-from={_FIRST}&claimed-to={last}"


def _drawn(page: Page, rival: Rival) -> None:
    if rival.name == "ours":
        page.locator(".st-key-claims-chart summary").click()
    page.wait_for_function(
        "count => window.charts().filter(Boolean).length >= count", arg=rival.charts, timeout=_LONGEST
    )
    page.wait_for_timeout(1_000)


def _ratio(what: str, mine: list[float], name: str, theirs: list[float], goal: float | None) -> Result:
    own, other = statistics.median(mine), statistics.median(theirs)
    detail = f"{own * 1000:.0f} ms against {other * 1000:.0f} ms"
    return Result(what, f"the usual page in {name}", own / other, goal, detail=detail)
