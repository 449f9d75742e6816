"""Which plans are known for an item: the service's word, else a refusal's list, else the settings."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from tests.builders import entry_of
from warranty.client.resources import PurchaseWarranties
from warranty.desk.journal import AttemptState, ItemLine
from warranty.desk.sales.plans_known import Coverage, Plan, SaleItem, items_of
from warranty.errors import AvailablePlan

TV = ItemLine("55in OLED television", "TV-55", 2, Decimal("899.00"), line_item_id=1)
SET = ItemLine("Stereo set", "SET", 1, Decimal("988.50"), line_item_id=2, members=("AMP", "SPEAKERS"))


def read(*line_items: dict[str, Any]) -> PurchaseWarranties:
    return PurchaseWarranties.model_validate({"order_id": "o-1", "line_items": line_items})


def offer(number: int, months: int, kind: str, price: str, status: str = "unsold") -> dict[str, Any]:
    plan = {"warranty_duration": months, "warranty_type": kind, "warranty_price": price}
    return {"warranty_offer_id": f"00000000-0000-4000-8000-{number:012}", "status": status, **plan}


SOLD = {"warranty_duration": 24, "warranty_type": "Extended", "warranty_price": "70.00"}
OFFERS = [
    offer(1, 24, "Extended", "75.00"), offer(2, 24, "Accident", "120.00"), offer(3, 12, "Extended", "45.00"),
    offer(4, 36, "Extended", "95.00", status="bought"),
]  # fmt: skip
LAPTOP_READ = {
    "line_item_id": 7, "product_id": "LT-14", "product_title": "Laptop", "quantity": 4, "offers": OFFERS,
    "warranties": [SOLD, SOLD, {**SOLD, "warranty_price": "75.00"}],
}  # fmt: skip


def only(items: Sequence[SaleItem]) -> SaleItem:
    (item,) = items
    return item


def test_the_services_word_on_an_order_comes_first() -> None:
    order = entry_of("submit_order", ItemLine("Laptop", "LT-14", 3, line_item_id=1))
    listed = [AvailablePlan(60, "Other")]
    item = only(items_of(order, read(LAPTOP_READ), listed=lambda _: listed, terms=(12, 24)))
    assert (item.names_offers, item.terms) == (True, (12, 24))
    assert [plan.type for plan in item.plans_of(24)] == ["Extended", "Accident"]
    assert item.line_item_id == 7
    assert (item.units, item.units_left) == (4, 1)
    assert item.covered == (
        Coverage(24, "Extended", Decimal("70.00"), 2), Coverage(24, "Extended", Decimal("75.00"), 1),
    )  # fmt: skip


def test_without_it_a_refusals_plans_come_before_the_settings_and_without_an_unsold_offer_none_is_sold() -> None:
    order = entry_of("submit_order", TV, SET)
    listed = {"line1": [AvailablePlan(24, "Extended"), AvailablePlan(24, "Accident"), AvailablePlan(24, "Extended")]}
    tv, stereo = items_of(order, None, listed=lambda key: listed.get(key, []), terms=(12, 36))
    assert (tv.names_offers, tv.plans) == (False, (Plan(24, "Extended"), Plan(24, "Accident")))
    assert (stereo.names_offers, stereo.terms) == (False, (12, 36))
    items = items_of(entry_of("submit_order", TV, SET), None, terms=(12,))
    assert [item.line_item_id for item in items] == [None, None]
    assert items[1].is_bundle
    bought = {**LAPTOP_READ, "quantity": None, "offers": [offer(1, 24, "Extended", "75.00", "bought")]}
    assert not only(items_of(None, read(bought), terms=(12,))).can_be_sold
    assert not only(items_of(None, read({**LAPTOP_READ, "offers": []}), terms=(12,))).can_be_sold


def test_what_this_desk_sold_is_shown_as_covered_but_does_not_forbid_a_sale() -> None:
    sold = ItemLine("TV", "TV-55", 1, term_months=24, warranty_price=Decimal("79.99"))
    refused = entry_of("record_sale", sold, state=AttemptState.REFUSED)
    items = items_of(entry_of("submit_order", TV), None, sales=[entry_of("record_sale", sold), refused], terms=(12,))
    item = only(items)
    assert (item.covered, item.covered_here) == ((Coverage(24, None, Decimal("79.99"), 1),), True)
    assert item.can_be_sold


def test_an_order_that_nobody_knows_is_entered_by_hand_and_a_read_without_lines_leaves_the_journals_items() -> None:
    item = only(items_of(None, None, terms=(12, 24)))
    assert (item.by_hand, item.terms) == (True, (12, 24))
    assert len(items_of(None, None, terms=(12,), by_hand=3)) == 3
    beside = items_of(entry_of("submit_order", TV), None, terms=(12,), by_hand=1)
    assert [item.by_hand for item in beside] == [False, True]
    item = only(items_of(entry_of("submit_order", TV), read(), terms=(12,)))
    assert item.title == "55in OLED television"
    sparse = only(items_of(None, read({"line_item_id": 1}), terms=(12,)))
    assert (sparse.name, sparse.can_be_sold) == ("Custom item", False)
