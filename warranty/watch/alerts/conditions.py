"""What is worth telling: from what is known to the alerts of it. Nothing here asks anybody.

An entry is named by its operation and its reference, a product as the service names it; no order, no customer.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from pydantic import SecretStr

from warranty.desk.journal import Attempt, AttemptState, Queue
from warranty.errors import CredentialRefused
from warranty.language import N_, _, ngettext
from warranty.language.written import number
from warranty.watch.alerts.alert_log import Alert, Known
from warranty.watch.alerts.letter import moment, one_line

ORDERS_WAIT: Final = timedelta(minutes=30)
_OPERATIONS: Final[Mapping[str, str]] = {
    "submit_order": N_("An order"),
    "record_sale": N_("A sale"),
    "notify_checkout": N_("A checkout"),
}


def token(name: str, value: SecretStr, *, refused: bool) -> Known:
    """A token of this machine, by a mark of its own: another machine may have another, and that be accepted."""
    scope = f"token {name} {_mark(value.get_secret_value())}"
    words = (
        _(
            "The service no longer accepts this shop's public token (401). Until a new one is copied from the partner "
            "dashboard, no claim can be read."
        )
        if name == "public"
        else _(
            "The service no longer accepts this shop's private token (401). Until a new one is copied from the partner "
            "dashboard, it refuses orders, sales and checkouts."
        )
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
                _(
                    "{what} was refused with 401 on {when} (reference {reference}). Nothing was recorded; Activity "
                    "shows what has to be sent again.",
                    what=_(_OPERATIONS[operation]),
                    when=moment(attempt.started_at),
                    reference=attempt.attempt_id,
                ),
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
            words = _(
                "{what} has had no answer since {when} (reference {reference}): we don't know yet whether the service"
                " has it. Settle it in Activity.",
                what=_(_OPERATIONS[attempt.operation]),
                when=moment(since),
                reference=attempt.attempt_id,
            )
            alerts.append(Alert("entry-unknown", f"unknown {attempt.attempt_id}", words))
    return Known("unknown ", tuple(alerts))


def orders_wait(queue: Queue, *, now: datetime) -> Known:
    """Orders of which the oldest has waited for longer than `ORDERS_WAIT`: one trouble, however many."""
    if queue.oldest is None or now - queue.oldest <= ORDERS_WAIT:
        return Known("orders wait")
    words = ngettext(
        "{n} order has waited for the service since {when}: its customer's link does not work yet. It will be"
        " sent automatically when the service answers; if Connection says that it does, have the desks "
        "restarted.",
        "{n} orders have waited for the service, the oldest since {when}: their customers' links do not work "
        "yet. They will be sent automatically when the service answers; if Connection says that it does, have"
        " the desks restarted.",
        queue.length,
        n=number(queue.length),
        when=moment(queue.oldest),
    )
    return Known("orders wait", (Alert("orders-wait", "orders wait", words),))


def early_warnings(sentences: Mapping[str, str]) -> Known:
    """What is told of products that claim more than their own past explains, by the product's name."""
    return Known(
        "warning ",
        tuple(
            Alert("early-warning", f"warning {_mark(product)}", one_line(sentence, longest=600))
            for product, sentence in sentences.items()
        ),
    )


def _mark(text: str) -> str:
    """A short name for a text that may be long, and hold what no database takes."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def nights(missed: tuple[str, str] | None) -> Known:
    """What is wrong with the nights of the history."""
    return Known("nights ", (Alert("claims-incomplete", f"nights {missed[0]}", missed[1]),) if missed else ())
