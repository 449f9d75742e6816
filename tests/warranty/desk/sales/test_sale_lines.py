"""How a sale names what was sold, and what is refused before it is sent."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from warranty.client.resources import Sale
from warranty.desk.journal import ItemLine
from warranty.desk.sales.plans_known import Plan, SaleItem
from warranty.desk.sales.sale_lines import Naming, SoldLine, basket_problems
from warranty.desk.sales.sale_refusals import concerned, without_place

EXTENDED = Plan(24, "Extended", Decimal("75.00"), "00000000-0000-4000-8000-00000000000a")
ACCIDENT = Plan(24, "Accident", Decimal("99.00"), "00000000-0000-4000-8000-00000000000b")
SHORT = Plan(12, "Extended", Decimal("45.00"), "00000000-0000-4000-8000-00000000000c")
LAPTOP = SaleItem(
    key="line2", product_id="LT-14", title="Laptop", line_item_id=2, units=3, units_left=2,
    plans=(SHORT, EXTENDED, ACCIDENT), names_offers=True,
)  # fmt: skip
BUNDLE = SaleItem(key="line3", product_id="SET", line_item_id=3, members=("AMP", "SPEAKERS"), plans=(SHORT,))
BY_HAND = SaleItem(key="hand1", by_hand=True, plans=(Plan(12), Plan(24)))


def sold(item: SaleItem, months: int = 12, plan: Plan | None = SHORT, **more: Any) -> SoldLine:
    return SoldLine(item=item, months=months, plan=plan, price="45.00", **more)


def sent(*lines: SoldLine) -> list[dict[str, object]]:
    sale = Sale.model_validate({"id": "o-1", "line_items": [line.content() for line in lines]})
    dumped: list[dict[str, object]] = sale.model_dump(mode="json", exclude_none=True)["line_items"]
    return dumped


def test_the_line_of_the_order_and_the_sku_name_an_item_or_the_line_alone_as_the_document_shows_it() -> None:
    line = sold(LAPTOP)
    term = {"warranty_duration": 12, "warranty_price": "45.00"}
    assert sent(line) == [{"line_item_id": 2, "product_id": "LT-14", "quantity": 1, "warranty": term}]
    assert line.in_words() == "line 2 of the order and SKU LT-14"
    by_hand = sold(BY_HAND, line_item_id="2", quantity="2")
    assert sent(by_hand) == [{"line_item_id": 2, "quantity": 2, "warranty": term}]


def test_a_term_in_several_types_brings_the_offer_id_along_and_without_one_is_for_the_landing_page() -> None:
    assert sold(LAPTOP, 24, ACCIDENT).identifiers()["warranty_offer_id"] == ACCIDENT.offer_id
    assert "warranty_offer_id" not in sold(LAPTOP).identifiers()
    undecided = sold(LAPTOP, 24, None)
    choose = "Choose a type: 24 months come in several types on this item"
    assert basket_problems([undecided]) == {("line2", "type"): choose}
    listed = replace(LAPTOP, plans=(Plan(24, "Extended"), Plan(24, "Accident")), names_offers=False)
    line = sold(listed, 24, Plan(24, "Accident"))
    assert "Let the customer buy it on the customer page" in basket_problems([line])["line2", "type"]
    assert basket_problems([replace(line, offer_id=ACCIDENT.offer_id or "")]) == {}


def test_a_bundle_is_located_by_its_products_a_sku_names_an_item_without_a_line_and_an_offer_id_none() -> None:
    line = sold(BUNDLE)
    assert line.identifiers() == {"line_item_id": 3, "products": [{"product_id": "AMP"}, {"product_id": "SPEAKERS"}]}
    assert line.in_words() == "line 3 of the order and the 2 products of the bundle"
    assert sold(replace(LAPTOP, line_item_id=None)).identifiers() == {"product_id": "LT-14"}
    line = sold(BY_HAND, naming=Naming.OFFER, offer_id=SHORT.offer_id)
    assert sent(line) == [{"warranty_offer_id": SHORT.offer_id, "quantity": 1}]
    with pytest.raises(ValidationError, match="Say which item this term is for"):
        sent(sold(BY_HAND, offer_id=SHORT.offer_id))


@pytest.mark.parametrize(("naming", "typed", "identifiers"), [
    (Naming.PRODUCT, {}, {"product_id": "LT-14"}),
    (Naming.VARIANT, {"variant_id": "V-9"}, {"variant_id": "V-9", "line_item_id": 2}),
    (Naming.OFFER, {"offer_id": SHORT.offer_id}, {"warranty_offer_id": SHORT.offer_id}),
    (Naming.PRODUCTS, {"members": ("A", "B")},
     {"products": [{"product_id": "A"}, {"product_id": "B"}], "line_item_id": 2}),
])  # fmt: skip
def test_each_way_of_naming_is_a_choice(naming: Naming, typed: dict[str, Any], identifiers: dict[str, object]) -> None:
    line = sold(LAPTOP, naming=naming, **typed)
    assert line.identifiers() == identifiers
    assert sent(line)


@pytest.mark.parametrize("naming", [Naming.PRODUCT, Naming.OFFER])
def test_a_sku_or_an_offer_alone_is_sent_without_term_and_price(naming: Naming) -> None:
    line = sold(LAPTOP, naming=naming, offer_id=SHORT.offer_id)
    assert "warranty" not in sent(line)[0]
    assert (line.bought_plan, line.is_ambiguous) == (None, False)


def test_items_that_share_an_offer_and_more_units_than_are_left_are_refused_and_an_unlisted_term_is_not() -> None:
    twin = replace(LAPTOP, key="line4", line_item_id=4, title="Second laptop")
    problems = basket_problems([sold(LAPTOP), sold(twin)])
    assert list(problems) == [("line4", "term")]
    assert "the same offer as on Laptop" in problems["line4", "term"]
    assert basket_problems([sold(LAPTOP), sold(twin, 24, ACCIDENT)]) == {}
    assert basket_problems([sold(LAPTOP, quantity="2")]) == {}
    sentence = basket_problems([sold(LAPTOP, quantity="3")])["line2", "quantity"]
    assert sentence.startswith("Enter 2 at most: no more units")
    one_left = replace(LAPTOP, units_left=1)
    assert "Enter 1 at most" in basket_problems([sold(one_left, quantity="2")])["line2", "quantity"]
    assert basket_problems([sold(LAPTOP, 18, None)]) == {}


TV = ItemLine("Television", "TV-5", 1, line_item_id=1)
BIG_TV = ItemLine("Big television", "TV-55", 1, line_item_id=2)
SET = ItemLine("Stereo set", "SET", 1, line_item_id=3, members=("AMP-1", "SPK-1"))
BASKET = (TV, BIG_TV, SET)


@pytest.mark.parametrize(("sentence", "places"), [
    ("Product TV-55 has no unsold offer on order o-1.", {1}), ("Product tv-5 has no unsold offer on order o-1.", {0}),
    ("line_items[2]: 18 months is not offered for product TV-5.", {2}), ("line_items.1.quantity is above 20", {1}),
    ("line_item_id 3 appears twice in the request.", {2}), ("No unsold offer for AMP-1 and SPK-1.", {2}),
    ("The stereo set is already covered.", {2}), ("TV-5 and TV-55 ask for the same offer.", {0, 1}),
    ("line_items[9]: something else", set()), ("The payload is not valid.", set()), ("", set()),
])  # fmt: skip
def test_a_refusal_is_placed_at_the_line_that_its_sentence_names(sentence: str, places: set[int]) -> None:
    assert concerned([sentence], BASKET) == places


def test_one_line_alone_is_to_blame_and_a_sku_in_an_order_id_or_as_short_as_a_term_names_none() -> None:
    assert concerned(["The payload is not valid."], [TV]) == {0}
    assert concerned(["No unsold offer on order TV-5/77."], BASKET, order_id="TV-5/77") == set()
    two = [ItemLine("One", "24", 1), ItemLine("Two", "36", 1)]
    assert concerned(["24 months are not offered."], two) == set()


@pytest.mark.parametrize(("sentence", "read"), [
    ("line_items[0]: 18 months is not offered.", "18 months is not offered."),
    ("line_items.1.quantity is above 20", "quantity is above 20"),
    ("Product TV-55 of line_items[0] has no offer.", "Product TV-55 of line_items[0] has no offer."),
])  # fmt: skip
def test_at_its_line_a_refusal_needs_no_place(sentence: str, read: str) -> None:
    assert without_place(sentence) == read
