"""The screens of the second factor: a QR code for the app, the field for its code, and its recovery codes."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.ui.frame.code_to_scan import code_to_scan
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.language import _
from warranty.people.accounts import AccountRefused
from warranty.people.accounts.second_factor import SecondStep

_CODE: Final = "second-factor-code"
_NEW: Final = "second-factor-new"
_SAID: Final = "second-factor-said"
_RECOVERY: Final = "recovery-codes"
_LONGEST: Final = 20
_GROUP: Final = 4


def second_factor(
    step: SecondStep, operator: Operator, since: datetime, *, shop: str, sign_out: Callable[[], None]
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


def _setting_up(step: SecondStep, operator: Operator, since: datetime, shop: str) -> None:
    secret = session.recall(_NEW, "") or step.begin()
    session.remember(_NEW, secret)
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
        st.text_input(_("Code"), key=_CODE, max_chars=_LONGEST, autocomplete="one-time-code")
        if message := session.recall(_SAID, ""):
            st.error(_(message))
        st.form_submit_button(
            _("Continue"), type="primary", width="stretch", on_click=reporting_outage(partial(_judged, judge))
        )


def _judged(judge: Callable[[], None]) -> None:
    session.forget(_SAID)
    try:
        judge()
    except AccountRefused as refused:
        session.remember(_SAID, refused.reason)
    session.clear(_CODE)


def _give(step: SecondStep, operator: Operator, since: datetime) -> None:
    step.give(operator, since, session.value_of(_CODE, ""))


def _set_up(step: SecondStep, operator: Operator, since: datetime, secret: str) -> None:
    codes = step.set_up(operator, since, secret, session.value_of(_CODE, ""))
    session.forget(_NEW)
    session.remember(_RECOVERY, codes)


def _recovery_codes(codes: list[str]) -> None:
    st.header(_("Your recovery codes"), anchor=False)
    st.write(_("Each opens once in place of the app. They are shown this once: print them or write them down."))
    st.code("\n".join(codes), language=None)
    st.button(
        _("I have kept them"),
        key="recovery-codes-kept",
        type="primary",
        width="stretch",
        on_click=session.forget,
        args=(_RECOVERY,),
    )
