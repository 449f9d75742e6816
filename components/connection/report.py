"""What this desk is connected to, how the service answers it, what is left to settle, and its last calls; no token."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import pandas as pd
import streamlit as st

from components import session
from components.frame.failure_notice import failure_notice
from components.frame.table_view import table_view
from components.navigation import go_to
from components.serving.sandbox_control import OPERATIONS
from components.words.amounts import counted
from components.words.attempts import here, moment
from warranty import COMMAND
from warranty.access import Operator, Permission
from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.errors import Failure, WarrantyError
from warranty.journal import AttemptFilter, AttemptState, Queue
from warranty.resources import ClaimQuery

_NOTHING_CLAIMED: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - claim dates have no zone
_CHECKED: Final = "tokens-checked"
_AGAIN: Final = "check-tokens-again"
_SAID: Final = {
    "CredentialRefused": "not accepted",
    "NotSent": "not checked, since the service could not be reached",
}
_Answer = tuple[str, Failure | None, float]
"""Which token, why it was not accepted, and the milliseconds that it took."""
_CALLS: Final = {
    **OPERATIONS,
    "purchase_warranties": "Looking what an order carries",
    "offers": "Looking for offers",
}
_COLUMNS: Final = {
    "When": st.column_config.TextColumn(width=130),
    "Call": st.column_config.TextColumn(width=180),
    "Outcome": st.column_config.TextColumn(width=140),
    "Took": st.column_config.TextColumn(width=80, alignment="right"),
    "Repeats": st.column_config.TextColumn(width=70, alignment="right"),
    "Code": st.column_config.TextColumn(width=170),
    "Reference for support": st.column_config.TextColumn(),
}
_SHOWN: Final = 20


def connection_state(client: WarrantyClient, desk: Desk, operator: Operator) -> None:
    """Say first whether all is well, and what is not: the tokens, what is left to check, what waits.

    The service is asked with each token when the screen is opened or the button pressed.
    """
    place = st.container()
    # The platform keeps a button's key as long as its screen is the one on show.
    answers: list[_Answer] = session.recall(_CHECKED, []) if session.is_filled(_AGAIN) else []
    if not answers:
        one_moment = (_NOTHING_CLAIMED, _NOTHING_CLAIMED)
        answers = [
            _asked("Private token", client.verify_credentials),
            _asked("Public token", lambda: client.claims(ClaimQuery(claim_dates=one_moment))),
        ]
        session.remember(_CHECKED, answers)
    sends = operator.may(Permission.SEE_OWN_ACTIVITY)
    unsettled = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}))
    unknown = desk.count_attempts(operator, unsettled) if sends else 0
    with place:
        _state(answers, desk.queue(operator) if sends else Queue(length=0, oldest=None), unknown)
    with st.container(horizontal=True):
        if unknown and st.button("Check in Activity", key="connection-to-activity", type="primary"):
            go_to("activity")
        st.button("Check again", key=_AGAIN, on_click=session.forget, args=(_CHECKED,))


def _state(answers: Sequence[_Answer], queue: Queue, unknown: int) -> None:
    told = ", ".join(
        f"{name.lower()} in {milliseconds:.0f} ms" for name, failure, milliseconds in answers if not failure
    )
    if not unknown and queue.oldest is None and all(failure is None for _, failure, _ in answers):
        st.success(
            f"**All is well.** The service accepted both tokens ({told}), and nothing is left to check."
        )
        return
    for name, failure, _ in answers:
        if failure is not None:
            said = _SAID.get(failure.kind, "not known, since the service gave no usable answer")
            st.markdown(f"**{name}: {said}**")
            failure_notice(failure)
    if unknown:
        st.warning(
            f"**{unknown} to check.** Nobody knows yet what became of {'it' if unknown == 1 else 'them'}."
        )
    if queue.oldest is not None:
        st.info(
            f"**{counted(queue.length, 'order waits', 'orders wait')} for the service**, the oldest since "
            f"{moment(queue.oldest)}. They are sent by themselves when it answers."
        )
    if told:
        st.text(f"Accepted: {told}.")


def _asked(name: str, call: Callable[[], object]) -> _Answer:
    started = time.perf_counter()
    failure = None
    try:
        with st.spinner(f"Checking the {name.lower()}"):
            call()
    except WarrantyError as error:
        failure = error.failure
    return name, failure, (time.perf_counter() - started) * 1000


def recent_calls_table(calls: Sequence[Mapping[str, Any]]) -> None:
    """Draw the last calls of this desk, folded away: in words, with their codes behind."""
    with st.expander(f"Last calls to the service ({min(len(calls), _SHOWN)})"):
        rows = [_call_row(call) for call in calls[:_SHOWN]]
        table_view(
            pd.DataFrame(rows, columns=list(_COLUMNS), dtype="str"),
            "The last calls to the service, newest first",
            column_config=_COLUMNS,
        )


def _call_row(call: Mapping[str, Any]) -> tuple[str, ...]:
    at: datetime = call["at"].astimezone(here())
    outcome = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(call["outcome"]))
    repeats, status = call.get("repeats") or 0, call.get("status")
    return (
        f"{at.day} {at:%b, %H:%M:%S}",
        _CALLS.get(call["operation"], call["operation"]),
        outcome.capitalize(),
        f"{call['milliseconds']:,.0f} ms",
        f"{repeats}" if repeats else "",
        f"{call['operation']} {status or ''}".strip(),
        call.get("attempt_id") or "",
    )


def open_questions() -> None:
    """Say what the interface leaves open, as far as a shop notices it."""
    with st.expander("What the service's interface leaves open, and what we assume"):
        st.markdown(
            "- **The public token's header** is not named: we send `Authorization`; "
            "`WARRANTY_PUBLIC_TOKEN_HEADER` changes it.\n"
            "- **A repeated checkout** may mail the customer again, **a repeated sale** may buy the next unit: "
            "neither is ever repeated by itself.\n"
            "- **Claims beyond the first 50** cannot be asked for by page: we read by date ranges and prove that "
            "nothing is missing, or say so.\n"
            "- **Claim dates carry no time zone**: they are shown as the service gives them.\n"
            "- **Claim statuses** other than RESOLVED are not listed: whatever word comes is shown, and "
            "counted as open unless `WARRANTY_CLOSED_STATUSES` names it."
        )
        st.text(f"The whole list stands in sandbox/ASSUMPTIONS.md; {COMMAND} conformance checks them.")
