"""New order: submit an order sold without a warranty, and hand over its landing page (POST /api/carts)."""

import streamlit as st

from components import wiring
from components.gate import require
from components.selling.orders.recent_orders import recent_orders
from components.selling.orders.shop_files import shop_files_manager
from components.selling.sending.send_once import filled_in, send_if_pressed
from components.selling.submit_order.order_form import open_order, order_form, order_summary
from components.selling.submit_order.order_result import stored_order
from warranty.access import Permission

operator = require(Permission.SUBMIT_ORDERS)
runtime = wiring.runtime()
settings, desk = runtime.settings, runtime.desk
order = open_order(runtime, operator)

if stored_order(order):
    st.stop()

entered = filled_in(
    order,
    form=lambda: order_form(
        order.form,
        settings=settings,
        catalogue=runtime.shop_files.catalogue.in_use(),
        story=lambda order_id: desk.activity.order_timeline(operator, order_id),
    ),
    beside=lambda entered: order_summary(entered, order),
)
recent_orders(desk, operator)
shop_files_manager(runtime.shop_files, operator)
send_if_pressed(order, entered)
