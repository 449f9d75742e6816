"""Where a person can see whether a sale was recorded: the service's word, and the landing page."""

from functools import partial

import streamlit as st

from components.sending import press
from components.wiring import Runtime
from warranty.access import Operator
from warranty.desk import LookUp, Verdict
from warranty.journal import Attempt
from warranty.landing import landing_page_url


def look_at_sale(runtime: Runtime, operator: Operator, attempt: Attempt) -> None:
    """Let the service be asked, and offer the landing page: as the service gave it, else as it can be built."""
    look_up_button(runtime, operator, attempt)
    settings, order = runtime.settings, runtime.desk.order(operator, attempt.order_id)
    page = order.landing_url if order else None
    if not page and settings.landing_url and settings.retailer_uuid:
        page = landing_page_url(settings.landing_url, settings.retailer_uuid, attempt.order_id)
    if page:
        st.link_button("Open the landing page", page, width="stretch")


def look_up_button(runtime: Runtime, operator: Operator, attempt: Attempt) -> None:
    """Let the service be asked what the order carries, where the settings name that read; it settles what is clear."""
    if runtime.desk.can_look_up:
        press.job_button(
            "Ask the service what the order carries",
            jobs=runtime.jobs,
            job=f"look-up:{attempt.attempt_id}",
            doing="Asking the service what the order carries",
            work=partial(runtime.desk.look_up_sale, operator, attempt.attempt_id),
            told=_told,
            key=f"look-up-{attempt.attempt_id}",
            width="stretch",
        )


def _told(answer: LookUp | None) -> None:
    if answer is None:
        return
    if answer.verdict is Verdict.TOO_EARLY:
        st.info(
            "The order does not carry this sale yet, but the service may still be at work. Ask in two minutes."
        )
    elif answer.verdict is Verdict.UNCLEAR:
        st.info("The service's answer does not settle it. Look at the landing page yourself.")
    else:
        st.rerun()  # the journal knows the answer now
