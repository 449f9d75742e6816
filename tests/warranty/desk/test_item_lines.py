"""What is kept of the lines that were sent."""

from decimal import Decimal

import pytest

from warranty.client.resources import Sale
from warranty.desk.item_lines import sale_lines
from warranty.desk.journal import ItemLine

TV = ItemLine("Television", "TV-55", 2, Decimal("899.00"), line_item_id=1)
TWIN = ItemLine("Television for the kitchen", "TV-55", 1, Decimal("799.00"), line_item_id=2)
STEREO = ItemLine("Stereo set", "SET", 1, line_item_id=3, members=("AMP", "SPEAKERS"))


@pytest.mark.parametrize(
    ("named", "title"),
    [
        ({"line_item_id": 2, "product_id": "TV-55"}, "Television for the kitchen"),
        ({"product_id": "TV-55"}, ""),  # either
        ({"product_id": "SPEAKERS"}, "Stereo set"),
        ({"products": [{"product_id": "AMP"}, {"product_id": "SPEAKERS"}]}, "Stereo set"),
        ({"variant_id": "V-1"}, ""),
    ],
)
def test_a_line_of_a_sale_is_described_by_the_one_that_answers(named: dict[str, object], title: str) -> None:
    sale = Sale.model_validate({"id": "o-1", "line_items": [{**named, "quantity": 2}]})
    (line,) = sale_lines(sale, given=(), ordered=(TV, TWIN, STEREO))
    assert (line.title, line.quantity) == (title, 2)
