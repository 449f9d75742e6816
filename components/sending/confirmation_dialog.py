"""One more question before something is sent in production, or a second time.

The dialog is held open by a flag, since one that is opened by a button is gone at the next run. What is confirmed is
the content that was shown: a later change asks anew.
"""

import hashlib
import json
from collections.abc import Callable

import streamlit as st

from components import session
from components.frame.header import environment_badge
from components.gate import recheck
from components.sending import press


def asking(key: str) -> bool:
    """Whether the question of this key is open."""
    return bool(session.recall(f"confirming.{key}", ""))


def confirmed(key: str, content: object) -> bool:
    """Whether the question about this content was answered; if not, it is drawn from the next run on."""
    digest = _digest(content)
    given: str = session.recall(f"confirmed.{key}", "")
    session.forget(f"confirmed.{key}")
    if given == digest:
        return True
    session.remember(f"confirming.{key}", digest)
    return False


def confirmation_dialog(
    key: str, content: object, *, environment: str, question: str, button: str, review: Callable[[], None]
) -> None:
    """Draw the question while it is open; the button sends, closing does not."""
    digest = _digest(content)
    if session.recall(f"confirming.{key}", "") != digest:
        session.forget(f"confirming.{key}")
        return

    @st.dialog(question, on_dismiss=lambda: session.forget(f"confirming.{key}"))
    def ask() -> None:
        recheck()
        environment_badge(environment)
        review()
        with st.container(horizontal=True):
            answers = (
                st.button(
                    button, key=f"confirm:{key}", type="primary", on_click=_confirm, args=(key, digest)
                ),
                st.button(
                    "Back", key=f"unconfirm:{key}", on_click=session.forget, args=(f"confirming.{key}",)
                ),
            )
        if any(answers):
            st.rerun()  # a press in a dialog draws the dialog alone; what follows is the screen's

    ask()


def _confirm(key: str, digest: str) -> None:
    if session.recall(f"confirming.{key}", "") != digest:
        return  # the second press of a double click: the question is answered, and one answer sends once
    session.forget(f"confirming.{key}")
    session.remember(f"confirmed.{key}", digest)
    press.request(key)


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
