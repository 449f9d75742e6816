"""A chart of Trends in its frame: what is not in it, and its data as a file."""

from functools import partial

import pandas as pd
import streamlit as st

from components.claims.charts.figure import Chart
from components.claims.screen.chart_view import Notes, chart_seal, is_sealed_once, sealed_chart
from components.claims.screen.export import usual_separator
from components.gate import taken_away
from components.platform.markup import plain
from warranty.claims.analysis import Base
from warranty.claims.retrieval import ClaimSet
from warranty.desk.taking_away import TakenAway
from warranty.files.export import Separator, claims_csv, seal
from warranty.language import _, locale, speaking


def ask_administrator(trouble: str) -> None:
    """Say what a manager cannot put right, and who can."""
    st.warning(_("{trouble} **What to do:** ask your administrator.", trouble=plain(trouble)))


def claims_chart(chart: Chart, claims: ClaimSet, *, tab: str, notes: Notes = ()) -> None:
    """Draw a chart of the claims that were read; see `framed_chart`."""
    incomplete = None if claims.is_complete else seal(claims)
    framed_chart(
        chart,
        chart_seal(chart, claims),
        tab=tab,
        notes=notes,
        incomplete=incomplete,
        seal_in_sight=not is_sealed_once(claims),
    )


def framed_chart(
    chart: Chart, seal: str, *, tab: str, notes: Notes = (), incomplete: str | None = None, seal_in_sight: bool = True
) -> None:
    """Draw the chart in a frame, with what is not in it, and its data as a file."""
    base, key = chart.base, f"{tab}:{chart.name}"
    left_out = _("Nothing is left out.")
    if base.leaves_out:
        left_out = _("Not in it: {what}.", what="; ".join(base.leaves_out))
    in_words_of_the_screen = speaking(str(locale()))(table_csv)  # made in a thread that knows no person
    file = partial(
        in_words_of_the_screen, base, chart.table, separator=usual_separator(st.context.locale), incomplete=incomplete
    )
    with st.container(border=True):
        sealed_chart(chart, seal, key=key, notes=notes, seal_in_sight=seal_in_sight)
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(plain(left_out), width="stretch")
            st.download_button(
                _("Download CSV"),
                taken_away(TakenAway.CHART, file, count=len(chart.table), subset=chart.name),
                file_name=f"{chart.name}_as-of-{base.as_of:%Y-%m-%d}{'_INCOMPLETE' if incomplete else ''}.csv",
                mime="text/csv",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
                key=f"{key}:csv",
            )


def table_csv(base: Base, table: pd.DataFrame, *, separator: Separator, incomplete: str | None = None) -> bytes:
    """The table as a file whose every row says what it is told of, so that a renamed and sorted one still does."""
    labelled = table.assign(
        **{
            _("told of"): base.words,
            _("as of"): f"{base.as_of:%Y-%m-%dT%H:%M:%SZ}",
            _("not in it"): "; ".join(base.leaves_out),
        }
    )
    return claims_csv(labelled, separator=separator, bom=True, partial=incomplete)
