"""How the table shows the claims: which columns, and the order of all of them, by their headings."""

import streamlit as st

from components.claims.screen import tab_filter
from components.claims.screen.columns import FIRST_COLUMNS, LABELS, by_heading
from components.claims.screen.tab_filter import field_key
from components.platform import session
from warranty.language import _

_SORTED_BY_HEADING = "claims-table.sorted-by-heading"


def columns_field() -> None:
    """Draw the choice of columns, folded away."""
    with st.popover(_("Columns"), icon=":material/view_column:", key="claims-columns", on_change="rerun") as folded:
        if not folded.open:
            return
        shown = tab_filter.current().columns or FIRST_COLUMNS
        session.fill_new({field_key("columns"): list(shown)})
        # Drawn with what it holds, as the filter's fields are: else a browser that missed a run has none in it.
        st.multiselect(
            _("Columns, in this order"),
            list(LABELS),
            default=session.value_of(field_key("columns"), list(shown)),
            format_func=lambda name: _(LABELS[name]),
            key=field_key("columns"),
            on_change=_take_columns,
            filter_mode="contains",
        )


def times_sorted_by_heading() -> int:
    """How often a heading sorted in this tab: each time the table is drawn anew, from its top, no heading marked."""
    return session.recall(_SORTED_BY_HEADING, 0)


def sort_by_heading(column: str) -> None:
    """Sort all claims by a column, or the other way round; for callbacks."""
    tab_filter.change(order=by_heading(column, tab_filter.current().order))
    session.remember(_SORTED_BY_HEADING, times_sorted_by_heading() + 1)


def _take_columns() -> None:
    shown = tab_filter.current().columns or FIRST_COLUMNS
    columns = tuple(session.value_of(field_key("columns"), shown))
    tab_filter.change(columns=() if columns == FIRST_COLUMNS else columns)
