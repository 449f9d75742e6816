"""A checkout that went through: what was sold, who hears of it, and the next step."""

import streamlit as st

from components.platform.browser_part import copy_button
from components.selling.sending.own_drafts import Sending
from components.selling.sending.settling import settling
from components.ui.forms.faults import looked_at
from components.ui.frame.failure_notice import reference, reporting_outage
from components.ui.frame.two_columns import next_step, work_and_aside
from components.words.attempts import became_words, short_id, sold_words
from warranty.desk.journal import Attempt
from warranty.language import _


def checkout_result(checkout: Sending, attempt: Attempt) -> None:
    """Draw a checkout that the service took, or that a person found taken."""
    work, aside = work_and_aside()
    with work:
        with looked_at(attempt.attempt_id):
            if attempt.settled is None:
                st.success(_("**The checkout went through.**"))
            else:
                st.success(_("**The checkout went through**, as it was settled."))
        with st.container(border=True):
            st.header(_("Sold"), anchor=False)
            for item in attempt.items:
                st.text(sold_words(item, checkout.runtime.settings.currency))
            # The journal holds no customers: only the tab that sent it still knows the address.
            email = checkout.form.kept("email", "")
            order = _("Order {order}", order=short_id(attempt.order_id))
            st.text(f"{order}, {email}" if email else order)
            if attempt.returned_id:
                copy_button(_("Copy the service's number"), attempt.returned_id)
        if attempt.settled is not None:
            st.text(became_words(attempt))
        settling(attempt, runtime=checkout.runtime, operator=checkout.operator)
        reference(attempt.attempt_id)
    with aside, st.container(border=True):
        st.header(_("Next"), anchor=False)
        st.text(
            _(
                "The service sends the customer the welcome e-mail with the link to the "
                "customer portal. There they see their plans and file claims."
            )
        )
        next_checkout = reporting_outage(checkout.form.start_anew)
        with next_step():
            st.button(_("Next checkout"), key="next-checkout", on_click=next_checkout, type="primary", width="stretch")
