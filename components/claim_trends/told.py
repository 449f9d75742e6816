"""What stands under a chart of Ageing: what it is told of, and the file of its data."""

from functools import partial

import pandas as pd
import streamlit as st

from components.charts.figure import Chart
from components.claims.chart_view import Notes, chart_view
from components.claims.export import usual_separator
from components.forms.faults import plain
from components.gate import guarded
from warranty.access import Permission
from warranty.analysis import Base
from warranty.export import Separator, claims_csv, seal
from warranty.retrieval import ClaimSet


def told_chart(chart: Chart, claims: ClaimSet, *, notes: Notes = ()) -> None:
    """Draw the chart in a frame, with what is not in it, and its data as a file."""
    with st.container(border=True):
        chart_view(chart, claims, key=f"ageing:{chart.name}", notes=notes)
        left_out_and_file(chart.base, chart.table, claims, name=chart.name)


def left_out_and_file(base: Base, table: pd.DataFrame, claims: ClaimSet, *, name: str) -> None:
    """Say what is not in a table, and offer it as a file that says the same."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        left_out = f"Not in it: {'; '.join(base.leaves_out)}." if base.leaves_out else "Nothing is left out."
        st.caption(plain(left_out), width="stretch")
        st.download_button(
            "Download CSV",
            guarded(
                partial(table_csv, base, table, claims, separator=usual_separator(st.context.locale)),
                Permission.EXPORT_CLAIMS,
            ),
            file_name=f"{name}_as-of-{base.as_of:%Y-%m-%d}{'' if claims.is_complete else '_INCOMPLETE'}.csv",
            mime="text/csv",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            key=f"ageing:{name}:csv",
        )


def table_csv(base: Base, table: pd.DataFrame, claims: ClaimSet, *, separator: Separator) -> bytes:
    """The table as a file whose every row says what it is told of, so that a renamed and sorted one still does."""
    told = table.assign(
        **{
            "told of": base.words,
            "as of": f"{base.as_of:%Y-%m-%dT%H:%M:%SZ}",
            "not in it": "; ".join(base.leaves_out),
        }
    )
    return claims_csv(
        told, separator=separator, bom=True, partial=None if claims.is_complete else seal(claims)
    )
