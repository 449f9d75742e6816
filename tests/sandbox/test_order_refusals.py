"""POST /api/carts, refused: all faults of a request at once, and nothing stored."""

from typing import Any

import pytest

from tests.sandbox.shop import CARTS, Shop, addressed, order, product

clause = pytest.mark.clause


@clause("carts.no-billing-address", "carts-error.404", "order.billing-address")
@pytest.mark.parametrize("change", [{}, {"billing_address": None}])
def test_an_order_without_billing_address_gets_a_bare_404(shop: Shop, change: dict[str, Any]) -> None:
    content = order()
    del content["billing_address"]
    answer = shop.submit(content | change)
    assert answer.status_code == 404
    assert answer.content == b""
    assert "content-type" not in answer.headers
    stored = shop.http.get(
        "/api/purchase-warranties", params={"order_id": content["order_id"]}, headers=shop.private
    )
    assert stored.status_code == 404


def test_no_billing_address_wins_over_all_other_faults(shop: Shop) -> None:
    assert shop.submit({}).status_code == 404
    assert shop.submit({"order_id": 1.5, "line_items": "none"}).status_code == 404


@pytest.mark.parametrize("address", [[], "1 Main St", 5, False])
def test_a_billing_address_that_is_no_object_was_sent_and_is_refused(shop: Shop, address: Any) -> None:
    assert shop.faults(order() | {"billing_address": address}) == ["billing_address must be an object."]


@clause("carts-error.state", "billing.state")
@pytest.mark.parametrize("state", [..., None, "", "  "])
@pytest.mark.parametrize("country", ["United States", "Singapore", "Monaco"])
def test_a_state_is_required_whatever_the_country(shop: Shop, state: Any, country: str) -> None:
    assert shop.faults(addressed(state=state, country=country)) == [
        "billing_address.state is required, whatever the country."
    ]


@clause("billing.state")
@pytest.mark.parametrize("state", ["NY", "Bayern", "-", "東京都", "n/a"])
def test_any_text_is_a_state(shop: Shop, state: str) -> None:
    assert shop.submit(addressed(state=state)).status_code == 200


@clause("carts-error.contact", "billing.contact", "billing.empty-phone")
@pytest.mark.parametrize(
    "contact",
    [
        {"email": ...},
        {"email": None, "phone": None},
        {"email": "", "phone": ""},
        {"email": " ", "phone": "\t"},
        {"email": ..., "phone": ""},
    ],
)
def test_an_order_needs_an_email_or_a_phone_and_an_empty_one_is_none(
    shop: Shop, contact: dict[str, Any]
) -> None:
    (sentence,) = shop.faults(addressed(**contact))
    assert "billing_address.email" in sentence
    assert "billing_address.phone" in sentence


@clause("carts-error.merchant", "order.merchant")
def test_a_merchant_that_the_account_does_not_have_is_refused(shop: Shop) -> None:
    assert shop.faults(order(merchant_external_id="south-store")) == [
        "merchant_external_id matches no merchant of the account."
    ]


@clause("carts.invalid", "carts-error.body")
def test_all_faults_of_an_order_are_named_at_once_by_their_fields(shop: Shop) -> None:
    content = {
        "line_items": [
            {"product_id": "A", "product_price": "abc", "quantity": 0},
            "lamp",
            product(products=[1, 2]),
        ],
        "billing_address": {"state": "", "last_name": 7},
        "merchant_external_id": "nobody",
    }
    assert shop.faults(content) == [
        "order_id is required.",
        "line_items[1] must be an object.",
        "line_items[0].product_title is required.",
        'line_items[0].product_price must be an amount of zero or more, written like "1500.00".',
        "line_items[0].quantity must be a positive whole number.",
        "line_items[2].products[0] must be an object.",
        "line_items[2].products[1] must be an object.",
        "billing_address.state is required, whatever the country.",
        "billing_address.country is required.",
        "billing_address.first_name is required.",
        "billing_address.last_name must be text.",
        "billing_address.email or billing_address.phone is required; an empty text does not count as given.",
        "merchant_external_id matches no merchant of the account.",
    ]


@clause("order.order-id", "order.line-items", "item.product-id", "item.product-price", "item.product-title")
@clause("billing.country", "billing.first-name")
@pytest.mark.parametrize("missing", [..., None])
@pytest.mark.parametrize(
    "path",
    [
        "order_id",
        "line_items",
        "line_items[0].product_id",
        "line_items[0].product_price",
        "line_items[0].product_title",
        "billing_address.country",
        "billing_address.first_name",
    ],
)
def test_a_required_field_is_missed_by_its_name(shop: Shop, path: str, missing: Any) -> None:
    content = order()
    owner = {"line_items[0]": content["line_items"][0], "billing_address": content["billing_address"]}.get(
        path.rpartition(".")[0], content
    )
    name = path.rpartition(".")[2]
    if missing is ...:
        del owner[name]
    else:
        owner[name] = None
    assert shop.faults(content) == [f"{path} is required."]


@pytest.mark.parametrize(
    "price",
    [
        "",
        "abc",
        "NaN",
        "Infinity",
        "-1.00",
        "1,299.00",
        "1e3",
        "+5",
        "٣",
        "1.",
        ".5",
        True,
        [],
        {},
        -1,
        -0.01,
    ],
)
def test_a_price_that_cannot_be_read_is_refused(shop: Shop, price: Any) -> None:
    assert shop.faults(order(product(price=price))) == [
        'line_items[0].product_price must be an amount of zero or more, written like "1500.00".'
    ]


@pytest.mark.parametrize("quantity", [0, -1, 1.5, "two", "", True, [2], "1e1", "-2", "２"])
def test_a_quantity_that_is_no_positive_whole_number_is_refused(shop: Shop, quantity: Any) -> None:
    assert shop.faults(order(product(quantity=quantity))) == [
        "line_items[0].quantity must be a positive whole number."
    ]


@clause("item.breadcrumbs", "item.images", "item.delivery-date", "billing.optional")
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"meta": "x"}, "line_items[0].meta must be an object."),
        ({"meta": {"breadcrumbs": "TV"}}, "line_items[0].meta.breadcrumbs must be a list."),
        ({"meta": {"breadcrumbs": ["TV"]}}, "line_items[0].meta.breadcrumbs[0] must be an object."),
        (
            {"meta": {"breadcrumbs": [{"category": 5}]}},
            "line_items[0].meta.breadcrumbs[0].category must be text.",
        ),
        ({"detail": []}, "line_items[0].detail must be an object."),
        ({"detail": {"images": {}}}, "line_items[0].detail.images must be a list."),
        ({"detail": {"images": [{"src": 1}]}}, "line_items[0].detail.images[0].src must be text."),
        ({"product_delivery_date": 20261201}, "line_items[0].product_delivery_date must be text."),
        ({"products": {}}, "line_items[0].products must be a list."),
        ({"product_title": 5}, "line_items[0].product_title must be text."),
        ({"product_id": 1.5}, "line_items[0].product_id must be text."),
        ({"product_id": True}, "line_items[0].product_id must be text."),
    ],
)
def test_a_documented_field_of_another_type_is_refused(
    shop: Shop, change: dict[str, Any], sentence: str
) -> None:
    assert shop.faults(order(product() | change)) == [sentence]


@clause("carts.no-token")
def test_a_wrong_token_is_told_before_any_fault(shop: Shop) -> None:
    answer = shop.http.post(CARTS, json={}, headers={"Authorization": "Bearer nobody"})
    assert answer.status_code == 401


def test_a_known_order_id_with_an_invalid_body_is_refused(shop: Shop) -> None:
    content = order()
    shop.submit(content)
    assert shop.submit(content | {"line_items": None}).status_code == 400
