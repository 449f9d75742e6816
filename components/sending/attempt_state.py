"""What became of something that was sent, as its screen shows it: on its way, refused, not sent, or not known."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from components.forms.faults import looked_at
from components.frame.failure_notice import desk_problem_notice, failure_notice
from components.sending import press
from components.sending.sent_elsewhere import sent_elsewhere
from components.sending.settling import settling
from components.wiring import Runtime
from warranty.access import Operator
from warranty.errors import DeskError, Failure
from warranty.journal import Attempt, AttemptState

AT_THE_COUNTER: Final = "Found out at the counter."


@dataclass(frozen=True, slots=True, kw_only=True)
class StateWords:
    """What a screen says of its own thing."""

    doing: str
    not_recorded: str
    wait: str
    leave: str
    anew: str


def attempt_state(
    attempt: Attempt | None,
    problem: DeskError | None,
    *,
    runtime: Runtime,
    operator: Operator,
    draft_id: str,
    words: StateWords,
    look: Callable[[Attempt], None],
    leave: Callable[[], None],
) -> bool:
    """Draw how far it has come, and say whether it may be sent (again).

    `problem` is one of ours; `look` draws where a person can look before deciding what became of an unknown attempt;
    `leave` begins the next one and leaves this to the activity.
    """
    if press.working(runtime.jobs, draft_id, words.doing):
        return False
    if sent_elsewhere(attempt, partial(runtime.desk.attempt_of, draft_id), words.doing):
        _leave_button(words, leave)
        return False
    if problem is not None:
        with looked_at(f"{draft_id}-problem"):
            desk_problem_notice(problem)
    if attempt is None:
        return True
    if attempt.state is AttemptState.NOT_RECORDED:
        st.info(words.not_recorded)
        settling(attempt, runtime=runtime, operator=operator, note=AT_THE_COUNTER)
    else:
        with looked_at(attempt.attempt_id):
            failure_notice(failure_of(attempt))
    if attempt.state is not AttemptState.UNKNOWN:
        st.button(words.anew, key="next-one", type="tertiary", on_click=leave)
        return True
    look(attempt)
    st.caption(words.wait)
    settling(attempt, runtime=runtime, operator=operator, note=AT_THE_COUNTER)
    _leave_button(words, leave)
    return False


def _leave_button(words: StateWords, leave: Callable[[], None]) -> None:
    st.button(words.leave, key="leave-it", type="tertiary", on_click=leave)


def failure_of(attempt: Attempt) -> Failure:
    """Why it did not end as asked; of an attempt whose process ended before the answer nothing is known."""
    return attempt.failure or Failure(
        kind="OutcomeUnknown",
        operation=attempt.operation,
        attempt_id=attempt.attempt_id,
        status=None,
        nothing_written=False,
    )
