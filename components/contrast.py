"""Colours that the theme's settings do not reach, where the platform's own are too faint to read.

Two places fall below the contrast that the accessibility check wants: the key hint in a button, and in dark mode what
is chosen or hovered over, whose text has the colour that buttons need as their background.
"""

from typing import Final

import streamlit as st

_RULES: Final = """
<style>
button kbd { color: inherit !important; opacity: 1 !important; }
@media (prefers-color-scheme: dark) {
  button[role="radio"][data-selected="true"] p { color: #A9D2F9 !important; }
  button:is([data-variant="tertiary"], [data-variant="secondary"]):is(:hover, :focus) p { color: #A9D2F9 !important; }
  [data-variant="pills"][data-selected="true"] p { color: #A9D2F9 !important; }
}
</style>
"""


def readable_colours() -> None:
    """Put the rules into the page; they take no room in it."""
    st.html(_RULES)
