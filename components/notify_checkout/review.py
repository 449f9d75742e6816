"""What is about to be told to the service beside the form, and what the customer will notice of it."""

import streamlit as st

from components.notify_checkout.checkout_form import EnteredCheckout
from components.notify_checkout.lines import line_words, picked


def checkout_review(entered: EnteredCheckout) -> None:
    """Draw the checkout in short, and what it sets off."""
    st.header("This checkout")
    content = entered.content
    for line, sent in zip(entered.lines, content["line_items"], strict=True):
        if sent["warranty_offer_id"]:
            units = f" ({sent['quantity']} units)" if sent["quantity"] not in {"", "1"} else ""
            known = line_words(picked(line, sent["warranty_offer_id"]))
            st.text(f"{known or 'Offer ' + sent['warranty_offer_id'][:8] + '…'}{units}")
    st.text(f"Order {content['id']}" if content["id"] else "Order id: still to enter")
    st.info(
        "**The customer will get a welcome e-mail** as soon as this is sent, with the way into the customer "
        "portal. If the customer has an active subscription, the other eligible items of this sale are added to it."
    )
    st.text(f"E-mail goes to {content['email']}" if content["email"] else "E-mail: still to enter")
