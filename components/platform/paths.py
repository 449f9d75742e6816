"""Where the desk's addresses begin on its host."""

import streamlit as st


def path_of(name: str) -> str:
    """The path of what has this name below the desk's own."""
    return f"/{st.get_option('server.baseUrlPath')}".rstrip("/") + f"/{name}"
