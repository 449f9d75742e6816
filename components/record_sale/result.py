"""A recorded sale: the warranty order's id, what was sold, and the next step."""

from collections.abc import Callable

import streamlit as st

from components.forms.faults import looked_at, plain
from components.frame.failure_notice import reference
from components.record_sale.confirmation import confirmation_button
from components.sending.attempt_state import AT_THE_COUNTER
from components.sending.look_up import looked_up
from components.sending.settling import settling
from components.wiring import Runtime
from components.words.attempts import became_words, sold_words
from warranty.access import Operator
from warranty.journal import Attempt


def sale_result(
    attempt: Attempt, *, runtime: Runtime, operator: Operator, start_anew: Callable[..., None]
) -> None:
    """Draw a sale that the service has recorded, or that a person found recorded: then nothing is printed yet."""
    settings = runtime.settings
    with looked_at(attempt.attempt_id):
        if attempt.is_hearsay:
            st.info(
                "**Recorded, as a person found.** The service itself has not shown it yet, so there is no "
                "confirmation to print for the customer."
            )
        elif attempt.returned_id:
            st.success(f"Recorded. Warranty order {plain(attempt.returned_id)}. Coverage is active.")
        else:
            st.success("Recorded. The service shows the sale; its own number is not known.")
    if attempt.is_hearsay:
        st.text(became_words(attempt))
        looked_up(runtime, operator, attempt)
        settling(attempt, runtime=runtime, operator=operator, note=AT_THE_COUNTER)
    elif attempt.returned_id:
        st.code(attempt.returned_id, language=None)
    for item in attempt.items:
        st.text(sold_words(item, settings.currency))
    st.text(f"Order {attempt.order_id}")
    with st.container(horizontal=True):
        if not attempt.is_hearsay:
            confirmation_button(attempt, settings)
        st.button("Next sale", key="next-sale", on_click=start_anew, type="primary")
        st.button(
            "Another sale on this order",
            key="same-order",
            on_click=start_anew,
            kwargs={"order": attempt.order_id},
        )
    reference(attempt.attempt_id)
