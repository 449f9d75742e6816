"""A checkout in short: beside the form, in the question, and when it went through; what the customer notices of it."""

from functools import partial

import streamlit as st

from components.selling.notify_checkout.checkout_form import EnteredCheckout
from components.selling.sending.ending import went_through
from components.selling.sending.own_drafts import Sending
from components.words.amounts import each_of, plan_words
from components.words.attempts import short_id, sold_words
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
        st.caption(_("Once sent, the customer gets the welcome e-mail. An active subscription gets the other items."))


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
        sold_words(item, entered.currency)
        if item.title or item.product_id
        else (
            plan_words(item.term_months, item.warranty_type)
            or _("Offer {offer}", offer=short_id(sent["warranty_offer_id"]))
        )
        + each_of(item.quantity)
        for item, sent in zip(entered.items(), entered.content["line_items"], strict=True)
    ]


def checkout_result(checkout: Sending, attempt: Attempt) -> None:
    """Draw a checkout that the service took, or that a person found taken."""
    settled = _("**The checkout went through**, as it was settled.")
    # The journal holds no customers: only the tab that sent it still knows the address.
    of_whom = filter(
        None, (_("Order {order}", order=short_id(attempt.order_id)), checkout.form.content.get("email", ""))
    )
    ahead = _("The welcome e-mail leads the customer to the portal, to see their plans and file claims.")
    went_through(
        checkout,
        attempt,
        _("**The checkout went through.**") if attempt.settled is None else settled,
        sold=[*(sold_words(item, checkout.runtime.settings.currency) for item in attempt.items), ", ".join(of_whom)],
        copied=_("Copy the service's number"),
        first=partial(st.text, ahead),
        following=_("Next checkout"),
    )
