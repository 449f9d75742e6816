"""Activity and shift report in a browser: what needs a person, the story of an order, a report to take away."""

import csv
import re
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browser_shop import Shop, running_shop, settled, without_violation
from tests.builders import LAMP, MANAGER, STAFF, TV, order_of, sale_of
from tests.waiting import until
from warranty.desk import Desk
from warranty.journal import AttemptFilter, AttemptState, ItemLine, open_journal
from warranty.landing import landing_page_url
from warranty.resources import Order


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with running_shop(tmp_path_factory.mktemp("shop")) as running:
        yield running


@pytest.fixture
def desk(shop: Shop) -> Iterator[Desk]:
    """A colleague's desk on the same journal."""
    journal = open_journal(f"sqlite:///{shop.dashboard.data_dir}/journal.sqlite3")
    page_of = partial(landing_page_url, shop.sandbox.landing_url, shop.sandbox.retailer_uuid)
    yield Desk(client=shop.client, journal=journal, environment="sandbox", landing_page=page_of)
    journal.close()


def sent(desk: Desk, *items: dict[str, Any]) -> Order:
    order = order_of(*items)
    desk.send(STAFF, order, draft_id=uuid.uuid4().hex, screen="submit_order")
    return order


def sold(desk: Desk, order: Order, months: int, price: str) -> None:
    sale = sale_of(order.order_id, ("TV-55", months, price))
    television = ItemLine("55in OLED television", "TV-55", 1)
    desk.send(STAFF, sale, draft_id=uuid.uuid4().hex, screen="record_sale", items=[television])


def test_an_unknown_sale_is_looked_up_its_order_told_and_all_of_it_taken_away(
    page: Page, context: BrowserContext, shop: Shop, desk: Desk, tmp_path: Path
) -> None:
    order = sent(desk, TV, LAMP)
    sold(desk, order, 18, "61.00")
    shop.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    sold(desk, order, 24, "79.99")
    shop.let_in("manager", context)
    shop.open(page, "activity", "Activity", {"find": order.order_id})
    expect(page.get_by_text("1 to check")).to_be_visible()
    expect(page.get_by_text("Timeline of the order")).to_be_visible()
    without_violation(page)
    page.get_by_role("button", name="Ask the service").click()
    expect(page.get_by_text("1 to check")).to_have_count(0, timeout=20_000)
    expect(
        page.get_by_text(re.compile(r"It was recorded, warranty order \w+, found out by Maya"))
    ).to_be_visible()
    expect(page.get_by_text("18 months is not offered")).to_be_hidden()
    page.get_by_text("The service's own words").click()
    expect(page.get_by_text("18 months is not offered")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    download.value.save_as(tmp_path / "activity.csv")
    with (tmp_path / "activity.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["operation"], row["state"], row["warranty_price"]) for row in rows] == [
        ("record_sale", "done", "79.99"),
        ("record_sale", "refused", "61.00"),
        ("submit_order", "done", ""),
        ("submit_order", "done", ""),
    ]
    page.get_by_role("button", name="Look for claims on this order").click()
    expect(page.get_by_text("No claim on this order")).to_be_visible(timeout=20_000)
    without_violation(page)


def test_a_row_opens_the_story_of_its_order_and_the_filter_stands_in_the_address(
    page: Page, context: BrowserContext, shop: Shop, desk: Desk
) -> None:
    order = sent(desk, {**TV, "product_title": "Story of a television"})
    shop.let_in("staff", context)
    for _ in range(2):  # the link is given, and given again after a reload
        shop.open(page, "submit_order", f"Order {order.order_id[:8]}…", {"order": order.order_id})
        expect(page.get_by_role("link", name="Open the landing page")).to_be_visible(timeout=20_000)
        settled(page)
    shop.open(page, "activity", "Activity", {"find": "story"})
    table = page.get_by_test_id("stDataFrame").bounding_box()
    assert table is not None
    page.mouse.click(table["x"] + 400, table["y"] + 52)  # on a word of the row, no box to tick
    expect(page.get_by_text("Timeline of the order")).to_be_visible(timeout=20_000)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=f"Copy order id {order.order_id[:8]}").click()
    expect(page.get_by_role("status").get_by_text(f"Copied {order.order_id}")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == order.order_id
    page.get_by_role("button", name="Copy link", exact=True).click()
    expect(page.get_by_role("status").get_by_text("Copied", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == (
        f"{shop.sandbox.landing_url}/carts/{shop.sandbox.retailer_uuid}/checkout/{order.order_id}"
    )
    expect(page.get_by_text("Link shown", exact=True)).to_have_count(1)
    expect(page.get_by_role("button", name="Download CSV")).to_have_count(0)
    settled(page)
    page.get_by_role("radio", name="Yesterday").click()
    expect(page.get_by_text("Nothing that fits was sent here")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Nothing that fits was sent here")).to_be_visible(timeout=20_000)
    assert "days=yesterday" in page.url


def test_what_is_on_its_way_is_told_by_itself_when_it_has_ended(
    page: Page, context: BrowserContext, shop: Shop, desk: Desk
) -> None:
    shop.let_in("staff", context)
    shop.sandbox.add_fault(operation="submit_order", kind="delay", seconds=10)
    with ThreadPoolExecutor() as sender:
        sending = sender.submit(sent, desk, TV)
        until(
            lambda: desk.count_attempts(STAFF, AttemptFilter(states=frozenset({AttemptState.SENDING}))) == 1
        )
        shop.open(page, "activity", "Activity", {"outcome": "sending"})
        expect(page.get_by_text("1 entry, ")).to_be_visible(timeout=20_000)
        expect(page.get_by_text("Nothing that fits was sent here")).to_be_visible(timeout=20_000)
        sending.result()


def test_orders_that_wait_are_told_until_they_are_sent_and_whose_was_refused(
    page: Page, context: BrowserContext, shop: Shop, desk: Desk
) -> None:
    shop.let_in("manager", context)
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1000)
    sent(desk, TV)
    sent(desk, LAMP)
    shop.open(page, "activity", "Activity")
    expect(page.get_by_text("2 orders wait for the service")).to_be_visible(timeout=20_000)
    shop.sandbox.clear_faults()
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    expect(page.get_by_text("An order that waited was refused")).to_be_visible(timeout=60_000)
    expect(page.get_by_text(f", {STAFF.name}, order").first).to_be_visible()
    expect(page.get_by_text("wait for the service")).to_have_count(0, timeout=20_000)


def test_the_shift_report_is_seen_and_printed_by_a_manager(
    page: Page, context: BrowserContext, shop: Shop, desk: Desk, tmp_path: Path
) -> None:
    sold(desk, sent(desk, TV), 36, "120.01")
    shop.let_in("manager", context)
    shop.open(page, "shift_report", "Shift report")
    expect(page.get_by_text("Revenue by hour")).to_be_visible(timeout=20_000)
    settled(page)
    without_violation(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Print report").click()
    assert download.value.suggested_filename == f"shift-report-{date.today()}.pdf"  # noqa: DTZ011 - the browser's day
    download.value.save_as(tmp_path / "report.pdf")
    text = pypdfium2.PdfDocument(tmp_path / "report.pdf")[0].get_textpage().get_text_range()
    assert "120.01" in text
    assert "Sam Counter" in text
    assert MANAGER.name not in text
    assert "Training – not valid" in text
