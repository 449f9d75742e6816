"""Activity and shift report in a browser: what needs a person, the story of an order, a report to take away."""

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import Shop, copied, desk_of, settled
from tests.browser.claims_shop import click_row
from tests.builders import LAMP, STAFF, TV, order_of, sale_of
from warranty.client.resources import Order
from warranty.desk import Desk
from warranty.desk.journal import ItemLine


@pytest.fixture
def desk(shop: Shop) -> Iterator[Desk]:
    with desk_of(shop) as running:
        yield running


def sent(desk: Desk, *items: dict[str, Any]) -> Order:
    order = order_of(*items)
    desk.send(STAFF, order, draft_id=uuid.uuid4().hex, screen="submit_order")
    return order


def sold(desk: Desk, order: Order, months: int, price: str) -> None:
    sale = sale_of(order.order_id, ("TV-55", months, price))
    television = ItemLine("55in OLED television", "TV-55", 1)
    desk.send(STAFF, sale, draft_id=uuid.uuid4().hex, screen="record_sale", items=[television])


def test_an_unknown_sale_is_looked_up_and_its_row_tells_of_its_order(page: Page, shop: Shop, desk: Desk) -> None:
    order = sent(desk, {**TV, "product_title": f"Story-{uuid.uuid4().hex[:8]}"}, LAMP)
    sold(desk, order, 18, "61.00")
    shop.sandbox.add_fault(operation="record_sale", kind="drop_after_write")
    sold(desk, order, 24, "79.99")
    shop.open(page, "activity", f"find={order.line_items[0].product_title}", by="manager")
    expect(page.get_by_text("1 to check")).to_be_visible()
    click_row(page, 0)
    expect(page.get_by_text("Timeline of the order")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Ask the service").click()
    expect(page.get_by_text("1 to check")).to_have_count(0)
    found_out = page.get_by_text(re.compile(r"It was recorded, warranty order \w+, found out by Maya"))
    expect(found_out.first).to_be_visible()
    expect(page.get_by_text("18 months is not offered")).to_be_hidden()
    page.get_by_text("What the service said").click()
    expect(page.get_by_text("18 months is not offered")).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=f"Copy order number {order.order_id[:8]}").click()
    assert copied(page, f"Copied {order.order_id}") == order.order_id
    page.get_by_role("button", name="Copy link").click()
    assert copied(page) == shop.link(order.order_id)
    page.get_by_role("radio", name="Yesterday").click()
    expect(page.get_by_text("Nothing was sent that matches")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Nothing was sent that matches")).to_be_visible()
    assert "days=yesterday" in page.url


@pytest.mark.long
def test_orders_that_wait_are_told_until_sent_and_whose_was_refused(page: Page, shop: Shop, desk: Desk) -> None:
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1000)
    sent(desk, TV)
    sent(desk, LAMP)
    shop.open(page, "activity", by="manager")
    expect(page.get_by_text("2 orders are waiting for the service")).to_be_visible()
    shop.sandbox.clear_faults()
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    expect(page.get_by_text("An order that waited was refused")).to_be_visible(timeout=60_000)
    expect(page.get_by_text(f", {STAFF.name}, order").first).to_be_visible()
    expect(page.get_by_text("waiting for the service")).to_have_count(0)
