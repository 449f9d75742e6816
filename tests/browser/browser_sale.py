"""Record sale and Checkout in a browser: what a clerk looks at, types and presses."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_shop import Shop, settled, type_into

ADDRESS: Final = {
    "E-mail": "zoë@example.com",
    "First name": "Zoë",
    "Last name": "Müller",
    "Street and number": "1 Mint Street",
    "ZIP or postal code": "01234",
    "City": "Brooklyn",
}
"""A customer's, by the names of the fields; the state is chosen."""


def choose_state(page: Page) -> None:
    state = page.get_by_role("combobox", name="State")
    state.click()
    state.press_sequentially("New York")
    state.press("Enter")
    settled(page)


def fill_address(page: Page, address: Mapping[str, str] = ADDRESS) -> None:
    for label, text in address.items():
        type_into(page, label, text)
    choose_state(page)


def box(page: Page, item: str) -> Locator:
    """The innermost box that names the item and has its terms."""
    return (
        page.get_by_test_id("stVerticalBlock")
        .filter(has_text=re.compile(re.escape(item)))  # in these letters: a button adds "a custom item"
        .filter(has=page.get_by_role("radiogroup", name="Term"))
        .last
    )


def term(page: Page, item: str, option: str) -> Locator:
    """A term of an item."""
    return box(page, item).get_by_role("radio", name=option)


def refused_at(page: Page, item: str, sentence: str, *, not_at: Sequence[str] = ()) -> None:
    """Nothing recorded, the service's sentence at this item and at no other, and the way to try again."""
    blame = "The sale was refused because of this item"
    expect(page.get_by_text("nothing was recorded, and the customer is not covered yet")).to_be_visible(timeout=20_000)
    expect(box(page, item).get_by_text(blame)).to_be_visible()
    expect(box(page, item).get_by_text(re.compile(sentence))).to_be_visible()
    for other in not_at:
        expect(box(page, other).get_by_text(blame)).to_have_count(0)
    expect(page.get_by_role("button", name="Record sale")).to_be_enabled()


def open_sale(page: Page, shop: Shop, order_id: str, *, by: str = "staff") -> None:
    """The screen with an order: the last sale of this person may still be shown, or on its way."""
    shop.open(page, "record_sale", by=by)
    order, next_sale = page.get_by_label("Order", exact=True), page.get_by_role("button", name="Next sale")
    expect(order.or_(next_sale).first).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Recording the sale")).to_have_count(0, timeout=60_000)
    settled(page)
    leave = page.get_by_role("button", name="Put aside")
    if next_sale.or_(leave).count():
        next_sale.or_(leave).click()
        expect(next_sale.or_(leave)).to_have_count(0)
        settled(page)  # until then the field of before may stand there as well
    expect(order).to_have_count(1)
    type_into(page, "Order", order_id)


def record(page: Page) -> None:
    """Press the main button."""
    settled(page)
    page.get_by_role("button", name="Record sale").click()


def has_focus(wanted: Locator) -> bool:
    """Whether it, or something in it, has the focus."""
    return bool(
        wanted.evaluate("element => element === document.activeElement || element.contains(document.activeElement)")
    )


def to_reach(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus."""
    for _ in range(40):
        if has_focus(wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached with the keyboard")
