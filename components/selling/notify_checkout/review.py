"""A checkout in short: beside the form, in the question, and when it went through; what the customer notices of it."""

import streamlit as st

from components.platform.browser_part import copy_button
from components.selling.notify_checkout.checkout_form import EnteredCheckout
from components.selling.notify_checkout.lines import line_words, picked
from components.selling.sending.own_drafts import Sending
from components.selling.sending.settling import settling
from components.ui.forms.faults import looked_at
from components.ui.frame.failure_notice import reference, reporting_outage
from components.ui.frame.two_columns import next_step, work_and_aside
from components.words.amounts import each_of
from components.words.attempts import became_words, short_id, sold_words
from warranty.desk.journal import Attempt
from warranty.language import _


def checkout_review(entered: EnteredCheckout) -> None:
    """Draw the checkout in short, and what it sets off."""
    st.header(_("This checkout"), anchor=False)
    plans, order_id, email = _plans(entered), entered.content["id"], entered.content["email"]
    for words in plans or [_("No plan yet.")]:
        st.text(words)
    if order_id:
        st.text(_("Order {order}", order=short_id(order_id)))
    if email:
        st.text(_("Welcome e-mail to {email}", email=email))
    if plans:
        st.caption(_("Once sent, the customer gets the welcome e-mail, and an active subscription the other items."))


def checkout_question(entered: EnteredCheckout) -> None:
    """Draw what is asked about: the plans, the order, and who gets the e-mail."""
    content = entered.content
    for words in _plans(entered):
        st.text(words)
    order, email = short_id(content["id"]), content["email"]
    st.text(_("Order {order}, welcome e-mail to {email}", order=order, email=email))


def _plans(entered: EnteredCheckout) -> list[str]:
    """Its plans, as far as they are known: the offer's id where nothing else is."""
    return [
        (
            line_words(picked(line, sent["warranty_offer_id"]))
            or _("Offer {offer}", offer=short_id(sent["warranty_offer_id"]))
        )
        + each_of(sent["quantity"])
        for line, sent in zip(entered.lines, entered.content["line_items"], strict=True)
    ]


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
            email = checkout.form.content.get("email", "")
            order = _("Order {order}", order=short_id(attempt.order_id))
            st.text(f"{order}, {email}" if email else order)
            if attempt.result.returned_id:
                copy_button(_("Copy the service's number"), attempt.result.returned_id)
        if attempt.settled is not None:
            st.text(became_words(attempt))
        settling(attempt, runtime=checkout.runtime, operator=checkout.operator)
        reference(attempt.attempt_id)
    with aside, st.container(border=True):
        st.header(_("Next"), anchor=False)
        st.text(_("The welcome e-mail leads the customer to the portal, to see their plans and file claims."))
        next_checkout = reporting_outage(checkout.form.start_anew)
        with next_step():
            st.button(_("Next checkout"), key="next-checkout", on_click=next_checkout, type="primary", width="stretch")
