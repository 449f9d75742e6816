"""Checkout: tell the service of a completed sale that includes warranties (POST /api/checkout)."""

from functools import partial

import streamlit as st

from components import wiring
from components.frame.journal_outage import told_when_away
from components.frame.two_columns import work_and_aside
from components.gate import require
from components.notify_checkout.checkout_form import SCREEN, checkout_form
from components.notify_checkout.result import checkout_result, checkout_state
from components.notify_checkout.review import checkout_review
from components.orders.catalogue import catalogue_of
from components.sending import press
from components.sending.own_drafts import open_draft, other_drafts
from components.sending.send_once import SECOND_CHECKOUT, Question, send_when_asked
from warranty.access import Permission
from warranty.journal import AttemptState

operator = require(Permission.NOTIFY_CHECKOUTS)
runtime = wiring.runtime()
settings, desk = runtime.settings, runtime.desk
form, attempt, problem = open_draft(runtime, operator, screen=SCREEN, about="id")

st.title("Checkout", anchor=False)
st.caption("For a sale that is complete and already includes its warranties.")
if attempt is not None and attempt.state is AttemptState.DONE:
    checkout_result(
        attempt, runtime=runtime, operator=operator, next_checkout=told_when_away(form.start_anew)
    )
    st.stop()

summary = st.container()  # always there, so that a summary which appears leaves the form mounted
work, aside = work_and_aside()
with work:
    entered = checkout_form(
        runtime,
        form,
        catalogue_of(settings),
        recent=partial(desk.recent_orders, operator, limit=8),
        story=partial(desk.order_timeline, operator),
    )
with summary:
    form.summary(entered)
with aside, st.container(border=True):
    checkout_review(entered)
    if checkout_state(attempt, problem, runtime=runtime, operator=operator, form=form):
        press.send_button("Send checkout", form.draft_id)
    other_drafts(form, about="id")
send_when_asked(
    entered,
    partial(desk.notify_checkout, operator),
    form=form,
    runtime=runtime,
    operator=operator,
    attempt=attempt,
    in_production=Question("Send this checkout in production?", "Send in production"),
    second=SECOND_CHECKOUT,
    review=partial(checkout_review, entered),
    keep={},
)
