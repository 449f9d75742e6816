"""The row above every screen: which environment this is, who is signed in, and the way out."""

from collections.abc import Callable
from typing import Final, Literal

import streamlit as st

from warranty.access import Operator

_BADGES: Final[dict[str, tuple[str, Literal["blue", "orange", "gray"]]]] = {
    "sandbox": ("Sandbox: for training, nothing is real", "blue"),
    "staging": ("Staging: for tests, not for customers", "orange"),
    "production": ("Production", "gray"),
}


def environment_badge(environment: str) -> None:
    """Name the environment; only production goes without a colour that warns."""
    words, color = _BADGES[environment]
    st.badge(words, color=color)


def header(operator: Operator, environment: str, *, sign_out: Callable[[], None]) -> None:
    """Draw the row; `sign_out` is called when the button is pressed."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="top-row"
    ):
        environment_badge(environment)
        with st.container(
            horizontal=True, horizontal_alignment="right", vertical_alignment="center", width="content"
        ):
            st.text(f"{operator.name} ({operator.role.value})", width="content")
            st.button("Sign out", on_click=sign_out, type="tertiary", key="sign-out")
