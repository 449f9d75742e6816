"""What is shown to a customer, as values: all units paid for, nothing that is sold already, no sum of guesses."""

from decimal import Decimal
from typing import Any

import pytest
import streamlit as st

from components.system.customer_screen.shown import MOST_LINES, ShownItem, ShownPlan, basket, link, offered_plans, plans
from components.system.customer_screen.telling import tell
from tests.builders import STAFF
from warranty.client.resources.purchase_warranties import Offer, PurchasableLineItem, PurchaseWarranties
from warranty.errors import JournalUnavailable

TV, LAMP = ShownItem("TV", 2, Decimal("899.00")), ShownItem("Lamp", 3, Decimal("89.50"))
CARE = ShownPlan("TV", 24, "Accident", Decimal("79.99"), units=2)


def made(shown: Any) -> dict[str, Any]:
    assert shown is not None
    return dict(shown)


def test_a_sum_is_of_all_units_and_there_is_none_while_a_price_is_not_known() -> None:
    both = made(basket([TV, LAMP], currency="USD"))
    assert (both["count"], both["total"]) == (5, "2066.50")
    unknown = made(basket([TV, ShownItem("Cable", 1, None)], currency="USD"))
    assert (unknown["count"], unknown["total"], unknown["items"][1]["price"]) == (3, None, None)
    assert made(plans([CARE, CARE], currency="USD", sold=False))["total"] == "319.96"
    assert basket([], currency="USD") is None
    assert plans([], currency="USD", sold=True) is None


def test_of_a_long_basket_the_newest_lines_are_shown_and_all_are_counted() -> None:
    many = [ShownItem(f"Item {place}", 1, Decimal(1)) for place in range(MOST_LINES + 2)]
    shown = made(basket(many, currency="USD"))
    assert [item["name"] for item in shown["items"]] == [item.name for item in many[2:]]
    assert (shown["count"], shown["total"]) == (MOST_LINES + 2, f"{MOST_LINES + 2}.00")


@pytest.mark.parametrize(("sold", "kind"), [(True, "sold"), (False, "plans")])
def test_what_is_paid_is_told_apart_from_what_is_about_to_be(sold: bool, kind: str) -> None:
    assert made(plans([CARE], currency="USD", sold=sold))["kind"] == kind


def test_plans_that_were_bought_are_offered_no_more() -> None:
    bought, still, other = (
        Offer(warranty_offer_id=name, warranty_duration=months, warranty_price=Decimal(price), status=status)
        for name, months, price, status in (
            ("a", 12, "39.99", "bought"),
            ("b", 24, "79.99", "unsold"),
            ("c", 36, "9.99", None),
        )
    )
    tv = PurchasableLineItem(line_item_id=1, product_title="TV", offers=(bought, still))
    lamp = PurchasableLineItem(line_item_id=2, product_id="LAMP", offers=(other,))
    answer = PurchaseWarranties(order_id="o-1", line_items=(tv, lamp))
    offered = offered_plans(answer)
    assert [(plan.name, plan.months) for plan in offered] == [("TV", 24), ("LAMP", 36)]
    shown = link("https://landing.example/o-1", [TV], offered, currency="USD", works_later=True)
    assert [plan["price"] for plan in made(shown)["plans"]] == ["79.99", "9.99"]
    assert shown["later"] is True
    assert offered_plans(None) == []


class Screens:
    def __init__(self) -> None:
        self.connected, self.away = 1, False
        self.told: list[Any] = []

    def count(self, _username: str, _till_id: str) -> int:
        if self.away:
            raise JournalUnavailable("away")
        return self.connected

    def show(self, _username: str, shown: Any, _till_id: str) -> None:
        self.told.append(shown)


def test_a_tab_tells_what_is_new_once_and_ends_only_what_it_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    screens: Any = Screens()
    tell(screens, STAFF, None)
    assert screens.told == [], "another tab of the person may be at a basket"
    first, second = basket([TV], currency="USD"), basket([TV, LAMP], currency="USD")
    screens.connected = 0
    tell(screens, STAFF, first)
    screens.connected, screens.away = 1, True
    tell(screens, STAFF, first)
    assert screens.told == []
    screens.away = False
    for shown in (first, first, second):
        tell(screens, STAFF, shown)
    assert screens.told == [first, second]
    tell(screens, STAFF, None, ends=("link",))
    assert screens.told == [first, second]
    tell(screens, STAFF, None, ends=("link", "basket"))
    assert screens.told == [first, second, None]
