"""Something that another tab or another machine is sending: looked at until there is an answer."""

from collections.abc import Callable

import streamlit as st

from components.looking_again import looking_again
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
        st.info(f"{doing}. It was begun in another window; the answer will be shown here.")
        return True

    looking_again(draw, every=_POLL_SECONDS, key=f"elsewhere:{attempt.attempt_id}")
    return True
