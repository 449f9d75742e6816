"""The counter over a line of 300 ms and 1 Mbit/s: a second visit, and a scan.

Chromium slows down no WebSocket, so a small proxy on this machine stands between: each byte waits for half a round
trip and for its turn at 1 Mbit/s, in each direction, and each connection costs one round trip more (TLS would cost
another). A second visit is a new tab of a browser that has the scripts, with the cookie of a person who is signed in,
until the field that the counter begins with can be typed into. A scan takes from Enter until a frame in which the
basket has one line or one unit more.
"""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.harness import Result
from components.people.sign_in.training import TRAINING_ACCOUNTS
from tests.dashboard import CHROMIUM_ARGUMENTS, Dashboard, chromium
from tests.line import Line

ROUNDS: Final = 5
ROUND_TRIP: Final = 0.3
_SLOW: Final = 120_000
_READY: Final = '[data-testid="stMain"] input[aria-label="E-mail or phone"]:not([disabled])'
_WATCH: Final = """() => {
  const fields = '.st-key-basket :is([class*="-product_id"], [class*="-quantity"]) input';
  const lines = () => [...document.querySelectorAll(fields)].map((field) => field.value).join();
  const had = lines();
  window.passed = null;
  document.addEventListener("keydown", () => {
    const begun = performance.now();
    const look = () => {
      if (lines() === had) requestAnimationFrame(look);
      else window.passed = performance.now() - begun;
    };
    look();
  }, { once: true, capture: true });
}"""


def measure() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        with Dashboard(Path(folder)) as dashboard, Line(dashboard.port) as line:
            visits, scan = visits_and_scans(browser, line, rounds=ROUNDS)
        browser.close()
    return [
        Result("second visit over 300 ms and 1 Mbit/s", "4 s", visits / 4, 1.0, detail=f"{visits:.2f} s"),
        Result(
            "a scan is a line in the basket", "one round trip and a rerun", scan / 350, None, detail=f"{scan:.0f} ms"
        ),
    ]


def visits_and_scans(browser: Browser, line: Line, *, rounds: int) -> tuple[float, float]:
    """The median second visit in seconds, and scan in milliseconds."""
    clerk = TRAINING_ACCOUNTS[0]
    context = browser.new_context()
    page = context.new_page()
    page.goto(line.url)
    page.get_by_label("Name", exact=True).fill(clerk.username)
    page.get_by_label("Password", exact=True).fill(clerk.password)
    page.get_by_label("Password", exact=True).press("Enter")
    page.locator(_READY).wait_for(timeout=_SLOW)
    page.close()
    visits, scans = [], []
    for _ in range(rounds):
        line.round_trip, line.bits_per_second = ROUND_TRIP, 1_000_000
        page = context.new_page()
        begun = time.perf_counter()
        page.goto(line.url, wait_until="commit")
        page.locator(_READY).wait_for(timeout=_SLOW)
        visits.append(time.perf_counter() - begun)
        scans += [_scan(page, sku) for sku in ("TV-55-OLED", "LAMP-ARC")]
        line.round_trip, line.bits_per_second = 0.0, float("inf")
        page.close()
    context.close()
    return statistics.median(visits), statistics.median(scans)


def _scan(page: Page, sku: str) -> float:
    field = page.get_by_label("Scan or type a SKU")
    field.fill(sku)
    page.evaluate(_WATCH)
    field.press("Enter")
    page.wait_for_function("() => window.passed !== null", timeout=20_000)
    return float(page.evaluate("window.passed"))
