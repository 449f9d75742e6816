"""What a customer may see, as values for the customer's screen: products, units, prices, plans and the link.

Built from named fields alone, so that nothing else of an order or a sale can come along. Prices are texts of digits:
the screen writes them as its customer reads them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from warranty.client.resources import PurchaseWarranties
from warranty.desk.journal import ItemLine

Shown = Mapping[str, Any]
MOST_LINES: Final = 40
_LONGEST_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class ShownItem:
    """A product in the customer's basket; `price` of one unit, None where it is not known yet."""

    name: str
    units: int
    price: Decimal | None


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """A plan on a product, offered or sold."""

    name: str
    months: int | None
    kind: str
    price: Decimal | None
    units: int = 1


def basket(items: Sequence[ShownItem], *, currency: str) -> Shown | None:
    """The basket as it is; nothing while it is empty."""
    return {"kind": "basket", "currency": currency, **_items(items)} if items else None


def link(
    url: str, items: Sequence[ShownItem], offers: Sequence[ShownPlan], *, currency: str, works_later: bool
) -> Shown:
    """The landing page's link, with the order that it is of and the plans that it offers, as far as they are known."""
    return {
        "kind": "link",
        "currency": currency,
        "url": url,
        "later": works_later,
        "plans": [_plan(offer) for offer in offers[:MOST_LINES]],
        **_items(items),
    }


def plans(bought: Sequence[ShownPlan], *, currency: str, sold: bool) -> Shown | None:
    """The plans that the customer is about to pay, or has paid; nothing while none is chosen."""
    if not bought:
        return None
    return {
        "kind": "sold" if sold else "plans",
        "currency": currency,
        "plans": [_plan(plan) for plan in bought[:MOST_LINES]],
        "total": _total((plan.price, plan.units) for plan in bought),
    }


def sold_items(items: Iterable[ItemLine]) -> list[ShownItem]:
    """The products of an order that was sent."""
    return [ShownItem(item.title or item.product_id, item.quantity, item.price) for item in items]


def sold_plans(items: Iterable[ItemLine]) -> list[ShownPlan]:
    """The plans of a sale that was sent."""
    return [
        ShownPlan(
            item.title or item.product_id,
            item.term_months,
            item.warranty_type or "",
            item.warranty_price,
            item.quantity,
        )
        for item in items
    ]


def offered_plans(answer: PurchaseWarranties | None) -> list[ShownPlan]:
    """The plans that can still be bought on an order, by its items."""
    return [
        ShownPlan(
            line.product_title or line.product_id or "",
            offer.warranty_duration,
            offer.warranty_type or "",
            offer.warranty_price,
        )
        for line in (answer.line_items if answer else ())
        for offer in line.offers
        if not offer.is_bought
    ]


def _items(items: Sequence[ShownItem]) -> dict[str, Any]:
    return {
        "items": [
            {"name": item.name[:_LONGEST_NAME], "units": item.units, "price": _text(item.price)}
            for item in items[-MOST_LINES:]
        ],
        "count": sum(item.units for item in items),
        "total": _total((item.price, item.units) for item in items),
    }


def _plan(plan: ShownPlan) -> dict[str, Any]:
    return {
        "name": plan.name[:_LONGEST_NAME],
        "months": plan.months,
        "kind": plan.kind[:_LONGEST_NAME],
        "price": _text(plan.price),
        "units": plan.units,
    }


def _total(prices: Iterable[tuple[Decimal | None, int]]) -> str | None:
    total = Decimal("0.00")
    for price, units in prices:
        if price is None:
            return None
        total += price * units
    return _text(total)


def _text(price: Decimal | None) -> str | None:
    return None if price is None else f"{price:.2f}"
