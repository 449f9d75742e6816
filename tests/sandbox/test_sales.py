"""POST /api/post-purchase-checkout, when it goes well: which offer is bought, on which units, and what is attached."""

import copy
import re
from typing import Any

import pytest

from tests.sandbox.shop import SALE, Shop, product, term

clause = pytest.mark.clause


@clause("sale.success", "sale.purpose", "sale.id", "service.retailer-sells", "states.sale", "states.order")
@clause("record.id", "record.rest", "sale.preconditions", "selector.duration", "selector.price")
@clause("sale-item.warranty")
def test_a_sale_activates_coverage_and_returns_the_warranty_orders_id(shop: Shop) -> None:
    order_id = shop.stored(product("TV-55"), product("B", "90.00"))
    answer = shop.sell(order_id, {"product_id": "TV-55", "warranty": term(24, "79.99")})
    assert answer.status_code == 200
    assert list(answer.json()) == ["id"]
    assert re.fullmatch(r"[0-9a-f]{24}", answer.json()["id"])
    (sold,) = shop.warranties(order_id)
    assert (sold["warranty_duration"], sold["warranty_price"]) == (24, "79.99")
    assert sold["warranty_order_id"] == answer.json()["id"]
    assert {offer["status"] for offer in shop.offers(order_id)} == {"bought"}
    assert {offer["status"] for offer in shop.offers(order_id, 2)} == {"unsold"}
    assert shop.sell(order_id, {"product_id": "B"}).json()["id"] != answer.json()["id"]


NULLS = dict.fromkeys(("variant_id", "products", "line_item_id", "quantity", "warranty", "warranty_offer_id"))


@clause("sale.shape-product", "sale.shape-offer", "sale.shape-several", "sale.shape-selector")
@clause("sale.identification", "sale-item.product-id", "sale-item.offer-id", "sale-item.quantity")
@clause("sale-item.line-item-id", "states.units", "sale.line-item-id", "sale.selector-travels")
@clause("item.unit-warranties")
@pytest.mark.parametrize(
    ("lines", "bought"),
    [
        ([{"product_id": "A"}], [[12], [], []]),  # the shortest term, for one unit
        ([{"product_id": "A", **NULLS, "sold_by": "Dana"}], [[12], [], []]),
        ([{"offer_of": 36}], [[36], [], []]),
        ([{"offer_of": 36, "product_id": "B", "warranty": term(36)}], [[], [36], []]),
        ([{"offer_of": 24, "line_item_id": 2}], [[], [24], []]),
        ([{"line_item_id": 1, "quantity": 2, "warranty": term(24)}], [[24, 24], [], []]),
        ([{"product_id": "A", "warranty": term(months)} for months in (12, 24)], [[12, 24], [], []]),
        (
            [{"product_id": "A", "warranty": term(24)}, {"product_id": "B"}, {"line_item_id": 3, "product_id": "C"}],
            [[24], [12], [24]],
        ),
    ],
)
def test_a_sale_covers_so_many_units_of_the_items_that_its_lines_name_for_their_terms(
    shop: Shop, lines: list[dict[str, Any]], bought: list[list[int]]
) -> None:
    """On an order of three A, a B that shares its offers, and a C that does not."""
    order_id = shop.stored(product("A", quantity=3), product("B"), product("C", "89.50", "Furniture"))
    lines = copy.deepcopy(lines)
    for line in lines:
        if months := line.pop("offer_of", None):
            line["warranty_offer_id"] = shop.offer_id(order_id, months)
    answer = shop.sell(order_id, *lines)
    assert answer.status_code == 200, answer.text
    items = shop.carried(order_id)
    sold = [warranty for item in items for warranty in item["warranties"]]
    assert [[each["warranty_duration"] for each in item["warranties"]] for item in items] == bought
    assert {each["warranty_order_id"] for each in sold} == {answer.json()["id"]}
    if len(lines) == 1:  # what the customer paid, else what the offer costs
        prices = {offer["warranty_offer_id"]: offer["warranty_price"] for offer in items[0]["offers"]}
        paid = (lines[0].get("warranty") or {}).get("warranty_price")
        assert [each["warranty_price"] for each in sold] == [paid or prices[each["warranty_offer_id"]] for each in sold]
    assert {offer["status"] for offer in items[0]["offers"]} == {"unsold"}


@clause("sale.line-item-id", "sale.shape-offer")
def test_a_shared_offer_sold_for_one_item_is_still_unsold_for_the_other(shop: Shop) -> None:
    order_id = shop.stored(product("A"), product("B"))
    offer_id = shop.offer_id(order_id, 24)
    for item in ("A", "B"):
        assert shop.sell(order_id, {"warranty_offer_id": offer_id, "product_id": item}).status_code == 200
    assert [len(shop.warranties(order_id, item)) for item in (1, 2)] == [1, 1]


@clause("states.units", "limits.sale-quantity")
def test_units_of_lines_with_the_same_sku_are_covered_in_their_order(shop: Shop) -> None:
    order_id = shop.stored(product("A", quantity=20), product("A"))
    assert shop.sell(order_id, {"product_id": "A", "quantity": 20}).status_code == 200
    assert [len(item["warranties"]) for item in shop.carried(order_id)] == [20, 0]
    assert shop.sell(order_id, {"product_id": "A"}).status_code == 200
    assert "no unsold offer" in shop.refusal(order_id, {"product_id": "A"})


@clause("sale-item.variant-id")
def test_a_variant_is_tried_before_the_product(shop: Shop) -> None:
    order_id = shop.stored(
        product("SHIRT", variant_id="SHIRT-RED"),
        product("SHIRT", "90.00", variant_id="SHIRT-BLUE"),
        product("HAT", "45.00"),
    )
    for line, carried in (
        ({"variant_id": "SHIRT-BLUE", "product_id": "SHIRT"}, [0, 1, 0]),
        ({"variant_id": "HAT"}, [0, 1, 1]),
        ({"variant_id": "unknown", "product_id": "SHIRT"}, [1, 1, 1]),
    ):
        assert shop.sell(order_id, line).status_code == 200
        assert [len(item["warranties"]) for item in shop.carried(order_id)] == carried
    # One with a variant of its own is not found by its SKU as a variant.
    for unknown in ("SHIRT-GREEN", "SHIRT"):
        assert f"product {unknown} has no unsold offer" in shop.refusal(order_id, {"variant_id": unknown})


@clause("selector.warranty-id", "selector.program-id", "selector.price")
def test_the_retailers_own_ids_are_stored_and_choose_nothing(shop: Shop) -> None:
    order_id = shop.stored()
    other = shop.offer_id(order_id, 36)
    own = term(24, "1.00", warranty_id=other, warranty_program_id="P-36")
    assert shop.sell(order_id, {"product_id": "TV-55", "warranty": own}).status_code == 200
    (sold,) = shop.warranties(order_id)
    assert (sold["warranty_duration"], sold["warranty_price"]) == (24, "1.00")
    assert (sold["warranty_id"], sold["warranty_program_id"]) == (other, "P-36")


@clause("sale.offer-id-chooses")
@pytest.mark.parametrize("kind", ["Extended warranty", "Accident protection"])
def test_the_offer_id_chooses_between_two_types_of_one_term(shop: Shop, kind: str) -> None:
    order_id = shop.stored(product("LAP", "1399.00", "Laptops"))
    line = {"product_id": "LAP", "warranty": term(24, "120.00")}
    line["warranty_offer_id"] = shop.offer_id(order_id, 24, kind=kind)
    assert shop.sell(order_id, line).status_code == 200
    (sold,) = shop.warranties(order_id)
    assert (sold["warranty_type"], sold["warranty_price"]) == (kind, "120.00")


@clause("states.sale")
def test_eight_sales_of_one_unit_at_the_same_moment_sell_it_once(shop: Shop) -> None:
    order_id = shop.stored()
    content = {"id": order_id, "line_items": [{"product_id": "TV-55", "warranty": term(24)}]}
    answers = shop.at_once(8, SALE, content)
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
    assert all("no unsold offer" in answer.json()["error"] for answer in answers if answer.status_code == 400)
    assert len(shop.warranties(order_id)) == 1
