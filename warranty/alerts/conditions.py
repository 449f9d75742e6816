"""What is worth telling: from what is known to the alerts of it. Nothing here asks anybody.

An entry is named by its operation and its reference, a product as the service names it; no order, no customer.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from pydantic import SecretStr

from warranty.alerts.letter import moment, one_line
from warranty.errors import CredentialRefused
from warranty.journal import Attempt, AttemptState
from warranty.journal.alerts import Alert, Known

_OPERATIONS: Final[Mapping[str, str]] = {
    "submit_order": "Submitting an order",
    "record_sale": "Recording a sale",
    "notify_checkout": "Notifying of a checkout",
}


def token(name: str, value: SecretStr, *, refused: bool) -> Known:
    """A token of this machine, by a mark of its own: another machine may have another, and that be accepted."""
    scope = f"token {name} {_mark(value.get_secret_value())}"
    words = (
        f"The service no longer accepts this shop's {name} token (401). Until it is copied anew from the partner "
        f"dashboard, {'no claim can be read' if name == 'public' else 'orders, sales and checkouts are refused'}."
    )
    return Known(scope, (Alert("token-refused", scope, words),) if refused else ())


def refused_entries(attempts: Iterable[Attempt]) -> Known:
    """Operations whose newest entry of a time was refused with 401; `attempts` are those of the time, newest first."""
    newest: dict[str, Attempt] = {}
    for attempt in attempts:
        untried = attempt.state is AttemptState.QUEUED and attempt.failure is None
        if attempt.state is not AttemptState.SENDING and not untried:
            newest.setdefault(attempt.operation, attempt)
    return Known(
        "refused ",
        tuple(
            Alert(
                "token-refused",
                f"refused {operation}",
                f"{_OPERATIONS[operation]} was refused with 401 on {moment(attempt.started_at)} "
                f"(reference {attempt.attempt_id}). Nothing was written; see Activity for what has to be sent again.",
            )
            for operation, attempt in newest.items()
            if attempt.failure is not None and attempt.failure.kind == CredentialRefused.__name__
        ),
    )


def unknown_entries(unknown: Iterable[Attempt], *, now: datetime, after: timedelta) -> Known:
    """Entries that nobody has settled for longer than `after`; `unknown` are those that read so `now`."""
    alerts = []
    for attempt in unknown:
        since = attempt.finished_at or attempt.deadline
        if now - since > after:
            words = (
                f"{_OPERATIONS[attempt.operation]} has been unknown since {moment(since)} "
                f"(reference {attempt.attempt_id}): nobody knows whether the service has it. Settle it on Activity."
            )
            alerts.append(Alert("entry-unknown", f"unknown {attempt.attempt_id}", words))
    return Known("unknown ", tuple(alerts))


def early_warnings(sentences: Mapping[str, str]) -> Known:
    """What is told of products that claim more than their own past explains, by the product's name."""
    return Known(
        "warning ",
        tuple(
            Alert("early-warning", f"warning {_mark(product)}", one_line(said, longest=600))
            for product, said in sentences.items()
        ),
    )


def _mark(text: str) -> str:
    """A short name for a text that may be long, and hold what no database takes."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def nights_missed(nights: Mapping[date, bool], *, today: date) -> Known:
    """Nights of the history by day, and whether each was complete; none at all is nothing to tell.

    Told is that the two newest nights are incomplete, or that there is none of today, yesterday and the day before.
    """
    if not nights:
        return Known("nights ")
    newest = sorted(nights)[-2:]
    if today - newest[-1] > timedelta(days=2):
        words = f"The history has no night since {newest[-1]:%Y-%m-%d}: the nightly reading of claims does not run."
        return Known("nights ", (Alert("claims-incomplete", "nights none", words),))
    if len(newest) == 2 and not any(nights[day] for day in newest):
        words = (
            f"The nightly readings of {newest[0]:%Y-%m-%d} and {newest[1]:%Y-%m-%d} do not have every claim. "
            "What is told of the history ends before them."
        )
        return Known("nights ", (Alert("claims-incomplete", "nights incomplete", words),))
    return Known("nights ")
