"""Orders of this desk as buttons: a click takes one into a form."""

from collections.abc import Sequence

import streamlit as st

from components.forms.draft_form import DraftForm
from components.forms.faults import plain
from components.words.attempts import items_words, moment
from warranty.journal import Attempt


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


def short_id(order_id: str) -> str:
    """The beginning of an order id, enough to tell it from others on a screen."""
    return order_id if len(order_id) <= 13 else f"{order_id[:12]}…"
