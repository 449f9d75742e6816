"""What an order carries, compared with a sale whose answer was lost and with what was sold before it."""

from decimal import Decimal

import pytest

from warranty.client.resources import PurchaseWarranties, Sale
from warranty.desk import Verdict
from warranty.desk.item_lines import sale_lines
from warranty.desk.journal import ItemLine
from warranty.desk.sale_lookup import verdict

RECORDED, NOT_RECORDED, UNCLEAR = Verdict.RECORDED, Verdict.NOT_RECORDED, Verdict.UNCLEAR
PLAN = {"warranty_duration": 24, "warranty_price": "79.99"}
SOLD_BEFORE = ItemLine("", "TV-55", 1, term_months=24, warranty_price=Decimal("79.99"))
OF_UNKNOWN_PRICE = ItemLine("", "TV-55", 1, term_months=24)


def line(**more: object) -> dict[str, object]:
    return {"product_id": "TV-55", "warranty": PLAN, **more}


def carried(*units: int) -> PurchaseWarranties:
    """An order whose lines carry the plan so many times; the first are televisions, the second lamps."""
    lines = [
        {"line_item_id": number, "product_id": sku, "warranties": [PLAN] * count}
        for number, (sku, count) in enumerate(zip(("TV-55", "LAMP"), units, strict=False), start=1)
    ]
    return PurchaseWarranties.model_validate({"order_id": "o-1", "line_items": lines})


@pytest.mark.parametrize(("lines", "units", "before", "found"), [
    ([line()], [0], [], NOT_RECORDED),
    ([line()], [1], [], RECORDED),
    ([line()], [1], [SOLD_BEFORE], NOT_RECORDED),
    ([line()], [2], [SOLD_BEFORE], RECORDED),
    ([line()], [0], [SOLD_BEFORE], UNCLEAR),  # the earlier sale is not there either
    ([line()], [1], [OF_UNKNOWN_PRICE], UNCLEAR),  # it may be that sale's
    ([line(quantity=2)], [2], [], RECORDED),
    ([line(quantity=2)], [1], [], UNCLEAR),
    ([line(quantity=2)], [3], [], UNCLEAR),
    ([line(), line(product_id="LAMP")], [1, 1], [], RECORDED),
    ([line(), line(product_id="LAMP")], [0, 0], [], NOT_RECORDED),
    ([line(), line(product_id="LAMP")], [1, 0], [], UNCLEAR),  # a sale is recorded whole or not at all
    ([line(), line()], [1], [], UNCLEAR),  # of which of the two?
])  # fmt: skip
def test_only_what_adds_up_decides(
    lines: list[dict[str, object]], units: list[int], before: list[ItemLine], found: Verdict
) -> None:
    sale = Sale.model_validate({"id": "o-1", "line_items": lines})
    assert verdict(sale, carried(*units), sold_before=before) is found


TV = ItemLine("Television", "TV-55", 2, Decimal("899.00"), line_item_id=1)
TWIN = ItemLine("Television for the kitchen", "TV-55", 1, Decimal("799.00"), line_item_id=2)
STEREO = ItemLine("Stereo set", "SET", 1, line_item_id=3, members=("AMP", "SPEAKERS"))


@pytest.mark.parametrize(("named", "title"), [
    ({"line_item_id": 2, "product_id": "TV-55"}, "Television for the kitchen"),
    ({"product_id": "TV-55"}, ""),  # either
    ({"product_id": "SPEAKERS"}, "Stereo set"),
    ({"products": [{"product_id": "AMP"}, {"product_id": "SPEAKERS"}]}, "Stereo set"),
    ({"variant_id": "V-1"}, ""),
])  # fmt: skip
def test_a_line_of_a_sale_is_described_by_the_one_that_answers(named: dict[str, object], title: str) -> None:
    sale = Sale.model_validate({"id": "o-1", "line_items": [{**named, "quantity": 2}]})
    (line,) = sale_lines(sale, given=(), ordered=(TV, TWIN, STEREO))
    assert (line.title, line.quantity) == (title, 2)
