"""Random sales in every shape that a form can give: the journal's money is the service's, line by line."""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from components.record_sale.sale_form import EnteredSale
from sandbox import SandboxServer
from tests.builders import CINEMA, LAMP, LAPTOP, STAFF, TV, order_of
from tests.components.stage import Stage
from warranty.journal import Attempt, AttemptFilter, AttemptState
from warranty.journal.shift_report import shift_report
from warranty.resources import Order
from warranty.sales.plans_known import Plan, SaleItem, items_of
from warranty.sales.sale_lines import Naming, SoldLine

Held = Counter[tuple[int | None, Decimal | None]]
BAND: Final = {"product_id": "BAND", "product_title": "Sports watch", "product_price": "249.00"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


class Clerk:
    """Sells on orders that the service tells of, that only the journal knows, and that nobody here knows."""

    def __init__(self, stage: Stage, random: Random) -> None:
        self.stage = stage
        self.random = random
        self.shapes: Counter[str] = Counter()
        self.stopped = 0
        self.sold = 0

    def order(self) -> Order:
        wares = [TV, LAMP, LAPTOP, CINEMA, {**BAND, "meta": TV["meta"]}]
        chosen = self.random.sample(wares, self.random.randint(1, 4))
        order = order_of(
            *[
                ware if "products" in ware else {**ware, "quantity": self.random.randint(1, 4)}
                for ware in chosen
            ]
        )
        self.stage.send(order)
        return order

    def line(self, item: SaleItem, plan: Plan, number: int) -> tuple[str, SoldLine]:
        """The item sold in one of the ways that the form has for it."""
        price = f"{self.random.randint(101, 3999) / 100:.2f}"
        told: dict[str, Any] = {
            "item": item,
            "months": plan.months,
            "plan": plan,
            "price": price.replace(".", self.random.choice([".", ","])),
            "quantity": str(self.random.choice([1, 1, 1, 2, 3])) if not item.is_bundle else "1",
            "warranty_id": self.random.choice(["", "own-1"]),
        }
        hand = SaleItem(key=f"hand{number}", by_hand=True, plans=item.plans)
        members = item.members or (item.product_id,)
        ways: dict[str, SoldLine] = {
            "line and SKU": SoldLine(**told),
            "SKU with term": SoldLine(**{**told, "item": replace(item, line_item_id=None)}),
            "SKU typed": SoldLine(**{**told, "item": hand, "product_id": members[0]}),
            "line alone": SoldLine(**{**told, "item": hand, "line_item_id": str(item.line_item_id)}),
            "variant": SoldLine(**told, naming=Naming.VARIANT, variant_id=members[-1]),
            "products": SoldLine(**{**told, "item": hand}, naming=Naming.PRODUCTS, members=members),
            "offer and SKU": SoldLine(**told, offer_id=plan.offer_id or ""),
            "offer alone": SoldLine(**told, naming=Naming.OFFER, offer_id=plan.offer_id or ""),
            "SKU alone": SoldLine(
                **{**told, "item": replace(item, product_id=members[0])}, naming=Naming.PRODUCT
            ),
        }
        way = self.random.choice(sorted(ways))
        return way, ways[way]

    def sell(self, number: int) -> None:
        order = self.order()
        for _ in range(self.random.choice([1, 1, 2])):
            known = items_of(None, self.stage.held(order.order_id), terms=(12, 24, 36))
            free = [item for item in known if item.can_be_sold and item.plans]
            if not free:
                return
            picked = self.random.sample(free, self.random.randint(1, min(3, len(free))))
            ways = [
                self.line(item, self.random.choice(item.plans), place) for place, item in enumerate(picked)
            ]
            lines = tuple(line for _, line in ways)
            entered = EnteredSale(order.order_id, lines)
            sale, faults = entered.checked()
            if sale is None:
                assert faults
                self.stopped += 1
                continue
            self.shapes.update(way for way, _ in ways)
            desk = self.stage.runtime.desk
            attempt = desk.send(
                STAFF,
                sale,
                acknowledged=[one.attempt_id for one in desk.order_timeline(STAFF, order.order_id)],
                draft_id=f"sale-{number}-{self.random.random()}",
                screen="record_sale",
                items=entered.items(),
            )
            self.sold += attempt.state is AttemptState.DONE


def at_the_service(stage: Stage, sale: Attempt) -> Held:
    """Term and money of each warranty that the service made of a sale."""
    return Counter(
        (carried.warranty_duration, carried.warranty_price)
        for item in stage.held(sale.order_id).line_items
        for carried in item.warranties
        if carried.warranty_order_id == sale.returned_id
    )


@pytest.mark.parametrize("wanted", [30, pytest.param(500, marks=pytest.mark.soak)])
def test_the_money_of_the_journal_is_that_of_the_service_over_sales_of_all_shapes(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: int
) -> None:
    sandbox.reset()
    stage = Stage(sandbox, tmp_path, monkeypatch)
    clerk, number = Clerk(stage, Random(12)), 0
    while clerk.sold < wanted:
        clerk.sell(number)
        number += 1
    sales = stage.runtime.desk.attempts(STAFF, AttemptFilter(operation="record_sale", limit=None))
    done = [sale for sale in sales if sale.state is AttemptState.DONE]
    differences: list[object] = []
    untold_money = Decimal(0)
    for sale in done:
        told: Held = Counter(
            (line.term_months, line.warranty_price)
            for line in sale.items
            for _ in range(line.quantity)
            if line.warranty_price is not None
        )
        untold = sum(line.quantity for line in sale.items if line.warranty_price is None)
        held = at_the_service(stage, sale)
        rest = held - told
        if told - held or rest.total() != untold:
            differences.append((sale, told, held))
        untold_money += sum(((price or Decimal(0)) * count for (_, price), count in rest.items()), Decimal(0))
    report = shift_report(sales, zone=UTC)
    everything = sum(
        (
            (price or Decimal(0)) * count
            for sale in done
            for (_, price), count in at_the_service(stage, sale).items()
        ),
        Decimal(0),
    )
    calls = Counter(
        (call["operation"], call["status"])
        for call in sandbox.calls()
        if call["operation"] != "purchase_warranties"
    )
    sys.stdout.write(
        f"\ncalls by kind: {dict(calls)}; lines by shape: {dict(clerk.shapes)}; "
        f"stopped before sending: {clerk.stopped}\n"
        f"sales {len(done)}; told {report.sold.revenue}, untold {untold_money} in {report.sold.unpriced} plans\n"
        f"at the service {everything}; differences: {differences or 'none'}\n"
    )
    assert not differences
    assert report.sold.revenue + untold_money == everything
    assert calls["record_sale", 200] == len(done) >= wanted
    assert calls["record_sale", 400] == len([sale for sale in sales if sale.state is AttemptState.REFUSED])
    assert set(clerk.shapes) == {
        "line and SKU", "SKU with term", "SKU typed", "line alone", "variant", "products", "offer and SKU",
        "offer alone", "SKU alone",
    }  # fmt: skip
    stage.runtime.close()
