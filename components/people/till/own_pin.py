"""The dialog in which a person chooses the PIN by which they switch in at tills."""

from functools import partial
from typing import Final

import streamlit as st

from components.gate import recheck
from components.platform import session
from components.ui.frame.ask_first import close_question, open_question, question_subject
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.language import _
from warranty.people.tills import EasyPin, TillDesk

_QUESTION: Final = "own-pin"
_SAID: Final = "own-pin-said"
_SET: Final = "own-pin-set"
_NEW, _AGAIN = ("own-pin-new", "own-pin-again")
_LONGEST: Final = 6


def ask_for_a_pin() -> None:
    """Open the dialog with the next run; for callbacks."""
    session.forget(_SAID)
    open_question(_QUESTION, _QUESTION)


def is_asking_for_a_pin() -> bool:
    """Whether the dialog is open."""
    return question_subject(_QUESTION) is not None


def choosing_pin(tills: TillDesk, operator: Operator) -> None:
    """Draw the dialog, if it is open; say once that the PIN is set."""
    if session.recall(_SET, False):
        session.forget(_SET)
        done = _("Your PIN is set. It works at registered tills alone.")
        st.toast(done, icon=":material/check:", duration="long")
    if not is_asking_for_a_pin() or not operator.may(Permission.SET_OWN_PIN):
        return

    @st.dialog(_("My PIN"), on_dismiss=partial(close_question, _QUESTION))
    def ask() -> None:
        recheck(Permission.SET_OWN_PIN)
        st.write(_("With a PIN of 4 to 6 digits you switch in at a till of your store. It opens what staff may."))
        with st.form("own-pin", border=False):
            _field(_("New PIN"), _NEW)
            _field(_("Repeat new PIN"), _AGAIN)
            if message := session.recall(_SAID, ""):
                st.error(message)
            set_it = reporting_outage(partial(_set, tills, operator))
            pressed = st.form_submit_button(_("Set PIN"), type="primary", on_click=set_it, width="stretch")
        if pressed and not is_asking_for_a_pin():
            st.rerun()  # a press in a dialog draws the dialog alone

    ask()


def _field(label: str, key: str) -> None:
    st.text_input(label, type="password", key=key, max_chars=_LONGEST, autocomplete="off")


def _set(tills: TillDesk, operator: Operator) -> None:
    new, again = (str(session.value_of(key, "")) for key in (_NEW, _AGAIN))
    session.clear(_NEW, _AGAIN)
    if new != again:
        session.remember(_SAID, _("The two are not the same. Type the new PIN again in both fields."))
        return
    try:
        tills.set_pin(operator, new)
    except EasyPin as problem:
        session.remember(
            _SAID,
            _("Others would guess this PIN: it repeats itself or counts up or down. Choose another.")
            if problem.easy
            else _("A PIN has 4 to 6 digits, and nothing else."),
        )
        return
    session.forget(_SAID)
    close_question(_QUESTION)
    session.remember(_SET, True)
