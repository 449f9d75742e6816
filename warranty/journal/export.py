"""The record as files to take away. Nothing in it is personal; what people typed is made harmless for a spreadsheet."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Final

import pandas as pd

from warranty.errors import Failure
from warranty.export import claims_csv
from warranty.export.csv_file import Separator
from warranty.journal.entries import Attempt, ItemLine, Settlement


def attempts_csv(attempts: Iterable[Attempt], *, separator: Separator = ",", bom: bool = False) -> bytes:
    """One row for each attempt (see `attempts_frame`), as safe CSV; `separator` and `bom` as in `claims_csv`."""
    return claims_csv(attempts_frame(attempts), separator=separator, bom=bom)


def attempts_frame(attempts: Iterable[Attempt]) -> pd.DataFrame:
    """One row of texts for each attempt, in the order given; times in ISO form, UTC."""
    kept = list(attempts)
    return pd.DataFrame(
        {name: [text(attempt) for attempt in kept] for name, text in _COLUMNS.items()}, dtype="str"
    )


def attempts_jsonl(attempts: Iterable[Attempt]) -> Iterator[str]:
    """One JSON object for each attempt, with its lines; prices as text, times in ISO form, UTC."""
    for attempt in attempts:
        values = asdict(attempt)
        del values["customer_mark"]
        yield json.dumps(values, default=_as_text, ensure_ascii=False)


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


def _warranties_total(attempt: Attempt) -> str | None:
    """What the customer paid for the warranties of a sale, as far as the prices are known."""
    prices = [
        item.warranty_price * item.quantity for item in attempt.items if item.warranty_price is not None
    ]
    return str(sum(prices, Decimal(0))) if prices else None


def _yes_or_no(value: bool | None) -> str | None:
    return None if value is None else ("yes" if value else "no")


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _settled_as(settled: Settlement | None) -> str | None:
    return None if settled is None else ("recorded" if settled.recorded else "not recorded")


def _status(failure: Failure | None) -> str | None:
    return None if failure is None or failure.status is None else str(failure.status)


_COLUMNS: Final[Mapping[str, Callable[[Attempt], str | None]]] = {
    "started_at": lambda attempt: _iso(attempt.started_at),
    "finished_at": lambda attempt: _iso(attempt.finished_at),
    "environment": lambda attempt: attempt.environment,
    "operation": lambda attempt: attempt.operation,
    "state": lambda attempt: attempt.state.value,
    "username": lambda attempt: attempt.username,
    "operator_name": lambda attempt: attempt.operator_name,
    "screen": lambda attempt: attempt.screen,
    "order_id": lambda attempt: attempt.order_id,
    "items": lambda attempt: "; ".join(_in_words(item) for item in attempt.items),
    "warranties_total": _warranties_total,
    "returned_id": lambda attempt: attempt.returned_id,
    "landing_url": lambda attempt: attempt.landing_url,
    "warrantable_products": lambda attempt: _yes_or_no(attempt.warrantable_products),
    "already_known": lambda attempt: _yes_or_no(attempt.already_known),
    "failure": lambda attempt: attempt.failure.kind if attempt.failure else None,
    "status": lambda attempt: _status(attempt.failure),
    "service_words": lambda attempt: "; ".join(attempt.failure.service_words) if attempt.failure else None,
    "settled_as": lambda attempt: _settled_as(attempt.settled),
    "settled_by": lambda attempt: attempt.settled.username if attempt.settled else None,
    "settled_at": lambda attempt: _iso(attempt.settled.settled_at) if attempt.settled else None,
    "note": lambda attempt: attempt.settled.note if attempt.settled else None,
    "acknowledged": lambda attempt: "; ".join(attempt.acknowledged) or None,
    "attempt_id": lambda attempt: attempt.attempt_id,
    "draft_id": lambda attempt: attempt.draft_id,
    "revision": lambda attempt: str(attempt.revision),
}
