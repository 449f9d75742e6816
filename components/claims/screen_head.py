"""The bar above Claims and Trends: the filters, how the reading goes, and the seal on what was read."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.charts.pick import NO_PICK, ChartPick
from components.claims import filter_of_tab
from components.claims.changes import claims_changes
from components.claims.claims_filter import ClaimsFilter
from components.claims.completeness_seal import completeness_seal, missing_notice, unreadable_records
from components.claims.filter_fields import claims_filters, range_words
from components.claims.narrowing_fields import claims_narrowing, narrowing_words
from components.claims.reading import claims_reading, start_reading
from components.claims.shown_rows import Places, shown_places
from components.claims.wanted import BEFORE, want
from warranty.claims.readings import ClaimReadings, KeptClaims

_COMPARES: Final = "claim_trends"
_JS: Final = """
const reached = new WeakMap();

export default function ({ parentElement, data }) {
  if (reached.get(parentElement) === data.pick) return;
  reached.set(parentElement, data.pick);
  document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
}
"""


@dataclass(frozen=True, slots=True)
class ReadClaims:
    """What the screens draw: the set, the filter, the places that it leaves, and where buttons and a line may stand."""

    kept: KeptClaims
    chosen: ClaimsFilter
    places: Places
    buttons: DeltaGenerator
    summary: DeltaGenerator


def claims_bar(readings: ClaimReadings, *, screen: str, today: date, with_pick: bool = False) -> ReadClaims:
    """Draw the bar; ends the screen here while nothing was read, with the reason.

    A set without a claim is given as well: files of it can be taken, and `end_without_claims` says what it means.

    `screen` is the name of the screen that draws it. `with_pick`: whether a bar picked on a chart narrows what
    this screen shows; elsewhere it is let go.
    """
    filter_of_tab.enter(screen)
    if screen != _COMPARES:
        want(readings, BEFORE, None)
    if not with_pick:
        filter_of_tab.keep(replace(filter_of_tab.open_filter(), pick=NO_PICK))
    asked = claims_filters(today=today)
    if asked.chosen is None:
        st.stop()
    query = asked.chosen.query(today)
    kept = claims_reading(readings, query)
    chosen = claims_narrowing(kept, asked.chosen, words=asked.words, more=asked.more)
    if kept is None:
        st.caption(range_words(chosen, today))
        st.stop()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            completeness_seal(kept.claims)
            st.button(
                "Refresh",
                on_click=start_reading,
                args=(readings, query),
                key="claims-refresh",
                type="tertiary",
                icon=":material/refresh:",
                help="Read these claims again now. Without it they are kept for a quarter of an hour or more.",
            )
        buttons = st.container(horizontal=True, vertical_alignment="center", width="content")
        _top()(key=f"{screen}:top", data={"pick": chosen.pick.parameter})
    missing_notice(kept.claims)
    unreadable_records(kept.claims.rejected)
    claims_changes(kept)
    places = shown_places(kept, chosen)
    summary = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    summary.caption(range_words(chosen, today), width="content")
    if chosen.narrows:
        _narrowed(chosen, len(places))
    return ReadClaims(kept, chosen, places, buttons, summary)


def pick_bar(picked: ChartPick) -> None:
    """Narrow the table to the bar that was clicked, and draw the screen again."""
    filter_of_tab.keep(replace(filter_of_tab.open_filter(), pick=picked))
    st.rerun()


@st.cache_resource(show_spinner=False)
def _top() -> Callable[..., Any]:
    """Show the screen from its top when it is opened and when a bar is picked: what narrows the table stands there."""
    component: Callable[..., Any] = st.components.v2.component("claims_top", html="<span></span>", js=_JS)
    return component


def _narrowed(chosen: ClaimsFilter, shown: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(narrowing_words(chosen, shown), width="content")
        st.button(
            "Show all that was read",
            type="tertiary",
            icon=":material/filter_alt_off:",
            key="claims-show-all",
            on_click=_show_all,
        )


def _show_all() -> None:
    chosen = filter_of_tab.open_filter()
    filter_of_tab.show(replace(chosen, statuses=(), products=(), words="", pick=NO_PICK))
