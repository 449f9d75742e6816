"""A table on the screen, as all of them are drawn: numbers as the reader's country writes them, nothing for none; and
the button of a file of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import pandas as pd
import streamlit as st

from components.ui.frame.choices import row_height

T = TypeVar("T")
_KINDS: Final = {"csv": "text/csv", "json": "application/json", "pdf": "application/pdf"}


def table_view(data: Any, alt: str, **more: Any) -> Any:
    """Draw a table; `alt` says what it is to who cannot see it, `more` is for `st.dataframe`, whose answer it gives."""
    numbers = data.select_dtypes("number").columns if isinstance(data, pd.DataFrame) else ()
    formats = {str(name): st.column_config.NumberColumn(format="localized") for name in numbers}
    options = {"row_height": row_height(), **more, "column_config": formats | more.get("column_config", {})}
    return st.dataframe(data, hide_index=True, lazy=False, alt=alt, placeholder="", **options)


def file_button(label: str, data: Any, name: str, *, key: str) -> None:
    """Offer a file, whose kind its name tells; a press draws nothing anew."""
    st.download_button(label, data, name, _KINDS[name.rpartition(".")[2]], key=key, on_click="ignore")


def pressed_row(data: Any, alt: str, rows: Sequence[T], **more: Any) -> T | None:
    """Draw it, and give which of the `rows` was pressed: they are in the table's order."""
    # A press on any cell counts: a row alone can be picked by its tick box only.
    picked = table_view(data, alt, on_select="rerun", selection_mode="single-cell", **more)
    cells: list[tuple[int, str]] = picked["selection"]["cells"]
    return rows[cells[0][0]] if cells and cells[0][0] < len(rows) else None


def editable_table(rows: Sequence[Sequence[Any]], alt: str, labels: Mapping[str, str], *, key: str, **more: Any) -> Any:
    """Draw a table of these columns that takes texts, or choices; those of `column_config` alone can be changed.

    Gives the table as it is now; the keyword arguments are for `st.data_editor`.
    """
    config = labels | more.pop("column_config")
    disabled = [name for name in labels if config[name] == labels[name]]
    options = {"column_config": config, "disabled": disabled, "row_height": row_height(), **more}
    frame = pd.DataFrame(rows, columns=list(labels))
    return st.data_editor(frame, hide_index=True, key=key, alt=alt, placeholder="", **options)
