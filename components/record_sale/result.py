"""A recorded sale: the warranty order's id, what was sold, and the next step."""

import streamlit as st

from components.forms.faults import looked_at, plain
from components.frame.failure_notice import reference, reporting_outage
from components.record_sale.confirmation import confirmation_button
from components.sending.own_drafts import Sending
from components.sending.settling import look_up_button, settling
from components.words.attempts import became_words, sold_words
from warranty.journal import Attempt


def sale_result(sale: Sending, attempt: Attempt) -> None:
    """Draw a sale that the service has recorded, or that a person found recorded: then nothing is printed yet."""
    settings, start_anew = sale.runtime.settings, reporting_outage(sale.form.start_anew)
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
        look_up_button(sale.runtime, sale.operator, attempt)
        settling(attempt, runtime=sale.runtime, operator=sale.operator)
    elif attempt.returned_id:
        st.code(attempt.returned_id, language=None)
    for item in attempt.items:
        st.text(sold_words(item, settings.currency))
    st.text(f"Order {attempt.order_id}")
    with st.container(horizontal=True):
        if not attempt.is_hearsay:
            confirmation_button(attempt, settings, sale.runtime.shop_files.catalogue.in_use())
        st.button("Next sale", key="next-sale", on_click=start_anew, type="primary")
        st.button(
            "Another sale on this order",
            key="same-order",
            on_click=start_anew,
            kwargs={"order": attempt.order_id},
        )
    reference(attempt.attempt_id)
