"""How the table shows the claims: the order of all of them, and the columns; headings sort as well."""

import streamlit as st

from components import session
from components.claims import tab_filter
from components.claims.columns import FIRST_COLUMNS, LABELS, SORTINGS, by_heading
from components.claims.tab_filter import field_key
from warranty.language import _

_SORTED_BY_HEADING = "claims-table.sorted-by-heading"


def table_fields() -> None:
    """Draw the order and the columns, folded away."""
    with st.popover(
        _("Columns"), icon=":material/view_column:", key="claims-columns", on_change="rerun"
    ) as folded:
        if not folded.open:
            return
        chosen = tab_filter.current()
        session.fill(_order_key(), chosen.order)
        st.selectbox(
            _("Sort all claims by"),
            list(SORTINGS),
            format_func=lambda name: _(SORTINGS[name].label),
            key=_order_key(),
            on_change=_take_order,
        )
        session.fill_new({field_key("columns"): list(chosen.columns or FIRST_COLUMNS)})
        st.multiselect(
            _("Columns, in this order"),
            list(LABELS),
            format_func=lambda name: _(LABELS[name]),
            key=field_key("columns"),
            on_change=_take_columns,
        )


def times_sorted_by_heading() -> int:
    """How often a heading sorted in this tab: each time the table is drawn anew, from its top, no heading marked."""
    return session.recall(_SORTED_BY_HEADING, 0)


def sort_by_heading(column: str) -> None:
    """Sort all claims by a column, or the other way round; for callbacks."""
    tab_filter.change(order=by_heading(column, tab_filter.current().order))
    session.remember(_SORTED_BY_HEADING, times_sorted_by_heading() + 1)


def _order_key() -> str:
    """Give the key of the menu: a heading that sorts brings a new one, as what fills the filter's fields does."""
    return field_key(f"order:{times_sorted_by_heading()}")


def _take_order() -> None:
    order = tab_filter.current().order
    tab_filter.change(order=session.value_of(_order_key(), order))


def _take_columns() -> None:
    shown = tab_filter.current().columns or FIRST_COLUMNS
    columns = tuple(session.value_of(field_key("columns"), shown))
    tab_filter.change(columns=() if columns == FIRST_COLUMNS else columns)
