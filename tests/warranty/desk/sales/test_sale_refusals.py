"""Which line a refusal is about."""

import pytest

from warranty.desk.journal import ItemLine
from warranty.desk.sales.sale_refusals import concerned, without_place

TV = ItemLine("Television", "TV-5", 1, line_item_id=1)
BIG_TV = ItemLine("Big television", "TV-55", 1, line_item_id=2)
SET = ItemLine("Stereo set", "SET", 1, line_item_id=3, members=("AMP-1", "SPK-1"))
BASKET = (TV, BIG_TV, SET)


@pytest.mark.parametrize(
    ("sentence", "places"),
    [
        ("Product TV-55 has no unsold offer on order o-1.", {1}),
        ("Product tv-5 has no unsold offer on order o-1.", {0}),
        ("line_items[2]: 18 months is not offered for product TV-5.", {2}), ("line_items.1.quantity is above 20", {1}),
        ("line_item_id 3 appears twice in the request.", {2}), ("No unsold offer for AMP-1 and SPK-1.", {2}),
        ("The stereo set is already covered.", {2}), ("TV-5 and TV-55 ask for the same offer.", {0, 1}),
        ("line_items[9]: something else", set()), ("The payload is not valid.", set()), ("", set()),
    ],
)  # fmt: skip
def test_a_refusal_is_placed_at_the_line_that_its_sentence_names(sentence: str, places: set[int]) -> None:
    assert concerned([sentence], BASKET) == places


def test_one_line_alone_is_to_blame_and_a_sku_in_an_order_id_or_as_short_as_a_term_names_none() -> None:
    assert concerned(["The payload is not valid."], [TV]) == {0}
    assert concerned(["No unsold offer on order TV-5/77."], BASKET, order_id="TV-5/77") == set()
    two = [ItemLine("One", "24", 1), ItemLine("Two", "36", 1)]
    assert concerned(["24 months are not offered."], two) == set()


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("line_items[0]: 18 months is not offered.", "18 months is not offered."),
        ("line_items.1.quantity is above 20", "quantity is above 20"),
        ("Product TV-55 of line_items[0] has no offer.", "Product TV-55 of line_items[0] has no offer."),
    ],
)
def test_at_its_line_a_refusal_needs_no_place(sentence: str, read: str) -> None:
    assert without_place(sentence) == read
