"""The notes on days, listed on Trends; who may write adds, changes and deletes them here."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final

import streamlit as st

from components.claims.charts.time_notes import kind_words, note_words
from components.platform import session
from components.ui.day_field import days_field
from components.ui.frame.ask_first import ask_first
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.insight.history.time_notes import LONGEST_NOTE, NoteKind, TimeNote
from warranty.insight.insight import Insight
from warranty.language import N_, _, pgettext

_DAYS: Final = "notes:days"
_KIND: Final = "notes:kind"
_WORDS: Final = "notes:words"
_CHANGED: Final = "notes.changed"
_PROBLEM: Final = "notes.problem"


def notes_panel(notes: Sequence[TimeNote] | None, insight: Insight, operator: Operator) -> None:
    """Draw the notes, folded away; None: the journal does not answer."""
    # The label stays the same: under another one the platform folds it again.
    with st.expander(_("Notes on days"), key="notes", on_change="rerun") as folded:
        if not folded.open:
            return
        st.caption(
            _(
                "A recall, a price change, an outage: it shows on the charts of all products and in the manifests of "
                "files, for everybody who sees claims. Name the product that it is about."
            )
        )
        may_write = operator.may(Permission.WRITE_NOTES)
        for note in notes or ():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{note_words(note)} ({note.operator_name})", width="stretch")
                if may_write:
                    st.button(
                        pgettext("verb", "Change"), key=f"notes-change:{note.note_id}", on_click=_fill, args=(note,)
                    )
                    ask_first(
                        _("Delete"),
                        _("Yes, delete"),
                        lost=_("The note disappears from all charts."),
                        key=f"notes-delete:{note.note_id}",
                        on_click=partial(_remove, insight, operator, note.note_id),
                    )
        if may_write:
            _form(insight, operator)


def _form(insight: Insight, operator: Operator) -> None:
    changed: TimeNote | None = session.recall(_CHANGED, None)
    session.fill_new({_KIND: NoteKind.RECALL, _WORDS: ""})
    with st.form("notes-form"):
        with st.container(horizontal=True):
            days_field(_("From – to"), None, key=_DAYS, width=265)
            st.selectbox(
                _("Kind"), list(NoteKind), format_func=kind_words, key=_KIND, width=180, filter_mode="contains"
            )
        st.text_input(_("What happened"), key=_WORDS, max_chars=LONGEST_NOTE)
        problem: str = session.recall(_PROBLEM, "")
        if problem:
            st.error(_(problem))
        with st.container(horizontal=True):
            write = reporting_outage(partial(_write, insight, operator))
            st.form_submit_button(_("Save the change") if changed else _("Add the note"), on_click=write)
            if changed:
                st.form_submit_button(_("Leave it as it was"), on_click=_clear)


def _fill(note: TimeNote) -> None:
    session.remember(_CHANGED, note)
    session.forget(_PROBLEM)
    for key, value in ((_DAYS, (note.first, note.last)), (_KIND, note.kind), (_WORDS, note.words)):
        session.fill(key, value)


def _write(insight: Insight, operator: Operator) -> None:
    changed: TimeNote | None = session.recall(_CHANGED, None)
    days: tuple[date, ...] = session.value_of(_DAYS, ())
    if not days:
        session.remember(_PROBLEM, N_("Choose a day, or the first and the last of several."))
        return
    try:
        note = TimeNote(
            first=days[0],
            last=days[-1],  # one day alone is the whole of it
            kind=session.value_of(_KIND, NoteKind.OTHER),
            words=str(session.value_of(_WORDS, "")).strip(),
        )
    except ValueError as problem:
        session.remember(_PROBLEM, str(problem))
        return
    insight.write_note(operator, replace(note, note_id=changed.note_id) if changed else note)
    _clear()


def _remove(insight: Insight, operator: Operator, note_id: str) -> None:
    insight.remove_note(operator, note_id)
    _clear()


def _clear() -> None:
    session.forget(_CHANGED)
    session.forget(_PROBLEM)
    session.clear(_DAYS, _KIND, _WORDS)
