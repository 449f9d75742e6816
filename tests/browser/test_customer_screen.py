"""The customer's screen in a browser of its own, beside the clerk's."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, Response, expect

from tests.browser.browser_sale import fill_customer, read_codes, scan
from tests.browser.browser_shop import PC, TABLET, Shop, resize, settled, translate
from tests.dashboard import leave, person

SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")]
    .filter((part) => [...part.childNodes].some((one) => one.nodeType === 3 && one.data.trim())
        && part.checkVisibility() && part.tagName !== "SCRIPT")
    .map((part) => parseFloat(getComputedStyle(part).fontSize)))"""


@pytest.fixture
def screen(browser: Browser, shop: Shop) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 820, "height": 1180}, locale="es-US", has_touch=True) as context:
        page = context.new_page()
        page.goto(f"{shop.dashboard.url}/customer")
        yield page


def connect(page: Page, code: str) -> None:
    person(page).click()
    page.get_by_role("button", name="Customer's screen").click()
    page.get_by_label("Code on the customer's screen").fill(code)
    page.get_by_role("button", name="Connect", exact=True).click()


def test_the_customer_sees_basket_plans_and_link_and_nothing_personal(at_desk: Page, shop: Shop, screen: Page) -> None:
    page, traffic, questions = at_desk, list[str](), list[str]()

    def asked_first(question: Dialog) -> None:
        questions.append(question.message)
        question.dismiss()

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
    expect(page.get_by_text("The customer's screen is connected.")).to_be_visible()
    settled(page)
    screen.once("dialog", asked_first)
    screen.get_by_role("button", name="Desconectar").tap()
    assert questions == ["¿Desconectar esta pantalla de la caja?"]
    page.get_by_label("Scan or type a SKU").focus()
    scan(page, "TV-55-OLED", "LAMP-ARC")
    expect(page.get_by_text("2 items, 989.49 USD")).to_be_visible()
    for each in (page, screen):
        translate(each)  # whatever it makes of the texts: what follows is as without it
    scan(page, "TV-55-OLED")
    expect(screen.get_by_role("listitem").filter(has_text="OLED")).to_be_visible()
    expect(screen.get_by_text("$1,889.48").first).to_be_visible()
    fill_customer(page, name="Zoë", email="zoe@example.com")
    page.keyboard.press("Control+Enter")
    expect(screen.get_by_role("heading", name="Planes que puede elegir")).to_be_visible()
    plans = screen.get_by_role("listitem").filter(has_text="meses")
    expect(plans.filter(has_text="12 meses").first).to_contain_text("$52.99")
    for name in ("OLED", "lamp"):  # a product once, its terms side by side, all of it in sight
        product = screen.get_by_role("listitem").filter(has_text=name)
        expect(product).to_have_count(1)
        expect(product.locator(".terms > span")).to_have_count(3)
    expect(screen.get_by_text("$1,889.48")).to_be_in_viewport(ratio=1)
    assert Axe().run(screen).response["violations"] == []
    url = page.get_by_text("/checkout/").first.inner_text()
    for scheme, size in (("light", PC), ("dark", TABLET)):
        screen.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        resize(screen, size)
        assert read_codes(screen.get_by_role("img").screenshot()) == [url]
        assert screen.evaluate(SMALLEST) >= 18
    screen.get_by_role("button", name="English").click()
    expect(screen.get_by_text("12 months").first).to_be_visible()
    page.get_by_role("button", name="Next order").click()
    expect(screen.get_by_role("heading", name="Welcome")).to_be_visible()
    leave(page)
    expect(screen.get_by_role("heading", name="Connect this screen")).to_be_visible()
    assert len(traffic) > 5
    words = ("zoe@example.com", "Zoë,", url, "staff", "Sam", screen.context.cookies()[0]["value"])
    assert [word for word in words if any(word in answer for answer in traffic)] == []
