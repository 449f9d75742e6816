"""A chart on the screen: its title, the seal, the chart with words for who cannot see it, and its data as a table."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.claims.charts.figure import Chart
from components.claims.charts.time_notes import note_words, notes_of, with_notes
from components.claims.screen import tab_filter
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.seal import short_seal
from components.navigation import go_to
from components.platform import session
from components.platform.markup import plain
from components.ui.frame.table_view import table_view
from warranty.claims.analysis import NO_PICK, ChartPick
from warranty.claims.retrieval import ClaimSet
from warranty.insight.history.time_notes import TimeNote
from warranty.language import _
from warranty.language.written import dated, number

_CONFIG: Final = {"displayModeBar": False, "displaylogo": False, "doubleClick": False, "showTips": False}
Notes = Sequence[TimeNote] | None
"""The notes on days that there are; None where the journal does not answer."""


def chart_over_table(chart: Callable[[], Chart], claims: ClaimSet, *, marked: ChartPick, notes: Notes) -> None:
    """Draw the chart, unless it is folded: its bars narrow the table below it, which is what most come for."""
    with st.expander(_("Claims over time"), key="claims:chart", on_change="rerun") as fold:
        if not fold.open:
            return
        picked = chart_view(chart(), claims, key="claims:over-time", marked=marked, notes=notes)
    if picked:
        tab_filter.change(pick=picked)
        st.rerun()


def chart_that_opens_claims(chart: Chart, claims: ClaimSet, *, notes: Notes = ()) -> None:
    """Draw the chart, of claims of all dates, in a frame; a click on a bar opens Claims with the claims of that bar."""
    with st.container(border=True):
        of_some = chart.base.count != len(claims.frame)
        picked = chart_view(chart, claims, key=f"overview:{chart.name}", notes=notes, base_in_sight=of_some)
        if chart.base.leaves_out:
            st.caption(plain(f"{'. '.join(chart.base.leaves_out)}."))
    if picked:
        tab_filter.fill_fields(ClaimsFilter(period="all", pick=picked))
        go_to("claims")


def chart_view(chart: Chart, claims: ClaimSet, *, key: str, notes: Notes = (), **options: Any) -> ChartPick | None:
    """Draw the chart of these claims under their seal; for `options` see `sealed_chart`."""
    in_sight = not is_sealed_once(claims)
    return sealed_chart(chart, chart_seal(chart, claims), key=key, notes=notes, seal_in_sight=in_sight, **options)


def is_sealed_once(claims: ClaimSet) -> bool:
    """Whether the seal at the head of the screen is enough to see: one that holds a doubt stands on every chart."""
    return claims.is_certain


def chart_seal(chart: Chart, claims: ClaimSet) -> str:
    """The seal of the claims, and how many of them the chart is of where it is not of all."""
    here, read = chart.base.count, len(claims.frame)
    return short_seal(claims) + (_("; {n} of them here", n=number(here)) if here != read else "")


def sealed_chart(
    chart: Chart,
    seal: str,
    *,
    key: str,
    marked: ChartPick = NO_PICK,
    notes: Notes = (),
    seal_in_sight: bool = True,
    base_in_sight: bool = True,
) -> ChartPick | None:
    """Draw the chart, with the `marked` bar standing out; give what the bar stands for that was clicked since.

    The `notes` on days that it shows are drawn on it where it has an axis of time, and are told below it. The seal is
    told in any case to who cannot see the chart; so is the base, which else stands in the help of the title.
    """
    generation = f"chart:{key}:generation"
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute", gap="xxsmall"):
        about = filter(None, ("" if base_in_sight else chart.base.words, chart.about))
        st.markdown(f"**{plain(chart.title)}**", width="content", help=plain(". ".join(about)) or None)
        if base_in_sight:
            st.caption(plain(chart.base.words), width="content")
        if seal_in_sight:
            st.caption(seal, width="content")
    if chart.nothing:
        st.text(chart.nothing)
        return None
    shown = notes_of(chart, notes or ())
    lines = [f"{place} {note_words(note)}" for place, note in enumerate(shown, start=1)]
    event: Any = st.plotly_chart(
        with_notes(chart.marked(marked), chart.steps, shown),
        key=f"{key}:{session.recall(generation, 0)}",
        config=_CONFIG,
        on_select="rerun" if chart.picks else "ignore",
        selection_mode="points",
        alt=". ".join(
            filter(
                None, (chart.title, chart.base.words, chart.words, chart.note.rstrip("."), chart.about, *lines, seal)
            )
        )
        + ".",
    )
    if chart.note:
        st.caption(plain(chart.note))
    if lines:
        st.text("\n".join(lines))
    elif notes is None and chart.steps:
        st.caption(_("Notes on these days cannot be read now: this desk's own records are not available."))
    with st.expander(_("Table"), key=f"{key}:table", on_change="rerun") as table:
        if table.open:
            table_view(
                _as_read(chart.table), _("{title}, as a table. {base}.", title=chart.title, base=chart.base.words)
            )
    picked = chart.picked(event["selection"]) if chart.picks else None
    if picked:
        # The bar would stay marked: drawn under another key it is fresh when somebody comes back.
        session.remember(generation, session.recall(generation, 0) + 1)
    return picked


def _as_read(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its days as the reader writes them; taken along they stay as they are."""
    return table.map(lambda value: dated(value) if isinstance(value, date) else value)
