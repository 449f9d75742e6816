"""The basket in short, beside the form: how many items, what they cost, where the link goes, what is missing."""

import streamlit as st

from components.selling.sending.own_drafts import Sending
from components.selling.submit_order.basket import called, price_of, total_of, units_of
from components.selling.submit_order.order_form import EnteredOrder
from components.system.customer_screen.shown import ShownItem, basket
from components.system.customer_screen.telling import tell
from components.ui.frame.ask_first import ask_first
from components.words.amounts import money
from warranty.language import _, ngettext
from warranty.language.written import number


def order_summary(entered: EnteredOrder, order: Sending) -> None:
    """Draw what is about to be sent, and beside the heading what can be done with all of it; the customer sees it too.

    It stays in sight on a tablet and a phone too (platform/desk.css), and so stands close together.
    """
    form, currency = order.form, order.runtime.settings.currency
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="order-head"
    ):
        st.header(_("This order"), anchor=False, width="content")
        if called(form.content) and not form.is_locked:  # else it is on its way, or nobody knows yet
            ask_first(  # a customer who walks away leaves a basket behind
                _("Discard this order"),
                _("Yes, discard"),
                lost=_("Items and customer are erased here. Nothing was sent."),
                key=f"discard-{form.draft_id}",
                on_click=form.start_anew,
            )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _in_short(entered, currency)
    tell(order.runtime.customer_screens, order.operator, basket(_seen(entered), currency=currency))


def _in_short(entered: EnteredOrder, currency: str) -> None:
    if not entered.lines:
        st.caption(_("No items yet. Scan the first one, or type it into the row."))
        return
    units = sum(units_of(line) or 0 for line in entered.lines)
    total = total_of(entered.lines)
    words = _("no total yet") if total is None else money(total, currency)
    items = ngettext("{n} item", "{n} items", units, n=number(units))
    with st.container(key="order-total", width="content"):
        st.text(f"{items}, {words}", width="content")
    address = entered.content["billing_address"]
    reach = address.get("email") or address.get("phone")
    with st.container(key="order-reach", width="content"):
        words = _("Link goes to {reach}", reach=reach) if reach else _("Link goes to: enter an e-mail or a phone")
        st.text(words, width="content")


def _seen(entered: EnteredOrder) -> list[ShownItem]:
    """The items as their customer sees them: by title, a SKU where that is all there is."""
    return [
        ShownItem(line.get("product_title") or line.get("product_id") or "", units_of(line) or 1, price_of(line))
        for line in entered.lines
    ]
