"""A table on the screen, as all of them are drawn: numbers as the reader's country writes them, nothing for none."""

from typing import Any

import pandas as pd
import streamlit as st

from components.ui.frame.choices import row_height


def table_view(data: Any, alt: str, **more: Any) -> Any:
    """Draw a table; `alt` says what it is to who cannot see it, `more` is for `st.dataframe`, whose answer it gives."""
    numbers = data.select_dtypes("number").columns if isinstance(data, pd.DataFrame) else ()
    formats = {str(name): st.column_config.NumberColumn(format="localized") for name in numbers}
    options = {"row_height": row_height(), **more, "column_config": formats | more.get("column_config", {})}
    return st.dataframe(data, hide_index=True, lazy=False, alt=alt, placeholder="", **options)
