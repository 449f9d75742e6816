"""Record sale: a plan sold after the order, paid at the counter (POST /api/post-purchase-checkout)."""

import streamlit as st

from components import wiring
from components.gate import require
from components.selling.orders.plan_choice import usual_prices
from components.selling.record_sale.order_knowledge import order_entered
from components.selling.record_sale.sale_form import sale_form, sale_result, sale_review
from components.selling.sending.own_drafts import open_draft
from components.selling.sending.send_once import filled_in, send_if_pressed
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.RECORD_SALES)
runtime = wiring.runtime()
sale = open_draft(
    runtime,
    operator,
    screen="record_sale",
    about="order",
    read=lambda typed: order_entered(typed, runtime.settings.retailer_uuid)[0],
    parameter="order",
)

st.title(_("Record sale"), anchor=False)
if sale.done:
    sale_result(sale, sale.done)
    st.stop()

prices = usual_prices(runtime.shop_files)
entered = filled_in(
    sale,
    form=lambda: sale_form(sale, prices=prices),
    beside=lambda entered: sale_review(entered, sale, price_problem=prices.problem),
)
send_if_pressed(sale, entered)
