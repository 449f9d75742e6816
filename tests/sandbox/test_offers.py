"""The offers of an order: made once, by category and price band, shared by the line items that have both."""

import uuid
from decimal import Decimal
from typing import Any

import pytest

from sandbox.store.model import LineItem, Product
from sandbox.store.plans import (
    _BANDS,
    _FAMILIES,
    _GENERAL,
    HIGHEST_PRICE,
    LOWEST_PRICE,
    Family,
    is_eligible,
    offer_group,
    offers,
)  # fmt: skip
from tests.sandbox.shop import OFFERS, Shop, product, term

clause = pytest.mark.clause


def ids(item: dict[str, Any]) -> list[str]:
    return [offer["warranty_offer_id"] for offer in item["offers"]]


@clause("sale.line-item-id", "offer.fields")
def test_line_items_in_one_category_and_price_band_share_their_offers(shop: Shop) -> None:
    order_id = shop.stored(
        product("A", "899.99", "Electronics", "Televisions"),
        product("B", "750.00", "electronics", "televisions "),
        product("C", "899.99", "Furniture", "Sofas"),
        product("D", "499.99", "Electronics", "Televisions"),
    )
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
def test_gift_cards_groceries_services_digital_goods_are_not_eligible_what_sounds_so_is() -> None:
    def judged(*categories: str) -> bool:
        return is_eligible(Product("X", "Lamp", Decimal(60), breadcrumbs=categories), Decimal(60))

    assert [each for each in NOT_ELIGIBLE if judged(*each)] == []
    assert [each for each in ELIGIBLE if not judged(*each)] == []
    assert not is_eligible(Product("G", "Gift card 50", Decimal(50)), Decimal(50))


@pytest.mark.parametrize(
    ("price", "eligible"), [("9.9999", False), ("10.00", True), ("20000.00", True), ("20000.01", False)]
)
def test_products_from_10_to_20000_are_eligible(price: str, eligible: bool) -> None:
    assert is_eligible(Product("X", "Lamp", Decimal(price)), Decimal(price)) is eligible


@pytest.mark.parametrize("family", [*_FAMILIES, _GENERAL], ids=lambda family: family.name)
def test_every_eligible_product_has_24_months_and_a_second_term(family: Family) -> None:
    for price in (LOWEST_PRICE, *_BANDS[1:-1], HIGHEST_PRICE):
        group = offer_group(LineItem(1, Product("X", "X", price, breadcrumbs=(family.name,)), 1))
        assert group is not None
        made = offers("order", [group])
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
        "title is required.",
        "id is required.",
        'price must be an amount of zero or more, written like "1500.00".',
    ]
