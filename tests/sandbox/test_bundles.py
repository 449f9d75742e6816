"""Bundles: several products, one offer, one warranty with one covered product for each member."""

from typing import Any

import pytest

from tests.sandbox.shop import Shop, order, product, term

clause = pytest.mark.clause


def bundle(*prices: Any, **more: Any) -> dict[str, Any]:
    members = [product(f"M{number}", price) for number, price in enumerate(prices, start=1)]
    return product("SET", "0.00", products=members, **more)


def covered(shop: Shop, order_id: str) -> list[list[str]]:
    return [[one["product_id"] for one in sold["covered_products"]] for sold in shop.warranties(order_id)]


@clause("item.bundle", "limits.bundle", "item.bundle-price")
def test_a_bundle_is_offered_by_the_total_of_its_members(shop: Shop) -> None:
    order_id = shop.stored(bundle("700.00", "400.00"), product("ONE", "1100.00"), product("TWO", "700.00"))
    together, one, two = shop.carried(order_id)
    prices = [[offer["warranty_price"] for offer in item["offers"]] for item in (together, one, two)]
    assert prices[0] == prices[1]
    assert prices[0] != prices[2]
    assert together["offers"] != one["offers"]
    assert [member["product_id"] for member in together["products"]] == ["M1", "M2"]


@clause("item.bundle")
@pytest.mark.parametrize("products", [None, [], [product("M1", "600.00")], ["M1"], [None]])
def test_fewer_than_two_products_make_no_bundle(shop: Shop, products: Any) -> None:
    order_id = shop.stored(product("SET", "899.99", products=products))
    assert "products" not in shop.carried(order_id)[0]
    shop.sell(order_id, {"product_id": "SET"})
    assert covered(shop, order_id) == [["SET"]]


def test_a_cheap_member_does_not_spoil_a_bundle_and_a_gift_card_does(shop: Shop) -> None:
    assert shop.submit(order(bundle("700.00", "4.00"))).json()["warrantable_products"] is True
    with_gift_card = bundle("700.00", "50.00")
    with_gift_card["products"][1]["meta"] = {"breadcrumbs": [{"category": "Gift cards"}]}
    assert shop.submit(order(with_gift_card)).json()["warrantable_products"] is False


@clause("sale.bundle-by-member", "sale-item.products", "states.units", "sale.bundle-prices")
@pytest.mark.parametrize(
    "line",
    [
        *({"product_id": sku} for sku in ("M2", "SET")), {"variant_id": "M2"},
        {"products": [{"product_id": "M2", "product_price": "0.01"}]}, {"line_item_id": 1, "warranty": term(24)},
        {"products": [{"product_id": "M1"}, {"variant_id": "M2"}], "warranty": term(24)},
        {"products": [{"product_id": "M1"}], "product_id": "M2", "line_item_id": 1}, {"warranty_offer_id": ...},
    ],
)  # fmt: skip
def test_a_bundle_is_bought_whole_however_it_is_located(shop: Shop, line: dict[str, Any]) -> None:
    """Two units of it carry two warranties of two products each."""
    order_id = shop.stored(bundle("700.00", "400.00", quantity=2))
    if "warranty_offer_id" in line:
        line = {"warranty_offer_id": shop.offer_id(order_id, 24)}
    assert shop.sell(order_id, line | {"quantity": 2}).status_code == 200
    assert covered(shop, order_id) == [["M1", "M2"], ["M1", "M2"]]


@clause("sale-item.products")
def test_products_that_lead_to_different_items_are_refused(shop: Shop) -> None:
    order_id = shop.stored(bundle("700.00", "400.00"), product("ONE"))
    message = shop.refusal(order_id, {"products": [{"product_id": "M1"}, {"product_id": "ONE"}]})
    assert message == f"line_items[0]: product M1, ONE has no unsold offer on order {order_id}."
    nameless = shop.refusal(order_id, {"products": [{"product_title": "M1"}]})
    assert nameless == "line_items[0].products[0].product_id or variant_id is required to locate the offer."
