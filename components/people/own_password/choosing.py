"""The fields in which a person chooses a password or a PIN, in a dialog or at the first sign-in on a screen; and the
second factor: a QR code for the app, the field for its code, its recovery codes.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.ui.frame.ask_first import OwnDialog
from components.ui.frame.code_to_scan import code_to_scan
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator, Permission
from warranty.language import N_, _
from warranty.people.accounts import AccountRefused, Administration, Refusal
from warranty.people.accounts.second_factor import SecondFactors
from warranty.people.tills import EasyPin, TillDesk

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
        change = reporting_outage(partial(_change, accounts, operator, stay))
        return st.form_submit_button(_("Change password"), type="primary", width="stretch", on_click=change)


def _password(label: str, key: str, fault: tuple[str, str], kind: str, *, longest: int = _LONGEST) -> None:
    st.text_input(label, type="password", key=key, max_chars=longest, autocomplete=kind)
    if fault[0] == key and fault[1]:
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


OWN_PIN: Final = OwnDialog("own-pin", Permission.SET_OWN_PIN)
_PIN, _PIN_AGAIN = ("own-pin-new", "own-pin-again")
_LONGEST_PIN: Final = 6


def choosing_pin(tills: TillDesk, operator: Operator) -> None:
    """Draw the dialog, if it is open; say that the PIN is set."""
    if operator.may(Permission.SET_OWN_PIN):
        form, done = partial(_pin_form, tills, operator), _("Your PIN is set. It works at registered tills alone.")
        OWN_PIN.draw(_("My PIN"), form, done=done)


def _pin_form(tills: TillDesk, operator: Operator) -> bool:
    st.write(_("With a PIN of 4 to 6 digits you switch in at a till of your store. It opens what staff may."))
    with st.form("own-pin", border=False):
        for label, key in ((_("New PIN"), _PIN), (_("Repeat new PIN"), _PIN_AGAIN)):
            _password(label, key, (_PIN_AGAIN, OWN_PIN.problem), "off", longest=_LONGEST_PIN)
        set_it = reporting_outage(partial(_set_pin, tills, operator))
        return st.form_submit_button(_("Set PIN"), type="primary", on_click=set_it, width="stretch")


def _set_pin(tills: TillDesk, operator: Operator) -> None:
    new, again = (str(session.value_of(key, "")) for key in (_PIN, _PIN_AGAIN))
    session.clear(_PIN, _PIN_AGAIN)
    if new != again:
        OWN_PIN.refuse(N_("The two are not the same. Type the new PIN again in both fields."))
        return
    try:
        tills.set_pin(operator, new)
    except EasyPin as problem:
        OWN_PIN.refuse(
            N_("Others would guess this PIN: it repeats itself or counts up or down. Choose another.")
            if problem.easy
            else N_("A PIN has 4 to 6 digits, and nothing else.")
        )
        return
    OWN_PIN.close()


_CODE: Final = "second-factor-code"
_NEW_KEY: Final = "second-factor-new"
_SAID: Final = "second-factor-said"
_RECOVERY: Final = "recovery-codes"
_LONGEST_CODE: Final = 20
_GROUP: Final = 4


def second_factor(
    step: SecondFactors, operator: Operator, since: datetime, *, shop: str, sign_out: Callable[[], None]
) -> bool:
    """Draw what stands before all screens for who owes it, or has just set it up; gives whether anything does."""
    codes: list[str] = session.recall(_RECOVERY, [])
    if not operator.owes_second_factor and not codes:
        return False
    with st.container(horizontal_alignment="center"), st.container(key="sign-in-card", width=416):
        if codes:
            _recovery_codes(codes)
            return True
        if step.is_set_up(operator.username):
            st.header(_("Code of your app"), anchor=False)
            st.write(
                _("Type the code that your app shows now. Without the app, one of your recovery codes opens, once.")
            )
            _field(partial(_give, step, operator, since))
            st.caption(_("Neither at hand? An administrator lets you set up another app."))
        else:
            _setting_up(step, operator, since, shop)
        st.button(_("Sign out"), key="second-factor-sign-out", on_click=sign_out, width="stretch")
    return True


def _setting_up(step: SecondFactors, operator: Operator, since: datetime, shop: str) -> None:
    secret = session.recall(_NEW_KEY, "") or step.begin()
    session.remember(_NEW_KEY, secret)
    st.header(_("Set up your app"), anchor=False)
    st.write(
        _("Your role signs in with a code as well. Scan this with an app for codes, and type the code that it shows.")
    )
    address = step.address(operator, secret, shop)
    code_to_scan(address, width=220, alt=_("The key for your app, to be scanned"))
    st.caption(_("Cannot scan it? Type this key into the app instead:"))
    st.code(" ".join(secret[at : at + _GROUP] for at in range(0, len(secret), _GROUP)), language=None)
    _field(partial(_set_up, step, operator, since, secret))


def _field(judge: Callable[[], None]) -> None:
    with st.form("second-factor", border=False):
        st.text_input(_("Code"), key=_CODE, max_chars=_LONGEST_CODE, autocomplete="one-time-code")
        if message := session.recall(_SAID, ""):
            st.error(_(message))
        judged = reporting_outage(partial(_judged, judge))
        st.form_submit_button(_("Continue"), type="primary", width="stretch", on_click=judged)


def _judged(judge: Callable[[], None]) -> None:
    session.forget(_SAID)
    try:
        judge()
    except AccountRefused as refused:
        session.remember(_SAID, refused.reason)
    session.clear(_CODE)


def _give(step: SecondFactors, operator: Operator, since: datetime) -> None:
    step.give(operator, since, session.value_of(_CODE, ""))


def _set_up(step: SecondFactors, operator: Operator, since: datetime, secret: str) -> None:
    codes = step.set_up(operator, since, secret, session.value_of(_CODE, ""))
    session.forget(_NEW_KEY)
    session.remember(_RECOVERY, codes)


def _recovery_codes(codes: list[str]) -> None:
    st.header(_("Your recovery codes"), anchor=False)
    st.write(_("Each opens once in place of the app. They are shown this once: print them or write them down."))
    st.code("\n".join(codes), language=None)
    label, key = _("I have kept them"), "recovery-codes-kept"
    st.button(label, key=key, type="primary", width="stretch", on_click=session.forget, args=(_RECOVERY,))
