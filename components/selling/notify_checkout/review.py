"""What is about to be told to the service beside the form, and what the customer will notice of it."""

import streamlit as st

from components.selling.notify_checkout.checkout_form import EnteredCheckout
from components.selling.notify_checkout.lines import line_words, picked
from components.words.amounts import each_of
from components.words.attempts import short_id
from warranty.language import _


def checkout_review(entered: EnteredCheckout) -> None:
    """Draw the checkout in short, and what it sets off."""
    st.header(_("This checkout"), anchor=False)
    for words in _plans(entered):
        st.text(words)
    order_id, email = entered.content["id"], entered.content["email"]
    st.text(_("Order {order}", order=short_id(order_id)) if order_id else _("Order id: to enter"))
    st.text(_("Welcome e-mail to {email}", email=email) if email else _("E-mail: to enter"))
    st.caption(
        _(
            "As soon as you send this, the customer gets the welcome e-mail with the link to "
            "the customer portal. If they have an active subscription, the other items that "
            "can be covered are added to it."
        )
    )


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
        if sent["warranty_offer_id"]
    ]
