"""Checkout: tell the service of a completed sale that includes warranties (POST /api/checkout).

The service mails the customer each time it is told, so a second time is asked about first.
"""

import streamlit as st

from components import wiring
from components.gate import require
from components.selling.notify_checkout.checkout_form import checkout_form, checkout_result, checkout_review
from components.selling.sending.own_drafts import open_draft
from components.selling.sending.send_once import filled_in, send_if_pressed
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.NOTIFY_CHECKOUTS)
runtime = wiring.runtime()
checkout = open_draft(runtime, operator, screen="notify_checkout", about="id")

st.title(_("Checkout"), anchor=False)
st.caption(_("Plan added later? Use Record sale."))
if checkout.done:
    checkout_result(checkout, checkout.done)
    st.stop()

entered = filled_in(
    checkout,
    form=lambda: checkout_form(checkout),
    beside=lambda entered: checkout_review(entered, runtime.settings.currency),
)
send_if_pressed(checkout, entered)
