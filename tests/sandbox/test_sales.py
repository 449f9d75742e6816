"""POST /api/post-purchase-checkout, when it goes well: which offer is bought, on which units, and what is attached."""

import re

import pytest

from tests.sandbox.shop import SALE, Shop, product, term

clause = pytest.mark.clause


def bought(shop: Shop, order_id: str, item: int = 1) -> list[tuple[int, str]]:
    """Term and amount paid of each warranty on a line item."""
    return [(sold["warranty_duration"], sold["warranty_price"]) for sold in shop.warranties(order_id, item)]


@clause("sale.success", "sale.purpose", "sale.id", "service.retailer-sells", "states.sale", "states.order")
@clause(
    "record.id",
    "record.rest",
    "sale.preconditions",
    "selector.duration",
    "selector.price",
    "sale-item.warranty",
)
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


@clause("sale.shape-product", "sale-item.product-id", "sale-item.quantity", "sale.identification")
def test_a_product_alone_buys_its_shortest_term_for_one_unit(shop: Shop) -> None:
    order_id = shop.stored(product(quantity=3))
    assert shop.sell(order_id, {"product_id": "TV-55"}).status_code == 200
    shortest = min(shop.offers(order_id), key=lambda offer: offer["warranty_duration"])
    assert bought(shop, order_id) == [(shortest["warranty_duration"], shortest["warranty_price"])]


@clause("sale.shape-offer", "sale-item.offer-id", "sale.identification")
def test_an_offer_alone_buys_that_offer(shop: Shop) -> None:
    order_id = shop.stored()
    offer = shop.offers(order_id)[-1]
    assert shop.sell(order_id, {"warranty_offer_id": offer["warranty_offer_id"]}).status_code == 200
    assert bought(shop, order_id) == [(offer["warranty_duration"], offer["warranty_price"])]


@clause("sale.identification")
def test_an_offer_and_a_product_together_say_term_and_item(shop: Shop) -> None:
    order_id = shop.stored(product("A"), product("B"))
    offer_id = shop.offer_id(order_id, 36)
    line = {"warranty_offer_id": offer_id, "product_id": "B", "warranty": term(36, "99.00")}
    assert shop.sell(order_id, line).status_code == 200
    assert bought(shop, order_id, 1) == []
    assert bought(shop, order_id, 2) == [(36, "99.00")]


@clause("sale.shape-several")
def test_several_line_items_are_sold_in_one_request(shop: Shop) -> None:
    order_id = shop.stored(product("A", "899.99"), product("B", "89.50"), product("C", "300.00"))
    answer = shop.sell(
        order_id,
        {"product_id": "A", "warranty": term(24)},
        {"product_id": "B"},
        {"line_item_id": 3, "product_id": "C"},
    )
    assert answer.status_code == 200
    assert [len(item["warranties"]) for item in shop.carried(order_id)] == [1, 1, 1]
    sold = [item["warranties"][0]["warranty_order_id"] for item in shop.carried(order_id)]
    assert set(sold) == {answer.json()["id"]}


@clause("sale.shape-selector", "sale.selector-travels", "sale-item.line-item-id", "states.units")
def test_a_line_item_with_quantity_and_selector_covers_so_many_units(shop: Shop) -> None:
    order_id = shop.stored(product("A", quantity=3), product("B"))
    line = {"line_item_id": 1, "quantity": 2, "warranty": term(24, "79.99")}
    assert shop.sell(order_id, line).status_code == 200
    assert bought(shop, order_id) == [(24, "79.99")] * 2
    assert bought(shop, order_id, 2) == []
    assert {offer["status"] for offer in shop.offers(order_id)} == {"unsold"}


@clause("sale.line-item-id")
def test_line_item_id_says_which_of_two_items_that_share_an_offer(shop: Shop) -> None:
    order_id = shop.stored(product("A"), product("A"), product("B"))
    line = {"line_item_id": 2, "warranty_offer_id": shop.offer_id(order_id, 24)}
    assert shop.sell(order_id, line).status_code == 200
    assert [len(item["warranties"]) for item in shop.carried(order_id)] == [0, 1, 0]


@clause("sale.line-item-id", "sale.shape-offer")
def test_a_shared_offer_sold_for_one_item_is_still_unsold_for_the_other(shop: Shop) -> None:
    order_id = shop.stored(product("A"), product("B"))
    offer_id = shop.offer_id(order_id, 24)
    for item in ("A", "B"):
        assert shop.sell(order_id, {"warranty_offer_id": offer_id, "product_id": item}).status_code == 200
    assert [bought(shop, order_id, item)[0][0] for item in (1, 2)] == [24, 24]


@clause("states.units", "limits.sale-quantity")
def test_units_of_lines_with_the_same_sku_are_covered_in_their_order(shop: Shop) -> None:
    order_id = shop.stored(product("A", quantity=20), product("A"))
    assert shop.sell(order_id, {"product_id": "A", "quantity": 20}).status_code == 200
    assert [len(item["warranties"]) for item in shop.carried(order_id)] == [20, 0]
    assert shop.sell(order_id, {"product_id": "A"}).status_code == 200
    assert "no unsold offer" in shop.refusal(order_id, {"product_id": "A"})


@clause("item.unit-warranties")
def test_units_of_an_item_may_carry_different_terms(shop: Shop) -> None:
    order_id = shop.stored(product(quantity=2))
    lines = [{"product_id": "TV-55", "warranty": term(months)} for months in (12, 24)]
    assert shop.sell(order_id, *lines).status_code == 200
    assert bought(shop, order_id) == [(12, "79.99"), (24, "79.99")]
    assert "no unsold offer" in shop.refusal(order_id, {"product_id": "TV-55", "warranty": term(36)})


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
    line = {
        "product_id": "TV-55",
        "warranty": term(24, "1.00", warranty_id=other, warranty_program_id="P-36"),
    }
    assert shop.sell(order_id, line).status_code == 200
    (sold,) = shop.warranties(order_id)
    assert (sold["warranty_duration"], sold["warranty_price"]) == (24, "1.00")
    assert (sold["warranty_id"], sold["warranty_program_id"]) == (other, "P-36")


@clause("sale.offer-id-chooses")
@pytest.mark.parametrize("kind", ["Extended warranty", "Accident protection"])
def test_the_offer_id_chooses_between_two_types_of_one_term(shop: Shop, kind: str) -> None:
    order_id = shop.stored(product("LAP", "1399.00", "Laptops"))
    line = {
        "product_id": "LAP",
        "warranty_offer_id": shop.offer_id(order_id, 24, kind=kind),
        "warranty": term(24, "120.00"),
    }
    assert shop.sell(order_id, line).status_code == 200
    (sold,) = shop.warranties(order_id)
    assert (sold["warranty_type"], sold["warranty_price"]) == (kind, "120.00")


def test_nulls_and_unknown_fields_of_a_sale_are_passed_over(shop: Shop) -> None:
    order_id = shop.stored()
    nulls = dict.fromkeys(("variant_id", "products", "line_item_id", "quantity", "warranty"))
    line = {**nulls, "product_id": "TV-55", "warranty_offer_id": "", "sold_by": "Dana"}
    assert shop.post(SALE, {"id": order_id, "line_items": [line], "till": 4}).status_code == 200


@clause("states.sale")
def test_eight_sales_of_one_unit_at_the_same_moment_sell_it_once(shop: Shop) -> None:
    order_id = shop.stored()
    content = {"id": order_id, "line_items": [{"product_id": "TV-55", "warranty": term(24)}]}
    answers = shop.at_once(8, SALE, content)
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
    assert all("no unsold offer" in answer.json()["error"] for answer in answers if answer.status_code == 400)
    assert len(shop.warranties(order_id)) == 1
