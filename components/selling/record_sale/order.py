"""Which order a sale is for: typed, scanned, pasted as a landing page's address, or picked from the recent ones."""

from typing import Final

import streamlit as st

from components.platform.markup import plain
from components.selling.orders.recent_orders import SHOWN, orders_table
from components.selling.sending.own_drafts import Sending
from components.system.camera.camera import camera_button
from warranty.client.resources.landing import is_of_another_keyboard, read_landing_page_url, scanned_order_id
from warranty.language import _

_AS_IT_STANDS: Final = "order.as-it-stands"


def sale_order(sale: Sending) -> str:
    """Draw the field, and the orders of this desk that fit while none is chosen; gives the order's id."""
    form, desk = sale.form, sale.runtime.desk
    # It has the focus (page_head.html): a scanner types at once.
    with st.container(horizontal=True, vertical_alignment="bottom", gap=None, key=f"begin-{form.draft_id}"):
        entered = form.text("order", _("Order"), placeholder=_("Code on the slip, order number, or link"))
        camera_button()
    order_id, problem = order_entered(entered, sale.runtime.settings.retailer_uuid)
    if order_id and order_id != entered:  # the field shows the id, not the slip's address
        form.put({"order": order_id})
        st.rerun()
    if problem:
        st.markdown(f":red[**{plain(problem)}**]")
        return ""
    found = desk.activity.recent_orders(sale.operator, order_id)
    if order_id and (any(order.order_id == order_id for order in found) or form.content.get(_AS_IT_STANDS) == order_id):
        return order_id
    if found:
        orders_table(
            found[:SHOWN], desk, sale.operator, searched=order_id, on_open=lambda picked: form.put({"order": picked})
        )
        if order_id:
            st.button(
                _("None of these: it is another order"),
                key="order-as-it-stands",
                on_click=form.keep,
                args=({_AS_IT_STANDS: order_id},),
            )
        # What was typed is a search as long as orders fit it: nothing is asked of the service for a part of an id.
        return ""
    if not order_id:
        st.caption(_("Plan sold with the product? Use Checkout."))
    return order_id


def order_entered(entered: str, retailer_uuid: str | None) -> tuple[str, str]:
    """The order id that was entered, or that of a landing page's address, else ""; and what is wrong, if anything."""
    if is_of_another_keyboard(entered) and not scanned_order_id(entered):
        return "", _("The scanner is set to another keyboard than this computer: set both to the same language")
    if not entered.lower().startswith(("https://", "http://")):
        return scanned_order_id(entered) or entered, ""
    page = read_landing_page_url(entered)
    if page is None:
        return "", _("This is not a customer page: paste the link that the customer got")
    if retailer_uuid and page.retailer_uuid.lower() != retailer_uuid.lower():
        return "", _("This link belongs to another shop, so its order cannot be sold here")
    return scanned_order_id(page.order_id) or page.order_id, ""
