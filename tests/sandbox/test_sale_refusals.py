"""POST /api/post-purchase-checkout, refused: every rule by its message, and never anything written."""

from typing import Any

import pytest

from tests.sandbox.shop import Shop, product, term

clause = pytest.mark.clause


@clause("sale-error.no-offer", "sale-error.body", "sale-error.nothing-written")
def test_a_product_without_unsold_offer_is_named_with_its_order(shop: Shop) -> None:
    order_id = shop.stored(product("TV-55"), product("GIFT", "50.00", "Gift cards"))
    assert shop.sell(order_id, {"product_id": "TV-55"}).status_code == 200
    for line, name in (
        ({"product_id": "NONE"}, "NONE"), ({"product_id": "GIFT"}, "GIFT"), ({"product_id": "TV-55"}, "TV-55"),
        ({"line_item_id": 2, "product_id": "TV-55"}, "TV-55"),
    ):  # fmt: skip
        message = shop.refusal(order_id, line)
        assert message == f"line_items[0]: product {name} has no unsold offer on order {order_id}."


@clause("sale-error.no-offer", "states.offers-made-once")
def test_an_offer_that_the_order_does_not_have_is_refused(shop: Shop) -> None:
    order_id, other = shop.stored(), shop.stored()
    for offer_id in (shop.offer_id(other, 24), "no-uuid"):
        message = shop.refusal(order_id, {"warranty_offer_id": offer_id})
        assert message == f"line_items[0]: there is no unsold offer {offer_id} on order {order_id}."
        message = shop.refusal(order_id, {"warranty_offer_id": offer_id, "product_id": "TV-55"})
        assert "product TV-55 has no unsold offer" in message


@clause("sale-error.no-offer", "limits.offer-once", "states.same-offer-twice")
def test_the_same_offer_twice_in_a_request_is_refused(shop: Shop) -> None:
    order_id = shop.stored(product("A", quantity=5), product("B"))
    offer_id = shop.offer_id(order_id, 24)
    for lines in (
        [{"product_id": "A"}, {"product_id": "A"}],
        [{"warranty_offer_id": offer_id}, {"warranty_offer_id": offer_id}],
        [{"line_item_id": 1, "warranty": term(24)}, {"line_item_id": 2, "warranty": term(24)}],
    ):
        message = shop.refusal(order_id, *lines)
        assert "was already bought by an earlier line item of the same request" in message


@clause("sale-error.identifies-none", "sale-item.identified")
@pytest.mark.parametrize("line", [{}, {"quantity": 1}, {"line_item_id": 1}, {"products": []}, {"product_id": ""}])
def test_a_line_item_that_identifies_no_offer_is_told_how_to(shop: Shop, line: dict[str, Any]) -> None:
    assert shop.refusal(shop.stored(), line) == (
        "line_items[0] identifies no offer: warranty_offer_id, product_id/variant_id or products is needed."
    )


@clause("sale-error.term", "sale.offer-id-chooses")
def test_a_term_in_two_types_needs_the_offer_id(shop: Shop) -> None:
    order_id = shop.stored(product("LAP", "1399.00", "Electronics", "Laptops"))
    assert shop.refusal(order_id, {"line_item_id": 1, "warranty": term(24)}) == (
        "line_items[0]: 24 months is offered by more than one warranty, and no warranty_offer_id chooses between them, "
        f"for product LAP on order {order_id}. Available plans: 12 months (Extended warranty), "
        "24 months (Accident protection), 24 months (Extended warranty), 36 months (Extended warranty)."
    )
    other = {"product_id": "LAP", "warranty_offer_id": shop.offer_id(order_id, 12), "warranty": term(24)}
    assert "24 months is not the term of the named offer" in shop.refusal(order_id, other)
    assert shop.sell(order_id, {"line_item_id": 1, "warranty": term(12)}).status_code == 200


@clause("sale-error.quantity", "limits.sale-quantity")
def test_more_units_than_are_left_or_than_twenty_are_refused_whole(shop: Shop) -> None:
    order_id = shop.stored(product(quantity=3))
    shop.sell(order_id, {"product_id": "TV-55"})
    assert shop.refusal(order_id, {"product_id": "TV-55", "quantity": 3}) == (
        f"line_items[0]: product TV-55 has no unsold offer for 3 units on order {order_id}: "
        "only 2 left without a warranty."
    )
    assert shop.sell(order_id, {"product_id": "TV-55", "quantity": 2}).status_code == 200
    many = shop.stored(product(quantity=25), product(quantity=25))
    assert shop.refusal(many, {"product_id": "TV-55", "quantity": 21}) == (
        "line_items[0].quantity must be at most 20 for one line item."
    )


@clause("sale.line-item-id")
@pytest.mark.parametrize("line_item_id", [0, 2, -1, 10**20])
def test_a_line_item_that_the_order_does_not_have_is_refused(shop: Shop, line_item_id: int) -> None:
    order_id = shop.stored()
    message = shop.refusal(order_id, {"line_item_id": line_item_id, "product_id": "TV-55"})
    assert message == f"line_items[0]: line_item_id {line_item_id} is no line item of order {order_id}."


@clause("sale-error.invalid", "sale-error.quantity", "selector.duration", "selector.price")
@clause("sale-item.warranty")
def test_all_faults_that_need_no_order_are_told_together_by_their_fields(shop: Shop) -> None:
    tv = {"product_id": "TV-55"}
    message = shop.refusal(
        shop.stored(),
        {**tv, "quantity": 0, "line_item_id": "1", "warranty_offer_id": 7, "warranty": {}},
        {},
        {**tv, "warranty": term(24, "abc", warranty_id=1.5)},
        {**tv, "products": ["A"], "warranty": "24"},
        {**tv, "products": "A", "warranty": {"warranty_duration": "24", "warranty_price": "1"}},
    )
    assert message == " ".join(
        [
            "line_items[0].warranty_offer_id must be text.",
            "line_items[0].line_item_id must be a whole number.",
            "line_items[0].quantity must be a positive whole number.",
            "line_items[0].warranty.warranty_duration is required.",
            "line_items[0].warranty.warranty_price is required.",
            "line_items[1] identifies no offer: warranty_offer_id, product_id/variant_id or products is needed.",
            'line_items[2].warranty.warranty_price must be an amount of zero or more, written like "1500.00".',
            "line_items[2].warranty.warranty_id must be text.",
            "line_items[3].products[0] must be an object.",
            "line_items[3].warranty must be an object.",
            "line_items[4].products must be a list.",
            "line_items[4].warranty.warranty_duration must be a whole number.",
        ]
    )


@clause("sale.all-or-nothing", "states.refused-sale", "sale-error.nothing-written")
def test_a_request_is_refused_whole_when_one_line_item_cannot_be_bought(shop: Shop) -> None:
    order_id = shop.stored(product("A", "899.99"), product("B", "89.50"), product("C", "300.00"))
    message = shop.refusal(order_id, {"product_id": "A"}, {"product_id": "B"}, {"product_id": "X"})
    assert message.startswith("line_items[2]: product X")
    assert all(item["warranties"] == [] for item in shop.carried(order_id))
    every = [{"product_id": sku} for sku in "ABC"]
    assert shop.sell(order_id, *every).status_code == 200
