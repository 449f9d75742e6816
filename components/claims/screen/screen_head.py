"""The head of Claims: the filters, how the reading goes, and the seal on what was read."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.claims.screen import tab_filter
from components.claims.screen.changes import claims_changes
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.filter_fields import narrowing_fields, query_fields
from components.claims.screen.reading import claims_reading, refresh_button
from components.claims.screen.saved_views import TitleLine
from components.claims.screen.seal import missing_notice, seal_badge, unreadable_records
from components.claims.screen.shown_rows import Places, shown_places
from components.platform.browser_part import BrowserPart
from components.platform.markup import plain
from components.words.days import service_today
from components.words.statuses import status_words
from warranty.claims.analysis import NO_PICK, conditions
from warranty.claims.readings.readings import ClaimReadings, KeptClaims
from warranty.language import _
from warranty.language.written import number

_JS: Final = """
const reached = new WeakMap();

export default function ({ parentElement, data }) {
  if (reached.get(parentElement) === data.pick) return;
  reached.set(parentElement, data.pick);
  deskPage.screen()?.scrollTo({ top: 0 });
}
"""
_TOP: Final = BrowserPart("claims_top", _JS)


@dataclass(frozen=True, slots=True)
class ReadClaims:
    """What the screens draw: the set, the filter, the places that it leaves, and where words to them may stand.

    The set may still be read (`ClaimSet.still_reading`): of such a part no figure, chart or file is made. `today` is
    the day in service time for which the filter was read.
    """

    cached: KeptClaims
    chosen: ClaimsFilter
    places: Places
    today: date
    summary: DeltaGenerator


def claims_head(readings: ClaimReadings, line: TitleLine) -> ReadClaims:
    """Draw the head of Claims, the seal in the title's line; where nothing was read it ends with the reason.

    A set without a claim is given as well: files of it can be taken, and `end_without_claims` says what it means.
    """
    today = service_today()
    requested = query_fields(today=today, closed=readings.closed)
    query = requested.chosen.query(today)
    cached = claims_reading(readings, query, parts=True)
    is_part = cached is not None and cached.claims.still_reading
    chosen = narrowing_fields(None if is_part else cached, requested)
    if cached is None:
        st.stop()
    with line.seal:
        seal_badge(cached.claims)
        if not is_part:
            refresh_button(readings, query)
        # The screen is shown from its top when it is opened and when a bar is picked: what narrows stands there.
        _TOP.unseen(key="claims:top", data={"pick": chosen.pick.parameter})
    if not is_part:
        missing_notice(cached.claims)
        unreadable_records(cached.claims.rejected)
        claims_changes(cached)
    with st.container(horizontal=True, vertical_alignment="center", key="claims-summary"):
        summary = st.container(width="content")
        filter_chips(chosen, every=len(cached.claims.frame))
    return ReadClaims(cached, chosen, shown_places(cached, chosen), today, summary)


def filter_chips(chosen: ClaimsFilter, *, every: int) -> None:
    """Draw the filters as chips, and what shows all claims again, `every` one that was read."""
    for place, (words, rest) in enumerate(narrowed_by(chosen)):
        st.button(
            plain(words),
            icon=":material/close:",
            key=f"claims-chip:{place}",
            on_click=tab_filter.fill_fields,
            args=(rest,),
        )
    if not chosen.narrows:
        return
    st.button(
        _("Show all {n}", n=number(every)),
        type="tertiary",
        icon=":material/filter_alt_off:",
        key="claims-show-all",
        on_click=tab_filter.fill_fields,
        args=(replace(chosen, statuses=(), products=(), words="", open_only=False, pick=NO_PICK),),
    )


def narrowed_by(chosen: ClaimsFilter) -> Iterator[tuple[str, ClaimsFilter]]:
    """Each filter in words, and what is asked for without it."""
    only = ClaimsFilter()
    if chosen.started:
        yield _("warranties from {days}", days=chosen.started.words), replace(chosen, started=None)
    if chosen.words:
        yield _label(replace(only, words=chosen.words)), replace(chosen, words="")
    for word in chosen.statuses:
        rest = tuple(each for each in chosen.statuses if each != word)
        yield _label(replace(only, statuses=(word,))), replace(chosen, statuses=rest)
    for product in chosen.products:
        rest = tuple(each for each in chosen.products if each != product)
        yield _label(replace(only, products=(product,))), replace(chosen, products=rest)
    if chosen.open_only:
        yield _label(replace(only, open_only=True)), replace(chosen, open_only=False)
    if chosen.pick:
        yield _label(replace(only, pick=chosen.pick)), replace(chosen, pick=NO_PICK)


def _label(one: ClaimsFilter) -> str:
    return conditions(one.selection(closed=()), status=status_words)[0]
