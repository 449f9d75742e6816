"""Orders of this desk, from the journal and without a call: the link again, on to a sale, or into a form."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components.forms.draft_form import DraftForm
from components.forms.faults import plain
from components.navigation import go_to
from components.words.amounts import counted
from components.words.attempts import items_words, moment
from warranty.journal import Attempt

SHOWN: Final = 8
_LONG: Final = 24
"""As long as the ids that nobody counts up: of a shorter one the beginning may be that of many."""
NONE_YET: Final = "No orders yet. They appear here once they are sent."


def recent_orders(find: Callable[[str, int], list[Attempt]]) -> None:
    """Draw the search; reads nothing while it is closed."""
    with st.expander("Recent orders", key="recent-orders", on_change="rerun") as box:
        if not box.open:
            return
        text = (
            st.text_input("Order id or title", key="recent-orders-text", type="search", max_chars=200) or ""
        )
        found = find(text, SHOWN)
        if not found:
            st.caption("No order found." if text.strip() else NONE_YET)
        for order in found:
            _row(order)
        if len(found) == SHOWN:
            st.caption(
                f"The newest {SHOWN} are shown. Type more of the order id or the title to find others."
            )


def order_choices(form: DraftForm, orders: Sequence[Attempt], *, field: str) -> None:
    """Draw the orders in the order given; a click puts the order's id into the field of the draft."""
    for order in orders:
        st.button(
            f"{plain(items_words(order.items))} · {moment(order.started_at)} · {plain(short_id(order.order_id))}",
            key=f"recent-{order.attempt_id}",
            on_click=form.put,
            args=(field, order.order_id),
            width="stretch",
        )


def shown_order(read: Callable[[str], Attempt | None]) -> Attempt | None:
    """The order that the address of this screen names (`?order=...`), if this desk sent it."""
    order_id = st.query_params.get("order")
    if not order_id:
        return None
    attempt = read(order_id)
    if attempt is None:
        st.warning("This desk has not sent that order.")
    return attempt


def short_id(order_id: str) -> str:
    """The beginning of an id, enough to tell it from others on a screen: of a long one the first eight."""
    if len(order_id) <= 13:
        return order_id
    return order_id[:8] if len(order_id) >= _LONG else f"{order_id[:12]}…"


def _row(order: Attempt) -> None:
    units = counted(sum(item.quantity for item in order.items), "unit")
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        with st.container(gap="xxsmall"):
            st.text(items_words(order.items))
            st.caption(plain(f"{moment(order.started_at)} · {units} · {order.order_id}"))
        for label, screen in (("Link", "submit_order"), ("Record a sale", "record_sale")):
            if st.button(label, key=f"recent-{screen}-{order.attempt_id}"):
                go_to(screen, order=order.order_id)
