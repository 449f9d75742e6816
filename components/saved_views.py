"""Views of claims that a person saved under a name: filters, order and columns, never an e-mail."""

from typing import Final

import streamlit as st

from components import claims_state, session
from components.claims_filter import ClaimsFilter
from warranty.errors import JournalUnavailable
from warranty.journal import Journal

_KEPT: Final = "claims.saved-views"
_PROBLEM: Final = "claims.saved-views-problem"
_NOT_NOW: Final = "The views cannot be changed now: this desk's own records are not available."
_NAME: Final = "saved-views:name"
_PICKED: Final = "saved-views:picked"
_LONGEST_NAME: Final = 60
_MOST: Final = 50

Views = dict[str, dict[str, str]]


def saved_views(journal: Journal, *, username: str, environment: str) -> None:
    """Draw the person's views: open one, save the present one, delete one."""
    store = _Store(journal, username, f"claims-views.{environment}")
    with st.popover("Saved views", key="saved-views", on_change="rerun") as folded:
        if not folded.open:
            return
        try:
            views = store.load()
        except JournalUnavailable:
            st.error(_NOT_NOW)
            return
        if views:
            st.selectbox(
                "Open a view",
                sorted(views, key=str.casefold),
                index=None,
                placeholder="Choose a view",
                key=_PICKED,
                on_change=_open,
                args=(views,),
            )
            opened: str | None = session.value_of(_PICKED, None)
            if opened:
                st.button(
                    "Delete this view", on_click=_delete, args=(store, opened), key="saved-views-delete"
                )
        else:
            st.caption("Save the filters, the order and the columns that you need again and again.")
        st.text_input("Save this view as", key=_NAME, max_chars=_LONGEST_NAME, placeholder="Name of the view")
        st.button("Save view", on_click=_save, args=(store,), key="saved-views-save")
        st.caption(
            "A named range such as “30 days” moves on with the days. The customer's e-mail is not saved: it is "
            "personal."
        )
        problem: str = session.recall(_PROBLEM, "")
        if problem:
            st.error(problem)


class _Store:
    """One person's views in the journal's preferences, read once per tab."""

    def __init__(self, journal: Journal, username: str, name: str) -> None:
        self._journal = journal
        self._username = username
        self._name = name

    def load(self) -> Views:
        kept: Views | None = session.recall(_KEPT, None)
        if kept is None:
            kept = _checked(self._journal.preferences.load(self._username, self._name))
            session.remember(_KEPT, kept)
        return kept

    def save(self, views: Views) -> None:
        self._journal.preferences.save(self._username, self._name, views)
        session.remember(_KEPT, views)

    def reload(self) -> Views:
        """What is stored now, since another tab of the person may have saved one."""
        session.forget(_KEPT)
        return self.load()


def _checked(stored: object) -> Views:
    if not isinstance(stored, dict):
        return {}
    return {
        str(name): {str(key): str(value) for key, value in address.items()}
        for name, address in stored.items()
        if isinstance(address, dict)
    }


def _open(views: Views) -> None:
    name: str | None = session.value_of(_PICKED, None)
    if name in views:
        kept = claims_state.open_filter()
        claims_state.show(ClaimsFilter.from_address(views[name], email=kept.email))


def _save(store: _Store) -> None:
    name = " ".join(str(session.value_of(_NAME, "")).split())
    problem = "" if name else "Give the view a name, then save it."
    try:
        views = store.reload()
        if name and name not in views and len(views) >= _MOST:
            problem = f"There are {_MOST} views already. Delete one first."
        if not problem:
            store.save({**views, name: claims_state.open_filter().address()})
            session.fill(_NAME, "")
            session.fill(_PICKED, name)
    except JournalUnavailable:
        problem = _NOT_NOW
    session.remember(_PROBLEM, problem)


def _delete(store: _Store, name: str) -> None:
    try:
        views = store.reload()
        store.save({other: address for other, address in views.items() if other != name})
        session.fill(_PICKED, None)
        session.remember(_PROBLEM, "")
    except JournalUnavailable:
        session.remember(_PROBLEM, _NOT_NOW)
