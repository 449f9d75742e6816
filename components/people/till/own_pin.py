"""The dialog in which a person chooses the PIN by which they switch in at tills."""

from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.ui.frame.ask_first import OwnDialog
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.language import _
from warranty.people.tills import EasyPin, TillDesk

OWN_PIN: Final = OwnDialog("own-pin", Permission.SET_OWN_PIN)
_NEW, _AGAIN = ("own-pin-new", "own-pin-again")
_LONGEST: Final = 6


def choosing_pin(tills: TillDesk, operator: Operator) -> None:
    """Draw the dialog, if it is open; say that the PIN is set."""
    if operator.may(Permission.SET_OWN_PIN):
        form, done = partial(_form, tills, operator), _("Your PIN is set. It works at registered tills alone.")
        OWN_PIN.draw(_("My PIN"), form, done=done)


def _form(tills: TillDesk, operator: Operator) -> bool:
    st.write(_("With a PIN of 4 to 6 digits you switch in at a till of your store. It opens what staff may."))
    with st.form("own-pin", border=False):
        for label, key in ((_("New PIN"), _NEW), (_("Repeat new PIN"), _AGAIN)):
            st.text_input(label, type="password", key=key, max_chars=_LONGEST, autocomplete="off")
        if OWN_PIN.problem:
            st.error(OWN_PIN.problem)
        set_it = reporting_outage(partial(_set, tills, operator))
        return st.form_submit_button(_("Set PIN"), type="primary", on_click=set_it, width="stretch")


def _set(tills: TillDesk, operator: Operator) -> None:
    new, again = (str(session.value_of(key, "")) for key in (_NEW, _AGAIN))
    session.clear(_NEW, _AGAIN)
    if new != again:
        OWN_PIN.refuse(_("The two are not the same. Type the new PIN again in both fields."))
        return
    try:
        tills.set_pin(operator, new)
    except EasyPin as problem:
        OWN_PIN.refuse(
            _("Others would guess this PIN: it repeats itself or counts up or down. Choose another.")
            if problem.easy
            else _("A PIN has 4 to 6 digits, and nothing else.")
        )
        return
    OWN_PIN.close()
