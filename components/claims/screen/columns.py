"""The columns of a table of claims: what they are called, how wide they are, how they are written and sorted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.claims.charts.colours import pale
from components.words.attempts import short_id
from components.words.statuses import status_words
from warranty.language import N_, _
from warranty.language.written import CLOCK, DAY, dated

_COLUMNS: Final = {
    "claim_date": (N_("Claim date"), 145),
    "product_name": (N_("Product"), 195),
    "status": (N_("Status"), 160),
    "days_open": (N_("Days open"), 90),
    "order_id": (N_("Order"), 100),
    "warranty_start_date": (N_("Warranty start"), 135),
    "description": (N_("Description"), None),
    "status_word": (N_("Status as received"), 170),
    "warranty_id": (N_("Warranty"), 100),
    "order_date": (N_("Order date"), 110),
}
"""Labels, said with `_`, and widths in pixels.

The first five fit on a tablet held upright; a description takes what is left.
"""
LABELS: Final = {name: column[0] for name, column in _COLUMNS.items()}
FIRST_COLUMNS: Final = tuple(LABELS)[:7]
_FIELDS: Final = {"status_word": "status"}
"""Columns that show another field than the one they are named like."""
_DAYS: Final = ("warranty_start_date", "order_date")
_LONGEST_NAME: Final = 27
"""About so many letters has the column of products room for; a claim that is opened tells all of them."""


@dataclass(frozen=True, slots=True)
class Sorting:
    """How the whole set is sorted: `name` stands in addresses."""

    name: str
    column: str
    descending: bool


_SORTED_BY: Final = {
    "claim_date": ("oldest", "newest"),
    "days_open": ("open-shortest", "open-longest"),
    "product_name": ("product", "product-desc"),
    "status": ("status", "status-desc"),
    "warranty_start_date": ("start", "start-desc"),
    "order_date": ("ordered", "ordered-desc"),
    "order_id": ("order", "order-desc"),
    "warranty_id": ("warranty", "warranty-desc"),
    "description": ("words", "words-desc"),
}
SORTINGS: Final = {
    name: Sorting(name, column, descending)
    for column, names in _SORTED_BY.items()
    for name, descending in zip(names, (False, True), strict=True)
}
FIRST_SORTING: Final = "newest"


def field_of(column: str) -> str:
    """The field of a claim that a column shows."""
    return _FIELDS.get(column, column)


def by_heading(column: str, now: str) -> str:
    """The sorting that a click on a column's heading asks for: by that column, or the other way round."""
    column, sorted_now = field_of(column), SORTINGS[now]
    down = not sorted_now.descending if sorted_now.column == column else column in {"claim_date", "days_open"}
    return _SORTED_BY[column][down]


def column_config(colours: Mapping[str, str] | None = None, sorted_by: Sorting | None = None) -> dict[str, Any]:
    """How each column is drawn; the heading of the one that sorts carries an arrow.

    `colours` are those of the statuses, by the service's word, as the charts have them (`status_colours`).
    """
    drawn: dict[str, Any] = {}
    for name, (label, width) in _COLUMNS.items():
        sorts = sorted_by is not None and sorted_by.column == field_of(name)
        arrow = (" ↓" if sorted_by.descending else " ↑") if sorted_by and sorts else ""
        heading = _(label) + arrow
        if name == "status" and colours is not None:
            # Two words may be said alike: the more frequent one has the colour.
            chips = {status_words(word): pale(colour) for word, colour in reversed([*colours.items()])}
            drawn[name] = st.column_config.MultiselectColumn(
                heading, options=list(chips), color=list(chips.values()), width=width
            )
        elif name == "days_open":
            drawn[name] = st.column_config.NumberColumn(
                heading,
                format="localized",
                width=width,
                help=_("Whole days from the claim's day to today, in service time; empty for closed claims."),
            )
        else:
            help_text = _("The day in UTC, as the filter counts it. A claim that is opened shows the exact time.")
            drawn[name] = st.column_config.TextColumn(heading, width=width, help=help_text if name in _DAYS else None)
    return drawn


def drawn_rows(claims: pd.DataFrame, *, whole_names: bool = False) -> pd.DataFrame:
    """Claims as a table draws them: dates as the reader writes them, a status as a chip, ids short, no name cut midway.

    A claim in full tells each of them whole; with `whole_names` there is room for any. Days are those of UTC, as the
    filter and the charts count them.
    """
    rows = claims.copy(deep=False)
    words = rows["status"].astype("str")
    rows["status_word"] = words
    rows["status"] = [[status_words(word)] if word else [] for word in words]
    if not whole_names:
        rows["product_name"] = [
            name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1].rstrip(' ,')}…"
            for name in rows["product_name"]
        ]
    for name, pattern in (("claim_date", f"{DAY}, {CLOCK}"), *((name, DAY) for name in _DAYS)):
        if name in rows:
            rows[name] = [written_date(moment, pattern) for moment in rows[name]]
    for name in ("order_id", "warranty_id"):
        if name in rows:
            rows[name] = [short_id(each) for each in rows[name].astype("str")]
    return rows


def written_date(moment: date | None, pattern: str = DAY) -> str:
    """A day or a moment as the reader writes it; empty where there is none."""
    return "" if moment is None or pd.isna(moment) else dated(moment, pattern)
