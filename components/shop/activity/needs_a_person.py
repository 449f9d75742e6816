"""What needs a person: attempts whose outcome is not known, a row for each with its one next step.

An order is sent again, which is harmless. A sale is looked up where that can be, else looked at and settled by a
person. A checkout is settled by a person, never sent again by itself.
"""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.selling.orders.order_actions import order_actions
from components.selling.sending.came_back import orders_that_came_back
from components.selling.sending.ending import way_out
from components.ui.frame.polling import poll
from components.wiring import Runtime
from components.words.amounts import money
from components.words.attempts import amount_of, became_words, items_words, kind_words, moment, short_id, short_moment
from warranty.access import Operator
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.language import N_, _, ngettext
from warranty.language.written import number

_SHOWN: Final = 8
_POLL_SECONDS: Final = 1.0
_LISTED: Final = "activity-unknown"


def activity_open(unknown: Sequence[Attempt], *, runtime: Runtime, operator: Operator) -> None:
    """Draw the queue of orders and what needs a person; draws nothing where all is settled."""
    queue = runtime.desk.activity.queue(operator)
    _look_after_what_moves(queue.length, runtime, operator)
    if queue.oldest is not None:
        st.info(
            ngettext(
                "**{n} order is waiting for the service** (since {when}). It will be sent automatically, and the "
                "customer's link works from then on.",
                "**{n} orders are waiting for the service** (the oldest since {when}). They will be sent "
                "automatically, and the customers' links work from then on.",
                queue.length,
                n=number(queue.length),
                when=moment(queue.oldest),
            )
        )
    listed = {attempt.attempt_id for attempt in unknown}
    before: tuple[Attempt, ...] = session.recall(_LISTED, ())
    session.remember(_LISTED, tuple(unknown))
    for was in (each for each in before if each.attempt_id not in listed):  # who asked reads what was found
        for now in runtime.desk.activity.order_timeline(operator, was.order_id):
            if now.attempt_id == was.attempt_id and not now.state.is_open:
                st.info(plain(f"{items_words(now.items)}: {became_words(now)}."))
    orders_that_came_back(runtime, operator)
    if not unknown:
        return
    st.warning(
        _(
            "**{n} to check: we don't know yet what went through.** Sending the same order again is harmless; "
            "never repeat a sale or a checkout before you know.",
            n=number(len(unknown)),
        )
    )
    with st.container(border=True, gap="small"):
        for attempt in unknown[:_SHOWN]:
            _row(attempt, runtime, operator)
    if len(unknown) > _SHOWN:
        st.caption(_("and {n} more: settle these first.", n=number(len(unknown) - _SHOWN)))


def _look_after_what_moves(waiting: int, runtime: Runtime, operator: Operator) -> None:
    """Draw the screen anew when something that this person has on its way has ended, or fewer orders, or more, wait."""
    own = AttemptFilter(states=frozenset({AttemptState.SENDING}), username=operator.username, limit=None)
    activity = runtime.desk.activity
    under_way = activity.count_attempts(operator, own)
    if under_way or waiting:
        poll(
            lambda: (activity.count_attempts(operator, own), activity.queue(operator).length) == (under_way, waiting),
            every=_POLL_SECONDS,
        )


def _row(attempt: Attempt, runtime: Runtime, operator: Operator) -> None:
    """What it is, what it is worth, and its one next step."""
    what, worth, step = st.columns([5, 2, 3], vertical_alignment="center", gap="small")
    with what, st.container(gap=None):
        st.markdown(f"**{kind_words(attempt.operation)}:** {plain(items_words(attempt.items))}")
        when = short_moment(attempt.started_at, runtime.desk.now())
        summary = _(
            "{when}, {person}, order {order}", when=when, person=attempt.operator_name, order=short_id(attempt.order_id)
        )
        st.caption(plain(summary))
    amount = amount_of(attempt)
    worth.text("" if amount is None else money(amount, runtime.settings.currency))

    def story() -> None:
        done = runtime.desk.activity.order_timeline(operator, attempt.order_id)
        order_actions(done, currency=runtime.settings.currency, apart_from=attempt.draft_id)

    with step, st.container(gap="xsmall"):
        way_out(attempt, runtime=runtime, operator=operator, note=N_("Settled in the activity."), story=story)
