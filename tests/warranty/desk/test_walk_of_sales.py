"""Random sales in every shape that a form can give: the journal's money is the service's, line by line."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import uuid4

import pytest

from components.selling.record_sale.sale_form import EnteredSale
from sandbox import SandboxServer
from tests.builders import CINEMA, LAMP, LAPTOP, STAFF, TV, order_of
from tests.components.stage import Stage
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.desk.journal.shift_report import shift_report
from warranty.desk.sales.plans_known import SaleItem, items_of
from warranty.desk.sales.sale_lines import Naming, SoldLine

Held = Counter[tuple[int | None, Decimal | None]]
BAND: Final = {"product_id": "BAND", "product_title": "Sports watch", "product_price": "249.00"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


class Clerk:
    """Sells on orders that the service tells of, that only the journal knows, and that nobody here knows."""

    def __init__(self, stage: Stage, random: Random) -> None:
        self.stage, self.random, self.shapes, self.sold = stage, random, Counter[str](), 0

    def order(self) -> str:
        wares = [TV, LAMP, LAPTOP, CINEMA, {**BAND, "meta": TV["meta"]}]
        chosen = self.random.sample(wares, self.random.randint(1, 4))
        units = [{} if "products" in ware else {"quantity": self.random.randint(1, 4)} for ware in chosen]
        order = order_of(*[ware | many for ware, many in zip(chosen, units, strict=True)])
        self.stage.send(order)
        return order.order_id

    def line(self, item: SaleItem, number: int) -> tuple[str, SoldLine]:
        plan = self.random.choice(item.plans)
        price = f"{self.random.randint(101, 3999) / 100:.2f}"
        told: dict[str, Any] = {
            "item": item, "months": plan.months, "plan": plan,
            "price": price.replace(".", self.random.choice([".", ","])),
            "quantity": "1" if item.is_bundle else str(self.random.choice([1, 1, 1, 2, 3])),
            "warranty_id": self.random.choice(["", "own-1"]),
        }  # fmt: skip
        members, offer = item.members or (item.product_id,), plan.offer_id or ""
        by_hand = {**told, "item": SaleItem(key=f"hand{number}", by_hand=True, plans=item.plans)}
        ways: dict[str, SoldLine] = {
            "line and SKU": SoldLine(**told),
            "SKU with term": SoldLine(**{**told, "item": replace(item, line_item_id=None)}),
            "SKU typed": SoldLine(**by_hand, product_id=members[0]),
            "line alone": SoldLine(**by_hand, line_item_id=str(item.line_item_id)),
            "variant": SoldLine(**told, naming=Naming.VARIANT, variant_id=members[-1]),
            "products": SoldLine(**by_hand, naming=Naming.PRODUCTS, members=members),
            "offer and SKU": SoldLine(**told, offer_id=offer),
            "offer alone": SoldLine(**told, naming=Naming.OFFER, offer_id=offer),
            "SKU alone": SoldLine(**{**told, "item": replace(item, product_id=members[0])}, naming=Naming.PRODUCT),
        }
        way = self.random.choice(sorted(ways))
        return way, ways[way]

    def sell(self) -> None:
        order, desk = self.order(), self.stage.runtime.desk
        for _ in range(self.random.choice([1, 1, 2])):
            known = items_of(None, self.stage.held(order), terms=(12, 24, 36))
            free = [item for item in known if item.can_be_sold and item.plans]
            if not free:
                return
            picked = self.random.sample(free, self.random.randint(1, min(3, len(free))))
            ways = [self.line(item, place) for place, item in enumerate(picked)]
            entered = EnteredSale(order, tuple(line for _, line in ways))
            sale, faults = entered.checked()
            if sale is None:
                assert faults
                continue
            self.shapes.update(way for way, _ in ways)
            attempt = desk.send(
                STAFF, sale, acknowledged=[one.attempt_id for one in desk.activity.order_timeline(STAFF, order)],
                draft_id=uuid4().hex, screen="record_sale", items=entered.items,
            )  # fmt: skip
            self.sold += attempt.state is AttemptState.DONE


def at_the_service(stage: Stage, sale: Attempt) -> Held:
    """Term and money of each warranty that the service made of a sale."""
    items = stage.held(sale.order_id).line_items
    mine = (one for item in items for one in item.warranties if one.warranty_order_id == sale.result.returned_id)
    return Counter((one.warranty_duration, one.warranty_price) for one in mine)


def money(held: Held) -> Decimal:
    return sum(((price or Decimal(0)) * count for (_, price), count in held.items()), Decimal(0))


@pytest.mark.parametrize("wanted", [5, pytest.param(500, marks=pytest.mark.long)])
def test_the_money_of_the_journal_is_that_of_the_service_over_sales_of_all_shapes(
    sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: int
) -> None:
    sandbox.reset()
    stage = Stage(sandbox, tmp_path, monkeypatch)
    clerk = Clerk(stage, Random(12))
    while clerk.sold < wanted or len(clerk.shapes) < 9:
        clerk.sell()
    sales = stage.runtime.desk.activity.attempts(STAFF, AttemptFilter(operation="record_sale", limit=None))
    done = [sale for sale in sales if sale.state is AttemptState.DONE]
    at_service = untold_money = Decimal(0)
    for sale in done:
        told: Held = Counter()
        for line in sale.items:
            if line.warranty_price is not None:
                told[line.term_months, line.warranty_price] += line.quantity
        untold = sum(line.quantity for line in sale.items if line.warranty_price is None)
        held = at_the_service(stage, sale)
        assert (told - held, (held - told).total()) == (Counter(), untold), sale
        at_service += money(held)
        untold_money += money(held - told)
    assert shift_report(sales, zone=UTC).sold.revenue + untold_money == at_service
    statuses = Counter(call["status"] for call in sandbox.calls() if call["operation"] == "record_sale")
    refused = [sale for sale in sales if sale.state is AttemptState.REFUSED]
    assert (statuses[200], statuses[400]) == (len(done), len(refused))
    stage.runtime.process.close()
