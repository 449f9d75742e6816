"""Between the journal's values and its rows: nothing but translation."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import RowMapping

from warranty.errors import AvailablePlan, Failure
from warranty.journal.entries import Attempt, AttemptState, ItemLine, Outcome, Settlement
from warranty.journal.tables import ATTEMPTS, OUTCOMES

OUTCOME_PREFIX = "outcome_"
LOOKED_UP = "Looked up at the service."
"""The note of a settlement by look-up; it alone tells one that was written before settlements said so."""
_PRICES: Final = frozenset({"price", "warranty_price"})


# Columns that hold a value as it is.
_PLAIN: Final = frozenset(ATTEMPTS.c.keys()) - {"items", "search_text", "acknowledged"}
_ANSWERED: Final = frozenset(OUTCOMES.c.keys()) - {"attempt_id", "number", "state", "failure", "settlement"}


def attempt_values(attempt: Attempt) -> dict[str, Any]:
    """The row of `attempts` of an attempt that begins."""
    return {
        **{name: getattr(attempt, name) for name in _PLAIN},
        "items": [_item_values(item) for item in attempt.items],
        "search_text": _search_text(attempt.order_id, attempt.items),
        "acknowledged": list(attempt.acknowledged) or None,
    }


def outcome_values(attempt_id: str, number: int, outcome: Outcome) -> dict[str, Any]:
    """The row of `outcomes` that an outcome becomes."""
    failure, settled = outcome.failure, outcome.settled
    return {
        **{name: getattr(outcome, name) for name in _ANSWERED},
        "attempt_id": attempt_id,
        "number": number,
        "state": outcome.state.value,
        "failure": failure and asdict(failure),
        "settlement": settled and {**asdict(settled), "settled_at": settled.settled_at.isoformat()},
    }


def attempt_from(row: RowMapping, now: datetime) -> Attempt:
    """The attempt of a row of `queries.attempts_with_newest_outcome`, as it reads at `now`."""
    attempt = Attempt(
        state=AttemptState.SENDING,
        items=tuple(_item_from(values) for values in row["items"]),
        acknowledged=tuple(row["acknowledged"] or ()),
        **{name: row[name] for name in _PLAIN},
    )
    if row[OUTCOME_PREFIX + "state"] is not None:
        attempt = outcome_from(row).applied_to(attempt)
    return attempt.as_read_at(now)


def outcome_from(row: RowMapping) -> Outcome:
    """The outcome in a row that has the columns of `queries.OUTCOME_COLUMNS`."""
    failure, settlement = row[OUTCOME_PREFIX + "failure"], row[OUTCOME_PREFIX + "settlement"]
    return Outcome(
        state=AttemptState(row[OUTCOME_PREFIX + "state"]),
        failure=failure and _failure_from(failure),
        settled=settlement and _settlement_from(settlement),
        **{name: row[OUTCOME_PREFIX + name] for name in _ANSWERED},
    )


def _item_values(item: ItemLine) -> dict[str, Any]:
    values = {name: value for name, value in asdict(item).items() if value not in (None, ())}
    return values | {name: str(values[name]) for name in _PRICES & values.keys()}


def _item_from(values: Mapping[str, Any]) -> ItemLine:
    prices = {name: Decimal(values[name]) for name in _PRICES & values.keys()}
    return ItemLine(**{**_known(ItemLine, values), **prices, "members": tuple(values.get("members", ()))})


def _search_text(order_id: str, items: Sequence[ItemLine]) -> str:
    """What a search looks through; folded here, since databases fold letters with accents differently."""
    words = [order_id, *(item.title for item in items), *(item.product_id for item in items)]
    return "\n".join(dict.fromkeys(words)).casefold()


def _failure_from(values: Mapping[str, Any]) -> Failure:
    plans = tuple(AvailablePlan(**plan) for plan in values["plans"])
    words = tuple(values["service_words"])
    return Failure(**{**_known(Failure, values), "service_words": words, "plans": plans})


def _settlement_from(values: Mapping[str, Any]) -> Settlement:
    settled_at = datetime.fromisoformat(values["settled_at"])
    known = {"seen": values["note"] == LOOKED_UP, **_known(Settlement, values)}
    return Settlement(**{**known, "settled_at": settled_at})


def _known(kind: type[ItemLine | Failure | Settlement], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that this version knows: another one may have kept more."""
    return {one.name: values[one.name] for one in fields(kind) if one.name in values}
