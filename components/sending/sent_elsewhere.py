"""Something on its way that this process is not sending, or not any more: looked at until there is an answer."""

import math
from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from components.forms.faults import plain
from components.frame.polling import looking_again
from components.words.attempts import clock_time
from components.words.money import counted
from warranty.journal import Attempt, AttemptState

_POLL_SECONDS = 1.0


def sent_elsewhere(attempt: Attempt | None, look: Callable[[], Attempt | None], doing: str) -> bool:
    """Draw the working state while the attempt is on its way, and say whether it is; `look` reads it anew."""
    if attempt is None or attempt.state is not AttemptState.SENDING:
        return False

    def draw() -> bool:
        newest = look()
        if newest is None or newest.state is not AttemptState.SENDING:
            return False
        seconds = max(1, math.ceil((newest.deadline - datetime.now(UTC)).total_seconds()))
        st.info(
            f"{doing}: begun at {clock_time(newest.started_at)} by {plain(newest.operator_name)}, "
            f"and not answered yet. Without an answer in {counted(seconds, 'second')} it counts as unknown, "
            "and you can find out here what became of it."
        )
        return True

    looking_again(draw, every=_POLL_SECONDS, key=f"elsewhere:{attempt.attempt_id}")
    return True
