"""The faults of a file, ten at a time: the row, the column, what to do, and a field to do it."""

from collections.abc import Callable, Sequence

import streamlit as st

from components import session
from components.problems import plain
from warranty.countries import countries
from warranty.order_files import Assessed

_AT_ONCE = 10


def faults_list(
    assessed: Sequence[Assessed], *, mend: Callable[[Assessed, int | None, str, str], None]
) -> None:
    """Draw the faults; `mend` takes a new text for a field (in a callback)."""
    faults = [(found, fault) for found in assessed if found.left_out is None for fault in found.faults]
    if not faults:
        return
    st.header(f"To mend ({len(faults)})", anchor=False)
    st.caption("Orders with a fault are not sent. Mend them here, or send the others without them.")
    for found, fault in faults[:_AT_ONCE]:
        key = f"import-fault:{found.number}:{fault.line}:{fault.field}"

        def keep(
            found: Assessed = found, line: int | None = fault.line, name: str = fault.field, key: str = key
        ) -> None:
            mend(found, line, name, str(session.value_of(key, "")).strip())

        country = countries().get(found.country)
        where = f"{found.name}, {country.name}" if country else found.name
        words, entry = st.columns([3, 2], vertical_alignment="center")
        with words:
            st.markdown(
                f"**Row {fault.row}, {plain(fault.column)}** · {plain(where)}  \n{plain(fault.message)}"
            )
        with entry:
            st.text_input(
                f"New text for row {fault.row}, {plain(fault.column)}",
                value=fault.text,
                key=key,
                on_change=keep,
                label_visibility="collapsed",
                autocomplete="off",
            )
    if len(faults) > _AT_ONCE:
        st.caption(f"{len(faults) - _AT_ONCE} more faults appear as these are mended.")
