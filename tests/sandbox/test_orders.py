"""POST /api/carts, when it goes well: what is taken, what is stored, what comes back."""

import json
import uuid
from typing import Any

import pytest

from sandbox.seeds.catalogue import catalogue
from tests.sandbox.openapi import description
from tests.sandbox.shop import CARTS, Shop, addressed, order, product, term

clause = pytest.mark.clause

AS_POSTED = """
{"order_id": "7689dde5c0f64fffa7ad217f6f73",
 "line_items": [{"product_title": "Apple Macbook Pro 2019", "product_id": "123456", "product_price": "1500.00",
   "meta": {"breadcrumbs": [{"category": "Electronics"}, {"category": "Consumer Electronics"}]},
   "detail": {"images": [{"src": "https://shop.example.com/img/macbook.jpg"}]}}],
 "billing_address": {"first_name": "Josephine", "last_name": "Clark", "address1": "123 Mint St. Apt 3F", "phone": "",
   "email": "josephine.clark@example.com", "city": "Brooklyn", "zip": "11231", "state": "NY",
   "country": "United States", "address2": "", "country_code": "US", "province_code": "NY"}}
"""


@clause(
    "carts.new", "service.order", "states.new-order", "states.order", "endpoints.json", "billing.optional"
)
def test_an_order_as_a_shop_posts_it_is_stored_with_offers_and_a_link(shop: Shop) -> None:
    answer = shop.http.post(
        CARTS,
        content=AS_POSTED,
        headers={**shop.private, "Content-Type": "application/json", "Accept": "application/json"},
    )
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    received = answer.json()
    assert received == {"success": True, "url": received["url"], "warrantable_products": True}
    assert received["url"].endswith("/checkout/7689dde5c0f64fffa7ad217f6f73")
    (item,) = shop.carried("7689dde5c0f64fffa7ad217f6f73")
    assert (item["product_id"], item["product_title"]) == ("123456", "Apple Macbook Pro 2019")
    assert item["quantity"] == 1
    assert item["warranties"] == []
    assert {offer["status"] for offer in item["offers"]} == {"unsold"}


@clause("carts.url", "carts.retailer-uuid", "carts.url-order-id", "notation.landing-url", "notation.base-url")
def test_the_url_can_be_built_from_landing_url_retailer_and_order_id(shop: Shop) -> None:
    content = order()
    received = shop.submit(content).json()
    sandbox = shop.sandbox
    assert (
        received["url"]
        == f"{sandbox.landing_url}/carts/{sandbox.retailer_uuid}/checkout/{content['order_id']}"
    )
    assert str(uuid.UUID(sandbox.retailer_uuid)) == sandbox.retailer_uuid
    assert sandbox.base_url.startswith("https://")
    assert sandbox.landing_url != sandbox.base_url


@clause("carts.known", "states.repeat", "states.offers-made-once")
def test_an_order_id_sent_again_changes_nothing_and_brings_the_same_link(shop: Shop) -> None:
    first = order(product("TV-55", "899.99"))
    link = shop.submit(first).json()["url"]
    before = shop.carried(first["order_id"])
    other = order(
        product("LAMP", "89.50", "Furniture"), product("SOFA", "900.00"), order_id=first["order_id"]
    )
    for content in (first, other):
        assert shop.submit(content).json() == {"success": True, "url": link}
    assert shop.carried(first["order_id"]) == before
    assert len(shop.outbox(first["order_id"])) == 1


@clause("carts.known", "states.repeat")
def test_an_order_id_sent_again_after_a_sale_keeps_the_warranty(shop: Shop) -> None:
    content = order()
    shop.submit(content)
    shop.sell(content["order_id"], {"product_id": "TV-55"})
    before = shop.carried(content["order_id"])
    assert "warrantable_products" not in shop.submit(content).json()
    assert shop.carried(content["order_id"]) == before


@clause("states.repeat")
def test_eight_equal_orders_at_the_same_moment_are_one_order(shop: Shop) -> None:
    content = order()
    received = [answer.json() for answer in shop.at_once(8, CARTS, content)]
    assert sum("warrantable_products" in one for one in received) == 1
    assert len({one["url"] for one in received}) == 1
    assert [call["written"] for call in shop.sandbox.calls()].count(True) == 1
    assert len(shop.outbox(content["order_id"])) == 1


@clause("order.order-id", "order.order-id-non-sequential")
@pytest.mark.parametrize("order_id", ["1001", "#1001", "6599143014002", "ORDER 7/2026"])
def test_sequential_order_ids_are_taken_although_the_document_warns(shop: Shop, order_id: str) -> None:
    assert shop.submit(order(order_id=order_id)).status_code == 200
    assert shop.carried(order_id)


def test_an_order_id_as_a_json_number_is_the_same_as_its_digits(shop: Shop) -> None:
    assert shop.submit(order(order_id=6599143014002)).json()["url"].endswith("/checkout/6599143014002")
    assert "warrantable_products" not in shop.submit(order(order_id="6599143014002")).json()


@clause("item.quantity-above-20", "limits.order-quantity", "item.quantity-default")
@pytest.mark.parametrize(
    ("sent", "stored"),
    [(..., 1), (None, 1), (3, 3), ("3", 3), (3.0, 3), (20, 20), (21, 20), (10**30, 20), ("9" * 400, 20)],
)
def test_quantity_is_one_by_default_and_twenty_at_most(shop: Shop, sent: Any, stored: int) -> None:
    item = product() if sent is ... else product(quantity=sent)
    assert shop.carried(shop.stored(item))[0]["quantity"] == stored


@clause("item.unit-warranties")
def test_each_unit_is_offered_its_own_warranty(shop: Shop) -> None:
    order_id = shop.stored(product(quantity=3))
    for _ in range(3):
        assert shop.sell(order_id, {"product_id": "TV-55"}).status_code == 200
    assert len(shop.warranties(order_id)) == 3
    assert "no unsold offer" in shop.refusal(order_id, {"product_id": "TV-55"})


@clause("item.extra-data", "item.delivery-date", "item.product-price")
def test_whatever_shop_platforms_add_is_taken(shop: Shop) -> None:
    """One line per unit, four decimals, nulls, extra keys, images at the top: as real platforms send."""
    line = product(
        "40155",
        "899.9900",
        variant_id=None,
        product_delivery_date=None,
        detail=None,
        images=[{"src": "https://shop.example.com/a.jpg"}, 7, None],
        taxable=True,
        properties={"gift": {"wrap": [1, 2.5, None]}},
    )
    line["meta"]["breadcrumbs"][0]["id"] = 12
    line["meta"]["vendor"] = "House"
    content = order(line, line, note=None, tags=["x"], merchant_external_id=None)
    content["billing_address"].update(
        address2=None, phone=None, province_code=None, company="", country="US (USA)"
    )
    assert shop.submit(content).json()["warrantable_products"] is True
    first, second = shop.carried(content["order_id"])
    assert (first["line_item_id"], second["line_item_id"]) == (1, 2)
    assert first["product_price"] == "899.9900"
    assert first["offers"] == second["offers"]


@pytest.mark.parametrize("variant", [False, 1.5, {"gid": "v-1"}, [], ""])
def test_a_variant_id_that_names_nothing_does_not_refuse_an_order(shop: Shop, variant: Any) -> None:
    """The document knows no variant_id in an order, so platforms may put anything there."""
    order_id = shop.stored(product(variant_id=variant))
    assert shop.sell(order_id, {"product_id": "TV-55", "warranty": term(24)}).status_code == 200


@clause("item.delivery-date", "item.images", "item.product-price")
@pytest.mark.parametrize(
    ("price", "shown"),
    [
        ("899.99", "899.99"),
        (899.99, "899.99"),
        (900, "900"),
        ("0.00", "0.00"),
        (" 12.5 ", "12.5"),
        ("007.10", "7.10"),
        ("8.9900000000000002", "8.9900000000000002"),  # as platforms print a float
        ("8.99" + "0" * 60, "8.99" + "0" * 60),
    ],
)
def test_a_price_may_be_text_or_a_number(shop: Shop, price: Any, shown: str) -> None:
    order_id = shop.stored(
        product(
            price=price,
            product_delivery_date="2026-12-01",
            detail={"images": [{"src": "https://x.example/1"}]},
        )
    )
    assert shop.carried(order_id)[0]["product_price"] == shown


@clause("order.merchant")
def test_an_order_may_name_a_merchant_of_the_account(shop: Shop) -> None:
    assert shop.submit(order(merchant_external_id="north-store")).status_code == 200
    assert shop.submit(order(merchant_external_id="")).status_code == 200


@clause("billing.link", "billing.contact")
@pytest.mark.parametrize(
    ("contact", "channel", "recipient"),
    [
        ({"email": "ada@example.com"}, "email", "ada@example.com"),
        ({"email": ..., "phone": "+1 212 555 0100"}, "text message", "+1 212 555 0100"),
        ({"email": "", "phone": "+1 212 555 0100"}, "text message", "+1 212 555 0100"),
        ({"email": "ada@example.com", "phone": ""}, "email", "ada@example.com"),
    ],
)
def test_the_link_reaches_the_customer_by_mail_or_else_by_phone(
    shop: Shop, contact: dict[str, Any], channel: str, recipient: str
) -> None:
    content = addressed(**contact)
    url = shop.submit(content).json()["url"]
    (message,) = shop.outbox(content["order_id"])
    assert (message["kind"], message["channel"], message["recipient"]) == (
        "landing_page_link",
        channel,
        recipient,
    )
    assert url in message["text"]


@clause("carts.none-eligible")
def test_an_order_without_eligible_products_says_so(shop: Shop) -> None:
    received = shop.submit(order(product("GIFT", "50.00", "Gift Cards"))).json()
    assert received["success"] is True
    assert received["warrantable_products"] is False
    assert shop.submit(order(product("GIFT", "50.00", "Gift Cards"), product())).json()[
        "warrantable_products"
    ]


def test_an_order_without_line_items_is_taken_as_not_warrantable(shop: Shop) -> None:
    assert shop.submit(order() | {"line_items": []}).json()["warrantable_products"] is False


def test_a_product_without_sku_is_taken_and_can_be_protected_by_its_line_item(shop: Shop) -> None:
    order_id = shop.stored(product(""))
    sold = shop.sell(
        order_id,
        {"line_item_id": 1, "warranty": {"warranty_duration": 24, "warranty_price": "60.00"}},
    )
    assert sold.status_code == 200
    assert "identifies no offer" in shop.refusal(order_id, {"product_id": ""})


@clause("events.none", "versioning.none", "limits.none-shown")
def test_an_order_of_many_lines_is_taken_and_nothing_calls_back(shop: Shop) -> None:
    order_id = shop.stored(*[product(f"SKU-{number}", "19.90") for number in range(600)])
    assert len(shop.carried(order_id)) == 600
    described = description()
    assert "webhooks" not in described
    assert "callbacks" not in json.dumps(described)
    assert not any(
        segment.startswith("v") and segment[1:].isdigit()
        for path in described["paths"]
        for segment in path.split("/")
    )


def test_the_demo_catalogue_can_be_ordered_as_it_stands(shop: Shop) -> None:
    products = catalogue()
    assert len(products) == len({one.sku for one in products}) == 40
    order_id = shop.stored(*[one.line_item(quantity=1) for one in products])
    offered = {
        item["product_id"]: {o["warranty_duration"] for o in item["offers"]}
        for item in shop.carried(order_id)
    }
    assert [sku for sku, months in offered.items() if not months] == ["GIFT-50", "COFFEE-1KG"]
    assert all(24 in months for months in offered.values() if months)
    laptops = [one.sku for one in products if "Laptops" in one.category]
    assert len(laptops) == 2
