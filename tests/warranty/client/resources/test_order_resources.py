"""Orders: built from what shops really send, checked before they are sent."""

import math
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from warranty.client.resources import Order, order_id_warning, problems

AS_POSTED: dict[str, Any] = {
    "order_id": "7689dde5c0f64fffa7ad217f6f73",
    "line_items": [{
        "product_title": "Apple Macbook Pro 2019", "product_id": "123456", "product_price": "1500.00",
        "meta": {"breadcrumbs": [{"category": "Electronics"}, {"category": "Consumer Electronics"}]},
        "detail": {"images": [{"src": "https://shop.example.com/img/macbook.jpg"}]},
    }],
    "billing_address": {
        "first_name": "Josephine", "last_name": "Clark", "address1": "123 Mint St. Apt 3F", "phone": "",
        "email": "josephine.clark@example.com", "city": "Brooklyn", "zip": "11231", "state": "NY",
        "country": "United States", "address2": "", "country_code": "US", "province_code": "NY",
    },
}  # fmt: skip


def order(**changes: Any) -> Order:
    return Order.model_validate(AS_POSTED | changes)


def with_item(**changes: Any) -> Order:
    return order(line_items=[AS_POSTED["line_items"][0] | changes])


def with_address(**changes: Any) -> Order:
    return order(billing_address=AS_POSTED["billing_address"] | changes)


def faults(build: Callable[..., Order], **changes: Any) -> dict[tuple[str | int, ...], str]:
    with pytest.raises(ValidationError) as refused:
        build(**changes)
    return {problem.path: problem.message for problem in problems(refused.value)}


def sent(built: Order) -> dict[str, Any]:
    return built.model_dump(mode="json", by_alias=True, exclude_none=True)


def test_an_order_as_a_shop_posts_it_is_sent_as_it_is_and_read_back_and_no_customer_shows_in_a_repr() -> None:
    assert sent(order()) == AS_POSTED
    assert Order.model_validate_json(order().body()) == order()
    decorated = order(
        source_name="web", line_items=[AS_POSTED["line_items"][0] | {"vendor": "House", "images": [{"src": "x"}]}],
        billing_address=AS_POSTED["billing_address"] | {"latitude": 40.7},
    )  # fmt: skip
    assert sent(decorated) == AS_POSTED
    shown = repr(order())
    private = ("Josephine", "Clark", "josephine", "Mint", "11231", "Brooklyn")
    assert [word for word in private if word in shown] == []


def test_a_postal_code_given_as_a_number_is_refused_since_its_zero_is_lost() -> None:
    refused = {("billing_address", "zip"): "Give the postal code as text, not as a number"}
    assert faults(with_address, zip=2108) == refused


@pytest.mark.parametrize("state", ["", "  ", None])
@pytest.mark.parametrize("country", ["United States", "France"])
def test_a_state_is_required_in_every_country(state: str | None, country: str) -> None:
    refused = {("billing_address", "state"): "Choose a state (or county, province)"}
    assert faults(with_address, state=state, country=country) == refused


@pytest.mark.parametrize("nothing", [{}, {"phone": ""}, {"email": ""}, {"phone": " ", "email": None}])
def test_an_email_or_a_phone_alone_is_required_and_an_empty_phone_is_none(nothing: dict[str, Any]) -> None:
    sentence = "Enter an e-mail address or a phone number: the link reaches the customer there"
    address = {"state": "NY", "country": "US", "first_name": "Ada", **nothing}
    assert faults(order, billing_address=address) == {("billing_address", "email"): sentence}
    assert with_address(email=None, phone="+1 212-555-0100").billing_address.email is None


@pytest.mark.parametrize(
    "email", ["ada", "ada@", "@shop.example", "ada example.com", "ada@ex ample.com", "a@b@c.example"]
)
def test_an_incomplete_email_address_is_refused_without_repeating_it(email: str) -> None:
    with pytest.raises(ValidationError) as refused:
        with_address(email=email)
    [problem] = problems(refused.value)
    assert "name@example.com" in problem.message
    assert email not in str(refused.value)


@pytest.mark.parametrize("code", ["USA", "1A", "ÄÖ"])
def test_a_country_code_has_two_letters(code: str) -> None:
    assert "two letters" in faults(with_address, country_code=code)["billing_address", "country_code"]


def test_every_fault_is_named_at_once_with_its_field() -> None:
    lines = [{"product_id": "TV", "product_price": "abc", "quantity": 0}]
    with pytest.raises(ValidationError) as refused:
        Order.model_validate({"line_items": lines, "billing_address": {"country": "US", "phone": ""}})
    assert {problem.path for problem in problems(refused.value)} == {
        ("order_id",), ("line_items", 0, "product_title"), ("line_items", 0, "product_price"),
        ("line_items", 0, "quantity"), ("billing_address", "state"), ("billing_address", "first_name"),
        ("billing_address", "email"),
    }  # fmt: skip


@pytest.mark.parametrize("price", ["abc", "12.345", "-1", "", None, 12.5, 1299, True, Decimal("1.005"), Decimal("NaN")])
def test_a_price_that_is_not_sure_is_refused_naming_its_field(price: object) -> None:
    with pytest.raises(ValidationError, match="product_price"):
        with_item(product_price=price)
    assert faults(with_item, product_price=price).keys() == {("line_items", 0, "product_price")}


@pytest.mark.parametrize("price", [Decimal("1299"), Decimal("1299.0"), "1,299.00", "1299"])
def test_a_price_is_sent_as_text_with_two_decimals(price: object) -> None:
    assert sent(with_item(product_price=price))["line_items"][0]["product_price"] == "1299.00"


@pytest.mark.parametrize("quantity", [2, 2.0, "2", " 2 ", "2.0"])
def test_two_is_two_however_it_is_written(quantity: object) -> None:
    assert with_item(quantity=quantity).line_items[0].quantity == 2


@pytest.mark.parametrize("quantity", [0, -1, 1.5, "two", True, "", "1.5", "٢", math.nan, math.inf, [2]])
def test_a_quantity_is_a_whole_number_of_one_or_more(quantity: object) -> None:
    assert faults(with_item, quantity=quantity).keys() == {("line_items", 0, "quantity")}


@pytest.mark.parametrize(("quantity", "stored"), [(19, 19), (20, 20), (21, 20), (25, 20)])
def test_a_quantity_above_twenty_is_taken_and_known_to_be_kept_as_twenty(quantity: int, stored: int) -> None:
    [item] = with_item(quantity=quantity).line_items
    assert (item.quantity, item.units, item.stored_quantity) == (quantity, quantity, stored)


def test_without_a_quantity_there_is_one_unit_and_none_is_sent() -> None:
    [item] = order().line_items
    assert (item.quantity, item.units) == (None, 1)
    assert b"quantity" not in order().body()


@pytest.mark.parametrize("day", ["2026-11-21", "2024-02-29"])
def test_a_delivery_date_is_a_day_of_the_calendar(day: str) -> None:
    assert sent(with_item(product_delivery_date=day))["line_items"][0]["product_delivery_date"] == day


@pytest.mark.parametrize("day", ["2026-02-29", "21.11.2026", "2026-11-21T10:00:00", 20261121, "2026-W01-1"])
def test_a_day_that_the_calendar_does_not_have_is_refused(day: object) -> None:
    refused = faults(with_item, product_delivery_date=day)
    assert "YYYY-MM-DD" in refused["line_items", 0, "product_delivery_date"]


def test_an_order_has_items_and_no_spaces_around_its_id_nor_an_empty_merchant_and_stays_as_it_is_made() -> None:
    assert faults(order, line_items=[]) == {("line_items",): "Add at least one item"}
    with pytest.raises(ValidationError, match="frozen"):
        order().order_id = "other"
    assert order(order_id=" 9f2c-77 \n").order_id == "9f2c-77"
    assert b"merchant_external_id" not in order(merchant_external_id="").body()


@pytest.mark.parametrize("order_id", [".", "..", "a\nb", "a\x00b"])
def test_an_order_id_that_cannot_stand_in_the_landing_url_is_refused(order_id: str) -> None:
    assert faults(order, order_id=order_id).keys() == {("order_id",)}


@pytest.mark.parametrize(("text", "sentence"), [
    ("a\ud800b", "Enter it again: some of its characters are broken"),
    ("\udcff", "Enter it again: some of its characters are broken"),
    ("a\x00b", "Enter it again: some of its characters are broken"),
    ("x" * 2_001, "Shorten it: at most 2,000 characters are sent"),
])  # fmt: skip
def test_text_that_cannot_be_sent_is_refused_at_its_field(text: str, sentence: str) -> None:
    assert faults(with_item, product_title=text) == {("line_items", 0, "product_title"): f"Title: {sentence}"}
    assert faults(with_address, address2=text).keys() == {("billing_address", "address2")}
    assert with_item(product_title="x" * 2_000).line_items[0].product_title == "x" * 2_000


MEMBERS: list[dict[str, Any]] = [
    {"product_id": "SOFA", "product_title": "Sofa", "product_price": "1,000.00", "quantity": 2},
    {"product_id": "OTTO", "product_title": "Ottoman", "product_price": "250.50"},
]


@pytest.mark.parametrize(("members", "bundle"), [(None, False), (MEMBERS[:1], False), (MEMBERS, True)])
def test_two_products_on_a_line_are_a_bundle(members: list[dict[str, Any]] | None, bundle: bool) -> None:
    assert with_item(products=members).line_items[0].is_bundle is bundle


@pytest.mark.parametrize("price", [None, "", "abc", "NaN", "Infinity", "-1"])
def test_a_bundle_member_without_a_readable_price_is_refused_at_its_place(price: str | None) -> None:
    members = [MEMBERS[0], MEMBERS[1] | {"product_price": price}]
    assert faults(with_item, products=members).keys() == {("line_items", 0, "products", 1, "product_price")}


@pytest.mark.parametrize(("order_id", "warning"), [
    *((order_id, "easy to guess") for order_id in (
        "1001", "#1001", "ORD-000123", "ord_17", "INV2026/0042", "2026-11-21-0001", "6599143014002", "SO 12", "A1001B",
    )),
    *((order_id, "") for order_id in ("abc", "x7", "7f-2")),
])  # fmt: skip
def test_an_order_id_that_counts_or_is_short_gets_a_warning(order_id: str, warning: str) -> None:
    given_warning = order_id_warning(order_id)
    assert given_warning is not None
    assert warning in given_warning


@pytest.mark.parametrize("order_id", [
    "7689dde5c0f64fffa7ad217f6f73", "123e4567-e89b-12d3-a456-426614174000", "01J9ZQ3V6K8T2M4N5P7R9S0W1X",
    "dQw4w9WgXcQ-3f", "",
])  # fmt: skip
def test_a_random_order_id_gets_none(order_id: str) -> None:
    assert order_id_warning(order_id) is None


@given(st.uuids(version=4))
def test_no_uuid_gets_a_warning(order_id: uuid.UUID) -> None:
    assert order_id_warning(str(order_id)) is None
    assert order_id_warning(order_id.hex) is None


@given(st.integers(min_value=0, max_value=10**12), st.sampled_from(["", "#", "ORD-", "order ", "S/"]))
def test_every_number_behind_a_prefix_gets_a_warning(number: int, prefix: str) -> None:
    assert order_id_warning(f"{prefix}{number}") is not None
