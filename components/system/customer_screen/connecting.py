"""The dialog in which a person connects a second screen, by the code that it shows, and takes it away again."""

from datetime import timedelta
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from components.platform import session
from components.platform.paths import path_of
from components.system.customer_screen.telling import tell_anew
from components.ui.frame.ask_first import OwnDialog
from components.ui.frame.code_to_scan import code_to_scan
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.language import _, ngettext
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.tills.customer_screens import CODE_LENGTH, CustomerScreens

OWN_SCREEN: Final = OwnDialog("customer-screen")
_CODE: Final = "customer-screen-code"
_LONGEST_ENTRY: Final = 3 * CODE_LENGTH


def connecting(screens: CustomerScreens, operator: Operator, tries: SignInTries) -> None:
    """Draw the dialog, if it is open; say that a screen was connected."""
    form, done = partial(_form, screens, operator, tries), _("The customer's screen is connected.")
    OWN_SCREEN.draw(_("Customer's screen"), form, done=done)


def _form(screens: CustomerScreens, operator: Operator, tries: SignInTries) -> bool:
    connect = reporting_outage(partial(_connect, screens, operator, tries))
    disconnect = reporting_outage(partial(_disconnect, screens, operator))
    if screens.count(operator.username, operator.at.till_id):
        st.success(_("A customer's screen is connected. It shows the basket, the link and the plans."))
        st.button(_("Disconnect"), key="disconnect-screen", on_click=disconnect, width="stretch")
    _where(customer_address(st.context.url or ""))
    with st.form("connect-screen", border=False):
        label = _("Code on the customer's screen")
        st.text_input(label, key=_CODE, max_chars=_LONGEST_ENTRY, autocomplete="off", placeholder="ABC DEF")
        if OWN_SCREEN.problem:
            st.error(OWN_SCREEN.problem)
        return st.form_submit_button(_("Connect"), type="primary", on_click=connect, width="stretch")


def customer_address(page: str) -> str:
    """The address of the customer's page, beside that of the page which a person is at."""
    parts = urlsplit(page)
    return f"{parts.scheme}://{parts.netloc}{path_of('customer')}"


def _where(address: str) -> None:
    words, code = st.columns([3, 2], vertical_alignment="center")
    with words:
        st.markdown(_("Open this on the second screen. It shows a code:"))
        st.code(address, language=None, wrap_lines=True)
        st.link_button(
            _("Open on this computer"), address, icon=":material/open_in_new:", width="stretch", key="open-screen"
        )
    with code:
        code_to_scan(address, alt=_("QR code of the customer's screen"))


def _connect(screens: CustomerScreens, operator: Operator, tries: SignInTries) -> None:
    code = str(session.value_of(_CODE, ""))
    name, address = f"a customer's screen\n{operator.username}", st.context.ip_address or "this machine"
    wait = tries.begin(name, address)
    if wait > timedelta(0):
        seconds = max(1, round(wait.total_seconds()))
        OWN_SCREEN.refuse(
            ngettext(
                "Too many wrong codes. Try again in {n} second.",
                "Too many wrong codes. Try again in {n} seconds.",
                seconds,
                n=seconds,
            )
        )
    elif screens.pair(code, operator.username, operator.at.till_id):
        tries.succeeded(name, address)
        tell_anew()
        OWN_SCREEN.close()
    else:
        OWN_SCREEN.refuse(_("No screen shows this code now. Look at it again: it changes every five minutes."))


def _disconnect(screens: CustomerScreens, operator: Operator) -> None:
    screens.disconnect(operator.username)
    tell_anew()
