"""A checkout that the service took."""

import streamlit as st

from components.forms.faults import looked_at
from components.frame.failure_notice import reference, reporting_outage
from components.sending.own_drafts import Sending
from components.sending.settling import settling
from warranty.journal import Attempt


def checkout_result(checkout: Sending, attempt: Attempt) -> None:
    """Draw a checkout that the service took, or that a person found taken."""
    with looked_at(attempt.attempt_id):
        if attempt.settled is None:
            st.success("**The service took the checkout.** It sends the customer the welcome e-mail.")
        else:
            st.success("**The checkout was taken**, as was found out.")
    settling(attempt, runtime=checkout.runtime, operator=checkout.operator)
    st.text(f"Order {attempt.order_id}")
    if attempt.returned_id:
        st.caption("The service's own number")
        st.code(attempt.returned_id, language=None)
    next_checkout = reporting_outage(checkout.form.start_anew)
    st.button("Next checkout", key="next-checkout", on_click=next_checkout, type="primary")
    reference(attempt.attempt_id)
