"""A press whose work the journal could not keep: the run that follows says so, where the platform would show a box."""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec

import streamlit as st

from components import session
from components.frame.failure_notice import journal_notice
from warranty.errors import JournalUnavailable

P = ParamSpec("P")

_UNTOLD: Final = "journal-away"


def reporting_outage(callback: Callable[P, object]) -> Callable[P, None]:
    """The callback, which does nothing where the journal cannot be reached, and leaves it to `tell` to say so."""

    @wraps(callback)
    def press(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            callback(*args, **kwargs)
        except JournalUnavailable as problem:
            session.remember(_UNTOLD, problem)

    return press


def tell() -> None:
    """Draw, once, that the last press did nothing."""
    problem: JournalUnavailable | None = session.recall(_UNTOLD, None)
    with (
        st.container()
    ):  # always there, so that what stands below stays mounted when the sentence comes and goes
        if problem is not None:
            session.forget(_UNTOLD)
            journal_notice(problem)
