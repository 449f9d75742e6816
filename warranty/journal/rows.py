"""Between the journal's values and its rows: nothing but translation."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import RowMapping

from warranty.journal.entries import Attempt, AttemptState, Outcome
from warranty.journal.tables import ATTEMPTS, OUTCOMES

# Columns that are named as the value that they hold.
_BEGUN: Final = frozenset(ATTEMPTS.c.keys()) - {"search_text"}
_ANSWERED: Final = frozenset(OUTCOMES.c.keys()) - {"attempt_id", "number", "state", "settlement"}


def attempt_values(attempt: Attempt) -> dict[str, Any]:
    """The row of `attempts` of an attempt that begins."""
    titles = (item.title for item in attempt.items)
    words = dict.fromkeys([attempt.order_id, *titles, *(item.product_id for item in attempt.items)])
    # Folded here, since databases fold letters with accents differently.
    return {**{name: getattr(attempt, name) for name in _BEGUN}, "search_text": "\n".join(words).casefold()}


def outcome_values(attempt_id: str, number: int, outcome: Outcome) -> dict[str, Any]:
    """The row of `outcomes` that an outcome becomes."""
    return {
        **{name: getattr(outcome, name) for name in _ANSWERED},
        "attempt_id": attempt_id,
        "number": number,
        "state": outcome.state,
        "settlement": outcome.settled,
    }


def attempt_from(row: RowMapping, now: datetime) -> Attempt:
    """The attempt of a row with the columns of `attempts` and of its newest outcome, as it reads at `now`."""
    begun = {name: row[ATTEMPTS.c[name]] for name in _BEGUN}
    attempt = Attempt(state=AttemptState.SENDING, **{**begun, "acknowledged": begun["acknowledged"] or ()})
    if row[OUTCOMES.c.state] is not None:
        attempt = outcome_from(row).applied_to(attempt)
    return attempt.as_read_at(now)


def outcome_from(row: RowMapping) -> Outcome:
    """The outcome in a row with the columns of `outcomes`."""
    return Outcome(
        state=AttemptState(row[OUTCOMES.c.state]),
        settled=row[OUTCOMES.c.settlement],
        **{name: row[OUTCOMES.c[name]] for name in _ANSWERED},
    )
