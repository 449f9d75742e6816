"""A working state that looks after itself: drawn again and again until the work has ended, then the screen anew."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.gate import recheck
from components.ui.frame.failure_notice import journal_notice
from warranty.access import Permission
from warranty.errors import JournalUnavailable

_LOOK_SECONDS: Final = 60


def poll(draw: Callable[[], bool], *, every: float, permission: Permission | None = None) -> None:
    """Draw with `draw` every so many seconds until it says False: then the whole screen is drawn.

    `permission` is what one must be allowed to go on seeing it.
    """

    @st.fragment(run_every=every)
    def again() -> None:
        recheck(permission, by_itself=True)
        try:
            going_on = draw()
        except JournalUnavailable as problem:  # no shell around this run would say so
            journal_notice(problem)
            going_on = True
        if not going_on:
            st.rerun()

    again()


@st.fragment(run_every=_LOOK_SECONDS)
def look_in() -> None:
    """Have this tab look each minute whether its person is still in, and draw the form for one who is not."""
    recheck(by_itself=True)
