"""Record sale: a plan sold after the order, paid at the counter (POST /api/post-purchase-checkout)."""

from functools import partial

import streamlit as st

from components import wiring
from components.frame.journal_outage import told_when_away
from components.frame.two_columns import work_and_aside
from components.gate import require
from components.record_sale.order import read_order, sale_order
from components.record_sale.order_knowledge import SENT, sale_knowledge
from components.record_sale.result import sale_result
from components.record_sale.review import sale_review
from components.record_sale.sale_form import sale_form
from components.record_sale.state import sale_state
from components.record_sale.usual_prices import usual_prices
from components.sending import press
from components.sending.own_drafts import open_draft, other_drafts
from components.sending.send_once import SECOND_SALE, Question, send_when_asked
from warranty.access import Permission
from warranty.journal import AttemptState

operator = require(Permission.RECORD_SALES)
runtime = wiring.runtime()
settings, desk = runtime.settings, runtime.desk
form, attempt, problem = open_draft(
    runtime,
    operator,
    screen="record_sale",
    about="order",
    read=lambda typed: read_order(typed, retailer_uuid=settings.retailer_uuid).order_id,
    asked_for=st.query_params.pop("order", ""),
)

st.title("Record sale", anchor=False)
if attempt is not None and attempt.state is AttemptState.DONE:
    sale_result(attempt, runtime=runtime, operator=operator, start_anew=told_when_away(form.start_anew))
    st.stop()

summary = st.container()  # always there, so that a summary which appears leaves the form mounted
work, aside = work_and_aside()
prices = usual_prices(settings)
with work:
    order_id = sale_order(form, settings=settings, recent=partial(desk.recent_orders, operator))
    known = sale_knowledge(runtime, operator, form, order_id=order_id, attempt=attempt)
    entered = sale_form(form, known, currency=settings.currency, usual_price=prices.of)
with summary:
    form.summary(entered)
with aside, st.container(border=True):
    sent = attempt if attempt and attempt.is_open else None
    sale_review(entered, currency=settings.currency, price_problem=prices.problem, sent=sent)
    if sale_state(attempt, problem, runtime=runtime, operator=operator, form=form, order=known.order):
        press.send_button("Record sale", form.draft_id)
    other_drafts(form, about="order")
send_when_asked(
    entered,
    partial(desk.record_sale, operator),
    form=form,
    runtime=runtime,
    operator=operator,
    attempt=attempt,
    in_production=Question("Record this sale in production?", "Record in production"),
    second=SECOND_SALE,
    review=partial(sale_review, entered, currency=settings.currency),
    keep={SENT: [line.item.key for line in entered.lines]},
)
