"""The columns of the claims table: what they are called, how wide they are, which are shown at first."""

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

LABELS: Final[Mapping[str, str]] = {
    "claim_date": "Claim date",
    "product_name": "Product",
    "status": "Status",
    "order_id": "Order",
    "warranty_start_date": "Warranty start",
    "description": "Description",
    "warranty_id": "Warranty",
    "order_date": "Order date",
}
FIRST_COLUMNS: Final = (
    "claim_date",
    "product_name",
    "status",
    "order_id",
    "warranty_start_date",
    "description",
)
_WIDTHS: Final = {
    "claim_date": 145,
    "product_name": 170,
    "status": 130,
    "order_id": 100,
    "warranty_start_date": 120,
    "warranty_id": 100,
    "order_date": 110,
}
"""In pixels. The first five fit on a tablet held upright; a description takes what is left."""


def column_config(*, sorted_by: str = "", descending: bool = False) -> dict[str, Any]:
    """How each column is drawn; the heading of the one that sorts carries an arrow."""
    drawn: dict[str, Any] = {}
    for name, label in LABELS.items():
        heading = label + (" ↓" if descending else " ↑") * (name == sorted_by)
        width = _WIDTHS.get(name)
        if name == "claim_date":
            drawn[name] = st.column_config.DatetimeColumn(heading, format="D MMM YYYY, HH:mm", width=width)
        elif name in {"warranty_start_date", "order_date"}:
            drawn[name] = st.column_config.DatetimeColumn(
                heading,
                format="D MMM YYYY",
                width=width,
                help="The day in UTC, which is taken for service time: as the filter counts it.",
            )
        else:
            drawn[name] = st.column_config.TextColumn(heading, width=width)
    return drawn
