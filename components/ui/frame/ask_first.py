"""One more question: before something is destroyed, or sent a second time; and a form of a person's own, in a dialog.

A question in a dialog is held open by a note, since a dialog that is opened by a button is gone at the next run.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

from components.gate import recheck
from components.platform import session
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Permission
from warranty.language import _

_SAID_FOR: Final = 10.0  # seconds


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


@dataclass(frozen=True, slots=True)
class OwnDialog:
    """A dialog with a form in which a person chooses something of their own, and what is said of it."""

    key: str
    permission: Permission | None = None

    def open(self) -> None:
        """Open it with the next run; for callbacks."""
        self.refuse(None)
        open_question(self.key, self.key)

    @property
    def problem(self) -> Any:
        """Why the form was refused last; None where it was not."""
        return session.recall(f"{self.key}-said", None)

    def refuse(self, problem: object) -> None:
        """Leave it open, and note why."""
        session.remember(f"{self.key}-said", problem)

    def close(self, *fields: str) -> None:
        """Close it, with these fields empty: it is done."""
        self.refuse(None)
        session.clear(*fields)
        close_question(self.key)
        session.remember(f"{self.key}-done", time.monotonic())

    def draw(self, title: str, form: Callable[[], bool], *, done: str) -> None:
        """Draw it, if it is open; `form` gives whether its button was pressed. Say that it is `done`.

        That is said by each run of some seconds: a new cookie brings a run of its own, which would take it away unread.
        """
        if time.monotonic() - session.recall(f"{self.key}-done", float("-inf")) < _SAID_FOR:
            st.toast(done, icon=":material/check:", duration="long")
        if question_subject(self.key) is None:
            return

        @st.dialog(title, on_dismiss=partial(close_question, self.key))
        def ask() -> None:
            recheck(self.permission)
            if form() and question_subject(self.key) is None:
                st.rerun()  # a press in a dialog draws the dialog alone

        ask()
