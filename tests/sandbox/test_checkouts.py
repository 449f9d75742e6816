"""POST /api/checkout: what it requires, the welcome mail, and what a subscription takes in."""

import uuid
from typing import Any

import pytest

from sandbox.service.service import DEMO_SUBSCRIBER
from tests.sandbox.shop import ADDRESS, CHECKOUT, Shop, checkout, product

clause = pytest.mark.clause
MISSED = ("first_name", "last_name", "address1", "city", "state", "zip", "country", "country_code")


def faults(shop: Shop, content: dict[str, Any]) -> list[str]:
    answer = shop.post(CHECKOUT, content)
    assert answer.status_code == 400
    assert shop.outbox(str(content.get("id"))) == []
    return list(answer.json()["message"]["validation_errors"])


def taken_in(shop: Shop) -> list[int]:
    calls = shop.sandbox.calls()
    return [call["added_to_subscription"] for call in calls if call["operation"] == "notify_checkout"]


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
def test_all_that_is_missing_from_a_checkout_is_named_at_once(shop: Shop) -> None:
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


@clause("checkout-item.offer-id", "checkout-item.quantity", "checkout-item.mfw-duration")
@clause("checkout-item.mfw-start")
def test_each_warranty_line_item_is_checked(shop: Shop) -> None:
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
