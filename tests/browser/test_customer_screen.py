"""The customer's screen in a browser of its own, beside the clerk's."""

import time
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from tests.browser.browser_shop import Shop, settled
from tests.browser.order_desk import OrderDesk, fill_customer, new_order, read_codes, scan
from tests.dashboard import leave, person

SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")]
    .filter((part) => [...part.childNodes].some((one) => one.nodeType === 3 && one.data.trim())
        && part.checkVisibility() && part.tagName !== "SCRIPT")
    .map((part) => parseFloat(getComputedStyle(part).fontSize)))"""


@pytest.fixture
def screen(browser: Browser, order_desk: OrderDesk) -> Iterator[Page]:
    """A tablet of the shop, in Spanish."""
    context = browser.new_context(viewport={"width": 820, "height": 1180}, locale="es-US")
    page = context.new_page()
    page.goto(f"{order_desk.dashboard.url}/customer")
    yield page
    context.close()


def connect(page: Page, code: str) -> None:
    person(page).click()
    page.get_by_role("button", name="Customer's screen").click()
    page.get_by_label("Code on the customer's screen").fill(code)
    page.get_by_role("button", name="Connect", exact=True).click()


def test_the_customer_sees_the_basket_within_a_second_then_the_code_of_the_link_and_nothing_personal(
    at_desk: Page, order_desk: OrderDesk, screen: Page
) -> None:
    page, traffic = at_desk, list[str]()

    def heard(answer: Response) -> None:
        if "/customer/now" in answer.url and answer.status == 200:
            traffic.append(answer.text() + str(answer.headers))

    screen.on("response", heard)
    connect(page, "AAA AAA")
    expect(page.get_by_text("No screen shows this code now.")).to_be_visible()
    page.get_by_label("Code on the customer's screen").fill(screen.locator(".code").inner_text().lower())
    page.get_by_role("button", name="Connect", exact=True).click()
    expect(screen.get_by_role("heading", name="Bienvenidos")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    settled(page)
    page.get_by_label("Scan or type a SKU").focus()
    behind = []
    for code, name in (("TV-55-OLED", "OLED"), ("HEAD-NC", "headphones"), ("LAMP-ARC", "lamp")):
        page.keyboard.type(code)
        began = time.monotonic()
        page.keyboard.press("Enter")
        expect(screen.get_by_role("listitem").filter(has_text=name)).to_be_visible()
        behind.append(time.monotonic() - began)
    assert sorted(behind)[1] < 1.0, behind  # the middle one: this machine may be at something else once
    expect(screen.get_by_text("$1,318.49")).to_be_visible()
    fill_customer(page, name="Zoë", email="zoe@example.com")
    page.keyboard.press("Control+Enter")
    expect(screen.get_by_role("heading", name="Escanee para elegir su garantía")).to_be_visible(
        timeout=20_000
    )
    assert Axe().run(screen).response["violations"] == []
    url = page.get_by_text("/checkout/").first.inner_text()
    for scheme, (width, height) in (("light", (1280, 900)), ("dark", (820, 1180))):
        screen.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        screen.set_viewport_size({"width": width, "height": height})
        assert read_codes(screen.get_by_role("img").screenshot()) == [url]
        assert screen.evaluate("document.querySelector('main').scrollHeight <= innerHeight")
        assert screen.evaluate(SMALLEST) >= 18
    screen.get_by_role("button", name="English").click()
    expect(screen.get_by_role("heading", name="Scan to choose your warranty")).to_be_visible()
    page.get_by_role("button", name="Next order").click()
    expect(screen.get_by_role("heading", name="Welcome")).to_be_visible()
    leave(page)
    expect(screen.get_by_role("heading", name="Connect this screen")).to_be_visible(timeout=15_000)
    assert len(traffic) > 5
    assert [
        word
        for word in ("zoe@example.com", "Zoë,", url, "staff", "Sam", screen.context.cookies()[0]["value"])
        if any(word in answer for answer in traffic)
    ] == []


def test_the_customer_sees_the_plans_that_are_offered_and_what_each_costs(
    page: Page, context: BrowserContext, browser: Browser, shop: Shop
) -> None:
    shop.let_in("staff", context)
    shop.open(page, "submit_order", "New order")
    new_order(page)
    screen = browser.new_context(viewport={"width": 820, "height": 1180}, locale="es-US").new_page()
    screen.goto(f"{shop.dashboard.url}/customer")
    connect(page, screen.locator(".code").inner_text())
    expect(screen.get_by_role("heading", name="Bienvenidos")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    settled(page)
    page.get_by_label("Scan or type a SKU").focus()
    scan(page, "TV-55-OLED")
    fill_customer(page)
    page.keyboard.press("Control+Enter")
    expect(screen.get_by_role("heading", name="Planes que puede elegir")).to_be_visible(timeout=20_000)
    plans = screen.get_by_role("listitem").filter(has_text="meses")
    expect(plans).to_have_count(3)
    for months, price in (("12 meses", "$52.99"), ("24 meses", "$74.99"), ("36 meses", "$104.99")):
        expect(plans.filter(has_text=months)).to_contain_text(price)
    page.get_by_role("button", name="Next order").click()
    expect(plans).to_have_count(0)
    screen.context.close()


def test_a_screen_that_was_taken_away_shows_a_code_again(at_desk: Page, screen: Page) -> None:
    page = at_desk
    connect(page, screen.locator(".code").inner_text())
    expect(screen.get_by_role("heading", name="Bienvenidos")).to_be_visible()
    settled(page)
    page.get_by_label("Scan or type a SKU").focus()
    scan(page, "TV-55-OLED")
    expect(screen.get_by_role("listitem")).to_have_count(1)
    person(page).click()
    page.get_by_role("button", name="Customer's screen").click()
    page.get_by_role("button", name="Disconnect").click()
    expect(screen.locator(".code")).to_be_visible()
    expect(screen.get_by_role("listitem")).to_have_count(0)
