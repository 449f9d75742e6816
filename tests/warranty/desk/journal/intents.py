"""Intents as tests write them, and what became of them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from warranty.desk.journal import Attempt, AttemptState, Intent, Journal, Outcome

PATIENCE = timedelta(seconds=30)
MakeIntent = Callable[..., Intent]


def becomes(journal: Journal, begun: Intent | Attempt, state: AttemptState, **known: Any) -> Attempt:
    return journal.conclude(begun.attempt_id, Outcome(state=state, recorded_at=journal.now(), **known))


def ended(journal: Journal, begun: Intent, state: AttemptState, **known: Any) -> Attempt:
    assert journal.begin(begun).may_send
    return becomes(journal, begun, state, **known)
