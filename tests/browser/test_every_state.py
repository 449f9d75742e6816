"""What stands before the screens, what opens over them and what becomes of a press: for every eye, light and dark."""

import re

import pyotp
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.browser_sale import open_sale, record, term
from tests.browser.browser_shop import OWN_PASSWORD, Shop, close, opened, settled, type_into, violations
from tests.browser.claims_shop import ClaimsShop, open_first_row
from tests.browser.order_desk import fill_customer, fresh_order, scan
from tests.browser.test_import_orders import orders_file, upload
from tests.browser.test_second_factor import key_of_the_app, recovery_codes, signs_in, types
from tests.browser.test_selling import a_checkout
from tests.builders import TV
from tests.dashboard import Dashboard, leave, person

Found = dict[str, list[str]]


@pytest.fixture
def found() -> Found:
    return {}


def on_a_tablet(page: Page) -> list[str]:
    page.set_viewport_size({"width": 820, "height": 1180})
    return violations(page)


@pytest.mark.long
def test_what_stands_before_the_screens_and_what_opens_over_them_is_for_every_eye(
    page: Page, browser: Browser, guarded: Dashboard, found: Found
) -> None:
    page.goto(f"{guarded.url}/activity")
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    found["sign-in"] = violations(page)
    signs_in(page, "nora", OWN_PASSWORD)
    key = key_of_the_app(page)
    found["an app for the second factor"] = violations(page)
    types(page, pyotp.TOTP(key).now())
    recovery_codes(page)
    found["recovery codes"] = violations(page)
    page.get_by_role("button", name="I have kept them").click()
    expect(page.get_by_role("heading", name="Activity")).to_be_visible()
    settled(page)
    person(page).click()
    found["the menu behind the name"] = violations(page)
    page.keyboard.press("Escape")
    for name in ("Change my password", "Customer's screen", "My PIN", "Keys", "Find"):
        settled(page)
        person(page).click()
        page.get_by_role("button", name=name, exact=True).click()
        expect(person(page)).to_have_attribute("aria-expanded", "false")  # the menu does not cover it
        opened(page)
        found[name] = violations(page)
        close(page)
    with browser.new_context() as beside:
        customers = beside.new_page()
        customers.goto(f"{guarded.url}/customer")
        expect(customers.locator(".code")).to_be_visible()
        found["the customer's screen"] = violations(customers)
    person(page).click()
    page.get_by_role("button", name="Take the tour").click()
    expect(page.get_by_text("step 1 of")).to_be_visible()
    found["the tour"] = violations(page)
    page.keyboard.press("Escape")
    leave(page)
    signs_in(page, "nora", OWN_PASSWORD)
    expect(page.get_by_role("heading", name="Code of your app")).to_be_visible()
    found["a code of the app"] = violations(page)
    assert {state: what for state, what in found.items() if what} == {}


@pytest.mark.long
def test_what_becomes_of_an_order_and_of_a_file_is_for_every_eye(
    page: Page, context: BrowserContext, shop: Shop, found: Found
) -> None:
    shop.let_in("staff", context)
    fresh_order(page, shop)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("There is a problem")).to_be_visible()
    found["an order with faults"] = on_a_tablet(page)
    page.get_by_label("Scan or type a SKU").click()
    scan(page, "LAMP-ARC")
    fill_customer(page)
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("The service refused this order")).to_be_visible()
    found["a refused order"] = violations(page)
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=503, times=1000)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("The link works from when")).to_be_visible()
    settled(page)
    found["an order that waits"] = violations(page)
    shop.sandbox.clear_faults()
    fresh_order(page, shop)
    scan(page, "TV-55-OLED")
    fill_customer(page)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("The order is stored.")).to_be_visible()
    found["a stored order"] = violations(page)
    shop.open(page, "import_orders", "Import orders")
    upload(page, "orders.csv", orders_file(orders=3, without_mail=1))
    expect(page.get_by_text("2 ready, 1 to correct")).to_be_visible()
    found["a file to correct"] = violations(page)
    page.get_by_role("button", name="Send 2 orders").click()
    expect(page.get_by_text("orders are stored.")).to_be_visible(timeout=60_000)
    found["a file that was sent"] = violations(page)
    page.get_by_role("button", name="New import").click()
    page.get_by_role("button", name="Yes, begin a new import").click()
    upload(page, "ours.csv", b"Beleg;SKU;Title;Price\nA-9f3c77d1-1;L1;Lampe;89,50\n")
    expect(page.get_by_text("Which column is what?")).to_be_visible()
    found["a file of another layout"] = violations(page)
    assert {state: what for state, what in found.items() if what} == {}


@pytest.mark.long
def test_what_becomes_of_a_sale_and_of_a_checkout_is_for_every_eye(
    page: Page, context: BrowserContext, shop: Shop, found: Found
) -> None:
    order = shop.order(TV)
    shop.let_in("manager", context)
    open_sale(page, shop)
    type_into(page, "Order", order.order_id)
    record(page)
    expect(page.get_by_text("There is a problem")).to_be_visible()
    found["a sale with faults"] = on_a_tablet(page)
    term(page, "55in OLED television", "24 months").click()
    type_into(page, "Price charged", "79.99")
    shop.sandbox.add_fault(operation="record_sale", kind="status", status=400)
    record(page)
    expect(page.get_by_text("nothing was recorded, and the customer")).to_be_visible()
    found["a refused sale"] = violations(page)
    shop.sandbox.add_fault(operation="record_sale", kind="status", status=500)
    record(page)
    expect(page.get_by_text("We don't know whether this sale was recorded")).to_be_visible()
    found["an unknown sale"] = violations(page)
    page.get_by_role("button", name="It was not recorded").click()
    opened(page)
    found["a word about a sale"] = violations(page)
    page.get_by_role("button", name="Yes, it was not recorded").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    record(page)
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible()
    found["a recorded sale"] = violations(page)
    shop.open(page, "notify_checkout", "Checkout")
    page.get_by_role("button", name="Send checkout").click()
    expect(page.get_by_text("Enter an order id")).to_have_count(2)
    found["a checkout with faults"] = violations(page)
    a_checkout(page, shop.order(TV).order_id)
    shop.sandbox.add_fault(operation="notify_checkout", kind="status", status=400)
    page.get_by_role("button", name="Send checkout").click()
    expect(page.get_by_text("The service refused this checkout")).to_be_visible()
    found["a refused checkout"] = violations(page)
    shop.sandbox.add_fault(operation="notify_checkout", kind="status", status=500)
    page.get_by_role("button", name="Send checkout").click()
    expect(page.get_by_text("We don't know whether this checkout went through")).to_be_visible()
    found["an unknown checkout"] = violations(page)
    page.get_by_role("button", name="The e-mail came: it went through").click()
    page.get_by_role("button", name="Yes, the e-mail came: it went through").click()
    expect(page.get_by_text("The checkout went through")).to_be_visible()
    found["a checkout that went through"] = violations(page)
    assert {state: what for state, what in found.items() if what} == {}


@pytest.mark.long
def test_what_opens_on_claims_and_trends_is_for_every_eye(
    page: Page, claims_shop: ClaimsShop, found: Found
) -> None:
    claims_shop.open_all(page, "manager")
    open_first_row(page)
    found["a claim"] = violations(page)
    close(page)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible()
    found["the filters of Claims"] = on_a_tablet(page)
    claims_shop.open_all(page, "manager", "claim_trends")
    page.get_by_text("Data as a table").first.click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    found["a chart's data"] = violations(page)
    for tab, there in {
        "Ageing": "Products side by side",
        "Resolution": "No night is on record",
        "Outlook": "Claims to come",
    }.items():
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_text(there).first).to_be_visible()
        found[tab] = violations(page)
    claims_shop.sandbox.add_fault(operation="claims", kind="delay", seconds=8.0, times=10_000)
    claims_shop.open(page, "manager", "claim_trends?period=all&started-from=1994-01-01&started-to=2197-12-31")
    expect(page.get_by_text(re.compile("^Reading claims: "))).to_be_visible()
    found["claims that are read"] = violations(page)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible()
    found["the filters of Trends"] = violations(page)
    stop = page.get_by_role(
        "button", name="Stop reading"
    ).bounding_box()  # which the open filters do not cover
    assert stop
    page.mouse.click(stop["x"] + stop["width"] / 2, stop["y"] + stop["height"] / 2)
    expect(page.get_by_text(re.compile("^Reading claims: "))).to_have_count(0)
    assert {state: what for state, what in found.items() if what} == {}
