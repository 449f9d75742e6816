"""One more question: before something is destroyed, or sent a second time."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from components.gate import recheck


def ask_first(
    label: str,
    yes: str,
    *,
    lost: str,
    key: str,
    on_click: Callable[..., None],
    kind: Literal["secondary", "tertiary"] = "secondary",
) -> None:
    """A deed that destroys: the first press says what is lost, the second one, a callback, does it."""
    with st.popover(label, type=kind, key=f"ask:{key}"):
        st.text(lost)
        st.button(yes, key=key, on_click=on_click)


def ask_in_dialog(
    question: str,
    body: Callable[[], None],
    *,
    yes: str,
    key: str,
    on_yes: Callable[[], None],
    close: Callable[[], None],
) -> None:
    """Draw an open question, with `body` in it; a press of `yes` calls `on_yes`, everything else calls `close`."""

    @st.dialog(question, on_dismiss=close)
    def ask() -> None:
        recheck()
        body()
        with st.container(horizontal=True):
            answers = (
                st.button(yes, key=f"confirm:{key}", type="primary", on_click=on_yes),
                st.button("Back", key=f"unconfirm:{key}", on_click=close),
            )
        if any(answers):
            st.rerun()  # a press in a dialog draws the dialog alone; what follows is the screen's

    ask()
