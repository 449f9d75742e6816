"""Which order a sale is for: typed, scanned, pasted as a landing page's address, or picked from the recent ones."""

from collections.abc import Callable, Sequence

import streamlit as st

from components.forms.draft_form import DraftForm
from components.forms.faults import plain
from components.orders.recent_orders import SHOWN, order_choices, short_id
from warranty.journal import Attempt
from warranty.landing import read_landing_page_url
from warranty.settings import Settings

_AS_IT_STANDS = "order.as-it-stands"


def sale_order(form: DraftForm, *, settings: Settings, recent: Callable[[str], Sequence[Attempt]]) -> str:
    """Draw the field, and the orders of this desk that fit while none is chosen; gives the order's id.

    `recent` gives orders whose id or items hold a text, newest first.
    """
    with st.container(
        key=f"begin-{form.draft_id}"
    ):  # it has the focus (page_head.html): a scanner types at once
        entered = form.text(
            "order", "Order", placeholder="Scan or type the order id, or paste the landing page's link"
        )
    order_id, problem = order_entered(entered, settings.retailer_uuid)
    if problem:
        st.markdown(f":red[**{plain(problem)}**]")
        return ""
    found = recent(order_id)
    if order_id and (
        any(order.order_id == order_id for order in found) or form.kept(_AS_IT_STANDS, "") == order_id
    ):
        return order_id
    if found:
        _offered(form, found[:SHOWN], searched=order_id)
        # What was typed is a search as long as orders fit it: nothing is asked of the service for a part of an id.
        return ""
    if not order_id:
        st.info(
            "Here you record a plan that a customer has paid you for, on an order sold without one. "
            "Begin with the order: scan its id, type it, or paste the link of its landing page."
        )
    return order_id


def order_entered(entered: str, retailer_uuid: str | None) -> tuple[str, str]:
    """The order id that was entered, or that of a landing page's address, else ""; and what is wrong, if anything."""
    if not entered.lower().startswith(("https://", "http://")):
        return entered, ""
    page = read_landing_page_url(entered)
    if page is None:
        return "", "This address is no landing page: paste the link that the customer got"
    if retailer_uuid and page.retailer_uuid.lower() != retailer_uuid.lower():
        return "", "This landing page belongs to another retailer, so its order cannot be sold here"
    return page.order_id, ""


def _offered(form: DraftForm, orders: Sequence[Attempt], *, searched: str) -> None:
    st.caption("Orders of this desk that fit:" if searched else "Or choose a recent one:")
    order_choices(form, orders, field="order")
    if searched:
        st.button(
            f"None of these: take {plain(short_id(searched))} as the order id",
            key="order-as-it-stands",
            type="tertiary",
            on_click=form.keep,
            args=(_AS_IT_STANDS, searched),
        )
