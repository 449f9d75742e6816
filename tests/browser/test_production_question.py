"""In production a sale and a checkout are asked about once more: what the answer does, and what does not answer it."""

from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_sale import open_sale, record, term, to_reach
from tests.browser.browser_shop import Shop, holds, opened, settled, type_into
from tests.builders import TV
from warranty.client.resources import Order

CONFIRM = "Yes, record it"


def asked(page: Page, shop: Shop) -> tuple[Order, Locator]:
    """A sale that was asked for, with the question open."""
    order = shop.order(TV)
    open_sale(page, shop, order.order_id)
    term(page, "55in OLED television", "24 months").click()
    type_into(page, "Price charged", "79.99")
    record(page)
    question = opened(page, "Record this sale?")
    settled(page)
    assert page.title() == "Warranty Desk"  # no environment before it
    return order, question


def posted(shop: Shop) -> int:
    """How many sales the service was asked to record, whatever it answered."""
    return sum(call["operation"] == "record_sale" for call in shop.sandbox.calls())


@pytest.mark.long
def test_neither_a_scan_nor_leaving_answers_the_question_and_two_presses_do_once(page: Page, production: Shop) -> None:
    order, question = asked(page, production)
    confirm = question.get_by_role("button", name=CONFIRM)
    to_reach(page, confirm)
    page.keyboard.type("TV-55-OLED")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Not taken: answer the question first")).to_be_visible()
    expect(question).to_be_visible()
    settled(page)
    for leave in (
        partial(page.keyboard.press, "Escape"),
        question.get_by_role("button", name="Back").click,
        page.reload,
    ):
        leave()
        expect(page.get_by_label("Price charged", exact=True)).to_be_visible()
        expect(question).to_have_count(0)
        holds(page, "Price charged", "79.99")
        assert production.sales(order) == 0
        page.keyboard.press("Control+Enter")
        opened(page, "Record this sale?")
    before = posted(production)
    production.sandbox.add_fault(operation="record_sale", kind="status", status=400)
    confirm.dblclick()
    expect(page.get_by_text("nothing was recorded, and the customer is not covered yet")).to_be_visible()
    holds(page, "Price charged", "79.99")
    assert posted(production) == before + 1
    record(page)  # a refusal is sent again by a new answer only
    opened(page, "Record this sale?")
    to_reach(page, confirm)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible()
    expect(question).to_have_count(0)
    settled(page)
    assert (posted(production), production.sales(order)) == (before + 2, 1)
