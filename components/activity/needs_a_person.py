"""What needs a person: attempts whose outcome is not known, each with the one right next step.

An order is sent again, which is harmless. A sale is looked up or looked at, then settled by a person. A checkout is
settled by a person, never sent again by itself.
"""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components.forms.faults import plain
from components.orders.order_actions import order_actions
from components.sending.came_back import orders_that_came_back
from components.sending.ending import failure_of, way_out
from components.sending.settling import settling
from components.wiring import Runtime
from components.words.amounts import counted
from components.words.attempts import KINDS, items_words, moment
from warranty.access import Operator
from warranty.guidance import guidance
from warranty.journal import Attempt

_SHOWN = 5


def activity_open(unknown: Sequence[Attempt], *, runtime: Runtime, operator: Operator) -> None:
    """Draw the queue of orders and what needs a person; draws nothing where all is settled."""
    queue = runtime.desk.queue(operator)
    if queue.oldest is not None:
        st.info(
            f"**{counted(queue.length, 'order waits', 'orders wait')} for the service**, the oldest since "
            f"{moment(queue.oldest)}. What waits is sent by itself, oldest first, as soon as it "
            "answers; the links that the customers have work from then on."
        )
    dropping = partial(settling, runtime=runtime, operator=operator)
    orders_that_came_back(runtime.desk, operator, dropping=dropping)
    if not unknown:
        return
    count = len(unknown)
    st.warning(
        f"**{counted(count, 'needs', 'need')} a person:** "
        "it is not known what became of "
        f"{'it' if count == 1 else 'them'}. Each has one right next step."
    )
    for attempt in unknown[:_SHOWN]:
        with st.container(border=True):
            _one(attempt, runtime, operator)
    if count > _SHOWN:
        st.caption(f"and {count - _SHOWN} more: settle these first.")


def _one(attempt: Attempt, runtime: Runtime, operator: Operator) -> None:
    words = guidance(failure_of(attempt))
    st.markdown(f"**{KINDS[attempt.operation]}: {plain(items_words(attempt.items))}**")
    st.text(f"{moment(attempt.started_at)}, {attempt.operator_name}, order {attempt.order_id}")
    st.caption(f"{words.meaning} {words.next_step}")
    story = runtime.desk.order_timeline(operator, attempt.order_id)
    order_actions(story, currency=runtime.settings.currency, apart_from=attempt.draft_id)
    with st.container(horizontal=True):
        way_out(attempt, runtime=runtime, operator=operator, note="Settled in the activity.")
