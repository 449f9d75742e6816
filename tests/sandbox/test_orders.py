"""POST /api/carts, when it goes well: what is taken, what is stored, what comes back."""

import json
import uuid
from typing import Any

import pytest

from sandbox.api.operations import OPERATIONS
from sandbox.seeds.catalogue import catalogue
from sandbox.service.service import DEMO_SUBSCRIBER
from tests.sandbox.shop import ADDRESS, CARTS, CHECKOUT, Shop, addressed, checkout, order, product, term

clause = pytest.mark.clause


@clause("carts.new", "service.order", "states.new-order", "states.order", "endpoints.json")
@clause("billing.optional", "carts.url", "carts.retailer-uuid", "carts.url-order-id")
@clause("notation.landing-url", "notation.base-url", "item.extra-data", "item.delivery-date")
@clause("item.quantity-default", "order.merchant")
def test_an_order_as_platforms_send_it_is_stored_with_offers_and_a_link(shop: Shop) -> None:
    """One line per unit, four decimals, nulls, extra keys, images at the top, a variant that names nothing."""
    images = [{"src": "https://shop.example.com/a.jpg"}, 7, None]
    extra = {"taxable": True, "properties": {"gift": {"wrap": [1, 2.5, None]}}}
    line = product(
        "40155", "899.9900", variant_id={"gid": "v-1"}, product_delivery_date=None, detail=None, images=images
    )
    line |= extra
    line["meta"]["breadcrumbs"][0]["id"] = 12
    content = order(line, line, note=None, tags=["x"], merchant_external_id="north-store")
    content["billing_address"].update(address2=None, phone=None, province_code=None, company="", country="US (USA)")
    answer = shop.submit(content)
    sandbox = shop.sandbox
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    url = f"{sandbox.landing_url}/carts/{sandbox.retailer_uuid}/checkout/{content['order_id']}"
    assert answer.json() == {"success": True, "url": url, "warrantable_products": True}
    assert str(uuid.UUID(sandbox.retailer_uuid)) == sandbox.retailer_uuid
    first, second = shop.carried(content["order_id"])
    assert (first["line_item_id"], second["line_item_id"]) == (1, 2)
    assert (first["product_id"], first["product_title"]) == ("40155", "Product 40155")
    assert (first["product_price"], first["quantity"], first["warranties"]) == ("899.9900", 1, [])
    assert first["offers"] == second["offers"]
    assert {offer["status"] for offer in first["offers"]} == {"unsold"}


@clause("carts.known", "states.repeat", "states.offers-made-once")
def test_an_order_id_sent_again_changes_nothing_and_brings_the_same_link(shop: Shop) -> None:
    first = order(product("TV-55", "899.99", quantity=2))
    link = shop.submit(first).json()["url"]
    shop.sell(first["order_id"], {"product_id": "TV-55"})
    before = shop.carried(first["order_id"])
    other = order(product("LAMP", "89.50", "Furniture"), product("SOFA", "900.00"), order_id=first["order_id"])
    for content in (first, other):
        assert shop.submit(content).json() == {"success": True, "url": link}
    assert shop.carried(first["order_id"]) == before
    assert len(shop.outbox(first["order_id"])) == 1


@clause("states.repeat")
def test_eight_equal_orders_at_the_same_moment_are_one_order(shop: Shop) -> None:
    content = order()
    received = [answer.json() for answer in shop.at_once(8, CARTS, content)]
    assert sum("warrantable_products" in one for one in received) == 1
    assert len({one["url"] for one in received}) == 1
    assert [call["written"] for call in shop.sandbox.calls()].count(True) == 1
    assert len(shop.outbox(content["order_id"])) == 1


@clause("order.order-id", "order.order-id-non-sequential")
def test_sequential_order_ids_are_taken_despite_the_warning_and_a_number_is_its_digits(shop: Shop) -> None:
    for order_id in ("1001", "#1001", "ORDER 7/2026"):
        assert shop.carried(shop.stored(order_id=order_id))
    assert shop.submit(order(order_id=6599143014002)).json()["url"].endswith("/checkout/6599143014002")
    assert "warrantable_products" not in shop.submit(order(order_id="6599143014002")).json()


@clause("item.quantity-above-20", "limits.order-quantity", "item.quantity-default")
@pytest.mark.parametrize(("sent", "stored"), [(None, 1), ("3", 3), (20, 20), (21, 20), (10**30, 20)])
def test_quantity_is_one_by_default_and_twenty_at_most(shop: Shop, sent: Any, stored: int) -> None:
    assert shop.carried(shop.stored(product(quantity=sent)))[0]["quantity"] == stored


@clause("billing.link", "billing.contact")
@pytest.mark.parametrize(("contact", "channel", "recipient"), [
    ({"email": "ada@example.com", "phone": "+1 212 555 0100"}, "email", "ada@example.com"),
    ({"email": ..., "phone": "+1 212 555 0100"}, "text message", "+1 212 555 0100"),
    ({"email": "", "phone": "+1 212 555 0100"}, "text message", "+1 212 555 0100"),
    ({"email": "ada@example.com", "phone": ""}, "email", "ada@example.com"),
])  # fmt: skip
def test_the_link_goes_by_mail_else_by_phone(shop: Shop, contact: dict[str, Any], channel: str, recipient: str) -> None:
    content = addressed(**contact)
    url = shop.submit(content).json()["url"]
    (message,) = shop.outbox(content["order_id"])
    assert message | {"kind": "landing_page_link", "channel": channel, "recipient": recipient} == message
    assert url in message["text"]


@clause("carts.none-eligible")
def test_an_order_is_warrantable_where_one_of_its_products_is(shop: Shop) -> None:
    gift = product("GIFT", "50.00", "Gift Cards")
    for lines, is_warrantable in (([gift], False), ([gift, product()], True), ([], False)):
        received = shop.submit(order() | {"line_items": lines}).json()
        assert (received["success"], received["warrantable_products"]) == (True, is_warrantable)


@clause("events.none", "versioning.none", "limits.none-shown")
def test_a_product_without_sku_is_protected_by_its_line_item_and_many_lines_are_taken(shop: Shop) -> None:
    order_id = shop.stored(product(""))
    assert shop.sell(order_id, {"line_item_id": 1, "warranty": term(24, "60.00")}).status_code == 200
    assert "identifies no offer" in shop.refusal(order_id, {"product_id": ""})
    assert len(shop.carried(shop.stored(*[product(f"SKU-{number}", "19.90") for number in range(600)]))) == 600
    assert {operation.path.count("/") for operation in OPERATIONS} == {2}


def test_the_demo_catalogue_can_be_ordered_as_it_stands(shop: Shop) -> None:
    products = catalogue()
    assert len(products) == len({one.sku for one in products}) == 40
    order_id = shop.stored(*[one.line_item(quantity=1) for one in products])
    offered = {
        item["product_id"]: {offer["warranty_duration"] for offer in item["offers"]} for item in shop.carried(order_id)
    }
    assert [sku for sku, months in offered.items() if not months] == ["GIFT-50", "COFFEE-1KG"]
    assert all(24 in months for months in offered.values() if months)
    assert len([one.sku for one in products if "Laptops" in one.category]) == 2


AMOUNT = 'must be an amount of zero or more, written like "1500.00".'


@clause("carts.invalid", "carts-error.body", "carts-error.merchant", "order.merchant", "item.product-title")
@clause("order.order-id", "order.line-items", "item.product-id", "billing.country", "billing.first-name")
@clause("item.breadcrumbs", "item.images", "item.delivery-date", "billing.optional", "carts-error.state")
@clause("billing.state", "carts-error.contact", "billing.contact", "billing.empty-phone")
def test_all_faults_of_an_order_are_named_at_once_by_their_fields_also_where_its_id_is_known(shop: Shop) -> None:
    odd = {
        "product_id": True, "product_title": 5, "product_price": "abc", "quantity": 0,
        "product_delivery_date": 20261201, "meta": {"breadcrumbs": ["TV", {"category": 5}]},
        "detail": {"images": [{"src": 1}]}, "products": [1, {}],
    }  # fmt: skip
    lists = product(meta={"breadcrumbs": "TV"}, detail=[], products={})
    content = {
        "line_items": [{}, "lamp", odd, lists],
        "billing_address": {"state": "", "last_name": 7, "email": " ", "phone": ""},
        "merchant_external_id": "south-store",
    }
    assert shop.faults(content) == [
        "order_id is required.", "line_items[1] must be an object.", "line_items[0].product_id is required.",
        "line_items[0].product_title is required.", "line_items[0].product_price is required.",
        "line_items[2].product_id must be text.", "line_items[2].product_title must be text.",
        f"line_items[2].product_price {AMOUNT}", "line_items[2].meta.breadcrumbs[0] must be an object.",
        "line_items[2].meta.breadcrumbs[1].category must be text.", "line_items[2].detail.images[0].src must be text.",
        "line_items[2].quantity must be a positive whole number.", "line_items[2].product_delivery_date must be text.",
        "line_items[2].products[0] must be an object.", "line_items[2].products[1].product_id is required.",
        "line_items[2].products[1].product_title is required.", "line_items[2].products[1].product_price is required.",
        "line_items[3].meta.breadcrumbs must be a list.", "line_items[3].detail must be an object.",
        "line_items[3].products must be a list.", "billing_address.state is required, whatever the country.",
        "billing_address.country is required.", "billing_address.first_name is required.",
        "billing_address.last_name must be text.",
        "billing_address.email or billing_address.phone is required; an empty text does not count as given.",
        "merchant_external_id matches no merchant of the account.",
    ]  # fmt: skip
    assert shop.faults(order() | {"line_items": None}) == ["line_items is required."]
    for wrong in ("[]", '"1 Main St"', "false"):
        assert shop.faults(order() | {"billing_address": json.loads(wrong)}) == ["billing_address must be an object."]
    content = order()
    shop.submit(content)
    assert shop.submit(content | {"line_items": None}).status_code == 400


MISSED = ("first_name", "last_name", "address1", "city", "state", "zip", "country", "country_code")


def faults(shop: Shop, content: dict[str, Any]) -> list[str]:
    answer = shop.post(CHECKOUT, content)
    assert answer.status_code == 400
    assert shop.outbox(str(content.get("id"))) == []
    return list(answer.json()["message"]["validation_errors"])


def taken_in(shop: Shop) -> list[int]:
    return [call["added_to_subscription"] for call in shop.sandbox.calls() if call["operation"] == "notify_checkout"]


@clause("checkout.purpose", "checkout.answer", "service.welcome-mail", "states.checkout", "checkout.id")
@clause("checkout.email", "checkout.phone", "checkout.shipping-address", "checkout.merchant")
@clause("checkout-item.quantity", "checkout-item.mfw-duration", "checkout-item.mfw-start")
@clause("customer-address.address2")
def test_a_checkout_welcomes_the_customer_and_once_more_when_it_is_sent_again(shop: Shop) -> None:
    offer_id = str(uuid.uuid4())
    content = checkout(
        phone="+1 212 555 0100", merchant_id="north-store", shipping_address={**ADDRESS, "address2": "Rear"},
        note={"till": 4},
        line_items=[
            {"warranty_offer_id": offer_id, "quantity": 2, "mfw_duration_months": 12.5, "mfw_start_date": "2026-02-28"},
            {"warranty_offer_id": offer_id, "quantity": None, "sku": "W-24"},
            {"warranty_offer_id": offer_id, "quantity": 40},
        ],
    )  # fmt: skip
    content["billing_address"]["address2"] = None
    for _ in range(2):
        answer = shop.post(CHECKOUT, content)
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    mail, again = shop.outbox(content["id"])
    assert mail["text"] == again["text"]
    assert (mail["kind"], mail["channel"], mail["recipient"]) == ("welcome", "email", "josephine.clark@example.com")
    assert "customer portal" in mail["text"]
    assert "file a claim" in mail["text"]


@clause("other-errors.checkout", "checkout.id", "checkout.email", "checkout.line-items")
@clause("checkout.billing-address", "customer-address.required", "customer-address.country-code")
@clause("checkout-item.offer-id", "checkout-item.quantity", "checkout-item.mfw-duration")
@clause("checkout-item.mfw-start")
def test_all_that_is_missing_or_wrong_in_a_checkout_is_named_at_once(shop: Shop) -> None:
    assert faults(shop, {"shipping_address": {}}) == [
        "id is required.", "email is required.", "line_items is required.", "billing_address is required.",
        *[f"shipping_address.{name} is required." for name in MISSED],
    ]  # fmt: skip
    empty = dict.fromkeys(MISSED, "")
    assert faults(shop, checkout(billing_address=empty)) == [f"billing_address.{name} is required." for name in MISSED]
    assert shop.post(CHECKOUT, checkout(line_items=[])).status_code == 200
    for code in ("U", "USA"):
        content = checkout(billing_address={**ADDRESS, "country_code": code})
        assert faults(shop, content) == ["billing_address.country_code must have 2 characters."]
    odd = {"quantity": 0, "mfw_duration_months": "12", "mfw_start_date": "2026-02-30"}
    lines = [{}, {"warranty_offer_id": "24-months"}, {"warranty_offer_id": str(uuid.uuid4()), **odd}]
    assert faults(shop, checkout(line_items=lines)) == [
        "line_items[0].warranty_offer_id is required.",
        "line_items[1].warranty_offer_id must be a UUID.",
        "line_items[2].quantity must be a positive whole number.",
        "line_items[2].mfw_duration_months must be a number of zero or more.",
        "line_items[2].mfw_start_date must be a date of the form YYYY-MM-DD.",
    ]


@clause("service.subscription", "states.checkout", "checkout-item.offer-id")
def test_an_active_subscription_takes_in_the_eligible_items_without_a_warranty(shop: Shop) -> None:
    order_id = shop.stored(
        product("SOLD", "899.99"), product("IN-CHECKOUT", "89.50"), product("OPEN", "300.00"),
        product("HALF-SOLD", "120.00", quantity=2), product("GIFT", "50.00", "Gift cards"),
    )  # fmt: skip
    shop.sell(order_id, {"product_id": "SOLD"}, {"product_id": "HALF-SOLD"})
    for not_theirs in (checkout(id=order_id), checkout(email=DEMO_SUBSCRIBER)):  # somebody else's, and of no order
        shop.post(CHECKOUT, not_theirs)
    content = checkout(shop.offer_id(order_id, 24, item=2), id=order_id, email=DEMO_SUBSCRIBER.upper())
    for _ in range(2):
        assert shop.post(CHECKOUT, content).status_code == 200
    (subscription,) = shop.sandbox.subscriptions()
    assert subscription["email"] == DEMO_SUBSCRIBER
    assert [item["product_id"] for item in subscription["items"]] == ["OPEN", "HALF-SOLD"]
    assert taken_in(shop) == [0, 0, 2, 0]
