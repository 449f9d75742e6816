"""Claims as a table: a page at a time, in an order of the whole set; a click on a row opens its claim."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Self

import pandas as pd
import pyarrow as pa
import streamlit as st

from components.claims.screen import tab_filter
from components.claims.screen.claim_details import claim_in_full
from components.claims.screen.columns import FIRST_COLUMNS, LABELS, SORTINGS, by_heading, column_config, drawn_rows
from components.claims.screen.seal import seal_text
from components.claims.screen.shown_rows import Places, colours_shown, days_open, shown_places
from components.claims.screen.tab_filter import field_key
from components.gate import recheck
from components.platform import session
from components.platform.row_press import press_anywhere_on_a_row
from components.ui.frame.choices import row_height
from components.ui.frame.plain_table import plain_table
from components.ui.frame.table_view import table_view
from components.words.days import service_today
from warranty.access import Permission
from warranty.claims.analysis.identity import IDENTITY
from warranty.claims.readings.readings import KeptClaims
from warranty.desk.journal import Attempt
from warranty.language import _, locale, pgettext
from warranty.language.written import number

ROWS_A_PAGE: Final = 200
_HEIGHT: Final = 474  # in pixels, of more rows than it has room for: twelve, whole on a counter's PC
_ROOM_FOR_ROWS: Final = 436  # of these pixels
_ROOM_OF_A_PAGE: Final = 56  # pixels: with less the platform leaves pages out
_MOST_PAGES: Final = 5
_VISIT: Final = "claims-table.visit"
_OPENING: Final = "claims-table.opening"
_OPENED: Final = "claims-table.opened"
_SHOWN: Final = "claims-table.shown"
_SWITCH: Final = "claims-plain"
_WANTED: Final = "claims-plain.wanted"

_SORTED_BY_HEADING = "claims-table.sorted-by-heading"


@dataclass(frozen=True, slots=True)
class OpenedClaim:
    """A claim in the drawer: its place in the list, and which it is, for more may have come since it was opened."""

    place: int
    claim: tuple[Any, ...]

    @classmethod
    def at(cls, cached: KeptClaims, places: Places, place: int) -> Self:
        """The claim at a place of the list."""
        return cls(place, _identity(cached, places[place]))


_NOTHING: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {"selection": {"rows": [], "columns": []}}


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
    page_key = f"claims-table:page:{session.recall(_VISIT, 0)}"
    start = (min(session.value_of(page_key, 1), pages) - 1) * ROWS_A_PAGE
    shown = places[start : start + ROWS_A_PAGE]
    today, closed = service_today(), cached.closed
    page = (chosen.selection(closed=closed), chosen.order, start, today)
    # Another page, or another order, begins at its top: the platform keeps the scrolling for as long as the key.
    key = f"claims-table:{times_sorted_by_heading()}:{chosen.order}:{start}"
    summary = _(
        "Claims {first} to {last} of {n}, as a table. {seal}",
        first=start + 1,
        last=start + len(shown),
        n=len(places),
        seal=seal_text(cached.claims),
    )
    columns, sorting = chosen.columns or FIRST_COLUMNS, SORTINGS[chosen.order]
    is_long = len(shown) * row_height() > _ROOM_FOR_ROWS
    opens = partial(_open, cached, places)

    def rows() -> pd.DataFrame:
        claims = cached.claims.frame.take(shown)
        return claims.assign(days_open=days_open(claims, closed=closed, today=today))

    if wants_plain_table():
        plain_table(
            "claims-plain-table",
            summary,
            {name: _(LABELS[name]) for name in columns},
            plain_rows(cached.derived(("plain page", *page), rows), columns, first=start),
            open_label=_("Open the claim"),
            on_open=lambda place: opens(int(place)),
            sorted_by=(sorting.column, "descending" if sorting.descending else "ascending"),
            on_sort=sort_by_heading,
        )
    else:
        table_view(
            # As the platform sends it: made once for all who read one language, not on every run of every tab.
            cached.derived(("page", *page, str(locale())), lambda: pa.Table.from_pandas(drawn_rows(rows()))),
            summary + ". " + _("The switch Plain table, below it, shows these rows as words."),
            column_order=columns,
            column_config=column_config(colours_shown(cached, chosen), sorting),
            height=_HEIGHT if cached.claims.still_reading or is_long else "auto",
            key=key,
            on_select=lambda: _picked(key, start, opens),
            selection_mode=("single-row", "single-column"),
        )
        press_anywhere_on_a_row()
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
    """Draw what a click does, the pages, and how the table is shown.

    Under the table: its own buttons come out above its right end when the pointer is on it, and would lie on these.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="claims-below"):
        st.caption(_("Click a row for details, a heading to sort."), width="content")
        if pages > 1:
            room = _ROOM_OF_A_PAGE * (min(pages, _MOST_PAGES) + 2)
            st.pagination(pages, key=key, max_visible_pages=_MOST_PAGES, width=room)
        columns_field()
        plain_table_switch()


def _picked(key: str, start: int, opens: Callable[[int], None]) -> None:
    """A ticked row opens its claim, a heading sorts.

    The tick is taken back at once, in the table as it stands: drawn anew it would begin at its top again, and would be
    taken away under the next click.
    """
    selection = session.value_of(key, _NOTHING)["selection"]
    if selection["columns"]:
        sort_by_heading(selection["columns"][0])
    elif selection["rows"]:
        opens(start + selection["rows"][0])
        session.fill(key, _NOTHING)


def _identity(cached: KeptClaims, place: int) -> tuple[Any, ...]:
    return tuple(cached.claims.frame[name].iloc[place] for name in IDENTITY)


def _open(cached: KeptClaims, places: Places, place: int) -> None:
    _show(cached, places, place)
    session.remember(_OPENING, session.recall(_OPENING, 0) + 1)


def _place_of(opened: OpenedClaim | None, cached: KeptClaims, places: Places) -> int | None:
    """Where the claim in the drawer stands in the list as it is now; None where none is open, or it is not there."""
    if opened is None:
        return None
    if opened.place < len(places) and _identity(cached, places[opened.place]) == opened.claim:
        return opened.place
    same = pd.Series(True, index=cached.claims.frame.index)
    for name, value in zip(IDENTITY, opened.claim, strict=True):
        same &= cached.claims.frame[name] == value
    found = same.to_numpy()[places].nonzero()[0].tolist()
    return found[0] if found else None


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
    session.remember(_OPENED, OpenedClaim.at(cached, places, place))


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


def wants_plain_table() -> bool:
    """Whether this tab wants the page of claims as words."""
    return session.value_of(_SWITCH, session.recall(_WANTED, False))


def plain_table_switch() -> None:
    """Draw the switch."""
    st.toggle(
        _("Plain table"),
        value=session.recall(_WANTED, False),
        key=_SWITCH,
        on_change=lambda: session.remember(_WANTED, session.value_of(_SWITCH, False)),
        help=_("The same rows as words, for a screen reader and for the keyboard."),
    )


def plain_rows(claims: pd.DataFrame, columns: Sequence[str], *, first: int) -> list[list[str]]:
    """The claims in words, each behind its place in the list, which for the first of them is `first`."""
    words = drawn_rows(claims, whole_names=True)
    rows = words[list(columns)].itertuples(index=False, name=None)
    return [[str(place), *map(_written, row)] for place, row in enumerate(rows, start=first)]


def _written(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return str(value) if isinstance(value, str) else "" if pd.isna(value) else number(value)
