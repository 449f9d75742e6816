"""The counter in a browser: New order, Record sale and Checkout, as a clerk looks at them, types and presses."""

import io
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_shop import Shop, settled, type_into
from tests.qr_codes import qr_codes

ADDRESS: Final = {
    "E-mail": "zoë@example.com", "First name": "Zoë", "Last name": "Müller", "Street and number": "1 Mint Street",
    "ZIP or postal code": "11201", "City": "Brooklyn",
}  # fmt: skip
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
    settled(page)
    page.get_by_role("button", name="Record sale").click()


def has_focus(wanted: Locator) -> bool:
    return bool(
        wanted.evaluate("element => element === document.activeElement || element.contains(document.activeElement)")
    )


def to_reach(page: Page, wanted: Locator) -> None:
    for _ in range(40):
        if has_focus(wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached with the keyboard")


NAMED: Final = {
    "Enter": {"text": "\r", "unmodifiedText": "\r", "code": "Enter", "windowsVirtualKeyCode": 13},
    "Tab": {"text": "", "unmodifiedText": "", "code": "Tab", "windowsVirtualKeyCode": 9},
}


def scan(page: Page, *codes: str) -> None:
    """As a scanner does: it types a code and Enter into whatever has the focus."""
    for code in codes:
        keys_of_a_scanner(page, [*code, "Enter"])


def keys_of_a_scanner(page: Page, keys: Iterable[str], *, pace: float = 5, at: float | None = None) -> float:
    """So many milliseconds apart, as the keyboard says, however late a busy machine hands them over.

    They begin now, or `at` a moment; gives the moment of the next.
    """
    keyboard, at = page.context.new_cdp_session(page), at or time.time()
    for key in keys:
        pressed = {"type": "keyDown", "text": key, "unmodifiedText": key, "key": key, "timestamp": at} | NAMED.get(
            key, {}
        )
        keyboard.send("Input.dispatchKeyEvent", pressed)
        keyboard.send("Input.dispatchKeyEvent", pressed | {"type": "keyUp", "timestamp": at + pace / 2_000})
        at += pace / 1_000
    keyboard.detach()
    return at


def fill_customer(page: Page, *, name: str = "Ada", email: str = "ada@example.com") -> None:
    page.get_by_label("First name").fill(name)
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("E-mail").press("Tab")
    choose_state(page)


def new_order(page: Page) -> None:
    """Whatever an earlier test left: an empty form."""
    expect(page.get_by_role("heading", name="This order")).to_be_visible(timeout=20_000)
    names = ("Next order", "Put aside", "Discard this order", "Send order")
    done, leave, discard, send = (page.get_by_role("button", name=name) for name in names)
    expect(done.or_(leave).or_(send).first).to_be_visible(timeout=60_000)  # it may still be on its way
    settled(page)
    if discard.is_visible():
        discard.click()
        page.get_by_role("button", name="Yes, discard").click()
    elif done.or_(leave).count():
        done.or_(leave).first.click()
    expect(discard).to_have_count(0)
    expect(page.get_by_text("No items yet.")).to_be_visible(timeout=20_000)
    settled(page)
    page.get_by_label("Scan or type a SKU").focus()


def fresh_order(page: Page, shop: Shop, *, by: str = "staff") -> None:
    """An empty order of this person, whatever an earlier test left."""
    shop.open(page, "submit_order", by=by)
    new_order(page)


def read_codes(picture: bytes) -> list[str]:
    return [code.text for code in qr_codes(Image.open(io.BytesIO(picture)))]


def read_codes_in_the_dark(page: Page) -> list[str]:
    page.emulate_media(color_scheme="dark")
    settled(page)
    codes = read_codes(page.get_by_role("img", name="QR code of the customer page").screenshot())
    page.emulate_media(color_scheme="light")
    return codes
