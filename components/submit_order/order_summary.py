"""The basket in short, beside the form: how many items, what they cost, where the link goes, what is missing."""

import streamlit as st

from components.forms.draft_form import DraftForm
from components.frame.ask_first import ask_first
from components.frame.failure_notice import reporting_outage
from components.submit_order.basket import called, total_of, units_of
from components.submit_order.order_form import EnteredOrder
from components.words.amounts import counted, money


def order_summary(entered: EnteredOrder, form: DraftForm, *, currency: str) -> None:
    """Draw what is about to be sent, and beside the heading what can be done with all of it.

    It stays in sight on a tablet and a phone too (frame/desk.css), and so stands close together.
    """
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="order-head"
    ):
        st.header("This order", anchor=False, width="content")
        if called(form.content) and not form.is_locked:  # else it is on its way, or nobody knows yet
            ask_first(  # a customer who walks away leaves a basket behind
                "Discard this order",
                "Yes, discard",
                lost="Items and customer are erased here. Nothing was sent.",
                key=f"discard-{form.draft_id}",
                on_click=reporting_outage(form.start_anew),
                kind="tertiary",
            )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _in_short(entered, currency)


def _in_short(entered: EnteredOrder, currency: str) -> None:
    if not entered.lines:
        st.caption("No items yet. Scan the first one, or type it into the row.")
        return
    units = sum(units_of(line) or 0 for line in entered.lines)
    total = total_of(entered.lines)
    words = "no total yet" if total is None else money(total, currency)
    with st.container(key="order-total", width="content"):
        st.text(f"{counted(units, 'item')}, {words}", width="content")
    address = entered.content["billing_address"]
    reach = address.get("email") or address.get("phone")
    with st.container(key="order-reach", width="content"):
        words = f"Link goes to {reach}" if reach else "Link goes to: enter an e-mail or a phone"
        st.text(words, width="content")
