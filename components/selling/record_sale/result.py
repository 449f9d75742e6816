"""A recorded sale: what was sold for how much, the warranty order's id, what the customer gets, and the next step."""

import streamlit as st

from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.selling.orders.confirmation import confirmation_button
from components.selling.sending.own_drafts import Sending
from components.selling.sending.settling import look_up_button, settling
from components.system.customer_screen.shown import plans, sold_plans
from components.system.customer_screen.telling import tell
from components.ui.forms.faults import looked_at
from components.ui.frame.failure_notice import reference, reporting_outage
from components.ui.frame.two_columns import next_step, work_and_aside
from components.words.amounts import money
from components.words.attempts import amount_of, became_words, short_id, sold_words
from warranty.desk.journal import Attempt
from warranty.language import _


def sale_result(sale: Sending, attempt: Attempt) -> None:
    """Draw a sale that the service has recorded, or that a person found recorded: then nothing is printed yet."""
    settings, start_anew = sale.runtime.settings, reporting_outage(sale.form.start_anew)
    is_hearsay = attempt.settled is not None and attempt.settled.is_hearsay
    number = attempt.result.returned_id
    if not is_hearsay:
        sold = plans(sold_plans(attempt.items), currency=settings.currency, sold=True)
        tell(sale.runtime.customer_screens, sale.operator, sold)
    work, aside = work_and_aside()
    with work:
        with looked_at(attempt.attempt_id):
            if is_hearsay:
                st.info(_("**Recorded, as you settled it.** The service has not shown it yet: nothing can be printed."))
            elif number:
                st.success(_("**Recorded.** Warranty order {order} is active.", order=plain(short_id(number))))
            else:
                st.success(_("**Recorded.** The service shows the sale, but not its number."))
        with st.container(border=True):
            st.header(_("Sold"), anchor=False)
            for item in attempt.items:
                st.text(sold_words(item, settings.currency, sold_at=attempt.started_at))
            if (paid := amount_of(attempt)) is not None:
                st.metric(_("Paid"), money(paid, settings.currency))
            st.text(_("Order {order}", order=short_id(attempt.order_id)))
            if number:
                copy_button(_("Copy warranty order number"), number, kind="plain")
        if is_hearsay:
            st.text(became_words(attempt))
            look_up_button(sale.runtime, sale.operator, attempt)
            settling(attempt, runtime=sale.runtime, operator=sale.operator)
            reference(attempt.attempt_id)
    with aside, st.container(border=True):
        st.header(_("Next"), anchor=False)
        if not is_hearsay:
            st.text(_("Give the customer the confirmation: they need its number to make a claim."))
            confirmation_button(attempt, settings, sale.runtime.shop_files.catalogue.in_use(), width="stretch")
        with next_step():
            st.button(_("Next sale"), key="next-sale", on_click=start_anew, type="primary", width="stretch")
        st.button(
            _("Another sale on this order"),
            key="same-order",
            on_click=start_anew,
            kwargs={"order": attempt.order_id},
            width="stretch",
        )
