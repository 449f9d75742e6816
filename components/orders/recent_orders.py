"""Orders of this desk, from the journal and without a call: the link again, or on to a sale."""

from collections.abc import Callable

import streamlit as st

from components.forms.faults import plain
from components.navigation import go_to
from components.words.attempts import items_words, moment
from warranty.journal import Attempt

_SHOWN = 8


def recent_orders(find: Callable[[str, int], list[Attempt]]) -> None:
    """Draw the search; reads nothing while it is closed."""
    with st.expander("Recent orders", key="recent-orders", on_change="rerun") as box:
        if not box.open:
            return
        text = (
            st.text_input("Order id or title", key="recent-orders-text", type="search", max_chars=200) or ""
        )
        found = find(text, _SHOWN)
        if not found:
            st.caption(
                "No order found." if text.strip() else "No orders yet. They appear here once they are sent."
            )
        for attempt in found:
            _row(attempt)
        if len(found) == _SHOWN:
            st.caption(
                f"The newest {_SHOWN} are shown. Type more of the order id or the title to find others."
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


def _row(attempt: Attempt) -> None:
    units = sum(item.quantity for item in attempt.items)
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        with st.container(gap="xxsmall"):
            st.text(items_words(attempt.items))
            counted = "1 unit" if units == 1 else f"{units} units"
            st.caption(plain(f"{moment(attempt.started_at)} · {counted} · {attempt.order_id}"))
        if st.button("Link", key=f"recent-link-{attempt.attempt_id}"):
            go_to("submit_order", order=attempt.order_id)
        if st.button("Record a sale", key=f"recent-sale-{attempt.attempt_id}"):
            go_to("record_sale", order=attempt.order_id)
