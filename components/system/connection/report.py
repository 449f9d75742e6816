"""What this desk is connected to, how the service answers it, what is left to settle, and its last calls; no token."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.navigation import go_to
from components.platform import session
from components.platform.serving.sandbox_control import OPERATIONS
from components.ui.frame.failure_notice import failure_notice
from components.ui.frame.table_view import table_view
from components.words.attempts import here, moment
from warranty import COMMAND
from warranty.access import Operator, Permission
from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.desk.journal import AttemptFilter, AttemptState, Queue
from warranty.errors import Failure, WarrantyError
from warranty.language import N_, _, ngettext
from warranty.language.written import DAY_OF_YEAR, dated, number
from warranty.settings import Settings, token_calls

_CHECKED: Final = "tokens-checked"
_AGAIN: Final = "check-tokens-again"
_SAID: Final = {
    "CredentialRefused": N_("not accepted"),
    "NotSent": N_("not checked, since the service could not be reached"),
}
_Answer = tuple[str, Failure | None, float]
"""Which token, why it was not accepted, and the milliseconds that it took."""
_TOKENS: Final = {"private": N_("Private token"), "public": N_("Public token")}
CALLS: Final = {
    **OPERATIONS,
    "purchase_warranties": N_("Checking an order's plans"),
    "offers": N_("Looking for offers"),
}
_OUTCOMES: Final = {
    "done": N_("Done"),
    "NotSent": N_("Not sent"),
    "OutcomeUnknown": N_("Unknown"),
    "CredentialRefused": N_("Token refused"),
    "RequestRefused": N_("Refused"),
    "BillingAddressMissing": N_("Refused: no billing address"),
    "OrderNotFound": N_("Order not found"),
    "ServiceFailed": N_("Service failed"),
    "UnexpectedAnswer": N_("Unexpected answer"),
}
_SHOWN: Final = 20


def connection_state(settings: Settings, client: WarrantyClient, desk: Desk, operator: Operator) -> None:
    """Say first whether all is well, and what is not: the tokens, what is left to check, what waits.

    The service is asked with each token when the screen is opened or the button pressed.
    """
    place = st.container()
    # The platform keeps a button's key as long as its screen is the one on show.
    answers: list[_Answer] = session.recall(_CHECKED, []) if session.is_filled(_AGAIN) else []
    if not answers:
        answers = [_timed_answer(_TOKENS[name], call) for name, _token, call in token_calls(settings, client)]
        session.remember(_CHECKED, answers)
    sends = operator.may(Permission.SEE_OWN_ACTIVITY)
    unsettled = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}))
    unknown = desk.activity.count_attempts(operator, unsettled) if sends else 0
    with place:
        _state(answers, desk.activity.queue(operator) if sends else Queue(length=0, oldest=None), unknown)
    with st.container(horizontal=True):
        if unknown and st.button(_("Check in Activity"), key="connection-to-activity", type="primary"):
            go_to("activity")
        st.button(_("Check again"), key=_AGAIN, on_click=session.forget, args=(_CHECKED,))


def _state(answers: Sequence[_Answer], queue: Queue, unknown: int) -> None:
    accepted = ", ".join(
        _("{token} in {n} ms", token=_(name).lower(), n=number(milliseconds))
        for name, failure, milliseconds in answers
        if not failure
    )
    if not unknown and queue.oldest is None and all(failure is None for each, failure, took in answers):
        st.success(_("**Connected.** The service accepted both tokens ({tokens}).", tokens=accepted))
        return
    for name, failure, _took in answers:
        if failure is not None:
            reason = _(_SAID.get(failure.kind, N_("not known, since the service gave no usable answer")))
            st.markdown(f"**{_(name)}: {reason}**")
            failure_notice(failure)
    if unknown:
        st.warning(
            ngettext(
                "**{n} to check.** It is not confirmed yet.",
                "**{n} to check.** They are not confirmed yet.",
                unknown,
                n=number(unknown),
            )
        )
    if queue.oldest is not None:
        st.info(
            ngettext(
                "**{n} order is waiting for the service** (since {when}). It will be sent automatically.",
                "**{n} orders are waiting for the service** (the oldest since {when}). They will be sent "
                "automatically.",
                queue.length,
                n=number(queue.length),
                when=moment(queue.oldest),
            )
        )
    if accepted:
        st.text(_("Accepted: {tokens}.", tokens=accepted))


def _timed_answer(name: str, call: Callable[[], object]) -> _Answer:
    started = time.perf_counter()
    failure = None
    try:
        with st.spinner(_("Checking the {token}", token=_(name).lower())):
            call()
    except WarrantyError as error:
        failure = error.failure
    return name, failure, (time.perf_counter() - started) * 1000


def recent_calls_table(calls: Sequence[Mapping[str, Any]]) -> None:
    """Draw the last calls of this desk, folded away: in words, with their codes behind."""
    with st.expander(_("Last calls to the service ({n})", n=min(len(calls), _SHOWN))):
        rows = [_call_row(call) for call in calls[:_SHOWN]]
        table_view(
            pd.DataFrame(rows, columns=list(_columns()), dtype="str"),
            _("The last calls to the service, newest first"),
            column_config=_columns(),
        )


def _columns() -> dict[str, Any]:
    """The columns by their names in the reader's language, and how they are drawn."""
    return {
        _("When"): st.column_config.TextColumn(width=130),
        _("Call"): st.column_config.TextColumn(width=180),
        _("Outcome"): st.column_config.TextColumn(width=140),
        _("Took"): st.column_config.TextColumn(width=80, alignment="right"),
        _("Repeats"): st.column_config.TextColumn(width=70, alignment="right"),
        _("Code"): st.column_config.TextColumn(width=170),
        _("Reference for support"): st.column_config.TextColumn(),
    }


def _call_row(call: Mapping[str, Any]) -> tuple[str, ...]:
    at: datetime = call["at"].astimezone(here())
    outcome = str(call["outcome"])
    repeats, status = call.get("repeats") or 0, call.get("status")
    return (
        dated(at, f"{DAY_OF_YEAR}, HH:mm:ss"),
        _(CALLS.get(call["operation"], call["operation"])),
        _(_OUTCOMES.get(outcome, outcome)),
        f"{number(call['milliseconds'])} ms",
        f"{repeats}" if repeats else "",
        f"{call['operation']} {status or ''}".strip(),
        call.get("attempt_id") or "",
    )


def open_questions() -> None:
    """Say what the interface leaves open, as far as a shop notices it."""
    with st.expander(_("What the service's interface leaves open, and what we assume")):
        st.markdown(
            "\n".join(
                f"- {each}"
                for each in (
                    _(
                        "**The public token's header** is not named: we send `Authorization`; "
                        "`WARRANTY_PUBLIC_TOKEN_HEADER` changes it."
                    ),
                    _(
                        "**A repeated checkout** may mail the customer again, **a repeated sale** may buy the next "
                        "unit: neither is ever repeated automatically."
                    ),
                    _(
                        "**Claims beyond the first 50** cannot be asked for by page: we read by date ranges and prove "
                        "that nothing is missing, or say so."
                    ),
                    _("**Claim dates carry no time zone**: they are shown as the service gives them."),
                    _(
                        "**Claim statuses** other than RESOLVED are not listed: whatever word comes is shown, and "
                        "counted as open unless `WARRANTY_CLOSED_STATUSES` names it."
                    ),
                )
            )
        )
        st.text(_("The whole list is in sandbox/ASSUMPTIONS.md; {command} conformance checks them.", command=COMMAND))
