"""New order in a browser: what a clerk does there most."""

import io
import time
from collections.abc import Iterable
from typing import Final

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.browser_sale import choose_state
from tests.browser.browser_shop import Shop, settled
from tests.qr_codes import qr_codes

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
    done, leave, discard, send = (
        page.get_by_role("button", name=name)
        for name in ("Next order", "Put aside", "Discard this order", "Send order")
    )
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
