"""The record as files to take away. Nothing in it is personal; what people typed is made harmless for a spreadsheet."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Final

import pandas as pd

from warranty.desk.journal.entries import Attempt, ItemLine
from warranty.files.export import claims_csv
from warranty.files.export.csv_file import Separator

_COLUMNS: Final = (
    "started_at", "finished_at", "environment", "operation", "state", "username", "operator_name", "screen",
    "order_id", "items", "warranties_total", "returned_id", "landing_url", "warrantable_products", "already_known",
    "failure", "status", "service_words", "settled_as", "settled_by", "settled_at", "note", "acknowledged",
    "attempt_id", "draft_id", "revision", "settled_by_name", "title", "product_id", "quantity", "price",
    "term_months", "warranty_type", "warranty_price", "warranty_offer_id", "store_id", "till_id", "switched_by",
    "sold_by", "sold_by_name",
)  # fmt: skip


def attempts_csv(attempts: Iterable[Attempt], *, separator: Separator = ",") -> bytes:
    """One row for each line that was sent, one for an attempt without lines; safe CSV as by `claims_csv`.

    All are texts, times in ISO form, UTC; `items` is the row's line in words, `warranties_total` its units' price.
    """
    rows = [_row(attempt, item) for attempt in attempts for item in attempt.items or (None,)]
    return claims_csv(pd.DataFrame(rows, columns=list(_COLUMNS), dtype="str"), separator=separator)


def attempts_jsonl(attempts: Iterable[Attempt]) -> Iterator[str]:
    """One JSON object for each attempt, with its lines; prices as text, times in ISO form, UTC."""
    for attempt in attempts:
        values = asdict(attempt)
        del values["customer_mark"]
        values |= values.pop("result") | values.pop("at")
        yield json.dumps(values, default=_text, ensure_ascii=False)


def _row(attempt: Attempt, item: ItemLine | None) -> dict[str, str]:
    """The columns' values, most named as what they are taken from; those without one are absent."""
    parts = (attempt, attempt.result, attempt.at, item, attempt.failure, attempt.settled)
    values = {name: getattr(part, name) for part in reversed(parts) for name in _COLUMNS if hasattr(part, name)}
    values["items"] = None
    if item is not None:
        values["items"] = _in_words(item)
        if item.warranty_price is not None:
            values["warranties_total"] = item.warranty_price * item.quantity
    if attempt.failure is not None:
        values["failure"] = attempt.failure.kind
    if attempt.settled is not None:
        unrecorded = "dropped" if attempt.settled.drops else "not recorded"
        values["settled_as"] = "recorded" if attempt.settled.recorded else unrecorded
        values["settled_by"] = attempt.settled.username
        values["settled_by_name"] = attempt.settled.operator_name
    return {name: _text(value) for name, value in values.items() if value is not None}


def _in_words(item: ItemLine) -> str:
    words = [f"{item.quantity} x {item.title or item.product_id or item.warranty_offer_id or '?'}"]
    if item.title and item.product_id:
        words.append(f"({item.product_id})")
    if item.price is not None:
        words.append(f"at {item.price}")
    if item.term_months is not None:
        words.append(f"{item.term_months} months")
    if item.warranty_price is not None:
        words.append(f"for {item.warranty_price}")
    return " ".join(words)


def _text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.isoformat()
        case tuple():
            return "; ".join(map(str, value))
        case _:
            return str(value)
