"""Completed checkouts: every documented field, checked before a customer is mailed."""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.builders import AT_HOME, NAMED
from warranty.client.resources import Checkout, problems

OFFER = "0b2f4c9e-8f0d-4a38-9d3f-3f1d2a4b5c6d"
ADDRESS: dict[str, Any] = {**NAMED, **AT_HOME, "address2": "", "country_code": "US"}
ITEM = {"warranty_offer_id": OFFER, "quantity": 2, "mfw_duration_months": 12, "mfw_start_date": "2026-11-21"}
FULL: dict[str, Any] = {
    "id": "9f2c", "email": "ada@example.com", "phone": "", "line_items": [ITEM, {"warranty_offer_id": OFFER}],
    "billing_address": ADDRESS, "shipping_address": ADDRESS | {"city": "Salem"}, "merchant_id": "m-1",
}  # fmt: skip


def faults(body: dict[str, Any]) -> dict[tuple[str | int, ...], str]:
    with pytest.raises(ValidationError) as refused:
        Checkout.model_validate(body)
    return {problem.path: problem.message for problem in problems(refused.value)}


def test_every_field_is_sent_as_it_was_given_an_offer_twice_too_and_no_customer_shows_in_a_repr() -> None:
    assert Checkout.model_validate(FULL).model_dump(mode="json", by_alias=True, exclude_none=True) == FULL
    body = FULL | {"line_items": [{"warranty_offer_id": OFFER, "mfw_start_date": ""}]}
    assert b"mfw_start_date" not in Checkout.model_validate(body).body()
    shown = repr(Checkout.model_validate(FULL))
    private = ("ada@example.com", "Ada", "Brook", "Mill Lane", "02134", "Boston", "Salem")
    assert [word for word in private if word in shown] == []


@pytest.mark.parametrize("field", ["id", "email", "line_items", "billing_address"])
@pytest.mark.parametrize("nothing", ["absent", "", None])
def test_what_the_document_requires_is_required(field: str, nothing: str | None) -> None:
    body = {name: value for name, value in FULL.items() if name != field}
    if nothing != "absent":
        body[field] = nothing
    assert faults(body).keys() == {(field,)}


@pytest.mark.parametrize("place", ["billing_address", "shipping_address"])
@pytest.mark.parametrize("field", [name for name in ADDRESS if name != "address2"])
def test_an_address_is_complete_but_for_its_second_line(place: str, field: str) -> None:
    assert faults(FULL | {place: ADDRESS | {field: " "}})[place, field].startswith(("Enter ", "Choose "))


def test_a_country_code_has_two_letters_and_a_checkout_a_warranty() -> None:
    of_three = ADDRESS | {"country_code": "USA"}
    assert [*faults(FULL | {"billing_address": of_three})] == [("billing_address", "country_code")]
    assert faults(FULL | {"line_items": []}) == {("line_items",): "Add at least one warranty"}


@pytest.mark.parametrize(("field", "wrong"), [
    *(("warranty_offer_id", offer) for offer in ("not-a-uuid", "")),
    *(("quantity", quantity) for quantity in (0, 1.5, True)),
    *(("mfw_duration_months", months) for months in (-1, "a year")),
    *(("mfw_start_date", day) for day in ("2026-02-30", "21/11/2026", "2026-11-21T00:00:00")),
])  # fmt: skip
def test_a_wrong_value_is_refused_at_its_line(field: str, wrong: object) -> None:
    body = FULL | {"line_items": [{"warranty_offer_id": OFFER}, {"warranty_offer_id": OFFER, field: wrong}]}
    assert faults(body).keys() == {("line_items", 1, field)}
