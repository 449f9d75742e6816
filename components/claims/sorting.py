"""The orders in which a claim set can be shown, each over the whole set."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Order:
    """An order of the whole set: `name` stands in addresses, `label` in the menu."""

    name: str
    label: str
    column: str
    descending: bool


ORDERS: Final[Mapping[str, Order]] = MappingProxyType(
    {
        order.name: order
        for order in (
            Order("newest", "Newest claim first", "claim_date", True),
            Order("oldest", "Oldest claim first", "claim_date", False),
            Order("product", "Product, A to Z", "product_name", False),
            Order("product-desc", "Product, Z to A", "product_name", True),
            Order("status", "Status, A to Z", "status", False),
            Order("status-desc", "Status, Z to A", "status", True),
            Order("start", "Warranty start, oldest first", "warranty_start_date", False),
            Order("start-desc", "Warranty start, newest first", "warranty_start_date", True),
            Order("ordered", "Order date, oldest first", "order_date", False),
            Order("ordered-desc", "Order date, newest first", "order_date", True),
            Order("order", "Order id, A to Z", "order_id", False),
            Order("order-desc", "Order id, Z to A", "order_id", True),
            Order("warranty", "Warranty id, A to Z", "warranty_id", False),
            Order("warranty-desc", "Warranty id, Z to A", "warranty_id", True),
            Order("words", "Description, A to Z", "description", False),
            Order("words-desc", "Description, Z to A", "description", True),
        )
    }
)
FIRST_ORDER: Final = "newest"


def by_heading(column: str, now: str) -> str:
    """The order that a click on a column's heading asks for: by that column, or the other way round."""
    down = ORDERS[now].column == column and not ORDERS[now].descending
    if ORDERS[now].column != column:
        down = column == "claim_date"
    return next(
        order.name for order in ORDERS.values() if order.column == column and order.descending == down
    )
