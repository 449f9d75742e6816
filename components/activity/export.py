"""The activity as a file: one row for each line that was sent, times in ISO form, safe to open in a spreadsheet."""

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from warranty.export import claims_csv
from warranty.journal import Attempt

_COLUMNS: Final = (
    "started_at", "finished_at", "environment", "username", "operator_name", "kind", "outcome", "order_id",
    "title", "product_id", "quantity", "product_price", "term_months", "warranty_type", "warranty_price",
    "warranty_offer_id", "warranty_order_id", "landing_url", "service_says", "settled_by", "settled_as", "note",
    "attempt_id",
)  # fmt: skip


def activity_frame(attempts: Sequence[Attempt]) -> pd.DataFrame:
    """The attempts as a table of texts; an attempt without lines has one row."""
    rows = [row for attempt in attempts for row in _rows(attempt)]
    return pd.DataFrame(rows, columns=list(_COLUMNS), dtype=object)


def activity_csv(attempts: Sequence[Attempt]) -> bytes:
    """The same as CSV with a byte order mark; what a spreadsheet would run as a formula is neutralised."""
    return claims_csv(activity_frame(attempts), bom=True)


def _rows(attempt: Attempt) -> list[dict[str, Any]]:
    settled = attempt.settled
    common = {
        "started_at": attempt.started_at.isoformat(timespec="seconds"),
        "finished_at": attempt.finished_at.isoformat(timespec="seconds") if attempt.finished_at else None,
        "environment": attempt.environment,
        "username": attempt.username,
        "operator_name": attempt.operator_name,
        "kind": attempt.operation,
        "outcome": attempt.state.value,
        "order_id": attempt.order_id,
        "warranty_order_id": attempt.returned_id,
        "landing_url": attempt.landing_url,
        "service_says": " ".join(attempt.failure.service_words) if attempt.failure else None,
        "settled_by": settled.operator_name if settled else None,
        "settled_as": None if settled is None else "recorded" if settled.recorded else "not recorded",
        "note": settled.note if settled else None,
        "attempt_id": attempt.attempt_id,
    }
    if not attempt.items:
        return [common]
    return [
        {
            **common,
            "title": item.title,
            "product_id": item.product_id,
            "quantity": str(item.quantity),
            "product_price": None if item.price is None else f"{item.price:f}",
            "term_months": None if item.term_months is None else str(item.term_months),
            "warranty_type": item.warranty_type,
            "warranty_price": None if item.warranty_price is None else f"{item.warranty_price:f}",
            "warranty_offer_id": item.warranty_offer_id,
        }
        for item in attempt.items
    ]
