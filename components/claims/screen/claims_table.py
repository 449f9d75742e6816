"""Claims as a table: a page at a time, in an order of the whole set; a click on a row opens its claim."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from components.claims.screen import tab_filter
from components.claims.screen.claim_details import claim_in_full
from components.claims.screen.columns import FIRST_COLUMNS, LABELS, SORTINGS, by_heading, written_rows
from components.claims.screen.seal import seal_text
from components.claims.screen.shown_rows import Places, chips_shown, days_open, shown_places
from components.claims.screen.tab_filter import field_key
from components.gate import recheck
from components.platform import session
from components.ui.frame.plain_table import plain_table
from components.words.days import service_today
from warranty.access import Permission
from warranty.claims.analysis.identity import IDENTITY
from warranty.claims.readings.readings import KeptClaims
from warranty.desk.journal import Attempt
from warranty.language import _, locale, pgettext
from warranty.language.written import number

ROWS_A_PAGE: Final = 200
_ROOM_OF_A_PAGE: Final = 56  # pixels: with less the platform leaves pages out
_MOST_PAGES: Final = 5
_VISIT: Final = "claims-table.visit"
_OPENING: Final = "claims-table.opening"
_OPENED: Final = "claims-table.opened"
_SHOWN: Final = "claims-table.shown"


Opened = tuple[int, tuple[Any, ...]]
"""The claim in the drawer: its place in the list, and which it is, for more may have come since it was opened."""


@st.fragment
def claims_table(cached: KeptClaims, *, timeline: Callable[[str], Sequence[Attempt]]) -> None:
    """Draw the claims that the tab's filter leaves; `timeline` tells what this desk did for the order of one.

    A fragment: turning a page, sorting and opening a claim run only this, not the whole screen.
    """
    recheck(Permission.READ_CLAIMS)
    chosen = tab_filter.current()
    places = shown_places(cached, chosen)
    shown_filter = replace(chosen, columns=())
    if session.recall(_SHOWN, None) != shown_filter:
        session.remember(_SHOWN, shown_filter)
        session.remember(_VISIT, session.recall(_VISIT, 0) + 1)
        session.forget(_OPENED)
    pages = max(1, -(-len(places) // ROWS_A_PAGE))
    # What is shown anew begins at its first page.
    visit = session.recall(_VISIT, 0)
    page_key = f"claims-table:page:{visit}"
    start = (min(session.value_of(page_key, 1), pages) - 1) * ROWS_A_PAGE
    shown = places[start : start + ROWS_A_PAGE]
    columns, sorting, today = chosen.columns or FIRST_COLUMNS, SORTINGS[chosen.order], service_today()

    def rows() -> list[list[str]]:
        claims = cached.claims.frame.take(shown)
        words = written_rows(claims, days_open(claims, closed=cached.closed, today=today))
        return [[str(place), *row] for place, row in enumerate(words[list(columns)].to_numpy().tolist(), start=start)]

    plain_table(
        "claims-table",
        _(
            "Claims {first} to {last} of {n}, as a table. {seal}",
            first=start + 1,
            last=start + len(shown),
            n=len(places),
            seal=seal_text(cached.claims),
        ),
        {name: _(LABELS[name]) for name in columns},
        # Made once for all who read one language, not on every run of every tab.
        cached.derived(
            ("page", chosen.selection(closed=cached.closed), chosen.order, start, today, columns, str(locale())), rows
        ),
        open_label=_("Open the claim"),
        on_open=lambda place: _open(cached, places, int(place)),
        sorted_by=(sorting.column, "descending" if sorting.descending else "ascending"),
        on_sort=_sort_by_heading,
        one_line=True,
        view=f"{visit}:{start}",
        chips={"status": chips_shown(cached, chosen)},
    )
    _below(pages, page_key)
    opened = _place_of(session.recall(_OPENED, None), cached, places)
    if opened is not None:
        closes = partial(_close, session.recall(_OPENING, 0))
        drawer = st.dialog(_("Claim"), width="medium", position="right", on_dismiss=closes)
        drawer(_claim_and_neighbours)(
            cached,
            places,
            opened,
            lambda place: claim_in_full(
                cached, int(places[place]), timeline=timeline, opens=partial(_opening, cached, places)
            ),
        )


def _below(pages: int, key: str) -> None:
    """Draw what a click does, the pages, and the choice of columns."""
    with st.container(horizontal=True, vertical_alignment="center", key="claims-below"):
        st.caption(_("Click a row for details, a heading to sort."), width="content")
        if pages > 1:
            room = _ROOM_OF_A_PAGE * (min(pages, _MOST_PAGES) + 2)
            st.pagination(pages, key=key, max_visible_pages=_MOST_PAGES, width=room)
        columns_field()


def _identity(cached: KeptClaims, place: int) -> tuple[Any, ...]:
    return tuple(cached.claims.frame[name].iloc[place] for name in IDENTITY)


def _open(cached: KeptClaims, places: Places, place: int) -> None:
    _show(cached, places, place)
    session.remember(_OPENING, session.recall(_OPENING, 0) + 1)


def _place_of(opened: Opened | None, cached: KeptClaims, places: Places) -> int | None:
    """Where the claim in the drawer stands in the list as it is now; None where none is open, or it is not there."""
    if opened is None:
        return None
    place, claim = opened
    if place < len(places) and _identity(cached, places[place]) == claim:
        return place
    same = (cached.claims.frame[IDENTITY] == claim).all(axis=1)
    return next(iter(same.to_numpy()[places].nonzero()[0].tolist()), None)


def _close(opening: int) -> None:
    """Forget the claim, unless the next one was ticked already: a busy server hears of both at once."""
    if session.recall(_OPENING, 0) == opening:
        session.forget(_OPENED)


def _claim_and_neighbours(cached: KeptClaims, places: Places, opened: int, claim: Callable[[int], None]) -> None:
    recheck(Permission.READ_CLAIMS)
    now = _place_of(session.recall(_OPENED, None), cached, places)
    opened = opened if now is None else now
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, key, place in (
            (_("Previous"), "claims-previous", opened - 1),
            (pgettext("claim", "Next"), "claims-next", opened + 1),
        ):
            exists = 0 <= place < len(places)
            st.button(label, on_click=_show, args=(cached, places, place), disabled=not exists, key=key)
        values, still = {"n": number(opened + 1), "every": number(len(places))}, cached.claims.still_reading
        st.text(_("{n} of {every} read so far", **values) if still else _("{n} of {every}", **values))
    claim(opened)


def _opening(cached: KeptClaims, places: Places, place: int) -> Callable[[], None] | None:
    """Give what opens the claim at a place of the set in the drawer; None where the table does not hold it."""
    at = (places == place).nonzero()[0].tolist()
    return partial(_show, cached, places, at[0]) if at else None


def _show(cached: KeptClaims, places: Places, place: int) -> None:
    session.remember(_OPENED, (place, _identity(cached, places[place])))


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


def _sort_by_heading(column: str) -> None:
    """Sort all claims by a column, or the other way round."""
    tab_filter.change(order=by_heading(column, tab_filter.current().order))


def _take_columns() -> None:
    shown = tab_filter.current().columns or FIRST_COLUMNS
    columns = tuple(session.value_of(field_key("columns"), shown))
    tab_filter.change(columns=() if columns == FIRST_COLUMNS else columns)
