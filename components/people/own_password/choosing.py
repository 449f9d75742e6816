"""The fields in which a person chooses a password: in a dialog, or on a screen of its own at the first sign-in."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.ui.frame.ask_first import OwnDialog
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.language import N_, _
from warranty.people.accounts import AccountRefused, Administration, Refusal

OWN_PASSWORD: Final = OwnDialog("own-password")
_CURRENT, _NEW, _AGAIN = ("own-password-current", "own-password-new", "own-password-again")
_LONGEST: Final = 200
_NOT_ALIKE: Final = N_("The two are not the same. Type the new password again in both fields.")
_OF_THE_CURRENT: Final = {Refusal.WRONG, Refusal.TOO_MANY, Refusal.TRAINING, Refusal.UNKNOWN}


def changing_own_password(accounts: Administration, operator: Operator, stay: Callable[[], None]) -> None:
    """Draw the dialog, if it is open; say that the password was just changed. `stay` keeps this tab signed in."""
    done = _("Your password is changed. Everywhere else you are signed out.")
    OWN_PASSWORD.draw(_("Change my password"), partial(_fields, accounts, operator, stay), done=done)


def choosing_first_password(
    accounts: Administration, operator: Operator, stay: Callable[[], None], sign_out: Callable[[], None]
) -> None:
    """Draw the screen that stands before all others for who came with a one-time password."""
    with st.container(horizontal_alignment="center"), st.container(key="sign-in-card", width=416):
        st.header(_("Choose your password"), anchor=False)
        st.write(_("You came with a one-time password. Choose one that only you know; then the screens open."))
        _fields(accounts, operator, stay)
        st.button(_("Sign out"), key="first-password-sign-out", on_click=sign_out, width="stretch")


def _fields(accounts: Administration, operator: Operator, stay: Callable[[], None]) -> bool:
    """Draw the fields and their button, what is wrong beside its field; gives whether the button was pressed."""
    fault: tuple[str, str] = OWN_PASSWORD.problem or ("", "")
    with st.form("own-password", border=False):
        if not operator.must_change_password:
            _password(_("Current password"), _CURRENT, fault, "current-password")
        _password(_("New password"), _NEW, fault, "new-password")
        st.caption(_("At least 10 characters. Three unrelated words work well."))
        _password(_("Repeat new password"), _AGAIN, fault, "new-password")
        return st.form_submit_button(
            _("Change password"),
            type="primary",
            width="stretch",
            on_click=reporting_outage(partial(_change, accounts, operator, stay)),
        )


def _password(label: str, key: str, fault: tuple[str, str], kind: str) -> None:
    st.text_input(label, type="password", key=key, max_chars=_LONGEST, autocomplete=kind)
    if fault[0] == key:
        st.error(_(fault[1]))


def _change(accounts: Administration, operator: Operator, stay: Callable[[], None]) -> None:
    current, new, again = (session.value_of(key, "") for key in (_CURRENT, _NEW, _AGAIN))
    if new != again:
        OWN_PASSWORD.refuse((_AGAIN, _NOT_ALIKE))
        return
    try:
        accounts.change_own_password(operator, current, new)
    except AccountRefused as refused:
        OWN_PASSWORD.refuse((_CURRENT if refused.reason in _OF_THE_CURRENT else _NEW, refused.reason))
        return
    stay()
    OWN_PASSWORD.close(_CURRENT, _NEW, _AGAIN)
