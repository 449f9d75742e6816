"""One more question: before something is destroyed, or sent a second time.

A question in a dialog is held open by a note, since a dialog that is opened by a button is gone at the next run.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import streamlit as st

from components.gate import recheck
from components.platform import session
from components.ui.frame.failure_notice import reporting_outage
from warranty.language import _


def ask_first(
    label: str,
    yes: str,
    *,
    lost: str,
    key: str,
    on_click: Callable[..., object],
    kind: Literal["secondary", "tertiary"] = "secondary",
) -> None:
    """A deed that destroys: the first press says what is lost, the second one, a callback, does it.

    Only for who is still signed in by then (`reporting_outage`).
    """
    with st.popover(label, type=kind, key=f"ask:{key}"):
        st.text(lost)
        st.button(yes, key=key, on_click=reporting_outage(on_click))


def open_question(key: str, about: object) -> None:
    """Open the question of this key, about something: from the next run on the screen draws it."""
    session.remember(f"asking.{key}", about)


def question_subject(key: str) -> Any:
    """What the open question of this key is about; None while none is open."""
    return session.recall(f"asking.{key}", None)


def close_question(key: str) -> None:
    """Close the question of this key, if it is open."""
    session.forget(f"asking.{key}")


def ask_in_dialog(question: str, body: Callable[[], object], *, yes: str, key: str, on_yes: Callable[[], None]) -> None:
    """Draw the open question of this key, with `body` in it; a press of `yes` calls `on_yes`, all else closes it.

    It stays open where the journal could not keep the answer.
    """
    about, close = question_subject(key), partial(close_question, key)

    @reporting_outage
    def answer() -> None:
        if question_subject(key) == about:  # else it is the second press of a double click
            on_yes()
            close()

    @st.dialog(question, on_dismiss=close)
    def ask() -> None:
        recheck()
        body()
        with st.container(horizontal=True):
            answers = (
                st.button(yes, key=f"confirm:{key}", type="primary", on_click=answer),
                st.button(_("Back"), key=f"unconfirm:{key}", on_click=close),
            )
        if any(answers):
            st.rerun()  # a press in a dialog draws the dialog alone; what follows is the screen's

    ask()
