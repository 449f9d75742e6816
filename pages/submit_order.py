"""New order: submit an order sold without a warranty, and hand over its landing page (POST /api/carts)."""

from functools import partial

import streamlit as st

from components import wiring
from components.frame.failure_notice import desk_problem_notice
from components.frame.journal_outage import told_when_away
from components.frame.two_columns import work_and_aside
from components.gate import require
from components.orders.catalogue import catalogue_manager, catalogue_of
from components.orders.recent_orders import recent_orders
from components.sending import press
from components.sending.own_drafts import open_draft, other_drafts
from components.submit_order.order_form import order_form
from components.submit_order.order_result import order_trouble, stored_order
from components.submit_order.order_summary import discard_button, order_summary
from warranty.access import Permission

operator = require(Permission.SUBMIT_ORDERS)
runtime = wiring.runtime()
form, attempt, desk_problem = open_draft(
    runtime, operator, screen="submit_order", about="order_id", copies=True
)
settings, job = runtime.settings, form.draft_id

st.title("New order", anchor=False)
if stored_order(runtime, operator, form, attempt):
    st.stop()

summary = st.container()  # always there, so that a summary which appears leaves the form mounted
catalogue = catalogue_of(settings)
work, aside = work_and_aside()
with work:
    story = partial(runtime.desk.order_timeline, operator)
    entered = order_form(form, catalogue=catalogue, settings=settings, story=story)
with summary:
    form.summary(entered)
with aside, st.container(border=True):
    head = order_summary(entered, currency=settings.currency)
    leave = told_when_away(form.leave)
    if not press.working(runtime.jobs, job, "Sending the order", leave=leave):
        if desk_problem:
            desk_problem_notice(desk_problem)
        if attempt is not None:
            order_trouble(runtime, operator, attempt, leave=leave)
        if attempt is None or attempt.nothing_written:  # else it is sent again, or nobody knows yet
            with head:
                discard_button(form)
            press.send_button("Send order", job)
    other_drafts(form, about="order_id")
recent_orders(partial(runtime.desk.recent_orders, operator))
catalogue_manager(settings, operator, catalogue)

if press.requested(job):
    order, faults = entered.checked()
    form.set_problems(faults)
    if order is None:
        st.rerun()
    form.about_to_send()
    corrects = attempt.attempt_id if attempt is not None and attempt.nothing_written else None
    send = partial(
        runtime.desk.submit_order, draft_id=form.draft_id, screen="submit_order", corrects=corrects
    )
    press.run_once(runtime.jobs, job, partial(send, operator, order))
