"""POST /api/checkout: what it requires, the welcome mail, and what a subscription takes in."""

import copy
import uuid
from typing import Any

import pytest

from sandbox.service.service import DEMO_SUBSCRIBER
from tests.sandbox.shop import ADDRESS, CHECKOUT, Shop, checkout, product

clause = pytest.mark.clause


def faults(shop: Shop, content: dict[str, Any]) -> list[str]:
    answer = shop.post(CHECKOUT, content)
    assert answer.status_code == 400
    assert shop.outbox(str(content.get("id"))) == []
    return list(answer.json()["message"]["validation_errors"])


@clause(
    "checkout.purpose",
    "checkout.answer",
    "service.welcome-mail",
    "states.checkout",
    "checkout.id",
    "checkout.email",
)
def test_a_checkout_welcomes_the_customer(shop: Shop) -> None:
    content = checkout()
    answer = shop.post(CHECKOUT, content)
    assert (answer.status_code, answer.json()) == (200, {"success": True})
    (mail,) = shop.outbox(content["id"])
    assert (mail["kind"], mail["channel"], mail["recipient"]) == (
        "welcome",
        "email",
        "josephine.clark@example.com",
    )
    assert "customer portal" in mail["text"]
    assert "file a claim" in mail["text"]


@clause("checkout.phone", "checkout.shipping-address", "checkout.merchant", "checkout-item.quantity")
@clause("checkout-item.mfw-duration", "checkout-item.mfw-start", "customer-address.address2")
def test_every_documented_field_and_unknown_ones_are_taken(shop: Shop) -> None:
    offer_id = str(uuid.uuid4())
    content = checkout(
        phone="+1 212 555 0100",
        merchant_id="north-store",
        shipping_address={**ADDRESS, "address2": "Rear"},
        note={"till": 4},
    )
    content["billing_address"]["address2"] = None
    content["line_items"] = [
        {
            "warranty_offer_id": offer_id,
            "quantity": 2,
            "mfw_duration_months": 12.5,
            "mfw_start_date": "2026-02-28",
        },
        {"warranty_offer_id": offer_id, "quantity": None, "sku": "W-24"},
        {"warranty_offer_id": offer_id, "quantity": 40},
    ]
    assert shop.post(CHECKOUT, content).status_code == 200


@clause("checkout.line-items")
def test_an_empty_list_of_warranties_is_taken(shop: Shop) -> None:
    assert shop.post(CHECKOUT, checkout() | {"line_items": []}).status_code == 200


def test_a_second_notification_mails_the_customer_again(shop: Shop) -> None:
    content = checkout()
    for _ in range(2):
        assert shop.post(CHECKOUT, content).status_code == 200
    assert [mail["kind"] for mail in shop.outbox(content["id"])] == ["welcome", "welcome"]


@clause(
    "other-errors.checkout",
    "checkout.id",
    "checkout.email",
    "checkout.line-items",
    "checkout.billing-address",
)
def test_all_that_is_missing_from_a_checkout_is_named_at_once(shop: Shop) -> None:
    assert faults(shop, {"shipping_address": {}}) == [
        "id is required.",
        "email is required.",
        "line_items is required.",
        "billing_address is required.",
        *[
            f"shipping_address.{name} is required."
            for name in (
                "first_name",
                "last_name",
                "address1",
                "city",
                "state",
                "zip",
                "country",
                "country_code",
            )
        ],
    ]


@clause("customer-address.required", "customer-address.country-code", "checkout.billing-address")
@pytest.mark.parametrize("value", [..., None, "", 5])
@pytest.mark.parametrize(
    "name", ["first_name", "last_name", "address1", "city", "state", "zip", "country", "country_code"]
)
def test_an_address_needs_each_of_its_required_fields(shop: Shop, name: str, value: Any) -> None:
    content = checkout()
    content["billing_address"] = {**copy.deepcopy(ADDRESS), name: value}
    if value is ...:
        del content["billing_address"][name]
    (sentence,) = faults(shop, content)
    assert sentence.startswith(f"billing_address.{name} ")


@clause("customer-address.country-code")
@pytest.mark.parametrize("code", ["U", "USA", "United States"])
def test_a_country_code_has_two_characters(shop: Shop, code: str) -> None:
    content = checkout()
    content["billing_address"]["country_code"] = code
    assert faults(shop, content) == ["billing_address.country_code must have 2 characters."]


@clause(
    "checkout-item.offer-id",
    "checkout-item.quantity",
    "checkout-item.mfw-duration",
    "checkout-item.mfw-start",
)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"warranty_offer_id": None}, "warranty_offer_id is required."),
        ({"warranty_offer_id": "24-months"}, "warranty_offer_id must be a UUID."),
        ({"warranty_offer_id": 7}, "warranty_offer_id must be text."),
        ({"quantity": 0}, "quantity must be a positive whole number."),
        ({"quantity": "two"}, "quantity must be a positive whole number."),
        ({"mfw_duration_months": "12"}, "mfw_duration_months must be a number of zero or more."),
        ({"mfw_duration_months": -1}, "mfw_duration_months must be a number of zero or more."),
        ({"mfw_start_date": "2026-02-30"}, "mfw_start_date must be a date of the form YYYY-MM-DD."),
        ({"mfw_start_date": "28.02.2026"}, "mfw_start_date must be a date of the form YYYY-MM-DD."),
        ({"mfw_start_date": 20260228}, "mfw_start_date must be a date of the form YYYY-MM-DD."),
    ],
)
def test_a_warranty_line_item_is_checked(shop: Shop, change: dict[str, Any], sentence: str) -> None:
    content = checkout()
    content["line_items"][0].update(change)
    assert faults(shop, content) == [f"line_items[0].{sentence}"]


@clause("checkout-item.offer-id")
def test_the_offers_of_an_order_can_be_notified(shop: Shop) -> None:
    order_id = shop.stored()
    content = checkout(shop.offer_id(order_id, 24), id=order_id)
    assert shop.post(CHECKOUT, content).status_code == 200


@clause("service.subscription", "states.checkout")
def test_an_active_subscription_takes_in_the_eligible_items_without_a_warranty(shop: Shop) -> None:
    order_id = shop.stored(
        product("SOLD", "899.99"),
        product("IN-CHECKOUT", "89.50"),
        product("OPEN", "300.00"),
        product("GIFT", "50.00", "Gift cards"),
    )
    shop.sell(order_id, {"product_id": "SOLD"})
    content = checkout(shop.offer_id(order_id, 24, item=2), id=order_id, email=DEMO_SUBSCRIBER.upper())
    for _ in range(2):
        assert shop.post(CHECKOUT, content).status_code == 200
    (subscription,) = shop.sandbox.subscriptions()
    assert subscription["email"] == DEMO_SUBSCRIBER
    assert [item["product_id"] for item in subscription["items"]] == ["OPEN"]
    assert [
        call["added_to_subscription"]
        for call in shop.sandbox.calls()
        if call["operation"] == "notify_checkout"
    ] == [1, 0]


@clause("service.subscription")
def test_nobody_elses_items_and_no_unknown_orders_go_into_a_subscription(shop: Shop) -> None:
    order_id = shop.stored()
    shop.post(CHECKOUT, checkout(id=order_id))
    shop.post(CHECKOUT, checkout(email=DEMO_SUBSCRIBER))
    (subscription,) = shop.sandbox.subscriptions()
    assert subscription["items"] == []
    notified = [call for call in shop.sandbox.calls() if call["operation"] == "notify_checkout"]
    assert [call["added_to_subscription"] for call in notified] == [0, 0]
