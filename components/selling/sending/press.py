"""Sending as people see it: a button that starts one job, a working state that can be left, an answer that stays."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import streamlit as st

from components.platform import session
from components.platform.serving.jobs import JobRegistry
from components.ui.frame.failure_notice import BEING_UPDATED, reporting_outage
from components.ui.frame.polling import poll
from warranty.errors import DeskError
from warranty.language import _

_POLL_SECONDS = 0.4
_UNUSUAL = timedelta(seconds=8)


def send_button(label: str, key: str) -> None:
    """The main button of a screen: full width, Ctrl+Enter.

    A press is only noted here; `requested` finds the note in the run that follows, when the form has been read. A
    callback must not send: it would hold what stood in the form one run ago.
    """
    st.button(
        label, key=f"send:{key}", on_click=request, args=(key,), type="primary", width="stretch", shortcut="Ctrl+Enter"
    )


def request(key: str, confirmed: str = "pressed") -> None:
    """Note that this is to be sent, as the button does, or that a question about it was answered; for callbacks."""
    session.remember(f"requested.{key}", confirmed)


def requested(key: str) -> str:
    """Whether the send button of this key was pressed, and what was confirmed then; takes the note away."""
    pressed: str = session.recall(f"requested.{key}", "")
    session.forget(f"requested.{key}")
    return pressed


def working(
    jobs: JobRegistry,
    key: str,
    doing: str,
    *,
    when_late: Callable[[], None] | None = None,
    late_after: timedelta = _UNUSUAL,
) -> bool:
    """Draw the working state while the job of this key runs, and say whether it does.

    `when_late` draws what may be done when it takes longer than `late_after`; the script starts anew then.

    The state looks after itself: it polls, and starts the script anew when the job has ended. Leaving the screen
    does not stop the job.
    """
    if jobs.finished(key):  # it ended while this run drew the screen: what was read before is out of date
        st.rerun()
    if not jobs.running(key):
        return False
    late = jobs.age(key) >= late_after

    def draw() -> bool:
        age = jobs.age(key)
        if not jobs.running(key) or late != (age >= late_after):
            return False
        seconds = age.seconds
        for_long = f" ({seconds} s)" if seconds else ""
        st.info(
            f"{doing}{for_long}. "
            + (_("This takes unusually long: the service is slow to answer.") + " " if late else "")
            + _("You can leave this screen; the answer will be here when you come back.")
        )
        return True

    poll(draw, every=_POLL_SECONDS)
    if late and when_late is not None:
        when_late()
    return True


def take_answer(jobs: JobRegistry, key: str) -> tuple[Any, DeskError | None]:
    """The answer of a finished job, or the problem of ours that ended it; (None, None) when there is none."""
    if not jobs.finished(key):
        return None, None
    try:
        return jobs.take(key), None
    except DeskError as problem:
        return None, problem


def job_button(
    label: str,
    *,
    jobs: JobRegistry,
    job: str,
    doing: str,
    work: Callable[[], object],
    show_answer: Callable[[Any], None] = lambda answer: None,
    **button: Any,
) -> None:
    """Draw a button that starts a job, its working state, and what ended it; `show_answer` draws its answer."""
    answer, problem = take_answer(jobs, job)
    if working(jobs, job, doing):
        return
    if problem is not None:
        st.text(str(problem))
    show_answer(answer)
    if jobs.closing.is_set():
        st.info(_(BEING_UPDATED))
        return
    st.button(label, type="primary", on_click=reporting_outage(jobs.start_once), args=(job, work), **button)
