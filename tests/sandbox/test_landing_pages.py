"""The landing page: what a customer sees, buys, and can never reach."""

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest

from tests.sandbox.shop import Shop, order, product, term

clause = pytest.mark.clause


class Page(HTMLParser):
    """A page as a browser reads it: tags with their attributes, forms, and the visible text."""

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


def submitted(shop: Shop, *line_items: dict[str, Any], **more: Any) -> tuple[str, str]:
    """An order's id and the URL that came back for it."""
    content = order(*line_items, **more)
    return str(content["order_id"]), str(shop.submit(content).json()["url"])


def page(url: str) -> Page:
    answer = httpx.get(url)
    assert answer.status_code == 200
    return Page(answer.text)


@clause("service.order", "item.images", "carts.url")
def test_the_page_shows_products_with_image_title_and_plans_with_term_and_price(shop: Shop) -> None:
    order_id, url = submitted(
        shop,
        product("TV", "1899.00", detail={"images": [{"src": "https://shop.example.com/tv.jpg?a=1&b=2"}]}),
        product("GIFT", "50.00", "Gift cards"),
    )
    shown = page(url)
    (image,) = [attributes for tag, attributes in shown.tags if tag == "img"]
    assert (image["src"], image["alt"]) == ("https://shop.example.com/tv.jpg?a=1&b=2", "")
    assert "Product TV 1,899.00" in shown.words
    for offer in shop.offers(order_id):
        assert (
            f"{offer['warranty_duration']} months {offer['warranty_type']} {offer['warranty_price']}"
            in shown.words
        )
    assert "No plan for this product" in shown.words
    assert "Sandbox" in shown.words
    assert "no payment is taken" in shown.words
    assert len(shown.forms) == len(shop.offers(order_id))


@clause("service.customer-buys")
def test_a_customer_buys_a_plan_and_sees_it_bought(shop: Shop) -> None:
    order_id, url = submitted(shop, product("TV"), product("LAMP", "89.50", "Furniture"))
    wanted = shop.offer_id(order_id, 24)
    (form,) = [form for form in page(url).forms if form["warranty_offer_id"] == wanted]
    answer = httpx.post(url, data=form, follow_redirects=True)
    assert (answer.status_code, answer.history[0].status_code) == (200, 303)
    shown = Page(answer.text)
    assert "Bought. Your coverage is active" in shown.words
    assert "24 months Extended warranty, 74.99 Bought" in shown.words
    (sold,) = shop.warranties(order_id)
    assert (sold["warranty_duration"], sold["warranty_price"]) == (
        24,
        shop.offers(order_id)[1]["warranty_price"],
    )
    assert {form["line_item_id"] for form in shown.forms} == {"2"}
    assert "no unsold offer" in shop.refusal(order_id, {"product_id": "TV"})


SPANISH = {"accept-language": "fr;q=0.9, es-MX, en;q=0.5"}


def test_the_page_speaks_spanish_to_a_browser_that_asks_for_it_and_where_its_address_says_so(
    shop: Shop,
) -> None:
    _, url = submitted(shop, product("TV", quantity=2), product("GIFT", "50.00", "Gift cards"))
    by_browser = Page(httpx.get(url, headers=SPANISH).text)
    by_address = Page(httpx.get(f"{url}?lang=es").text)
    assert by_browser.words == by_address.words
    assert by_browser.tags[0] == ("html", {"lang": "es"})
    answer = httpx.post(f"{url}?lang=es", data=by_address.forms[0], follow_redirects=True)
    bought = Page(answer.text)
    assert "Comprado. Su protección vale desde ahora." in bought.words
    assert "12 meses Extended warranty" in bought.words
    assert "1 de 2 unidades todavía sin cubrir" in bought.words
    assert "No hay plan para este producto" in bought.words
    english = r"\b(the|you|your|plan for|bought|buy|covered|units|months|order|mail)\b"
    assert not re.search(english, bought.words.replace("Extended warranty", ""), re.IGNORECASE)
    missing = httpx.get(f"{url}x", headers=SPANISH)
    assert "No hay ningún pedido en esta dirección" in missing.text


@pytest.mark.parametrize(
    ("address", "accepted"),
    [
        ("", "de, fr;q=0.9"),
        ("", "en, es;q=0.9"),
        ("?lang=en", "es"),
        ("?lang=%ff", ""),
        ("", "es;q=x, en;q=1;q="),
    ],
)
def test_the_page_is_english_else(shop: Shop, address: str, accepted: str) -> None:
    _, url = submitted(shop)
    shown = Page(httpx.get(url + address, headers={"accept-language": accepted}).text)
    assert shown.tags[0] == ("html", {"lang": "en"})
    assert "Protect what you bought" in shown.words


@clause("service.retailer-sells")
def test_what_the_retailer_sold_is_shown_as_bought(shop: Shop) -> None:
    order_id, url = submitted(shop, product("TV", quantity=2))
    shop.sell(order_id, {"product_id": "TV", "warranty": term(24, "79.99")})
    shown = page(url)
    assert "24 months Extended warranty, 79.99 each, 1 of 2 units Bought" in shown.words
    assert "1 of 2 units not covered yet" in shown.words
    shop.sell(order_id, {"product_id": "TV", "warranty": term(36, "99.00")})
    shown = page(url)
    assert "You are covered" in shown.words
    assert "Covered" in shown.words
    assert shown.forms == []


def test_two_clicks_buy_one_plan(shop: Shop) -> None:
    order_id, url = submitted(shop)
    form = page(url).forms[0]
    assert httpx.post(url, data=form).status_code == 303
    again = httpx.post(url, data=form)
    assert again.status_code == 409
    assert "could not be bought" in again.text
    assert len(shop.warranties(order_id)) == 1


@pytest.mark.parametrize(
    "form",
    [
        {}, {"line_item_id": "1"}, {"line_item_id": "x", "warranty_offer_id": "y"}, {"a": "x" * 100_000},
        {"line_item_id": "1", "warranty_offer_id": ""}, {"line_item_id": "9" * 5000, "warranty_offer_id": "y"},
    ],
)  # fmt: skip
def test_a_form_that_names_no_plan_buys_nothing(shop: Shop, form: dict[str, str]) -> None:
    order_id, url = submitted(shop)
    assert httpx.post(url, data=form).status_code == 409
    assert shop.warranties(order_id) == []


def test_another_site_cannot_buy(shop: Shop) -> None:
    order_id, url = submitted(shop)
    form = page(url).forms[0]
    assert httpx.post(url, data=form, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert shop.warranties(order_id) == []


@clause("item.bundle", "states.units")
def test_a_bundle_is_one_plan_for_all_its_members(shop: Shop) -> None:
    order_id, url = submitted(
        shop, product("SET", "0", products=[product("M1", "700"), product("M2", "400.5")])
    )
    shown = page(url)
    assert "1,100.50" in shown.words
    assert "One plan covers all of these: Product M1 Product M2" in shown.words
    httpx.post(url, data=shown.forms[0])
    assert len(shop.warranties(order_id)[0]["covered_products"]) == 2


NASTY = "<script>alert(1)</script><img src=x onerror=alert(1)> \"'>&amp; {{ 7*7 }} {% raw %} \u202e😡"


def test_whatever_an_order_holds_is_text_on_the_page(shop: Shop) -> None:
    line = product(
        "X", "899.00", NASTY, products=[product("A", "500") | {"product_title": NASTY}, product("B", "500")]
    )
    _, url = submitted(shop, line | {"product_title": NASTY})
    shown = page(url)
    assert [tag for tag, _ in shown.tags if tag in {"script", "iframe", "style"}] == []
    assert not any(name.startswith("on") for _, attributes in shown.tags for name in attributes)
    assert NASTY in shown.text
    assert shown.text.count(NASTY) == 2


@clause("item.images")
@pytest.mark.parametrize(
    "address",
    ["http://shop.example.com/a.jpg", "javascript:alert(1)", "data:image/svg+xml,<svg/>", "//shop.example.com/a.jpg",
     "/etc/passwd", "https", "ftp://x/y", "https://[broken", ""],
)  # fmt: skip
def test_an_image_without_a_safe_address_is_a_drawing(shop: Shop, address: str) -> None:
    _, url = submitted(shop, product(detail={"images": [{"src": address}]}))
    assert "img" not in [tag for tag, _ in page(url).tags]


def test_an_image_at_the_top_of_the_line_item_is_shown(shop: Shop) -> None:
    _, url = submitted(shop, product(images=[{"src": "https://shop.example.com/top.jpg"}]))
    assert "https://shop.example.com/top.jpg" in [
        attributes.get("src") for tag, attributes in page(url).tags if tag == "img"
    ]


def test_the_page_loads_and_runs_nothing_but_its_own_style_and_pictures(shop: Shop) -> None:
    _, url = submitted(shop)
    answer = httpx.get(url)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"
    style = httpx.get(f"{shop.sandbox.landing_url}/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "prefers-color-scheme: dark" in style.text
    assert [attributes["href"] for tag, attributes in page(url).tags if tag == "link"] == ["/style.css"]


def test_the_page_says_nothing_about_the_customer(shop: Shop) -> None:
    _, url = submitted(shop)
    assert not re.search("josephine|clark|example.com", httpx.get(url).text, re.IGNORECASE)


HOSTILE = [
    "a/b", "/", "//", "../other", "..%2Fother", "%2e%2e", "%", "%41", "100%", "a b", " lead", "tail ", "a?b=c", "a#b",
    "a&b", "a+b", "'", '"', "<b>", "\\", "a\nb", "\u0000", "\u00e9", "e\u0301", "日本語", "😡", "\u202eabc", ";",
    ".a", "...", "~", "a\tb", "' OR '1'='1", "checkout", "x" * 255, "😡" * 255, "{}", "%00", "a%2fb",
]  # fmt: skip


@pytest.mark.parametrize("order_id", HOSTILE)
def test_a_hostile_order_id_keeps_its_own_page(shop: Shop, order_id: str) -> None:
    _, url = submitted(shop, product("OWN"), order_id=order_id)
    assert url == (
        f"{shop.sandbox.landing_url}/carts/{shop.sandbox.retailer_uuid}/checkout/{quote(order_id, safe='')}"
    )
    assert len(urlsplit(url).path.split("/")) == 5
    assert "Product OWN" in page(url).text
    assert shop.sell(order_id, {"product_id": "OWN"}).status_code == 200


@pytest.mark.parametrize("order_id", ["", " ", "\t\n", ".", "..", "x" * 256, "x" * 5000])
def test_an_order_id_that_no_address_can_carry_is_refused(shop: Shop, order_id: str) -> None:
    (sentence,) = shop.faults(order(order_id=order_id))
    assert sentence.startswith("order_id ")


def test_hostile_order_ids_never_reach_another_order(shop: Shop) -> None:
    for number, order_id in enumerate([*HOSTILE, "other", "b", "a"]):
        submitted(shop, product(f"OF-{number}."), order_id=order_id)
    for number, order_id in enumerate([*HOSTILE, "other", "b", "a"]):
        shown = page(
            f"{shop.sandbox.landing_url}/carts/{shop.sandbox.retailer_uuid}/checkout/{quote(order_id, safe='')}"
        )
        assert re.findall(r"Product OF-(\d+)\.", shown.text) == [str(number)]


def test_addresses_of_no_order_say_nothing(shop: Shop) -> None:
    order_id, url = submitted(shop)
    base, retailer = shop.sandbox.landing_url, shop.sandbox.retailer_uuid
    pages = {
        httpx.get(address).text
        for address in (
            f"{base}/",
            f"{base}/carts/{retailer}/checkout/",
            f"{base}/carts/{retailer}/checkout/nobody",
            f"{base}/carts/{retailer.upper()}/checkout/{order_id}",
            f"{base}/carts/00000000-0000-0000-0000-000000000000/checkout/{order_id}",
            f"{url}/",
            f"{url}/buy",
            f"{base}/carts/{retailer}/checkout/%ff",
            f"{base}/carts/{retailer}/checkout/%2e%2e",
        )
    }
    assert len(pages) == 1
    assert "There is no order at this address" in pages.pop()
    assert httpx.get(f"{base}/nothing").status_code == 404
    assert httpx.put(url).status_code == 405
    assert httpx.head(url).status_code == 200
