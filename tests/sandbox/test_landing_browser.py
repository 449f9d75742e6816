"""The landing page in Chromium, on a phone: no accessibility fault, nothing loaded from elsewhere, buying works."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.sandbox.shop import Shop, order, product, term

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_on_a_phone_is_accessible_and_sells(browser: Browser, shop: Shop, colours: Any) -> None:
    content = order(
        product("TV", quantity=2, detail={"images": [{"src": "https://nowhere.invalid/tv.jpg"}]}),
        product("SET", "0", products=[product("M1", "700"), product("M2", "400")]),
        product("GIFT", "50", "Gift cards"),
    )
    url = shop.submit(content).json()["url"]
    shop.sell(content["order_id"], {"product_id": "TV", "warranty": term(36, "99.00")})
    # The check's own script is not in the page's policy, which is tested without a browser.
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=colours, bypass_csp=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(url)
    assert Axe().run(page).response["violations"] == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    page.get_by_role("button", name="Buy 24 months, Extended warranty, for Product TV: 74.99").click()
    expect(page.get_by_role("status")).to_have_text("Bought. Your coverage is active from now on.")
    assert Axe().run(page).response["violations"] == []
    assert len(shop.warranties(content["order_id"])) == 2
    own = shop.sandbox.landing_url
    assert {address for address in asked if not address.startswith(own)} == {"https://nowhere.invalid/tv.jpg"}
    context.close()
