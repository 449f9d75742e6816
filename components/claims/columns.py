"""The columns of the claims table: what they are called, how wide they are, and how they sort the whole set."""

from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from components.words.days import table_format
from warranty.language import N_, _

_COLUMNS: Final = {
    "claim_date": (N_("Claim date"), 145),
    "product_name": (N_("Product"), 170),
    "status": (N_("Status"), 130),
    "days_open": (N_("Days open"), 90),
    "order_id": (N_("Order"), 100),
    "warranty_start_date": (N_("Warranty start"), 120),
    "description": (N_("Description"), None),
    "warranty_id": (N_("Warranty"), 100),
    "order_date": (N_("Order date"), 110),
}
"""Labels, said with `_`, and widths in pixels.

The first six fit on a tablet held upright; a description takes what is left.
"""
LABELS: Final = {name: column[0] for name, column in _COLUMNS.items()}
FIRST_COLUMNS: Final = tuple(LABELS)[:7]


@dataclass(frozen=True, slots=True)
class Sorting:
    """How the whole set is sorted: `name` stands in addresses, `label`, said with `_`, in the menu."""

    name: str
    label: str
    column: str
    descending: bool


SORTINGS: Final = {
    sorting.name: sorting
    for sorting in (
        Sorting("newest", N_("Newest claim first"), "claim_date", True),
        Sorting("oldest", N_("Oldest claim first"), "claim_date", False),
        Sorting("open-longest", N_("Open longest first"), "days_open", True),
        Sorting("open-shortest", N_("Open shortest first"), "days_open", False),
        Sorting("product", N_("Product, A to Z"), "product_name", False),
        Sorting("product-desc", N_("Product, Z to A"), "product_name", True),
        Sorting("status", N_("Status, A to Z"), "status", False),
        Sorting("status-desc", N_("Status, Z to A"), "status", True),
        Sorting("start", N_("Warranty start, oldest first"), "warranty_start_date", False),
        Sorting("start-desc", N_("Warranty start, newest first"), "warranty_start_date", True),
        Sorting("ordered", N_("Order date, oldest first"), "order_date", False),
        Sorting("ordered-desc", N_("Order date, newest first"), "order_date", True),
        Sorting("order", N_("Order id, A to Z"), "order_id", False),
        Sorting("order-desc", N_("Order id, Z to A"), "order_id", True),
        Sorting("warranty", N_("Warranty id, A to Z"), "warranty_id", False),
        Sorting("warranty-desc", N_("Warranty id, Z to A"), "warranty_id", True),
        Sorting("words", N_("Description, A to Z"), "description", False),
        Sorting("words-desc", N_("Description, Z to A"), "description", True),
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
        heading = _(label) + arrow
        if name == "claim_date":
            drawn[name] = st.column_config.DatetimeColumn(
                heading, format=table_format(clock=True), width=width
            )
        elif name in {"warranty_start_date", "order_date"}:
            drawn[name] = st.column_config.DatetimeColumn(
                heading,
                format=table_format(),
                width=width,
                help=_("The day in UTC, which is taken for service time: as the filter counts it."),
            )
        elif name == "days_open":
            drawn[name] = st.column_config.NumberColumn(
                heading,
                format="localized",
                width=width,
                help=_("Whole days from the claim's day to today, in service time; empty for closed claims."),
            )
        else:
            drawn[name] = st.column_config.TextColumn(heading, width=width)
    return drawn
