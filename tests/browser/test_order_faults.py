"""An order in Chromium when things go wrong."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import Look, Shop, come, holds
from tests.browser.order_desk import fill_customer, scan
from tests.dashboard import leave


@pytest.mark.long
def test_whatever_goes_wrong_nothing_is_lost_and_an_order_waits(at_desk: Page, shop: Shop, look: Look) -> None:
    page = at_desk
    scan(page, "LAMP-ARC")
    page.get_by_role("button", name="Arc floor lamp", exact=True).click()
    holds(page, "Quantity", "1")
    page.get_by_label("Quantity", exact=True).fill("25")
    page.get_by_label("Quantity", exact=True).press("Tab")
    expect(page.get_by_text("The service stores 20 of these 25")).to_be_visible()
    fill_customer(page, email="ada@gmial.com")
    page.get_by_role("button", name="Did you mean ada@gmail.com?").click()
    holds(page, "E-mail or phone", "ada@gmail.com")
    order_id = page.get_by_label("Order number", exact=True).input_value()
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("The service refused this order")).to_be_visible()
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("25")
    look("a refused order")

    # Answered by silence: the link is there at once, and the order is sent by itself.
    shop.sandbox.add_fault(operation="submit_order", kind="drop_after_write", times=1000)
    page.get_by_role("button", name="Send order").click()
    waits = page.get_by_text("The link will work as soon as")
    expect(waits).to_be_visible()
    expect(page.get_by_role("img", name="QR code of the customer page")).to_be_visible()
    expect(page.get_by_role("button", name="Send order")).to_have_count(0)
    look("an order that waits")

    # Another screen, a reload, a sign-out: it is still there, until the service answers.
    page.get_by_role("link", name="Connection").click()
    expect(page.get_by_role("heading", name="Connection")).to_be_visible()
    page.get_by_role("link", name="New order").click()
    expect(waits).to_be_visible()
    page.reload()
    expect(waits).to_be_visible()
    leave(page)
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    come(page, shop.dashboard, "staff")
    expect(waits).to_be_visible()
    shop.sandbox.clear_faults()
    # It has the order from the try that it did not answer, and its customer the link. A try a minute at the least.
    expect(page.get_by_text("The order is stored.")).to_be_visible(timeout=70_000)
    assert sum(bool(call["written"]) for call in shop.calls("submit_order", order_id)) == 1
