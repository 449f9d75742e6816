"""The store by itself: a transaction is whole or not at all, and a unit of a line item is taken once."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from sandbox.store.database import Records, Store, UnitTaken
from sandbox.store.model import LineItem, Offer, Order, Product, Warranty

NOW = datetime(2026, 11, 21, tzinfo=UTC)
MEMBERS = (Product("M1", "One", Decimal(300)), Product("M2", "Two", Decimal("200.5000"), image="https://x"))
ORDER = Order(
    order_id="o-1", stored_at=NOW, merchant_external_id=None, email="ada@example.com", phone=None,
    line_items=(
        LineItem(1, Product("SET", "Set", Decimal(0), "V-1", None, ("A", "B > C")), 2, "2026-12-01", MEMBERS, "g"),
        LineItem(2, Product("GIFT", "Gift", Decimal("50.00")), 1),
    ),
    offers=(Offer("f-1", "g", 12, "Care", Decimal("19.99")), Offer("f-2", "g", 24, "Care", Decimal("29.99"))),
)  # fmt: skip


def sold(number: str, unit: int) -> tuple[Warranty, ...]:
    return (Warranty(number, 1, unit, "f-2", 24, "Care", Decimal("25.00"), MEMBERS, "W-7", None),)


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = Store(file=None if request.param == "memory" else tmp_path / "s.sqlite")
    yield opened
    opened.close()


def test_an_order_comes_back_as_it_was_stored(store: Store) -> None:
    with store.transaction() as records:
        assert records.add_order(ORDER) is True
        assert records.add_order(replace(ORDER, email="other@example.com", line_items=(), offers=())) is False
        records.add_warranties("o-1", sold("s-1", 1))
    with store.transaction() as records:
        assert records.order("o-1") == replace(ORDER, warranties=sold("s-1", 1))
        assert records.order("o-2") is None
        assert records.order_ids() == ["o-1"]


def given_up(store: Store, work: Callable[[Records], object]) -> None:
    def fail() -> None:
        with store.transaction() as records:
            work(records)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()


def test_a_transaction_that_is_given_up_leaves_nothing(store: Store) -> None:
    given_up(store, lambda records: records.add_order(ORDER))
    with store.transaction() as records:
        assert records.order_ids() == []
        records.add_order(ORDER)
    given_up(store, lambda records: records.add_warranties("o-1", sold("s-1", 1)))
    with store.transaction() as records:
        assert records.order("o-1") == ORDER


def test_a_unit_is_taken_once_whatever_the_code_believes(store: Store) -> None:
    with store.transaction() as records:
        records.add_order(ORDER)
        records.add_warranties("o-1", sold("s-1", 1))
        records.add_warranties("o-1", sold("s-2", 2))
    with pytest.raises(UnitTaken), store.transaction() as records:
        records.add_warranties("o-1", sold("s-3", 2))
    with store.transaction() as records:
        order = records.order("o-1")
        assert order is not None
        assert [each.warranty_order_id for each in order.warranties] == ["s-1", "s-2"]
        assert order.units_left(order.line_items[0]) == 0
