"""The columns of a table of claims: what they are called, how they are written and sorted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import pandas as pd

from components.words.attempts import short_id
from components.words.statuses import status_words
from warranty.language import N_
from warranty.language.written import CLOCK, DAY, dated, number

LABELS: Final = {
    "claim_date": N_("Claim date"),
    "product_name": N_("Product"),
    "status": N_("Status"),
    "days_open": N_("Days open"),
    "order_id": N_("Order"),
    "warranty_start_date": N_("Warranty start"),
    "description": N_("Description"),
    "status_word": N_("Status as received"),
    "warranty_id": N_("Warranty"),
    "order_date": N_("Order date"),
}
"""The columns that there are, and what they are called, said with `_`."""
FIRST_COLUMNS: Final = tuple(LABELS)[:7]
_FIELDS: Final = {"status_word": "status"}
"""Columns that show another field than the one they are named like."""
_DAYS: Final = ("warranty_start_date", "order_date")


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


def written_rows(claims: pd.DataFrame, days_open: "Sequence[int] | pd.Series[Any]" = ()) -> pd.DataFrame:
    """Claims as people read them: dates as the reader writes them, statuses in words, ids short; and their days open.

    A claim in full tells each of them whole. Days are those of UTC, as the filter and the charts count them.
    """
    words = claims["status"].astype("str")
    rows = claims.assign(status=[status_words(word) for word in words], status_word=words)
    if len(days_open):
        rows["days_open"] = ["" if pd.isna(days) else number(days) for days in days_open]
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
