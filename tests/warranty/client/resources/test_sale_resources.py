"""Post-purchase sales: what can be known beforehand is refused before anything is sent."""

from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from warranty.client.resources import Sale, SaleLineItem, WarrantySelector, problems

OFFER = "0b2f4c9e-8f0d-4a38-9d3f-3f1d2a4b5c6d"
OTHER_OFFER = "9a1c2e3d-4b5a-4c6d-8e7f-001122334455"
TERM = {"warranty_duration": 24, "warranty_price": "79.99"}


def sale(*items: dict[str, Any]) -> Sale:
    return Sale.model_validate({"id": "9f2c", "line_items": list(items)})


def faults(*items: dict[str, Any]) -> dict[tuple[str | int, ...], str]:
    with pytest.raises(ValidationError) as refused:
        sale(*items)
    return {problem.path: problem.message for problem in problems(refused.value)}


@pytest.mark.parametrize("item", [
    {"product_id": "TV"}, {"variant_id": "TV-55"}, {"warranty_offer_id": OFFER},
    {"warranty_offer_id": OFFER, "product_id": "TV"}, {"products": [{"product_id": "SOFA"}, {"variant_id": "OTTO"}]},
    {"product_id": "TV", "line_item_id": 1, "quantity": 2, "warranty": TERM},
    {"product_id": "TV", "warranty": {**TERM, "warranty_id": "w-1", "warranty_program_id": "p-1"}},
    {"warranty_offer_id": OFFER, "line_item_id": 1, "warranty": TERM},
    {"line_item_id": 1, "quantity": 2, "warranty": TERM},
])  # fmt: skip
def test_each_documented_way_to_identify_an_offer_is_sent_as_it_was_given(item: dict[str, Any]) -> None:
    sent = sale(item).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert sent == {"id": "9f2c", "line_items": [item]}


@pytest.mark.parametrize(
    "item", [{}, {"quantity": 1}, {"product_id": ""}, {"products": []}, {"warranty_offer_id": " "}, {"line_item_id": 1}]
)
def test_an_item_that_identifies_no_offer_is_refused(item: dict[str, Any]) -> None:
    assert faults(item)["line_items", 0, "product_id"].startswith("Say what was sold: enter the item's SKU")


@pytest.mark.parametrize("item", [{"warranty": TERM}, {"warranty_offer_id": OFFER, "warranty": TERM}])
def test_a_term_travels_with_an_item(item: dict[str, Any]) -> None:
    [message] = faults(item).values()
    assert message.startswith("Say which item this term is for: enter its SKU")


def test_an_item_of_the_order_and_an_offer_in_whatever_letters_are_in_a_sale_once() -> None:
    twice = {"product_id": "TV", "line_item_id": 7}
    assert faults(twice, {"product_id": "LAMP", "line_item_id": 8}, twice) == {
        ("line_items", 2, "line_item_id"): "Item 7 of the order is in this sale twice: put each item in once"
    }
    offers = ({"warranty_offer_id": OFFER}, {"warranty_offer_id": OFFER.upper()})
    assert faults(*offers).keys() == {("line_items", 1, "warranty_offer_id")}


def test_a_sale_has_items_or_several_offers_and_is_also_made_from_values() -> None:
    offers = [{"warranty_offer_id": offer, "line_item_id": n} for n, offer in enumerate((OFFER, OTHER_OFFER))]
    assert len(sale(*offers, {"product_id": "TV"}, {"product_id": "TV"}).line_items) == 4
    selector = WarrantySelector(warranty_duration=24, warranty_price=Decimal("79.99"))
    made = Sale(id="9f2c", line_items=(SaleLineItem(product_id="TV", line_item_id=1, warranty=selector),))
    assert made == sale({"product_id": "TV", "line_item_id": 1, "warranty": TERM})
    assert faults() == {("line_items",): "Add at least one item to the sale"}
    assert faults({"products": [{"product_price": "1.00"}]}).keys() == {("line_items", 0, "products", 0)}


@pytest.mark.parametrize(("quantity", "units"), [(None, 1), (1, 1), (2, 2), (2.0, 2), ("2", 2), (20, 20)])
def test_from_one_to_twenty_units_are_sold_at_once(quantity: object, units: int) -> None:
    assert sale({"product_id": "TV", "quantity": quantity}).line_items[0].units == units


@pytest.mark.parametrize("quantity", [0, -1, 1.5, "two", True, False, 21, "21", 20.5])
def test_another_quantity_is_refused_not_rounded(quantity: object) -> None:
    refused = {("line_items", 0, "quantity"): "Quantity: Enter a whole number from 1 to 20"}
    assert faults({"product_id": "TV", "quantity": quantity}) == refused


@pytest.mark.parametrize("offer", ["123", "{0b2f4c9e-8f0d-4a38-9d3f-3f1d2a4b5c6d}", OFFER.replace("-", ""), OFFER[:-1]])
def test_an_offer_id_is_a_uuid(offer: str) -> None:
    assert faults({"warranty_offer_id": offer}).keys() == {("line_items", 0, "warranty_offer_id")}


@pytest.mark.parametrize(("field", "wrong"), [
    *(("warranty_duration", months) for months in (0, -12, 12.5, "a year", True, None)),
    *(("warranty_price", price) for price in ("abc", "12.345", "-1", "", None, 79.99)),
])  # fmt: skip
def test_a_term_is_whole_months_and_its_price_an_amount_with_two_decimals(field: str, wrong: object) -> None:
    item = {"product_id": "TV", "warranty": TERM | {field: wrong}}
    assert faults(item).keys() == {("line_items", 0, "warranty", field)}
