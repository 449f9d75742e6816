"""The claims of a shop in a browser: a service whose claims a test knows, and what people do on Claims and Trends."""

import csv
import io
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from playwright.sync_api import Download, Locator, Page, Position, expect

from tests.browser.browser_shop import Shop, come, desk_of, opened, settled
from tests.builders import LAMP, MANAGER, order_of
from tests.waiting import until

SLOW: Final = 30_000
CUSTOMERS_WORDS: Final = """# Not a heading
**not bold** <b>no tag</b> <script>document.title = "taken over"</script> ![no](https://example.com/p.png) $E=mc^2$"""
EVERY: Final = 481
"""The demo's claims and the one about the order that this desk sent."""


def claimed_order(shop: Shop) -> str:
    order = order_of(LAMP)
    with desk_of(shop) as desk:
        desk.send(MANAGER, order, draft_id="a-draft", screen="submit_order")
    late = f"{datetime.now(UTC):%Y-%m-%d}T23:59:59.999999"
    shop.sandbox.add_claims([{"order_id": order.order_id, "description": CUSTOMERS_WORDS, "claim_date": late}])
    return order.order_id


def read(page: Page, seal: str = f"complete: {EVERY} of {EVERY}") -> None:
    expect(page.get_by_text(seal).first).to_be_visible(timeout=SLOW)
    settled(page)


def open_all(page: Page, shop: Shop, username: str, screen: str = "claims") -> None:
    come(page, shop.dashboard, username, f"{screen}?period=all")
    read(page)


def claim_dates(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Claim date", exact=True)


def ask_for(page: Page, dates: str) -> None:
    claim_dates(page).click()
    page.get_by_role("option", name=dates, exact=True).click()


def chip(page: Page, words: str | re.Pattern[str]) -> Locator:
    """What takes away the filter of these words; found behind an open menu, too."""
    return page.locator("[class*=st-key-claims-chip] p", has_text=words)


def listed(page: Page) -> Locator:
    return page.locator(".st-key-claims-table table")


def click_claim(page: Page, row: int) -> None:
    listed(page).locator("tbody tr").nth(row).locator("td").first.click()


def click_row(page: Page, row: int) -> None:
    """Any other table is a canvas: under the heading, on the words of the row, once the table stands still."""
    page.get_by_test_id("stDataFrame").first.click(position={"x": 200, "y": 52 + 35 * row})


def open_cell(page: Page, row: int, x: int = 200) -> None:
    """The cell of a row of an editable table, which then takes a text: its field has the focus a moment later."""
    table, place = page.get_by_test_id("stDataFrame").first, Position(x=x, y=52 + 35 * row)
    table.hover(position=place)  # as a hand does: its toolbar comes out
    table.click(position=place)
    expect(page.locator("[role=gridcell][aria-readonly=false]:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("textarea:focus, input:focus")).to_have_count(1)


def click_heading(page: Page) -> None:
    listed(page).get_by_role("button", name="Product", exact=True).click()


def click_first_bar(chart: Locator) -> None:
    """The largest of the first status, or of all products: one of a single claim is as thin as a line."""
    bars = chart.locator(".bars").first.locator(".point path")
    expect(bars.first).to_be_attached()
    sizes = "bars => bars.map(bar => bar.getBoundingClientRect()).map(({ width, height }) => width * height)"
    areas = bars.evaluate_all(sizes)
    bar = bars.nth(areas.index(max(areas)))
    bar.evaluate("bar => bar.scrollIntoView({block: 'center'})")
    settled(chart.page)
    mouse = chart.page.mouse

    def points_at_it() -> bool:
        """It lies still, and Plotly, which listens on a layer above the bars when it is done, has words on it."""
        box = bar.bounding_box()
        if not box:
            return False
        mouse.move(0, 0)
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
        return chart.locator(".hovertext").count() > 0 and bar.bounding_box() == box

    until(points_at_it)
    mouse.down()
    mouse.up()


def open_first_row(page: Page) -> Locator:
    click_claim(page, 0)
    drawer = opened(page)
    expect(drawer.get_by_text("What the customer wrote")).to_be_visible(timeout=SLOW)
    return drawer


def taken_away(page: Page, button: str = "Download CSV") -> tuple[Download, bytes]:
    """Press a button of Export, which is opened for it unless it is open."""
    settled(page)
    wanted = page.get_by_role("button", name=button, exact=True)
    is_open = wanted.is_visible()
    if not is_open:
        page.get_by_role("button", name="Export").click()
    with page.expect_download(timeout=SLOW) as waiting:
        wanted.click()
    if not is_open:
        page.keyboard.press("Escape")
        expect(wanted).to_be_hidden()  # what is open takes the next click for itself
        settled(page)
    return waiting.value, Path(waiting.value.path()).read_bytes()


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def unfold_chart(page: Page) -> None:
    page.locator(".st-key-claims-chart summary").click()
    drawn(page)
    settled(page)


def drawn(page: Page, bars: int = 1) -> None:
    page.wait_for_function(
        "count => document.querySelectorAll('.js-plotly-plot .bars').length >= count", arg=bars, timeout=SLOW
    )
