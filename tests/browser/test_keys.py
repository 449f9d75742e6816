"""A scan goes where it belongs whatever has the focus, on every screen; keys open screens and say which there are."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.navigation import SCREENS
from tests.browser.browser_sale import fill_customer, fresh_order, keys_of_a_scanner
from tests.browser.browser_shop import Sent, Shop, close, opened, settled, type_into
from tests.builders import TV
from tests.dashboard import person

FAST = 50  # milliseconds between the keys of a scanner, at most
SKUS = ["TV-55-OLED", "LAMP-ARC", "BAR-51"]
FOCUS = {
    "nothing": "document.activeElement.blur()",
    "a button": "document.querySelector('.st-key-who button').focus()",
    "a link": "document.querySelector('[data-testid=stTopNavLink]').focus()",
    "a table": "(document.querySelector('canvas[tabindex], [data-testid=stMain] button') ?? document.body).focus()",
}
HEADINGS = {screen.name: screen.title for screen in SCREENS} | {"import_orders": "Import orders"}


def scan(page: Page, code: str, pace: float = 0, end: str = "Enter") -> None:
    if pace <= FAST:
        keys_of_a_scanner(page, [*code, end], pace=pace)
        return
    page.keyboard.type(code, delay=pace)
    page.keyboard.press(end)


def nobody_knows(page: Page, code: str) -> None:
    expect(page.get_by_text(f"Nothing here knows the code {code}.")).to_be_visible()


def test_a_scan_is_taken_whole_whatever_has_the_focus_and_goes_where_it_belongs(page: Page, shop: Shop) -> None:
    order = shop.order(TV)
    sent = Sent(page)
    fresh_order(page, shop)
    page.keyboard.press("F9")  # a screen that asks for nothing by itself
    expect(page.get_by_role("heading", name="Import orders", exact=True)).to_be_visible()
    for number, (focus, pace) in enumerate(zip(FOCUS.values(), (0, 20, 0, 0), strict=True)):
        settled(page)
        page.evaluate(focus)
        before = sent.frames
        page.keyboard.type("rc")  # keys that the platform would take for its own
        page.keyboard.press("Escape")
        code = f"rc claims-{number}"
        scan(page, code, pace)
        nobody_knows(page, code)
        assert sent.frames == before + 1
    for pace, end in ((60, "Enter"), (150, "Enter"), (0, "Tab")):  # a person's, and no scanner's end
        scan(page, "typed", pace, end)
        assert sent.frames == before + 1
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)  # the button was not pressed
    page.keyboard.press("F4")
    expect(page.get_by_role("heading", name="Record sale", exact=True)).to_be_visible()
    settled(page)
    page.evaluate(FOCUS["a button"])
    at = keys_of_a_scanner(page, "LAM")
    page.get_by_role("textbox", name="Order", exact=True).focus()  # as the scan field does where it is drawn meanwhile
    keys_of_a_scanner(page, [*"P-ARC", "Enter"], at=at)
    expect(page.get_by_text("1 item, ")).to_be_visible()
    page.keyboard.press("F9")
    expect(page.get_by_role("heading", name="Import orders", exact=True)).to_be_visible()
    settled(page)
    page.evaluate(FOCUS["nothing"])
    for sku in SKUS * 2:  # the first opens the screen of the basket, and the others do not wait for it
        scan(page, sku)
    expect(page.get_by_text("7 items, ")).to_be_visible()
    expect(page.get_by_label("Scan or type a SKU")).to_have_value("")
    scan(page, shop.link(order.order_id))
    expect(page.get_by_text("55in OLED television").first).to_be_visible()
    page.keyboard.press("F2")
    expect(page.get_by_text("7 items, ")).to_be_visible()


@pytest.mark.long
def test_a_recent_order_that_is_picked_by_a_key_leads_to_its_first_term(at_desk: Page, shop: Shop) -> None:
    page = at_desk
    scan(page, SKUS[0])
    fill_customer(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The order is stored.")).to_be_visible()
    shop.open(page, "record_sale")
    type_into(page, "Order", "")  # whatever an earlier test left
    page.get_by_role("button", name=re.compile("OLED television")).first.press("Enter")
    expect(page.get_by_role("radio", name="12 months").first).to_be_focused()


@pytest.mark.long
def test_keys_open_the_four_screens_of_selling_and_a_question_mark_says_which(page: Page, shop: Shop) -> None:
    shop.open(page, "activity", by="staff")
    page.evaluate(FOCUS["nothing"])
    scan(page, "64a1f0c2b9d84e3f7a6b5c1d")  # a warranty's id
    expect(page).to_have_url(re.compile("/claims.*words=64a1f0c2b9d84e3f7a6b5c1d"))
    settled(page)
    for screen in SCREENS:
        if screen.key:
            page.keyboard.press(screen.key)
            heading = page.get_by_role("heading", name=HEADINGS[screen.name], exact=True)
            expect(heading).to_be_visible()
            settled(page)
    page.evaluate(FOCUS["nothing"])
    page.keyboard.press("?")
    expect(opened(page, "Keys").get_by_text("F8")).to_be_visible()
    close(page)
    person(page).click()
    page.get_by_role("button", name="Keys").click()
    opened(page, "Keys")


@pytest.mark.long
def test_one_field_opens_a_screen_a_customers_claims_adds_a_product_and_does_what_the_menu_does(at_desk: Page) -> None:
    page = at_desk
    field = page.get_by_role("combobox", name="Search screens")

    def find(text: str, first: str) -> None:
        page.keyboard.press("Control+k")
        expect(field).to_be_focused()
        field.fill(text)
        expect(page.get_by_role("option").first).to_contain_text(first)

    find("claims", "Claims")
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    find("o", "Connection")  # by the letter that stands beside it
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Connection")).to_be_visible()
    find("lamp-arc", "lamp")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 item, ")).to_be_visible()
    find("zoe@example.com", "Claims of zoe@example.com")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Customer's e-mail")).to_have_value("zoe@example.com")
    assert "zoe" not in page.url
    page.keyboard.press("Control+k")  # typed faster than anything can be found
    page.keyboard.type("act")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Activity")).to_be_visible()
    find("keys", "Keys")  # what the menu does
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


@pytest.mark.long
def test_a_field_that_appears_late_takes_the_focus_from_nobody_who_goes_by_tab(page: Page, shop: Shop) -> None:
    appears = """name => {
        const place = document.querySelector("[data-testid=stMain]").appendChild(document.createElement("div"));
        place.className = `st-key-begin-${name}`;
        place.appendChild(document.createElement("input")).ariaLabel = name;
    }"""
    shop.open(page, "activity", by="manager")
    for _ in range(2):
        page.keyboard.press("Tab")
    page.evaluate(appears, "late")
    expect(page.get_by_role("link", name="New order").first).to_be_focused()
    page.get_by_role("heading", name="Activity").click()
    page.evaluate(appears, "next")
    expect(page.get_by_label("next", exact=True)).to_be_focused()


def test_what_a_screen_asks_late_clears_no_other_screen(page: Page, shop: Shop) -> None:
    late: list[bytes] = []
    servers: list[WebSocketRoute] = []

    def relay(browser: WebSocketRoute) -> None:
        servers.append(browser.connect_to_server())
        browser.on_message(pass_on)

    def pass_on(message: str | bytes) -> None:
        if isinstance(message, bytes) and holding and BackMsg.FromString(message).rerun_script.fragment_id:
            late.append(message)
        else:
            servers[-1].send(message)

    holding: list[bool] = []
    page.route_web_socket(re.compile("_stcore/stream"), relay)
    fresh_order(page, shop)
    settled(page)
    holding.append(True)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search screens").fill("kim")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Checkout", exact=True).click()
    heading = page.get_by_role("heading", name="Checkout", exact=True)
    expect(heading).to_be_visible()
    holding.clear()
    assert late
    for message in late:
        servers[-1].send(message)
    settled(page)
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile("notify_checkout"))
