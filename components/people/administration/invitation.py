"""The fields of an invitation: who, as what, and at home where."""

from functools import partial
from typing import Final

import streamlit as st

from components.people.administration.acting import giving_out
from components.people.administration.words import role_words
from components.platform import session
from warranty.access import Operator, Role
from warranty.language import _
from warranty.people.accounts import Administration
from warranty.people.accounts.passwords import LONGEST_NAME, LONGEST_USERNAME

LONGEST_STORE: Final = 60
_SENT: Final = "invitations-sent"


def invitation(accounts: Administration, operator: Operator) -> None:
    """Draw them, folded away; empty again after each one that was sent."""
    sent = session.recall(_SENT, 0)
    keys = name, username, role, store = (
        f"invite-name-{sent}",
        f"invite-username-{sent}",
        f"invite-role-{sent}",
        f"invite-store-{sent}",
    )
    with (
        st.expander(_("Invite a person"), icon=":material/person_add:", key="invite"),
        st.form(f"invitation-{sent}", border=False, enter_to_submit=False),
    ):
        left, right = st.columns(2)
        left.text_input(_("Name that colleagues read"), key=name, max_chars=LONGEST_NAME, autocomplete="off")
        right.text_input(
            _("Login name"),
            key=username,
            max_chars=LONGEST_USERNAME,
            autocomplete="off",
            help=_("Letters, digits, dots, dashes and underscores."),
        )
        left.selectbox(_("Role"), list(Role), key=role, format_func=role_words, filter_mode="contains")
        right.text_input(_("Home store (optional)"), key=store, max_chars=LONGEST_STORE, autocomplete="off")
        st.form_submit_button(
            _("Invite"), type="primary", on_click=giving_out(partial(_invite, accounts, operator, keys))
        )


def _invite(accounts: Administration, operator: Operator, keys: tuple[str, str, str, str]) -> tuple[str, str]:
    name, username, role, store = keys
    whom = session.value_of(username, "").strip().lower()
    password = accounts.invite(
        operator,
        whom,
        name=session.value_of(name, ""),
        role=session.value_of(role, Role.STAFF),
        home_store=session.value_of(store, ""),
    )
    session.remember(_SENT, session.recall(_SENT, 0) + 1)
    return whom, password
