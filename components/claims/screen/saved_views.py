"""Views of claims that a person saved under a name: filters, order and columns, never an e-mail."""

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.claims.screen import tab_filter
from components.claims.screen.claims_filter import OPEN_OLDEST_FIRST, ClaimsFilter
from components.platform import session
from components.platform.markup import plain
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.database.preferences import Preference
from warranty.desk import Desk
from warranty.errors import JournalUnavailable
from warranty.language import _
from warranty.places.people_in_text import names_somebody

_SAID: Final = "claims.saved-views-said"
_REPLACING: Final = "claims.saved-views-replacing"
_NAME: Final = "saved-views:name"
_PICKED: Final = "saved-views:picked"
_LONGEST_NAME: Final = 60
_MOST: Final = 50

Views = dict[str, dict[str, str]]


def title_line(title: str, desk: Desk, operator: Operator) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the screen's title, and on the same line the person's views; give places for the seal and for the files."""
    views = desk.preference(operator, f"claims-views.{desk.environment}", may=Permission.READ_CLAIMS)
    with st.container(horizontal=True, vertical_alignment="center", key="claims-title"):
        st.title(title, anchor=False, width="content")
        seal = st.container(horizontal=True, vertical_alignment="center", key="claims-seal")
        # Before the views: what comes when claims were read moves nothing that is there.
        files = st.container(width="content")
        _saved_views(views)
    return seal, files


def _saved_views(stored: Preference) -> None:
    """Open a view, save the present one, or delete one."""
    with st.popover(_("Saved views"), icon=":material/bookmark:", key="saved-views", on_change="rerun") as folded:
        if not folded.open:
            session.forget(_SAID)
            session.forget(_REPLACING)
            return
        st.button(
            _("Open, oldest first"),
            on_click=lambda: tab_filter.fill_fields(OPEN_OLDEST_FIRST),
            key="saved-views-oldest",
            help=_("All open claims, whatever their date."),
        )
        try:
            views = _load(stored)
        except JournalUnavailable:
            st.error(_("The views cannot be changed now: this desk's own records are not available."))
            return
        if views:
            st.selectbox(
                _("Open a view"),
                sorted(views, key=str.casefold),
                index=None,
                placeholder=_("Choose a view"),
                key=_PICKED,
                on_change=_open,
                args=(views,),
                filter_mode="contains",
            )
        else:
            st.caption(_("Save the filters, the order and the columns that you need again and again."))
        opened: str | None = session.value_of(_PICKED, None)
        with st.form("saved-views-form", border=False):
            st.text_input(_("Save this view as"), key=_NAME, max_chars=_LONGEST_NAME, placeholder=_("Name of the view"))
            st.form_submit_button(_("Save view"), on_click=reporting_outage(_save), args=(stored,))
        if opened:
            st.button(
                _("Delete the opened view"),
                on_click=reporting_outage(_delete),
                args=(stored, opened),
                key="saved-views-delete",
            )
        message, is_problem = session.recall(_SAID, ("", False))
        if message:
            (st.error if is_problem else st.success)(plain(message))
        st.caption(
            _(
                "A named range such as “30 days” moves on with the days. The customer's e-mail is not saved, nor "
                "are words with an e-mail in them: they are personal."
            )
        )


def _load(stored: Preference) -> Views:
    """What is stored now: another tab may have saved one, and an earlier version kept a customer's e-mail or phone."""
    views = stored.load()
    return {
        str(name): {
            str(key): str(value)
            for key, value in address.items()
            if not (key == "words" and names_somebody(str(value)))
        }
        for name, address in (views if isinstance(views, dict) else {}).items()
        if isinstance(address, dict)
    }


def _open(views: Views) -> None:
    name: str | None = session.value_of(_PICKED, None)
    session.forget(_SAID)
    if name in views:
        current = tab_filter.current()
        tab_filter.fill_fields(ClaimsFilter.from_address(views[name], email=current.email))


def _save(stored: Preference) -> None:
    name, views = " ".join(str(session.value_of(_NAME, "")).split()), _load(stored)
    former = next((each for each in views if each.casefold() == name.casefold()), None)
    problem = ""
    if not name:
        problem = _("Give the view a name, then save it.")
    elif former is None and len(views) >= _MOST:
        problem = _("There are {n} views already. Delete one first.", n=_MOST)
    elif former is not None and session.recall(_REPLACING, "") != name:
        problem = _("There is already a view “{name}”. Save it again to replace it.", name=former)
    session.remember(_REPLACING, name if problem and former else "")
    if problem:
        session.remember(_SAID, (problem, True))
        return
    views.pop(former or "", None)
    _store(stored, {**views, name: tab_filter.current().address()}, name, _("The view “{name}” is saved.", name=name))


def _delete(stored: Preference, name: str) -> None:
    views = {each: address for each, address in _load(stored).items() if each != name}
    _store(stored, views, None, _("The view “{name}” is deleted.", name=name))


def _store(stored: Preference, views: Views, opened: str | None, summary: str) -> None:
    """Store the views, and show one of them as the opened one."""
    stored.save(views)
    session.fill(_NAME, "")
    session.fill(_PICKED, opened)
    session.remember(_SAID, (summary, False))
