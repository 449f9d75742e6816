"""What this desk is connected to, whether the service accepts its tokens, and its last calls; never a token."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import pandas as pd
import streamlit as st

from components import session
from components.frame.failure_notice import failure_notice
from components.frame.table_view import table_view
from warranty import COMMAND
from warranty.client import WarrantyClient
from warranty.errors import Failure, WarrantyError
from warranty.resources import ClaimQuery
from warranty.settings import Settings
from warranty.settings.credentials import token_hint

_NOTHING_CLAIMED: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - claim dates have no zone
_CHECKED: Final = "tokens-checked"
_AGAIN: Final = "check-tokens-again"
_SAID: Final = {
    "CredentialRefused": "not accepted",
    "NotSent": "not checked, since the service could not be reached",
}
_Answer = tuple[str, Failure | None, float]
"""Which token, why it was not accepted, and the milliseconds that it took."""
_COLUMNS: Final = {
    "at": st.column_config.DatetimeColumn("When (UTC)", format="D MMM YYYY, HH:mm:ss"),
    "operation": st.column_config.TextColumn("Operation"),
    "outcome": st.column_config.TextColumn("Outcome"),
    "status": st.column_config.NumberColumn("Status", format="%d"),
    "milliseconds": st.column_config.NumberColumn("Milliseconds", format="%.0f"),
    "repeats": st.column_config.NumberColumn("Repeats", format="%d"),
    "attempt_id": st.column_config.TextColumn("Attempt (the reference for support)"),
}


def settings_report(settings: Settings, *, last_alert: datetime | None) -> None:
    """Draw the environment and its addresses, and by which ways the desk speaks up (`last_alert`: when it last did)."""
    told = f"last told {last_alert:%-d %b %Y, %H:%M} UTC" if last_alert else "nothing told yet"
    rows = {
        "Environment": settings.environment,
        "Service": settings.base_url or "not set",
        "Landing pages": settings.landing_url or "not set",
        "Retailer": settings.retailer_uuid or "not set",
        "Private token": token_hint(settings.private_token),
        "Public token": f"{token_hint(settings.public_token)}, sent in the header {settings.public_token_header}",
        "Alerts by": f"{', '.join(settings.alert_ways)}; {told}"
        if settings.alert_ways
        else "no way is configured",
    }
    for name, value in rows.items():
        label, content = st.columns([1, 4])
        label.text(name)
        content.text(value)
    for sentence in settings.consequences:
        st.warning(sentence)


def connection_report(client: WarrantyClient) -> None:
    """Ask the service with each token, when the screen is opened or the button pressed, and draw what it said."""
    st.subheader("Tokens")
    # The platform keeps a button's key as long as its screen is the one on show.
    answers: list[_Answer] = session.recall(_CHECKED, []) if session.is_filled(_AGAIN) else []
    if not answers:
        one_moment = (_NOTHING_CLAIMED, _NOTHING_CLAIMED)
        answers = [
            _asked("Private token (GET /api/verify-auth)", client.verify_credentials),
            _asked(
                "Public token (a claims query of one moment)",
                lambda: client.claims(ClaimQuery(claim_dates=one_moment)),
            ),
        ]
        session.remember(_CHECKED, answers)
    for name, failure, milliseconds in answers:
        if failure is None:
            st.success(f"{name}: accepted in {milliseconds:.0f} ms")
        else:
            st.text(
                f"{name}: {_SAID.get(failure.kind, 'not known, since the service gave no usable answer')}"
            )
            failure_notice(failure)
    st.button("Check again", key=_AGAIN, on_click=session.forget, args=(_CHECKED,))


def _asked(name: str, call: Callable[[], object]) -> _Answer:
    started = time.perf_counter()
    failure = None
    try:
        with st.spinner(f"Asking: {name}"):
            call()
    except WarrantyError as error:
        failure = error.failure
    return name, failure, (time.perf_counter() - started) * 1000


def recent_calls_table(calls: Sequence[Mapping[str, Any]]) -> None:
    """Draw the last calls of this desk."""
    st.subheader("Last calls")
    frame = pd.DataFrame(calls[:20], columns=list(_COLUMNS)).astype({"status": "Int64"})
    table_view(frame, "The last calls to the service, newest first", column_config=_COLUMNS)


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
        st.caption(f"The whole list stands in sandbox/ASSUMPTIONS.md; `{COMMAND} conformance` checks them.")
