"""POST /api/post-purchase-checkout: which offer is bought, on which units; every refusal by its message."""

import copy
import re
from typing import Any

import pytest

from tests.sandbox.shop import Shop, product, term

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
@pytest.mark.parametrize(("lines", "bought"), [
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
])  # fmt: skip
def test_a_sale_covers_the_units_of_its_lines(shop: Shop, lines: list[dict[str, Any]], bought: list[list[int]]) -> None:
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


@clause("states.units", "limits.sale-quantity")
def test_units_of_lines_with_the_same_sku_are_covered_in_their_order(shop: Shop) -> None:
    order_id = shop.stored(product("A", quantity=20), product("A"))
    assert shop.sell(order_id, {"product_id": "A", "quantity": 20}).status_code == 200
    assert [len(item["warranties"]) for item in shop.carried(order_id)] == [20, 0]
    assert shop.sell(order_id, {"product_id": "A"}).status_code == 200
    assert "no unsold offer" in shop.refusal(order_id, {"product_id": "A"})


@clause("sale-item.variant-id")
def test_a_variant_is_tried_before_the_product(shop: Shop) -> None:
    blue = product("SHIRT", "90.00", variant_id="SHIRT-BLUE")
    order_id = shop.stored(product("SHIRT", variant_id="SHIRT-RED"), blue, product("HAT", "45.00"))
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


NO_OFFER = "product {} has no unsold offer on order {{order}}."
NO_ITEM = "line_item_id {} is no line item of order {{order}}."
TWICE = "was already bought by an earlier line item of the same request"


@clause("sale-error.no-offer", "sale-error.body", "sale-error.nothing-written", "states.offers-made-once")
@clause("limits.offer-once", "states.same-offer-twice", "sale-error.quantity", "limits.sale-quantity")
@clause("sale.line-item-id", "sale-error.term", "sale.offer-id-chooses")
@pytest.mark.parametrize(("lines", "message"), [
    *(([{"product_id": sku}], NO_OFFER.format(sku)) for sku in ("NONE", "GIFT", "SOLD")),
    ([{"line_item_id": 4, "product_id": "A"}], NO_OFFER.format("A")),
    *(([{"line_item_id": n, "product_id": "A"}], NO_ITEM.format(n)) for n in (0, 6, -1, 10**20)),
    ([{"warranty_offer_id": "no-uuid"}], "there is no unsold offer no-uuid on order {order}."),
    ([{"warranty_offer_id": "{other}"}], "there is no unsold offer {other} on order {order}."),
    ([{"warranty_offer_id": "{other}", "product_id": "A"}], "product A has no unsold offer {other} on order {order}."),
    *(([line] * 2, TWICE) for line in ({"product_id": "A"}, {"warranty_offer_id": "{offer}"})),
    ([{"line_item_id": item, "warranty": term(24)} for item in (1, 2)], TWICE),
    (
        [{"line_item_id": 5, "warranty": term(24)}],
        "24 months is offered by more than one warranty, and no warranty_offer_id chooses between them, for "
        "product LAP on order {order}. Available plans: 12 months (Extended warranty), "
        "24 months (Accident protection), 24 months (Extended warranty), 36 months (Extended warranty).",
    ),
    ([{"product_id": "LAP", "warranty_offer_id": "{of_12}", "warranty": term(24)}], "is not the term of the named"),
    ([{"product_id": "A", "quantity": 3}], "has no unsold offer for 3 units on order {order}: only 2 left without a"),
    ([{"product_id": "A", "quantity": 21}], "line_items[0].quantity must be at most 20 for one line item."),
], ids=lambda said: said[:50] if isinstance(said, str) else "")  # fmt: skip
def test_what_cannot_be_bought_is_refused_whole_with_its_sentence(shop: Shop, lines: Any, message: str) -> None:
    """On an order of three A, one of them covered, a B that shares its offers, one that is sold, a gift, a laptop."""
    gift, laptop = product("GIFT", "50.00", "Gift cards"), product("LAP", "1399.00", "Electronics", "Laptops")
    order_id = shop.stored(product("A", quantity=3), product("B"), product("SOLD", "90.00"), gift, laptop)
    for sku in ("A", "SOLD"):
        assert shop.sell(order_id, {"product_id": sku}).status_code == 200
    known = {"order": order_id, "other": shop.offer_id(shop.stored(), 24), "offer": shop.offer_id(order_id, 24)}
    known["of_12"] = shop.offer_id(order_id, 12, item=5)
    named = [{name: known.get(str(value).strip("{}"), value) for name, value in line.items()} for line in lines]
    assert message.format(**known) in shop.refusal(order_id, *named)


@clause("sale-error.invalid", "sale-error.quantity", "selector.duration", "selector.price")
@clause("sale-item.warranty", "sale-error.identifies-none", "sale-item.identified")
def test_all_faults_that_need_no_order_are_told_together_by_their_fields(shop: Shop) -> None:
    tv = {"product_id": "TV-55"}
    message = shop.refusal(
        shop.stored(),
        {**tv, "quantity": 0, "line_item_id": "1", "warranty_offer_id": 7, "warranty": {}},
        {"line_item_id": 1, "quantity": 1, "products": [], "product_id": ""},
        {**tv, "warranty": term(24, "abc", warranty_id=1.5)},
        {**tv, "products": ["A"], "warranty": "24"},
        {**tv, "products": "A", "warranty": {"warranty_duration": "24", "warranty_price": "1"}},
    )
    assert message == " ".join(
        [
            "line_items[0].warranty_offer_id must be text.", "line_items[0].line_item_id must be a whole number.",
            "line_items[0].quantity must be a positive whole number.",
            "line_items[0].warranty.warranty_duration is required.",
            "line_items[0].warranty.warranty_price is required.",
            "line_items[1] identifies no offer: warranty_offer_id, product_id/variant_id or products is needed.",
            'line_items[2].warranty.warranty_price must be an amount of zero or more, written like "1500.00".',
            "line_items[2].warranty.warranty_id must be text.", "line_items[3].products[0] must be an object.",
            "line_items[3].warranty must be an object.", "line_items[4].products must be a list.",
            "line_items[4].warranty.warranty_duration must be a whole number.",
        ]
    )  # fmt: skip
