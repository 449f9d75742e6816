"""What is offered for a product of an order and for a bundle, and how a bundle is bought."""

import uuid
from decimal import Decimal
from typing import Any

import pytest

from sandbox.store import plans
from sandbox.store.model import LineItem, Product
from tests.sandbox.shop import OFFERS, Shop, order, product, term

clause = pytest.mark.clause


def ids(item: dict[str, Any]) -> list[str]:
    return [offer["warranty_offer_id"] for offer in item["offers"]]


@clause("sale.line-item-id", "offer.fields")
def test_line_items_in_one_category_and_price_band_share_their_offers(shop: Shop) -> None:
    order_id = shop.stored(
        product("A", "899.99", "Electronics", "Televisions"), product("B", "750.00", "electronics", "televisions "),
        product("C", "899.99", "Furniture", "Sofas"), product("D", "499.99", "Electronics", "Televisions"),
    )  # fmt: skip
    a, b, c, d = shop.carried(order_id)
    assert ids(a) == ids(b)
    assert len({*ids(a), *ids(c), *ids(d)}) == len(ids(a)) + len(ids(c)) + len(ids(d))
    assert all(str(uuid.UUID(one)) == one for one in ids(a))


NOT_ELIGIBLE = (
    ("Gift Cards",), ("Gifts", "gift card"), ("Groceries",), ("Food", "Grocery"), ("Services",),
    ("Home", "Installation service"), ("Digital goods",), ("Digital",), ("Software", "Downloads"),
)  # fmt: skip
ELIGIBLE = (("Electronics", "Digital cameras"), ("Self-made",), ("Toys",), ("Servers",), ())


@clause("item.extra-data")
def test_products_from_10_to_20000_are_eligible_but_gift_cards_groceries_services_and_digital_goods() -> None:
    def judged(*categories: str) -> bool:
        return plans.is_eligible(Product("X", "Lamp", Decimal(60), breadcrumbs=categories), Decimal(60))

    assert [each for each in NOT_ELIGIBLE if judged(*each)] == []
    assert [each for each in ELIGIBLE if not judged(*each)] == []
    assert not plans.is_eligible(Product("G", "Gift card 50", Decimal(50)), Decimal(50))
    prices = [Decimal(price) for price in ("9.9999", "10.00", "20000.00", "20000.01")]
    assert [plans.is_eligible(Product("X", "Lamp", price), price) for price in prices] == [False, True, True, False]


@pytest.mark.parametrize("family", [*plans._FAMILIES, plans._GENERAL], ids=lambda family: family.name)
def test_every_eligible_product_has_24_months_and_a_second_term(family: plans.Family) -> None:
    for price in (plans.LOWEST_PRICE, *plans._BANDS[1:-1], plans.HIGHEST_PRICE):
        group = plans.offer_group(LineItem(1, Product("X", "X", price, breadcrumbs=(family.name,)), 1))
        assert group is not None
        made = plans.offers("order", [group])
        assert len({(offer.months, offer.type) for offer in made}) == len(made) == len(family.plans)
        assert len({offer.months for offer in made}) >= 2
        assert 24 in {offer.months for offer in made}
        assert all(offer.price > 0 for offer in made)


@clause("purchase-warranties.purpose")
def test_purchase_warranties_tell_what_is_open_and_what_is_carried(shop: Shop) -> None:
    order_id = shop.stored(
        product("TV", "899.99", quantity=2, variant_id="TV-BLACK"), product("GIFT", "50", "Gift cards")
    )
    shop.sell(order_id, {"product_id": "TV", "warranty": term(24, "79.99")})
    answer = shop.look(order_id)
    assert answer.headers["x-sandbox-assumption"] == "purchase-warranties.shape"
    assert answer.json()["order_id"] == order_id
    television, gift = answer.json()["line_items"]
    told = {"product_id": "TV", "product_title": "Product TV", "product_price": "899.99", "variant_id": "TV-BLACK"}
    assert television | told | {"line_item_id": 1, "quantity": 2} == television
    assert {offer["status"] for offer in television["offers"]} == {"unsold"}
    (sold,) = television["warranties"]
    assert (sold["warranty_duration"], sold["warranty_price"]) == (24, "79.99")
    assert sold["covered_products"] == [{"product_id": "TV", "product_title": "Product TV", "product_price": "899.99"}]
    assert (gift["offers"], gift["warranties"]) == ([], [])
    shop.sell(order_id, {"product_id": "TV"})
    assert {offer["status"] for offer in shop.offers(order_id)} == {"bought"}


@clause("warranty-offers.purpose", "checkout-item.offer-id")
def test_the_offers_endpoint_gives_offers_for_a_product_on_sale(shop: Shop) -> None:
    laptops = {"breadcrumbs": [{"category": "Laptops"}]}
    on_sale = {
        "title": '14" laptop', "id": "LAP-14", "price": "1399.00", "meta": laptops, "images": ["https://x"],
    }  # fmt: skip
    answer = shop.post(OFFERS, on_sale)
    assert answer.headers["x-sandbox-assumption"] == "warranty-offers.shape"
    assert [offer["warranty_duration"] for offer in answer.json()] == [12, 24, 24, 36]
    assert answer.json() == shop.post(OFFERS, on_sale).json()
    assert shop.post(OFFERS, {"title": "Milk", "id": 7, "price": 1}).json() == []
    refused = shop.post(OFFERS, {"price": "x"})
    assert refused.status_code == 400
    assert refused.json()["message"]["validation_errors"] == [
        "title is required.", "id is required.", 'price must be an amount of zero or more, written like "1500.00".',
    ]  # fmt: skip


def bundle(*prices: Any, **more: Any) -> dict[str, Any]:
    members = [product(f"M{number}", price) for number, price in enumerate(prices, start=1)]
    return product("SET", "0.00", products=members, **more)


def covered(shop: Shop, order_id: str) -> list[list[str]]:
    return [[one["product_id"] for one in sold["covered_products"]] for sold in shop.warranties(order_id)]


@clause("item.bundle", "limits.bundle", "item.bundle-price")
def test_a_bundle_is_offered_by_the_total_of_its_members_and_a_gift_card_spoils_it(shop: Shop) -> None:
    order_id = shop.stored(bundle("700.00", "400.00"), product("ONE", "1100.00"), product("TWO", "700.00"))
    together, one, two = shop.carried(order_id)
    prices = [[offer["warranty_price"] for offer in item["offers"]] for item in (together, one, two)]
    assert prices[0] == prices[1]
    assert prices[0] != prices[2]
    assert together["offers"] != one["offers"]
    assert [member["product_id"] for member in together["products"]] == ["M1", "M2"]
    assert shop.submit(order(bundle("700.00", "4.00"))).json()["warrantable_products"] is True
    with_gift_card = bundle("700.00", "50.00")
    with_gift_card["products"][1]["meta"] = {"breadcrumbs": [{"category": "Gift cards"}]}
    assert shop.submit(order(with_gift_card)).json()["warrantable_products"] is False


@clause("item.bundle")
@pytest.mark.parametrize("products", [None, [], [product("M1", "600.00")], ["M1"], [None]])
def test_fewer_than_two_products_make_no_bundle(shop: Shop, products: Any) -> None:
    order_id = shop.stored(product("SET", "899.99", products=products))
    assert "products" not in shop.carried(order_id)[0]
    shop.sell(order_id, {"product_id": "SET"})
    assert covered(shop, order_id) == [["SET"]]


@clause("sale.bundle-by-member", "sale-item.products", "states.units", "sale.bundle-prices")
@pytest.mark.parametrize("line", [
    *({"product_id": sku} for sku in ("M2", "SET")), {"variant_id": "M2"},
    {"products": [{"product_id": "M2", "product_price": "0.01"}]}, {"line_item_id": 1, "warranty": term(24)},
    {"products": [{"product_id": "M1"}, {"variant_id": "M2"}], "warranty": term(24)},
    {"products": [{"product_id": "M1"}], "product_id": "M2", "line_item_id": 1}, {"warranty_offer_id": ...},
])  # fmt: skip
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
