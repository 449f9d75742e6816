"""What became of a checkout: taken, refused, or not known, which is never repeated by itself."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.forms.draft_form import DraftForm
from components.forms.faults import looked_at
from components.frame.failure_notice import reference
from components.frame.journal_outage import told_when_away
from components.sending.attempt_state import AT_THE_COUNTER, StateWords, attempt_state
from components.sending.settling import settling
from components.wiring import Runtime
from warranty.access import Operator
from warranty.errors import DeskError
from warranty.journal import Attempt

WORDS: Final = StateWords(
    doing="Telling the service of this checkout",
    not_recorded="This checkout was not taken, as was found out. Nothing speaks against sending it now.",
    wait="Ask the customer for the welcome e-mail, and give it a few minutes. Then say what you found:",
    leave="Leave it for later: next checkout",
    anew="Next checkout",
)


def checkout_result(
    attempt: Attempt, *, runtime: Runtime, operator: Operator, next_checkout: Callable[[], None]
) -> None:
    """Draw a checkout that the service took."""
    with looked_at(attempt.attempt_id):
        if attempt.settled is None:
            st.success("**The service took the checkout.** It sends the customer the welcome e-mail.")
        else:
            st.success("**The checkout was taken**, as was found out.")
    if attempt.settled is not None:
        settling(attempt, runtime=runtime, operator=operator, note=AT_THE_COUNTER)
    st.text(f"Order {attempt.order_id}")
    if attempt.returned_id:
        st.caption("The service's own number")
        st.code(attempt.returned_id, language=None)
    st.button("Next checkout", key="next-checkout", on_click=next_checkout, type="primary")
    reference(attempt.attempt_id)


def checkout_state(
    attempt: Attempt | None,
    problem: DeskError | None,
    *,
    runtime: Runtime,
    operator: Operator,
    form: DraftForm,
) -> bool:
    """Draw how far the checkout has come, and say whether it may be sent (again); `problem` is one of ours."""
    return attempt_state(
        attempt,
        problem,
        runtime=runtime,
        operator=operator,
        draft_id=form.draft_id,
        words=WORDS,
        look=lambda _: None,
        leave=told_when_away(form.leave),
    )
