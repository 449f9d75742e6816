"""What is about to be told to the service beside the form, and what the customer will notice of it."""

import streamlit as st

from components.notify_checkout.checkout_form import EnteredCheckout
from components.notify_checkout.lines import line_words, picked
from components.words.amounts import each_of
from components.words.attempts import short_id


def checkout_review(entered: EnteredCheckout) -> None:
    """Draw the checkout in short, and what it sets off."""
    st.header("This checkout", anchor=False)
    for words in _plans(entered):
        st.text(words)
    order_id, email = entered.content["id"], entered.content["email"]
    st.text(f"Order {short_id(order_id)}" if order_id else "Order id: to enter")
    st.text(f"Welcome e-mail to {email}" if email else "E-mail: to enter")
    st.caption(
        "The customer gets the welcome e-mail as soon as you send this, with the way into the customer portal. "
        "With an active subscription, the other items of this sale that can be covered are added to it."
    )


def checkout_question(entered: EnteredCheckout) -> None:
    """Draw what is asked about: the plans, the order, and who gets the e-mail."""
    content = entered.content
    for words in _plans(entered):
        st.text(words)
    st.text(f"Order {short_id(content['id'])}, welcome e-mail to {content['email']}")


def _plans(entered: EnteredCheckout) -> list[str]:
    """Its plans, as far as they are known: the offer's id where nothing else is."""
    return [
        (
            line_words(picked(line, sent["warranty_offer_id"]))
            or f"Offer {short_id(sent['warranty_offer_id'])}"
        )
        + each_of(sent["quantity"])
        for line, sent in zip(entered.lines, entered.content["line_items"], strict=True)
        if sent["warranty_offer_id"]
    ]
