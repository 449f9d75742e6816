"""One more question before something is destroyed."""

from collections.abc import Callable
from typing import Literal

import streamlit as st


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
