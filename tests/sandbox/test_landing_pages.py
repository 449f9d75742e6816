"""The landing page: what a customer sees, buys, and can never reach."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.sandbox.shop import Shop, order, product, term

clause = pytest.mark.clause
SPANISH = {"accept-language": "fr;q=0.9, es-MX, en;q=0.5"}
NASTY = "<script>alert(1)</script><img src=x onerror=alert(1)> \"'>&amp; {{ 7*7 }} {% raw %} \u202e😡"


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.forms: list[dict[str, str]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag == "form":
            self.forms.append({})
        if tag == "input":
            self.forms[-1][str(attributes["name"])] = str(attributes["value"])

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def words(self) -> str:
        return " ".join(self.text.split())

    @property
    def pictures(self) -> list[str | None]:
        return [attributes["src"] for tag, attributes in self.tags if tag == "img"]


def submitted(shop: Shop, *line_items: dict[str, Any], **more: Any) -> tuple[str, str]:
    content = order(*line_items, **more)
    return str(content["order_id"]), str(shop.submit(content).json()["url"])


def page(shop: Shop, url: str, headers: Mapping[str, str] | None = None) -> Page:
    answer = shop.pages.get(url, headers=headers)
    assert answer.status_code == 200
    return Page(answer.text)


@clause("service.order", "item.images", "carts.url")
def test_the_page_shows_products_with_image_title_and_plans_with_term_and_price(shop: Shop) -> None:
    tv = product("TV", "1899.00", detail={"images": [{"src": "https://shop.example.com/tv.jpg?a=1&b=2"}]})
    top = product("TOP", images=[{"src": "https://shop.example.com/top.jpg"}])
    order_id, url = submitted(shop, tv, top, product("GIFT", "50.00", "Gift cards"))
    shown = page(shop, url)
    assert shown.pictures == ["https://shop.example.com/tv.jpg?a=1&b=2", "https://shop.example.com/top.jpg"]
    assert "Product TV 1,899.00" in shown.words
    offers = shop.offers(order_id)
    for offer in offers:
        plan = f"{offer['warranty_duration']} months {offer['warranty_type']} {offer['warranty_price']}"
        assert plan in shown.words
    for sentence in ("No plan for this product", "Sandbox", "no payment is taken"):
        assert sentence in shown.words
    assert [form["line_item_id"] for form in shown.forms] == ["1"] * len(offers) + ["2"] * len(shop.offers(order_id, 2))


@clause("service.customer-buys")
def test_a_customer_buys_a_plan_and_sees_it_bought(shop: Shop) -> None:
    order_id, url = submitted(shop, product("TV"), product("LAMP", "89.50", "Furniture"))
    offer = next(each for each in shop.offers(order_id) if each["warranty_duration"] == 24)
    (form,) = [form for form in page(shop, url).forms if form["warranty_offer_id"] == offer["warranty_offer_id"]]
    assert shop.pages.post(url, data=form, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert shop.warranties(order_id) == [], "another site cannot buy"
    answer = shop.pages.post(url, data=form, follow_redirects=True)
    assert (answer.status_code, answer.history[0].status_code) == (200, 303)
    shown = Page(answer.text)
    assert "Bought. Your coverage is active" in shown.words
    assert f"24 months Extended warranty, {offer['warranty_price']} Bought" in shown.words
    (sold,) = shop.warranties(order_id)
    assert (sold["warranty_duration"], sold["warranty_price"]) == (24, offer["warranty_price"])
    assert {form["line_item_id"] for form in shown.forms} == {"2"}
    assert "no unsold offer" in shop.refusal(order_id, {"product_id": "TV"})
    again = shop.pages.post(url, data=form)
    assert (again.status_code, "could not be bought" in again.text) == (409, True)
    assert len(shop.warranties(order_id)) == 1


@clause("service.retailer-sells")
def test_what_the_retailer_sold_is_shown_as_bought(shop: Shop) -> None:
    order_id, url = submitted(shop, product("TV", quantity=2))
    shop.sell(order_id, {"product_id": "TV", "warranty": term(24, "79.99")})
    words = page(shop, url).words
    assert "24 months Extended warranty, 79.99 each, 1 of 2 units Bought" in words
    assert "1 of 2 units not covered yet" in words
    shop.sell(order_id, {"product_id": "TV", "warranty": term(36, "99.00")})
    shown = page(shop, url)
    assert ("You are covered" in shown.words, shown.forms) == (True, [])


def test_the_page_speaks_spanish_to_a_browser_or_an_address_that_asks_for_it(shop: Shop) -> None:
    _, url = submitted(shop, product("TV", quantity=2), product("GIFT", "50.00", "Gift cards"))
    by_browser, by_address = page(shop, url, SPANISH), page(shop, f"{url}?lang=es")
    assert by_browser.words == by_address.words
    assert by_browser.tags[0] == ("html", {"lang": "es"})
    words = Page(shop.pages.post(f"{url}?lang=es", data=by_address.forms[0], follow_redirects=True).text).words
    assert "Comprado. Su protección vale desde ahora." in words
    assert "1 de 2 unidades todavía sin cubrir" in words
    english = r"\b(the|you|your|plan for|bought|buy|covered|units|months|order|mail)\b"
    assert not re.search(english, words.replace("Extended warranty", ""), re.IGNORECASE)
    assert "No hay ningún pedido en esta dirección" in shop.pages.get(f"{url}x", headers=SPANISH).text


@pytest.mark.parametrize(("address", "accepted"), [
    ("", "de, fr;q=0.9"), ("", "en, es;q=0.9"), ("?lang=en", "es"), ("?lang=%ff", ""),
    ("", "es;q=x, en;q=1;q="),
])  # fmt: skip
def test_the_page_is_english_else(shop: Shop, address: str, accepted: str) -> None:
    _, url = submitted(shop)
    shown = page(shop, url + address, {"accept-language": accepted})
    assert (shown.tags[0], "Protect what you bought" in shown.words) == (("html", {"lang": "en"}), True)


@pytest.mark.parametrize("form", [
    {}, {"line_item_id": "1"}, {"line_item_id": "x", "warranty_offer_id": "y"}, {"a": "x" * 100_000},
    {"line_item_id": "1", "warranty_offer_id": ""}, {"line_item_id": "9" * 5000, "warranty_offer_id": "y"},
])  # fmt: skip
def test_a_form_that_names_no_plan_buys_nothing(shop: Shop, form: dict[str, str]) -> None:
    order_id, url = submitted(shop)
    assert shop.pages.post(url, data=form).status_code == 409
    assert shop.warranties(order_id) == []


@clause("item.bundle", "states.units")
def test_a_bundle_is_one_plan_for_all_its_members(shop: Shop) -> None:
    order_id, url = submitted(shop, product("SET", "0", products=[product("M1", "700"), product("M2", "400.5")]))
    shown = page(shop, url)
    assert "1,100.50" in shown.words
    assert "One plan covers all of these: Product M1 Product M2" in shown.words
    shop.pages.post(url, data=shown.forms[0])
    assert len(shop.warranties(order_id)[0]["covered_products"]) == 2


@clause("item.images")
def test_whatever_an_order_holds_is_text_or_a_drawing_and_nothing_of_the_customer_is_shown(shop: Shop) -> None:
    members = [product("A", "500") | {"product_title": NASTY}, product("B", "500")]
    _, url = submitted(shop, product("X", "899.00", NASTY, products=members) | {"product_title": NASTY})
    shown = page(shop, url)
    assert {"script", "iframe", "style"} & {tag for tag, _ in shown.tags} == set()
    assert not any(name.startswith("on") for _, attributes in shown.tags for name in attributes)
    assert shown.text.count(NASTY) == 2
    assert not re.search("josephine|clark|example.com", shown.text, re.IGNORECASE)
    unsafe = (
        "http://shop.example.com/a.jpg", "javascript:alert(1)", "data:image/svg+xml,<svg/>", "//shop.example.com/a.jpg",
        "/etc/passwd", "https", "ftp://x/y", "https://[broken", "",
    )  # fmt: skip
    _, url = submitted(shop, *[product(detail={"images": [{"src": address}]}) for address in unsafe])
    assert page(shop, url).pictures == []


def test_the_page_loads_and_runs_nothing_but_its_own_style_and_pictures(shop: Shop) -> None:
    _, url = submitted(shop)
    headers = shop.pages.get(url).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert not re.search("script-src|unsafe", policy)
    told = [headers[name] for name in ("x-content-type-options", "referrer-policy", "cache-control")]
    assert told == ["nosniff", "same-origin", "no-store"]
    assert shop.pages.get("/style.css").headers["content-type"].startswith("text/css")
    assert [attributes["href"] for tag, attributes in page(shop, url).tags if tag == "link"] == ["/style.css"]


HOSTILE = [
    "a/b", "/", "//", "../other", "..%2Fother", "%2e%2e", "%", "%41", "100%", "a b", " lead", "tail ", "a?b=c", "a#b",
    "a&b", "a+b", "'", '"', "<b>", "\\", "a\nb", "\u0000", "\u00e9", "e\u0301", "日本語", "😡", "\u202eabc", ";",
    ".a", "...", "~", "a\tb", "' OR '1'='1", "checkout", "x" * 255, "😡" * 255, "{}", "%00", "a%2fb", "other", "b", "a",
]  # fmt: skip


@clause("carts.url-order-id")
def test_a_hostile_order_id_has_a_page_of_its_own_and_reaches_no_other(shop: Shop) -> None:
    checkouts = f"{shop.sandbox.landing_url}/carts/{shop.sandbox.retailer_uuid}/checkout"
    urls = [submitted(shop, product(f"OF-{n}."), order_id=each)[1] for n, each in enumerate(HOSTILE)]
    for number, (order_id, url) in enumerate(zip(HOSTILE, urls, strict=True)):
        assert url == f"{checkouts}/{quote(order_id, safe='')}"
        assert len(urlsplit(url).path.split("/")) == 5
        assert re.findall(r"Product OF-(\d+)\.", page(shop, url).text) == [str(number)]
        assert shop.sell(order_id, {"product_id": f"OF-{number}."}).status_code == 200


def test_addresses_of_no_order_say_nothing(shop: Shop) -> None:
    order_id, url = submitted(shop)
    retailer = shop.sandbox.retailer_uuid
    pages = {
        shop.pages.get(address).text
        for address in (
            "/", f"/carts/{retailer}/checkout/", f"/carts/{retailer}/checkout/nobody",
            f"/carts/{retailer.upper()}/checkout/{order_id}",
            f"/carts/00000000-0000-0000-0000-000000000000/checkout/{order_id}",
            f"{url}/", f"{url}/buy", f"/carts/{retailer}/checkout/%ff", f"/carts/{retailer}/checkout/%2e%2e",
        )
    }  # fmt: skip
    assert len(pages) == 1
    assert "There is no order at this address" in pages.pop()
    assert shop.pages.get("/nothing").status_code == 404
    assert shop.pages.put(url).status_code == 405
    assert shop.pages.head(url).status_code == 200


@pytest.mark.browser
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_on_a_phone_is_accessible_and_sells(browser: Browser, shop: Shop, colours: Any) -> None:
    tv = product("TV", quantity=2, detail={"images": [{"src": "https://nowhere.invalid/tv.jpg"}]})
    bundle = product("SET", "0", products=[product("M1", "700"), product("M2", "400")])
    order_id, url = submitted(shop, tv, bundle, product("GIFT", "50", "Gift cards"))
    shop.sell(order_id, {"product_id": "TV", "warranty": term(36, "99.00")})
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
    assert len(shop.warranties(order_id)) == 2
    own = shop.sandbox.landing_url
    assert {address for address in asked if not address.startswith(own)} == {"https://nowhere.invalid/tv.jpg"}
    context.close()
