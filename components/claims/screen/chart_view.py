"""A chart on the screen: its title, the seal, the chart with words for who cannot see it, and its data as a table."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.claims.charts.figure import Chart
from components.claims.charts.time_notes import Notes, note_words, notes_of, with_notes
from components.claims.screen import tab_filter
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.export import usual_separator
from components.claims.screen.seal import short_seal
from components.gate import taken_away
from components.navigation import go_to
from components.platform import session
from components.platform.markup import plain
from components.ui.frame.table_view import table_view
from warranty.claims.analysis import NO_PICK, Base, ChartPick
from warranty.claims.retrieval import ClaimSet
from warranty.desk.taking_away import TakenAway
from warranty.files.export import Separator, claims_csv, seal
from warranty.language import _, locale, speaking
from warranty.language.written import dated, number

_CONFIG: Final = {"displayModeBar": False, "displaylogo": False, "doubleClick": False, "showTips": False}


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


def chart_with_file(chart: Chart, of: ClaimSet | str, *, tab: str, notes: Notes = ()) -> None:
    """Draw a chart of Trends in a frame, with what is not in it, and its data as a file."""
    base, key = chart.base, f"{tab}:{chart.name}"
    left_out = _("Nothing is left out.")
    if base.leaves_out:
        left_out = _("Not in it: {what}.", what="; ".join(base.leaves_out))
    incomplete = seal(of) if isinstance(of, ClaimSet) and not of.is_complete else None
    in_words_of_the_screen = speaking(str(locale()))(table_csv)  # made in a thread that knows no person
    file = partial(
        in_words_of_the_screen, base, chart.table, separator=usual_separator(st.context.locale), incomplete=incomplete
    )
    with st.container(border=True):
        chart_view(chart, of, key=key, notes=notes)
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


def chart_view(
    chart: Chart,
    of: ClaimSet | str,
    *,
    key: str,
    marked: ChartPick = NO_PICK,
    notes: Notes = (),
    base_in_sight: bool = True,
) -> ChartPick | None:
    """Draw the chart `of` these claims, or under a seal in words; give what the bar stands for that was clicked since.

    The `marked` bar stands out. The `notes` on days that it shows are drawn on it where it has an axis of time, and are
    told below it. A seal without a doubt is seen once, at the head of the screen; it is told in any case to who cannot
    see the chart. So is the base, which else stands in the help of the title.
    """
    sealed, seal_in_sight = of if isinstance(of, str) else short_seal(of), isinstance(of, str) or not of.is_certain
    if isinstance(of, ClaimSet) and chart.base.count != len(of.frame):
        sealed += _("; {n} of them here", n=number(chart.base.count))
    generation = f"chart:{key}:generation"
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute", gap="xxsmall"):
        about = filter(None, ("" if base_in_sight else chart.base.words, chart.about))
        st.markdown(f"**{plain(chart.title)}**", width="content", help=plain(". ".join(about)) or None)
        if base_in_sight:
            st.caption(plain(chart.base.words), width="content")
        if seal_in_sight:
            st.caption(sealed, width="content")
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
                None, (chart.title, chart.base.words, chart.words, chart.note.rstrip("."), chart.about, *lines, sealed)
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
