"""Activity: everything this desk sent, what became of it, and what needs a person."""

import streamlit as st

from components import wiring
from components.gate import require
from components.shop.activity.attempts_table import (
    activity_filters,
    activity_open,
    csv_button,
    journal_table,
    listed_words,
    nothing_here,
)
from components.shop.activity.order_timeline import timeline_order
from components.words.attempts import clock_of
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.SEE_OWN_ACTIVITY)
runtime = wiring.runtime()
desk = runtime.desk
PAGE = 100

st.title(_("Activity"), anchor=False)
with clock_of(runtime.staff.tills.time_zone(operator)):
    people = {name: account.name for name, account in runtime.staff.sign_in.people().by_username.items()}
    top, filters = st.container(), st.container()
    with filters:
        requested = activity_filters(operator, people, now=desk.now())
    with top:
        activity_open(desk.activity.attempts(operator, requested.unknown()), runtime=runtime, operator=operator)

    count = desk.activity.count_attempts(operator, requested.filter)
    order_id = requested.filter.text
    if count:
        pages = -(-count // PAGE)  # a page begun is a page
        page = st.pagination(pages, key="page") if pages > 1 else 1
        # Above the table, which comes late on a slow line: below it this would be moved.
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
            st.caption(listed_words(count, requested.days), width="content")
            csv_button(requested, desk, operator)
        listed = desk.activity.attempts(operator, requested.page(page, PAGE))
        corrected = desk.activity.corrected(operator, listed)
        picked = journal_table(listed, key=f"activity-{requested.name}-{page}", now=desk.now(), corrected=corrected)
        order_id = picked.order_id if picked else order_id
    story = desk.activity.order_timeline(operator, order_id) if order_id else []
    if story:
        timeline_order(order_id, story, runtime=runtime, operator=operator)
    elif not count:
        nothing_here(requested.days, widest=requested.filter.start is None)
