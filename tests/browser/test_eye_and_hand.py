"""A press is answered where the eye is, and the keyboard does what stands beside it."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_sale import fill_customer, fresh_order, open_sale, record, scan, term
from tests.browser.browser_shop import PHONE, SIZES, Look, Shop, Size, copied, place, resize, settled, type_into
from tests.builders import LAMP, LAPTOP, TV

LATER: Final = "tell the customer"
ON_A_TABLET, ON_A_PHONE = (
    [size if size == quick else pytest.param(size, marks=pytest.mark.long) for size in SIZES] for quick in SIZES[1:]
)


def summary(page: Page) -> Locator:
    return page.locator('[class*="st-key-look-"]').filter(has_text="There is a problem")


def told_to_the_eye(page: Page) -> None:
    expect(summary(page)).to_be_focused()
    expect(summary(page)).to_be_in_viewport(ratio=0.99)


def leads_to(page: Page, sentence: str | re.Pattern[str], field: Locator) -> None:
    """A line of the summary brings a person to its field, which is marked as the one that holds the fault."""
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(sentence)
    summary(page).get_by_role("link", name=sentence).click()
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport(ratio=1)


@pytest.mark.long
@pytest.mark.parametrize("size", ON_A_TABLET, ids=str)
def test_faults_of_a_sale_are_told_in_sight_and_lead_to_each(page: Page, shop: Shop, look: Look, size: Size) -> None:
    order = shop.order(TV, LAMP)
    resize(page, size)
    open_sale(page, shop, order.order_id)
    record(page)
    told_to_the_eye(page)
    look("a sale with faults")
    summary(page).get_by_role("link", name="Choose a term on the item that was sold").click()
    expect(page.get_by_role("radio", name="12 months").first).to_be_focused()
    term(page, "55in OLED television", "24 months").click()
    settled(page)  # its fields have moved what stands below
    term(page, "Arc floor lamp", "36 months").click()
    expect(page.get_by_label("Units", exact=True)).to_have_count(2)
    type_into(page, "Units", "0", 1)
    type_into(page, "Price charged", "abc")
    record(page)
    told_to_the_eye(page)
    leads_to(page, re.compile("Arc floor lamp: .*whole number"), page.get_by_label("Units", exact=True).nth(1))
    price = page.get_by_label("Price charged", exact=True).first
    leads_to(page, re.compile("55in OLED television: .*is not a price"), price)
    record(page)
    told_to_the_eye(page)  # once more, though nothing in it has changed
    type_into(page, "Price charged", "79.99")
    expect(summary(page).get_by_role("link")).to_have_count(1)
    expect(price).not_to_have_attribute("aria-invalid", "true")
    assert shop.sales(order) == 0


@pytest.mark.parametrize("size", ON_A_PHONE, ids=str)
def test_an_order_with_faults_leads_to_each_until_it_is_mended(page: Page, shop: Shop, look: Look, size: Size) -> None:
    resize(page, size)
    fresh_order(page, shop)
    for number in range(1, 4):
        page.get_by_role("button", name="Add item").click()
        expect(page.get_by_label(re.compile("^Title"))).to_have_count(number + 1)
        settled(page)
    type_into(page, "Title", "Soundbar 5.1")
    type_into(page, "Title of item 2", "Lamp")
    type_into(page, "Price of item 2", "abc")
    page.get_by_role("button", name="Type an order number").click()
    order_id = page.get_by_label("Order number", exact=True)
    make = page.get_by_role("button", name="Make a new number")
    expect(make).to_be_visible()
    settled(page)
    expect(order_id).to_have_value("")
    before = distance(order_id, make)
    order_id.focus()
    page.keyboard.press("Control+Enter")
    expect(summary(page)).to_be_focused()
    assert distance(order_id, make) == before
    look("an order with faults")
    leads_to(page, re.compile("^Lamp: Price: .abc. is not a price"), page.get_by_label("Price of item 2"))
    leads_to(page, "Soundbar 5.1: Enter a price", page.get_by_label("Price", exact=True))
    leads_to(page, re.compile("Choose a state"), page.get_by_role("combobox", name="State"))
    expect(page.get_by_text("Price: Price:")).to_have_count(0)
    type_into(page, "Order number", "a8e1bd0c-7c0e-4c0e-9d5b-6f0b8e6c1a10")
    expect(page.get_by_text("Enter an order number")).to_have_count(0)
    expect(order_id).not_to_have_attribute("aria-invalid", "true")


def distance(one: Locator, other: Locator) -> int:
    """How far apart two things stand, from top to bottom."""
    return round(place(other)["y"] - place(one)["y"])


@pytest.mark.long
def test_more_opens_at_a_fault_stays_open_and_has_no_text_whose_enter_would_send(page: Page, shop: Shop) -> None:
    order = shop.order(LAPTOP)
    open_sale(page, shop, order.order_id)
    page.get_by_role("radio", name="24 months").click()
    type_into(page, "Price charged", "99.00")
    record(page)
    told_to_the_eye(page)
    more, is_open = page.get_by_text("Other ways to name the item", exact=True), page.locator("details[open]")
    more.click()
    offer = page.get_by_label("Offer id (optional)", exact=True)
    offer.fill("no-uuid")
    offer.press("Tab")
    expect(summary(page)).to_have_count(0)  # the type is chosen by it
    settled(page)
    expect(is_open).to_have_count(1)
    more.click()
    expect(is_open).to_have_count(0)
    record(page)
    told_to_the_eye(page)
    expect(is_open).to_have_count(1)
    leads_to(page, re.compile("36 characters"), offer)
    page.get_by_role("combobox", name="How the item is named to the service").focus()
    page.keyboard.type("products of a bundle")
    page.keyboard.press("Enter")
    members = page.get_by_label("SKUs of the bundle, one in a line")
    members.fill("LT-14")
    expect(page.get_by_text("to apply")).to_be_hidden()  # the platform's word for a key that would send
    members.press("Enter")
    members.type("LAMP")
    members.press("Tab")
    settled(page)
    expect(page.get_by_text("Sent to the service: line 1 of the order and the 2 products")).to_be_visible()
    assert shop.sales(order) == 0


@pytest.mark.long
def test_on_a_phone_what_to_say_of_a_link_that_works_later_is_in_sight_above_its_button(page: Page, shop: Shop) -> None:
    resize(page, PHONE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    fresh_order(page, shop)
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1000)
    scan(page, "LAMP-ARC")
    expect(page.get_by_role("button", name="Arc floor lamp", exact=True)).to_be_visible()
    fill_customer(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(LATER)).to_be_visible()
    settled(page)
    later, copy = page.get_by_text(LATER), page.get_by_role("button", name="Copy link", exact=True)
    expect(copy).to_be_in_viewport(ratio=1)
    assert later.evaluate(_UNCOVERED), "the bar lies on the message"
    copy.click()
    assert copied(page) == page.get_by_text(re.compile("^https?:.*checkout")).inner_text()


_UNCOVERED: Final = """message => {
    const { x, y } = message.getBoundingClientRect();
    return message.contains(document.elementFromPoint(x + 1, y + 1));
}"""
