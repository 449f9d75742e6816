"""A table on the screen, as all of them are drawn: as it is given, without a number before each row."""

from typing import Any

import streamlit as st

from components.frame.choices import row_height


def table_view(data: Any, alt: str, **more: Any) -> Any:
    """Draw a table; `alt` says what it is to who cannot see it, `more` is for `st.dataframe`, whose answer it gives."""
    options = {"row_height": row_height(), **more}
    return st.dataframe(data, hide_index=True, lazy=False, alt=alt, **options)
