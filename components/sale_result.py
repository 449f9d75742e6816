"""A recorded sale: the warranty order's id, what was sold, and the next step."""

from collections.abc import Callable

import streamlit as st

from components.confirmation_print import confirmation_button
from components.failure_notice import reference
from components.journal_words import item_name
from components.plan_choice import months_words
from components.price_words import money
from components.problems import plain
from warranty.journal import Attempt, ItemLine
from warranty.settings import Settings


def sale_result(attempt: Attempt, *, settings: Settings, start_anew: Callable[..., None]) -> None:
    """Draw a sale that the service has recorded, or that a person found recorded."""
    if attempt.returned_id:
        st.success(f"Recorded. Warranty order {plain(attempt.returned_id)}. Coverage is active.")
        st.code(attempt.returned_id, language=None)
    else:
        st.success("Recorded, as far as was found out: the service's own number is not known.")
    for item in attempt.items:
        st.text(sold_words(item, settings.currency))
    st.text(f"Order {attempt.order_id}")
    with st.container(horizontal=True):
        confirmation_button(attempt, settings)
        st.button("Next sale", key="next-sale", on_click=start_anew, type="primary")
        st.button(
            "Another sale on this order",
            key="same-order",
            on_click=start_anew,
            kwargs={"order": attempt.order_id},
        )
    reference(attempt.attempt_id)


def sold_words(item: ItemLine, currency: str) -> str:
    """A sold line in words: `24 months on 55in OLED TV: 79.99 USD`."""
    term = months_words(item.term_months) if item.term_months else "A plan"
    kind = f" ({item.warranty_type})" if item.warranty_type else ""
    paid = f": {money(item.warranty_price, currency)}" if item.warranty_price is not None else ""
    units = f", for each of {item.quantity} units" if item.quantity > 1 else ""
    return f"{term}{kind} on {item_name(item)}{paid}{units}"
