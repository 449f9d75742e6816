"""Parts that run in the browser: a script of ours, with what it draws if anything."""

from collections.abc import Callable
from typing import Any

import streamlit as st


@st.cache_resource(show_spinner=False)
def browser_part(name: str, js: str, html: str = "<span></span>", css: str = "") -> Callable[..., Any]:
    """The part of this name, made known to the platform once."""
    part: Callable[..., Any] = st.components.v2.component(name, html=html, css=css or None, js=js)
    return part
