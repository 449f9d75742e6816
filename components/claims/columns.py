"""The columns of the claims table: what they are called, how wide they are, and how they sort the whole set."""

from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

_COLUMNS: Final = {
    "claim_date": ("Claim date", 145),
    "product_name": ("Product", 170),
    "status": ("Status", 130),
    "days_open": ("Days open", 90),
    "order_id": ("Order", 100),
    "warranty_start_date": ("Warranty start", 120),
    "description": ("Description", None),
    "warranty_id": ("Warranty", 100),
    "order_date": ("Order date", 110),
}
"""Labels and widths in pixels. The first six fit on a tablet held upright; a description takes what is left."""
LABELS: Final = {name: label for name, (label, _) in _COLUMNS.items()}
FIRST_COLUMNS: Final = tuple(LABELS)[:7]


@dataclass(frozen=True, slots=True)
class Sorting:
    """How the whole set is sorted: `name` stands in addresses, `label` in the menu."""

    name: str
    label: str
    column: str
    descending: bool


SORTINGS: Final = {
    sorting.name: sorting
    for sorting in (
        Sorting("newest", "Newest claim first", "claim_date", True),
        Sorting("oldest", "Oldest claim first", "claim_date", False),
        Sorting("open-longest", "Open longest first", "days_open", True),
        Sorting("open-shortest", "Open shortest first", "days_open", False),
        Sorting("product", "Product, A to Z", "product_name", False),
        Sorting("product-desc", "Product, Z to A", "product_name", True),
        Sorting("status", "Status, A to Z", "status", False),
        Sorting("status-desc", "Status, Z to A", "status", True),
        Sorting("start", "Warranty start, oldest first", "warranty_start_date", False),
        Sorting("start-desc", "Warranty start, newest first", "warranty_start_date", True),
        Sorting("ordered", "Order date, oldest first", "order_date", False),
        Sorting("ordered-desc", "Order date, newest first", "order_date", True),
        Sorting("order", "Order id, A to Z", "order_id", False),
        Sorting("order-desc", "Order id, Z to A", "order_id", True),
        Sorting("warranty", "Warranty id, A to Z", "warranty_id", False),
        Sorting("warranty-desc", "Warranty id, Z to A", "warranty_id", True),
        Sorting("words", "Description, A to Z", "description", False),
        Sorting("words-desc", "Description, Z to A", "description", True),
    )
}
FIRST_SORTING: Final = "newest"


def by_heading(column: str, now: str) -> str:
    """The sorting that a click on a column's heading asks for: by that column, or the other way round."""
    sorted_now = SORTINGS[now]
    down = not sorted_now.descending if sorted_now.column == column else column in {"claim_date", "days_open"}
    return next(each.name for each in SORTINGS.values() if (each.column, each.descending) == (column, down))


def column_config(sorted_by: Sorting | None = None) -> dict[str, Any]:
    """How each column is drawn; the heading of the one that sorts carries an arrow."""
    drawn: dict[str, Any] = {}
    for name, (label, width) in _COLUMNS.items():
        arrow = (" ↓" if sorted_by.descending else " ↑") if sorted_by and sorted_by.column == name else ""
        if name == "claim_date":
            drawn[name] = st.column_config.DatetimeColumn(
                label + arrow, format="D MMM YYYY, HH:mm", width=width
            )
        elif name in {"warranty_start_date", "order_date"}:
            drawn[name] = st.column_config.DatetimeColumn(
                label + arrow,
                format="D MMM YYYY",
                width=width,
                help="The day in UTC, which is taken for service time: as the filter counts it.",
            )
        elif name == "days_open":
            drawn[name] = st.column_config.NumberColumn(
                label + arrow,
                format="localized",
                width=width,
                help="Whole days from the claim's day to today, in service time; empty for closed claims.",
            )
        else:
            drawn[name] = st.column_config.TextColumn(label + arrow, width=width)
    return drawn
