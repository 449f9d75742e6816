"""Where a person can see whether an unknown sale was recorded: the service's word, and the landing page."""

from functools import partial

import streamlit as st

from components.sending import press
from components.wiring import Runtime
from warranty.access import Operator
from warranty.desk import LookUp, Verdict
from warranty.journal import Attempt
from warranty.landing import landing_page_url
from warranty.settings import Settings


def look_at_sale(runtime: Runtime, operator: Operator, order: Attempt | None, attempt: Attempt) -> None:
    """Draw where a person can see whether an unknown sale was recorded: the service's word, and the landing page."""
    looked_up(runtime, operator, attempt)
    page = landing_page(runtime.settings, attempt.order_id, order)
    if page:
        st.link_button("Open the landing page", page, width="stretch")


def landing_page(settings: Settings, order_id: str, order: Attempt | None) -> str | None:
    """The landing page of an order, as the service gave it or as it can be built; None where neither is known."""
    if order is not None and order.landing_url:
        return order.landing_url
    if not (order_id and settings.landing_url and settings.retailer_uuid):
        return None
    return landing_page_url(settings.landing_url, settings.retailer_uuid, order_id)


def looked_up(runtime: Runtime, operator: Operator, attempt: Attempt) -> None:
    """Let the service be asked what the order carries, where the settings name that read; it settles what is clear."""
    if not runtime.desk.can_look_up:
        return
    job = f"look-up:{attempt.attempt_id}"
    answer, problem = press.take_answer(runtime.jobs, job)
    if press.working(runtime.jobs, job, "Asking the service what the order carries"):
        return
    if problem is not None:
        st.text(str(problem))
    if isinstance(answer, LookUp):
        if answer.verdict is Verdict.TOO_EARLY:
            st.info(
                "The order does not carry this sale yet, but the service may still be at work. Ask in two minutes."
            )
        elif answer.verdict is Verdict.UNCLEAR:
            st.info("The service's answer does not settle it. Look at the landing page yourself.")
        else:
            st.rerun()  # the journal knows the answer now
    st.button(
        "Ask the service what the order carries",
        key=f"look-up-{attempt.attempt_id}",
        type="primary",
        width="stretch",
        on_click=runtime.jobs.start_once,
        args=(job, partial(runtime.desk.look_up_sale, operator, attempt.attempt_id)),
    )
