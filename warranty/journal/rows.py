"""Between the journal's values and its rows: nothing but translation."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import RowMapping

from warranty.errors import AvailablePlan, Failure
from warranty.journal.entries import Attempt, AttemptState, ItemLine, Outcome, Settlement

OUTCOME_PREFIX = "outcome_"
LOOKED_UP = "Looked up at the service."
"""The note of a settlement by look-up; it alone tells one that was written before settlements said so."""


def attempt_values(attempt: Attempt) -> dict[str, Any]:
    """The row of `attempts` of an attempt that begins."""
    return {
        "attempt_id": attempt.attempt_id,
        "environment": attempt.environment,
        "draft_id": attempt.draft_id,
        "revision": attempt.revision,
        "operation": attempt.operation,
        "username": attempt.username,
        "operator_name": attempt.operator_name,
        "screen": attempt.screen,
        "order_id": attempt.order_id,
        "items": [_item_values(item) for item in attempt.items],
        "search_text": _search_text(attempt.order_id, attempt.items),
        "started_at": attempt.started_at,
        "deadline": attempt.deadline,
        "acknowledged": list(attempt.acknowledged) or None,
        "customer_mark": attempt.customer_mark,
    }


def outcome_values(attempt_id: str, number: int, outcome: Outcome) -> dict[str, Any]:
    """The row of `outcomes` that an outcome becomes."""
    return {
        "attempt_id": attempt_id,
        "number": number,
        "state": outcome.state.value,
        "recorded_at": outcome.recorded_at,
        "deadline": outcome.deadline,
        "landing_url": outcome.landing_url,
        "warrantable_products": outcome.warrantable_products,
        "already_known": outcome.already_known,
        "returned_id": outcome.returned_id,
        "failure": None if outcome.failure is None else asdict(outcome.failure),
        "settlement": None if outcome.settled is None else _settlement_values(outcome.settled),
    }


def attempt_from(row: RowMapping, now: datetime) -> Attempt:
    """The attempt of a row of `queries.attempts_with_newest_outcome`, as it reads at `now`."""
    attempt = Attempt(
        attempt_id=row["attempt_id"],
        draft_id=row["draft_id"],
        revision=row["revision"],
        operation=row["operation"],
        state=AttemptState.SENDING,
        username=row["username"],
        operator_name=row["operator_name"],
        screen=row["screen"],
        environment=row["environment"],
        order_id=row["order_id"],
        started_at=row["started_at"],
        deadline=row["deadline"],
        items=tuple(_item_from(values) for values in row["items"]),
        acknowledged=tuple(row["acknowledged"] or ()),
        customer_mark=row["customer_mark"],
    )
    if row[OUTCOME_PREFIX + "state"] is not None:
        attempt = outcome_from(row).applied_to(attempt)
    return attempt.as_read_at(now)


def outcome_from(row: RowMapping) -> Outcome:
    """The outcome in a row that has the columns of `queries.OUTCOME_COLUMNS`."""
    failure, settlement = row[OUTCOME_PREFIX + "failure"], row[OUTCOME_PREFIX + "settlement"]
    return Outcome(
        state=AttemptState(row[OUTCOME_PREFIX + "state"]),
        recorded_at=row[OUTCOME_PREFIX + "recorded_at"],
        deadline=row[OUTCOME_PREFIX + "deadline"],
        landing_url=row[OUTCOME_PREFIX + "landing_url"],
        warrantable_products=row[OUTCOME_PREFIX + "warrantable_products"],
        already_known=row[OUTCOME_PREFIX + "already_known"],
        returned_id=row[OUTCOME_PREFIX + "returned_id"],
        failure=None if failure is None else _failure_from(failure),
        settled=None if settlement is None else _settlement_from(settlement),
    )


def _item_values(item: ItemLine) -> dict[str, Any]:
    values = {name: value for name, value in asdict(item).items() if value not in (None, ())}
    for name in ("price", "warranty_price"):
        if name in values:
            values[name] = str(values[name])
    return values


def _item_from(values: Mapping[str, Any]) -> ItemLine:
    price, warranty_price = values.get("price"), values.get("warranty_price")
    return ItemLine(
        title=values["title"],
        product_id=values["product_id"],
        quantity=values["quantity"],
        price=None if price is None else Decimal(price),
        term_months=values.get("term_months"),
        warranty_price=None if warranty_price is None else Decimal(warranty_price),
        warranty_type=values.get("warranty_type"),
        line_item_id=values.get("line_item_id"),
        warranty_offer_id=values.get("warranty_offer_id"),
        members=tuple(values.get("members", ())),
    )


def _search_text(order_id: str, items: Sequence[ItemLine]) -> str:
    """What a search looks through; folded here, since databases fold letters with accents differently."""
    words = [order_id, *(item.title for item in items), *(item.product_id for item in items)]
    return "\n".join(dict.fromkeys(words)).casefold()


def _failure_from(values: Mapping[str, Any]) -> Failure:
    return Failure(
        kind=values["kind"],
        operation=values["operation"],
        attempt_id=values["attempt_id"],
        status=values["status"],
        nothing_written=values["nothing_written"],
        service_words=tuple(values["service_words"]),
        plans=tuple(AvailablePlan(**plan) for plan in values["plans"]),
    )


def _settlement_values(settlement: Settlement) -> dict[str, Any]:
    return {**asdict(settlement), "settled_at": settlement.settled_at.isoformat()}


def _settlement_from(values: Mapping[str, Any]) -> Settlement:
    return Settlement(
        recorded=values["recorded"],
        username=values["username"],
        operator_name=values["operator_name"],
        settled_at=datetime.fromisoformat(values["settled_at"]),
        note=values["note"],
        seen=values.get("seen", values["note"] == LOOKED_UP),
    )
