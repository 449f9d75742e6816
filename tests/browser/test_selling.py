"""Selling in a browser: impatience, refusals, silence, two customers at once, and what needs a person in Activity."""

import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.browser_sale import fill_address, open_sale, record, refused_at, scan, term, to_reach
from tests.browser.browser_shop import (
    FOR_EVERY_EYE,
    PC,
    PHONE,
    TABLET,
    Look,
    Shop,
    Size,
    copied,
    desk_of,
    holds,
    opened,
    resize,
    settled,
    translate,
    type_into,
)
from tests.browser.claims_shop import click_row
from tests.builders import LAMP, STAFF, TV, order_of, sale_of
from warranty.client.resources import Order
from warranty.desk import Desk
from warranty.desk.journal import ItemLine


@pytest.mark.parametrize(
    "size", [PHONE, *(pytest.param(size, marks=pytest.mark.long) for size in (PC, TABLET))], ids=str
)
def test_impatient_presses_make_one_sale_and_what_goes_on_is_in_sight(page: Page, shop: Shop, size: Size) -> None:
    order = shop.order(TV, LAMP)
    resize(page, size)
    open_sale(page, shop, order.order_id)
    for item in ("55in OLED television", "Arc floor lamp"):
        term(page, item, "24 months").click()
        settled(page)
        expect(page.get_by_role("button", name=re.compile("Record sale, .* USD"))).to_be_in_viewport(ratio=1)
    shop.sandbox.add_fault(operation="record_sale", kind="delay", seconds=1)
    page.get_by_label("Price charged", exact=True).first.fill("78.50")  # and the field is not left
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Enter")
    button = page.locator(".st-key-main-action button")
    for _ in range(5):
        with suppress(PlaywrightTimeoutError):  # it has gone
            button.click(timeout=300)
    next_sale = page.get_by_role("button", name="Next sale")
    expect(next_sale).to_be_focused()
    expect(next_sale).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Recorded. Warranty order")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text(re.compile("24 months .*: 78.50 USD"))).to_be_visible()
    assert shop.sales(order) == 1


@pytest.mark.long
@pytest.mark.parametrize("left", [False, True], ids=["", "but not where it was left"])
def test_a_term_keeps_the_focus_while_the_plans_come(page: Page, shop: Shop, left: bool) -> None:
    order, waits = order_of(TV, LAMP), page.get_by_text("Asking the service for the plans")
    with desk_of(shop) as desk:
        desk.send(STAFF, order, draft_id=uuid.uuid4().hex, screen="submit_order")
    shop.sandbox.add_fault(operation="purchase_warranties", kind="delay", seconds=4)
    open_sale(page, shop, order.order_id)
    expect(term(page, "55in OLED television", "12 months")).to_be_visible()
    expect(waits).to_be_visible()
    term(page, "55in OLED television", "12 months").focus()
    if left:
        page.evaluate("document.activeElement.blur()")
    expect(waits).to_have_count(0)
    settled(page)
    expect(page.locator("body") if left else term(page, "55in OLED television", "12 months")).to_be_focused()


@FOR_EVERY_EYE
def test_a_refused_sale_keeps_its_form_and_an_unknown_one_waits_for_a_word(page: Page, shop: Shop, look: Look) -> None:
    order = shop.order(TV, LAMP)
    open_sale(page, shop, order.order_id, by="manager")
    translate(page)  # whatever it makes of the texts: what follows is as without it
    term(page, "55in OLED television", "Other").click()
    type_into(page, "Other term in months", "18")
    type_into(page, "Price charged", "79.99")
    record(page)
    refused_at(page, "55in OLED television", "18 months is not offered", not_at=["Arc floor lamp"])
    holds(page, "Price charged", "79.99")
    look("a refused sale")
    page.get_by_role("button", name="24 months, Extended warranty").click()
    expect(page.get_by_label("Other term in months")).to_have_count(0)
    expect(page.get_by_text("The sale was refused")).to_have_count(0)
    holds(page, "Price charged", "74.99")
    shop.sandbox.add_fault(operation="record_sale", kind="status", status=500)
    record(page)
    expect(page.get_by_text("We don't know yet if this sale went through")).to_be_visible()
    expect(page.get_by_role("button", name="Record sale")).to_have_count(0)
    look("an unknown sale")
    settled(page)  # a person reads it first
    page.get_by_text("More", exact=True).click()
    settled(page)
    page.get_by_role("button", name="It was not recorded").click()
    question = opened(page, "It was not recorded?")
    look("a word about a sale")
    question.get_by_role("button", name="Yes, it was not recorded").click()
    expect(question).to_have_count(0)
    settled(page)
    record(page)
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible()
    look("a recorded sale")
    # The one that was refused, and the last: the sandbox's own silence names no order.
    assert shop.sales(order) == 2


@pytest.mark.long
def test_a_title_of_links_and_signs_and_writing_from_the_right_is_shown_as_it_was_typed(page: Page, shop: Shop) -> None:
    typed = "TV https://evil.example www.evil.example a@evil.example :material/home: :streamlit: _b_ \u202ethgir"
    open_sale(page, shop, shop.order({**TV, "product_id": "TV-RIGHT", "product_title": typed}).order_id)
    title = page.get_by_test_id("stMarkdown").filter(has_text="SKU TV-RIGHT")
    expect(title).to_be_visible()
    assert title.inner_text() == f"\u2068{typed}\u2069 SKU TV-RIGHT"
    assert title.locator("a, img, [role=img]").count() == 0
    left_of_s, left_of_u = title.evaluate(
        """element => {
          const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          while (!texts.nextNode().data.includes("SKU"));
          const at = texts.currentNode.data.indexOf("SKU"), place = document.createRange();
          return [at, at + 2].map((from) => {
            place.setStart(texts.currentNode, from);
            place.setEnd(texts.currentNode, from + 1);
            return place.getBoundingClientRect().left;
          });
        }"""
    )
    assert left_of_s < left_of_u  # what stands behind it is not turned
    type_into(page, "Order", "")


def test_a_checkout_begins_with_a_scan_and_is_typed_on_while_plans_come(page: Page, shop: Shop) -> None:
    order = shop.order(LAMP)
    shop.open(page, "notify_checkout", by="staff")
    number = page.get_by_label("Order number", exact=True)
    expect(number).to_be_visible()
    settled(page)
    scan(page, "TV-55-OLED")
    page.keyboard.press("Enter")
    expect(number).to_be_focused()
    page.keyboard.type(order.order_id)
    page.keyboard.press("Tab")
    page.keyboard.type("zoe@example.com", delay=80)
    expect(page.get_by_label("E-mail")).to_have_value("zoe@example.com")
    term(page, "OLED television", "24 months").click()
    term(page, "Arc floor lamp", "36 months").click()
    of_the_television = page.get_by_text(re.compile(r"24 months,? \(?Extended warranty\)? on"))
    expect(of_the_television).to_have_count(2)  # what is sold, and in short with its price
    expect(page.get_by_text(re.compile(r"36 months \(Furniture protection\) on Arc floor lamp: \d"))).to_be_visible()
    page.get_by_role("button", name="Remove").first.click()
    expect(of_the_television).to_have_count(0)
    expect(term(page, "OLED television", "24 months")).not_to_be_checked()


@FOR_EVERY_EYE
def test_a_refused_checkout_is_mended_and_an_unknown_one_never_sent_again(page: Page, shop: Shop, look: Look) -> None:
    order = shop.order(TV)
    shop.open(page, "notify_checkout", by="manager")
    page.get_by_role("button", name="Send checkout").click()
    expect(page.get_by_text("Enter an order number")).to_have_count(2)
    look("a checkout with faults")
    type_into(page, "Order number", order.order_id)
    term(page, "55in OLED television", "24 months").click()
    expect(page.get_by_text("24 months, Extended warranty on 55in OLED television").first).to_be_visible()
    fill_address(page)
    expect(page.get_by_text("There is a problem")).to_have_count(0)
    shop.sandbox.add_fault(operation="notify_checkout", kind="status", status=400)
    page.get_by_role("button", name="Send checkout").click()
    expect(page.get_by_text("The service refused this checkout")).to_be_visible()
    holds(page, "City", "Brooklyn")
    look("a refused checkout")
    shop.sandbox.add_fault(operation="notify_checkout", kind="drop_after_write")
    page.get_by_role("button", name="Send checkout").dblclick()
    expect(page.get_by_text("We don't know yet if this checkout went through")).to_be_visible()
    expect(page.get_by_role("button", name="Send checkout")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("We don't know yet if this checkout went through")).to_be_visible()
    look("an unknown checkout")
    settled(page)
    page.get_by_role("button", name="The e-mail came: it went through").click()
    opened(page).get_by_role("button", name="Yes, the e-mail came: it went through").click()
    expect(page.get_by_text("The checkout went through")).to_be_visible()
    look("a checkout that went through")
    welcomes = [mail for mail in shop.sandbox.outbox() if mail["order_id"] == order.order_id]
    assert [mail["kind"] for mail in welcomes].count("welcome") == 1


CONFIRM = "Yes, record it"


def asked(page: Page, shop: Shop) -> tuple[Order, Locator]:
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
    back = question.get_by_role("button", name="Back").click
    for leave in (partial(page.keyboard.press, "Escape"), back, page.reload):
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
