"""POST /api/carts, refused: all faults of a request at once, and nothing stored (the fields: test_bodies.py)."""

import json

import pytest

from tests.sandbox.shop import Shop, order, product

clause = pytest.mark.clause
AMOUNT = 'must be an amount of zero or more, written like "1500.00".'


def test_a_billing_address_that_is_no_object_and_a_known_order_id_with_an_invalid_body_are_refused(shop: Shop) -> None:
    for wrong in ("[]", '"1 Main St"', "false"):
        assert shop.faults(order() | {"billing_address": json.loads(wrong)}) == ["billing_address must be an object."]
    content = order()
    shop.submit(content)
    assert shop.submit(content | {"line_items": None}).status_code == 400


@clause("carts.invalid", "carts-error.body", "carts-error.merchant", "order.merchant", "item.product-title")
@clause("order.order-id", "order.line-items", "item.product-id", "billing.country", "billing.first-name")
@clause("item.breadcrumbs", "item.images", "item.delivery-date", "billing.optional", "carts-error.state")
@clause("billing.state", "carts-error.contact", "billing.contact", "billing.empty-phone")
def test_all_faults_of_an_order_are_named_at_once_by_their_fields(shop: Shop) -> None:
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
        "order_id is required.",
        "line_items[1] must be an object.",
        "line_items[0].product_id is required.",
        "line_items[0].product_title is required.",
        "line_items[0].product_price is required.",
        "line_items[2].product_id must be text.",
        "line_items[2].product_title must be text.",
        f"line_items[2].product_price {AMOUNT}",
        "line_items[2].meta.breadcrumbs[0] must be an object.",
        "line_items[2].meta.breadcrumbs[1].category must be text.",
        "line_items[2].detail.images[0].src must be text.",
        "line_items[2].quantity must be a positive whole number.",
        "line_items[2].product_delivery_date must be text.",
        "line_items[2].products[0] must be an object.",
        "line_items[2].products[1].product_id is required.",
        "line_items[2].products[1].product_title is required.",
        "line_items[2].products[1].product_price is required.",
        "line_items[3].meta.breadcrumbs must be a list.",
        "line_items[3].detail must be an object.",
        "line_items[3].products must be a list.",
        "billing_address.state is required, whatever the country.",
        "billing_address.country is required.",
        "billing_address.first_name is required.",
        "billing_address.last_name must be text.",
        "billing_address.email or billing_address.phone is required; an empty text does not count as given.",
        "merchant_external_id matches no merchant of the account.",
    ]
    assert shop.faults(order() | {"line_items": None}) == ["line_items is required."]
