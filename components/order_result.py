"""What became of an order: the link kit when it stands, else the notice with the one right next step."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from components import sending
from components.failure_notice import failure_notice, reference
from components.journal_waiting import sent_elsewhere
from components.landing_link import NOBODY, Addressee, address_warning, landing_link
from components.link_shown import note_link_shown
from components.navigation import go_to
from components.wiring import Runtime
from components.work_and_aside import work_and_aside
from warranty.access import Operator
from warranty.journal import Attempt, AttemptState
from warranty.slip import SlipItem


def order_result(
    runtime: Runtime,
    operator: Operator,
    attempt: Attempt,
    *,
    addressee: Addressee = NOBODY,
    next_order: Callable[[], None] | None = None,
) -> None:
    """Draw an order that the service has stored; without `next_order`, one of earlier that is looked up again."""
    work, aside = work_and_aside()
    with work:
        _meaning(attempt)
        if attempt.landing_url and attempt.warrantable_products is not False:
            landing_link(
                attempt.landing_url,
                order_id=attempt.order_id,
                items=[SlipItem(item.title, item.quantity) for item in attempt.items],
                addressee=addressee,
                settings=runtime.settings,
            )
            note_link_shown(runtime, operator, attempt)
        elif attempt.landing_url:
            with st.expander("The link all the same"):
                address_warning(attempt.landing_url, order_id=attempt.order_id, settings=runtime.settings)
                st.code(attempt.landing_url, language=None, wrap_lines=True)
    with aside, st.container(border=True):
        st.header("This order", anchor=False)
        for item in attempt.items:
            st.text(f"{item.quantity} × {item.title}")
        st.caption("Order id")
        st.code(attempt.order_id, language=None, wrap_lines=True)
        if next_order is not None:
            st.button("Next order", key="next-order", on_click=next_order, type="primary", width="stretch")
        elif st.button("Back to the new order", key="back-to-order", type="primary", width="stretch"):
            go_to("submit_order")
        if st.button("Record a sale for this order", key="sell-on-order", width="stretch"):
            go_to("record_sale", order=attempt.order_id)
        reference(attempt.attempt_id)


def _meaning(attempt: Attempt) -> None:
    if attempt.already_known:
        st.info(
            "**The service already had this order.** Nothing was changed: not its items, not its offers. "
            "The link is the same as before."
        )
    elif attempt.warrantable_products is False:
        st.info(
            "**The order is stored. There is nothing to offer.** The service finds no plan for any of these items "
            "(their kind, their category or their price), so do not send the customer to the landing page."
        )
    else:
        st.success("**The order is stored.** Hand the link to the customer.")


def order_trouble(
    runtime: Runtime, operator: Operator, attempt: Attempt, *, leave: Callable[[], None]
) -> None:
    """Draw an order that is sent elsewhere, was refused, not sent, or is not known of: that one may be sent again.

    `leave` begins the next order and leaves this one to the activity: while the service is silent, customers wait.
    """
    job = attempt.draft_id
    if sent_elsewhere(attempt, partial(runtime.desk.attempt_of, job), "Sending the order"):
        sending.leave_button(leave)
        return
    if attempt.failure is not None:
        failure_notice(attempt.failure)
    if attempt.state is not AttemptState.UNKNOWN:
        st.button("Next order", key="next-order", type="tertiary", on_click=leave)
        return
    if attempt.failure is None:
        st.warning("**We don't know whether this order was stored.** The program stopped while it was sent.")
        reference(attempt.attempt_id)
    if st.button(
        "Send this order again (harmless)",
        key="send-again",
        type="primary",
        width="stretch",
        shortcut="Ctrl+Enter",
    ):
        sending.run_once(
            runtime.jobs, job, partial(runtime.desk.send_order_again, operator, attempt.attempt_id)
        )
    sending.leave_button(leave)
