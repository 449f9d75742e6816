"""Claims as a table: a page at a time, in an order of the whole set; a click on a row opens its claim."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, Final

import pyarrow as pa
import streamlit as st

from components import session
from components.claims import tab_filter
from components.claims.claim_details import claim_in_full
from components.claims.columns import FIRST_COLUMNS, SORTINGS, column_config
from components.claims.plain_table import plain_table, plain_table_switch, wants_plain_table
from components.claims.seal import seal_text
from components.claims.shown_rows import Places, days_open, shown_places
from components.claims.table_fields import sort_by_heading, times_sorted_by_heading
from components.frame.row_press import press_anywhere_on_a_row
from components.frame.table_view import table_view
from components.gate import recheck
from components.words.attempts import short_id
from components.words.days import service_today
from components.words.statuses import status_words
from warranty.access import Permission
from warranty.claims.readings import KeptClaims
from warranty.journal import Attempt
from warranty.language import _, pgettext
from warranty.language.written import number

ROWS_A_PAGE: Final = 200
_ROWS_IN_SIGHT: Final = 6
_HEIGHT: Final = 264  # of more rows than that, in pixels: below it the chart is whole on a counter's PC
_VISIT: Final = "claims-table.visit"
_OPENING: Final = "claims-table.opening"
_OPENED: Final = "claims-table.opened"
_SHOWN: Final = "claims-table.shown"
_NOTHING: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {"selection": {"rows": [], "columns": []}}


@st.fragment
def claims_table(kept: KeptClaims, *, timeline: Callable[[str], Sequence[Attempt]]) -> None:
    """Draw the claims that the tab's filter leaves; `timeline` tells what this desk did for the order of one.

    A fragment: turning a page, sorting and opening a claim run only this, not the whole screen.
    """
    recheck(Permission.READ_CLAIMS)
    chosen = tab_filter.current()
    places = shown_places(kept, chosen)
    asked = replace(chosen, columns=())
    if session.recall(_SHOWN, None) != asked:
        session.remember(_SHOWN, asked)
        session.remember(_VISIT, session.recall(_VISIT, 0) + 1)
        session.forget(_OPENED)
    pages = max(1, -(-len(places) // ROWS_A_PAGE))
    # Under the table: its own buttons come out above its right end when the pointer is on it, and would lie on these.
    # What is shown anew begins at its first page.
    page_key = f"claims-table:page:{session.recall(_VISIT, 0)}"
    start = (min(session.value_of(page_key, 1), pages) - 1) * ROWS_A_PAGE
    shown = places[start : start + ROWS_A_PAGE]
    today = service_today()
    page = ("page", chosen.selection(closed=kept.closed), chosen.order, start, today)
    rows = kept.derived(page, lambda: _page(kept, shown, today))
    # Another page, or another order, begins at its top: the platform keeps the scrolling for as long as the key.
    key = f"claims-table:{times_sorted_by_heading()}:{chosen.order}:{start}"
    said = _(
        "Claims {first} to {last} of {n}, as a table. {seal}",
        first=start + 1,
        last=start + len(shown),
        n=len(places),
        seal=seal_text(kept.claims),
    )
    columns, sorting = chosen.columns or FIRST_COLUMNS, SORTINGS[chosen.order]
    if wants_plain_table():
        plain_table(
            rows.to_pylist(),
            said,
            columns=columns,
            sorted_by=sorting,
            on_open=lambda row: _open(start + row),
            on_sort=sort_by_heading,
        )
    else:
        table_view(
            rows,
            said + ". " + _("The switch Plain table, below it, shows these rows as words."),
            column_order=columns,
            column_config=column_config(sorting),
            height=_HEIGHT if len(shown) > _ROWS_IN_SIGHT else "auto",
            placeholder="",
            key=key,
            on_select=lambda: _picked(key, start),
            selection_mode=("single-row", "single-column"),
        )
        press_anywhere_on_a_row()
    _words_and_pages(pages, page_key)
    opened: int | None = session.recall(_OPENED, None)
    if opened is not None and opened < len(places):
        closed = partial(_close, session.recall(_OPENING, 0))
        drawer = st.dialog(_("Claim"), width="medium", position="right", on_dismiss=closed)
        drawer(_claim_and_neighbours)(
            opened,
            len(places),
            lambda place: claim_in_full(
                kept, int(places[place]), timeline=timeline, opens=partial(_opening, places)
            ),
        )


def _page(kept: KeptClaims, shown: Places, today: date) -> pa.Table:
    """A page as Streamlit sends it: turned into columns once, not on every run of every tab.

    Ids are short: a claim in full tells them whole. Days are those of UTC, as the filter and the charts count them; a
    claim in full tells the moment as it was written.
    """
    rows = kept.claims.frame.take(shown)
    rows["days_open"] = days_open(rows, closed=kept.closed, today=today)
    rows["status"] = [status_words(word) if word else "" for word in rows["status"].astype("str")]
    for name in ("order_id", "warranty_id"):
        rows[name] = [short_id(each) for each in rows[name].astype("str")]
    for name in ("warranty_start_date", "order_date"):
        rows[name] = rows[name].dt.tz_localize(None)
    return pa.Table.from_pandas(rows, preserve_index=False)


def _words_and_pages(pages: int, key: str) -> None:
    """Draw what a click does, the switch to a table of words, and the pages."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(
            _(
                "Click a row to open its claim (on a keyboard, Shift and Space). Click a heading to sort all claims, "
                "and again to reverse the order."
            ),
            width="content",
        )
        plain_table_switch()
    if pages > 1:  # on a line of their own: beside the words pages are left out
        st.pagination(pages, key=key)


def _picked(key: str, start: int) -> None:
    """A ticked row opens its claim, a heading sorts.

    The tick is taken back at once, in the table as it stands: drawn anew it would begin at its top again, and would be
    taken away under the next click.
    """
    selection = session.value_of(key, _NOTHING)["selection"]
    if selection["columns"]:
        sort_by_heading(selection["columns"][0])
    elif selection["rows"]:
        _open(start + selection["rows"][0])
        session.fill(key, _NOTHING)


def _open(place: int) -> None:
    session.remember(_OPENED, place)
    session.remember(_OPENING, session.recall(_OPENING, 0) + 1)


def _close(opening: int) -> None:
    """Forget the claim, unless the next one was ticked already: a busy server hears of both at once."""
    if session.recall(_OPENING, 0) == opening:
        session.forget(_OPENED)


def _claim_and_neighbours(opened: int, count: int, claim: Callable[[int], None]) -> None:
    recheck(Permission.READ_CLAIMS)
    opened = session.recall(_OPENED, opened)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(_("Previous"), on_click=_step, args=(-1,), disabled=opened == 0, key="claims-previous")
        st.button(
            pgettext("claim", "Next"),
            on_click=_step,
            args=(1,),
            disabled=opened + 1 >= count,
            key="claims-next",
        )
        st.text(_("{n} of {every}", n=number(opened + 1), every=number(count)))
    claim(opened)


def _opening(places: Places, place: int) -> Callable[[], None] | None:
    """Give what opens the claim at a place of the set in the drawer; None where the table does not hold it."""
    at = (places == place).nonzero()[0].tolist()
    return partial(session.remember, _OPENED, at[0]) if at else None


def _step(by: int) -> None:
    session.remember(_OPENED, session.recall(_OPENED, 0) + by)
