"""Views of claims that a person saved under a name: filters, order and columns, never an e-mail."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
from warranty.language import N_, _
from warranty.places.people_in_text import names_somebody

_SAID: Final = "claims.saved-views-said"
_REPLACING: Final = "claims.saved-views-replacing"
_NOT_NOW: Final = N_("The views cannot be changed now: this desk's own records are not available.")
_NAME: Final = "saved-views:name"
_PICKED: Final = "saved-views:picked"
_LONGEST_NAME: Final = 60
_MOST: Final = 50

Views = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class TitleLine:
    """The first line of the screen, with places for the seal of what was read and for the files."""

    seal: DeltaGenerator
    files: DeltaGenerator


def title_line(title: str, desk: Desk, operator: Operator) -> TitleLine:
    """Draw the screen's title, and on the same line the person's views."""
    views = desk.preference(operator, f"claims-views.{desk.environment}", may=Permission.READ_CLAIMS)
    with st.container(horizontal=True, vertical_alignment="center", key="claims-title"):
        st.title(title, anchor=False, width="content")
        seal = st.container(horizontal=True, vertical_alignment="center", key="claims-seal")
        # Before the views: what comes when claims were read moves nothing that is there.
        files = st.container(width="content")
        _saved_views(_Store(views))
    return TitleLine(seal, files)


def _saved_views(store: "_Store") -> None:
    """Open a view, save the present one, rename or delete one."""
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
            views = store.load()
        except JournalUnavailable:
            st.error(_(_NOT_NOW))
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
            with st.container(horizontal=True):
                st.form_submit_button(_("Save view"), on_click=reporting_outage(_save), args=(store,))
                if opened:
                    st.form_submit_button(
                        _("Rename the opened view"), on_click=reporting_outage(_rename), args=(store, opened)
                    )
        if opened:
            st.button(
                _("Delete the opened view"),
                on_click=reporting_outage(_delete),
                args=(store, opened),
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


def _is_personal(key: object, value: object) -> bool:
    """Whether an earlier version kept a customer's e-mail or phone in a view."""
    return key == "words" and names_somebody(str(value))


@dataclass(frozen=True, slots=True)
class _Store:
    """One person's views as they are kept."""

    preference: Preference

    def load(self) -> Views:
        """What is stored now: another tab of the person may have saved one."""
        stored = self.preference.load()
        if not isinstance(stored, dict):
            return {}
        return {
            str(name): {str(key): str(value) for key, value in address.items() if not _is_personal(key, value)}
            for name, address in stored.items()
            if isinstance(address, dict)
        }

    def save(self, views: Views, *, opened: str | None) -> None:
        """Store them, and show one of them as the opened one."""
        self.preference.save(views)
        session.fill(_NAME, "")
        session.fill(_PICKED, opened)


def _open(views: Views) -> None:
    name: str | None = session.value_of(_PICKED, None)
    session.forget(_SAID)
    if name in views:
        current = tab_filter.current()
        tab_filter.fill_fields(ClaimsFilter.from_address(views[name], email=current.email))


def _save(store: _Store) -> None:
    name = _typed()
    if not name:
        _say(_("Give the view a name, then save it."), is_problem=True)
        return
    with _changing(store) as views:
        former = _same(views, name)
        if former is None and len(views) >= _MOST:
            _say(_("There are {n} views already. Delete one first.", n=_MOST), is_problem=True)
        elif former is not None and session.recall(_REPLACING, "") != name:
            _say(_("There is already a view “{name}”. Save it again to replace it.", name=former), is_problem=True)
            session.remember(_REPLACING, name)
        else:
            views.pop(former or "", None)
            store.save({**views, name: tab_filter.current().address()}, opened=name)
            _say(_("The view “{name}” is saved.", name=name))


def _rename(store: _Store, former: str) -> None:
    name = _typed()
    with _changing(store) as views:
        taken = _same(views, name)
        if not name or former not in views:
            _say(_("Give the opened view its new name, then rename it."), is_problem=True)
        elif taken not in {None, former}:
            _say(_("There is already a view “{name}”. Choose another name.", name=taken), is_problem=True)
        else:
            store.save({name: views.pop(former), **views}, opened=name)
            _say(_("The view “{former}” is now called “{name}”.", former=former, name=name))


def _delete(store: _Store, name: str) -> None:
    with _changing(store) as views:
        views.pop(name, None)
        store.save(views, opened=None)
        _say(_("The view “{name}” is deleted.", name=name))


def _typed() -> str:
    return " ".join(str(session.value_of(_NAME, "")).split())


def _same(views: Views, name: str) -> str | None:
    """The view that a person would take for the one of this name."""
    return next((each for each in views if each.casefold() == name.casefold()), None)


def _say(words: str, *, is_problem: bool = False) -> None:
    session.remember(_SAID, (words, is_problem))
    session.forget(_REPLACING)


@contextmanager
def _changing(store: _Store) -> Iterator[Views]:
    try:
        yield store.load()
    except JournalUnavailable:
        _say(_(_NOT_NOW), is_problem=True)
