"""The head of Claims: the filters, how the reading goes, and the seal on what was read."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.claims.screen import tab_filter
from components.claims.screen.changes import claims_changes
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.filter_fields import narrowing_fields, query_fields
from components.claims.screen.reading import claims_reading, refresh_button
from components.claims.screen.seal import missing_notice, seal_badge, unreadable_records
from components.claims.screen.shown_rows import Places, shown_places
from components.platform.browser_part import BrowserPart
from components.platform.markup import plain
from components.words.days import service_today
from components.words.statuses import status_words
from warranty.claims.analysis import conditions
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
_NARROWING: Final = ("words", "statuses", "products", "open_only", "pick")
"""What a filter narrows on what was read, by its name in `ClaimsFilter`."""
_ALL: Final = ClaimsFilter()
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


def claims_head(readings: ClaimReadings, place: DeltaGenerator) -> ReadClaims:
    """Draw the head of Claims, the seal at its `place`; where nothing was read it ends with the reason.

    A set without a claim is given as well: files of it can be taken, and `end_without_claims` says what it means.
    """
    today = service_today()
    chosen, more = query_fields(today=today, closed=readings.closed)
    query = chosen.query(today)
    cached = claims_reading(readings, query, parts=True)
    is_part = cached is not None and cached.claims.still_reading
    chosen = narrowing_fields(None if is_part else cached, chosen, more)
    if cached is None:
        st.stop()
    with place:
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
        args=(replace(chosen, **{name: getattr(_ALL, name) for name in _NARROWING}),),
    )


def narrowed_by(chosen: ClaimsFilter) -> Iterator[tuple[str, ClaimsFilter]]:
    """Each filter in words, and what is asked for without it."""
    if chosen.started:
        yield _("warranties from {days}", days=chosen.started.words), replace(chosen, started=None)
    for name in _NARROWING:
        value, nothing = getattr(chosen, name), getattr(_ALL, name)
        several = value if isinstance(value, tuple) else ()
        for one in several or [value] * bool(value):
            only: Any = (one,) if several else one
            rest: Any = tuple(each for each in several if each != one) or nothing
            words = conditions(replace(_ALL, **{name: only}).selection(closed=()), status=status_words)
            yield words[0], replace(chosen, **{name: rest})
