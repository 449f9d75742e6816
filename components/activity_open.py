"""What needs a person: attempts whose outcome is not known, each with the one right next step.

An order is sent again, which is harmless. A sale is looked up or looked at, then settled by a person. A checkout is
settled by a person, never sent again by itself.
"""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import sending, session
from components.journal_away import told_when_away
from components.journal_state import failure_of
from components.journal_words import KINDS, items_words, moment
from components.problems import plain
from components.sale_trouble import look_at_sale
from components.wiring import Runtime
from warranty.access import Operator
from warranty.guidance import guidance
from warranty.journal import Attempt

_SHOWN = 5


def activity_open(unknown: Sequence[Attempt], *, runtime: Runtime, operator: Operator) -> None:
    """Draw what needs a person; draws nothing where all is settled."""
    if not unknown:
        return
    count = len(unknown)
    st.warning(
        f"**{count} {'needs' if count == 1 else 'need'} a person:** "
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
    if attempt.operation == "submit_order":
        _send_again(attempt, runtime, operator)
        return
    with st.container(horizontal=True):
        if attempt.operation == "record_sale":
            order = runtime.desk.order(operator, attempt.order_id)
            look_at_sale(runtime, operator, order, attempt)
        _settle(attempt, runtime, operator)


def _send_again(attempt: Attempt, runtime: Runtime, operator: Operator) -> None:
    job = f"again:{attempt.attempt_id}"
    _, problem = sending.take_answer(runtime.jobs, job)
    if sending.working(runtime.jobs, job, "Sending the order again"):
        return
    if problem is not None:
        st.text(str(problem))
    st.button(
        "Send it again (harmless)",
        key=f"again-{attempt.attempt_id}",
        type="primary",
        on_click=runtime.jobs.start_once,
        args=(job, partial(runtime.desk.send_order_again, operator, attempt.attempt_id)),
    )


def _settle(attempt: Attempt, runtime: Runtime, operator: Operator) -> None:
    with st.popover("Say what you found", key=f"settle-{attempt.attempt_id}"):
        is_sale = attempt.operation == "record_sale"
        st.text_input("What did you see? (optional)", key=_note(attempt.attempt_id))
        if is_sale:
            st.text_input("Warranty order id, if you know it (optional)", key=_id(attempt.attempt_id))
        settle = told_when_away(partial(_settled, runtime, operator, attempt.attempt_id))
        st.button(
            "It was recorded" if is_sale else "The e-mail came: it was taken",
            key=f"yes-{attempt.attempt_id}",
            on_click=settle,
            args=(True,),
        )
        st.button(
            "It was not recorded" if is_sale else "It was not taken",
            key=f"no-{attempt.attempt_id}",
            on_click=settle,
            args=(False,),
        )
        st.caption(
            "Not recorded: it may then be entered and sent anew. A repeat of something that was recorded after all "
            + ("may sell one more plan." if is_sale else "mails the customer again.")
        )


def _settled(runtime: Runtime, operator: Operator, attempt_id: str, recorded: bool) -> None:
    note = session.value_of(_note(attempt_id), "").strip()
    returned_id = session.value_of(_id(attempt_id), "").strip()
    runtime.desk.settle(
        operator,
        attempt_id,
        recorded=recorded,
        note=note or "Settled in the activity.",
        returned_id=(returned_id or None) if recorded else None,
    )


def _note(attempt_id: str) -> str:
    return f"note-{attempt_id}"


def _id(attempt_id: str) -> str:
    return f"id-{attempt_id}"
