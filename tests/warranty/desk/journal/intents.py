"""Intents as tests write them, and what became of them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from warranty.desk.activity import Activity
from warranty.desk.journal import Attempt, AttemptState, Intent, Journal, Outcome, Result, Settlement
from warranty.desk.sending import UnwrittenOutcomes
from warranty.errors import Failure
from warranty.people.audit import AuditTrail

PATIENCE = timedelta(seconds=30)
MakeIntent = Callable[..., Intent]


def becomes(
    journal: Journal, begun: Intent | Attempt, state: AttemptState, *, failure: Failure | None = None,
    settled: Settlement | None = None, **result: Any,
) -> Attempt:  # fmt: skip
    now = journal.database.clock()
    outcome = Outcome(state=state, recorded_at=now, failure=failure, settled=settled, result=Result(**result))
    return journal.conclude(begun.attempt_id, outcome)


def ended(journal: Journal, begun: Intent, state: AttemptState, **known: Any) -> Attempt:
    assert journal.begin(begun).may_send
    return becomes(journal, begun, state, **known)


def activity_of(journal: Journal, environment: str = "sandbox") -> Activity:
    return Activity(journal, environment, UnwrittenOutcomes(journal), AuditTrail(journal.database, environment))
