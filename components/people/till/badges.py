"""A person's badge, for who may see to it: since when they have one, a new one to print, and the end of it."""

from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.ui.frame.ask_first import ask_first
from components.ui.frame.code_to_scan import code_to_scan
from components.ui.frame.failure_notice import reporting_outage
from components.words.attempts import moment
from warranty.access import Operator
from warranty.language import _
from warranty.people.accounts.people import Account
from warranty.people.tills import TillDesk

_ISSUED: Final = "badge-issued"


def badge_of(tills: TillDesk, operator: Operator, account: Account) -> None:
    """Draw it; the code of a new one until it is printed."""
    name, username = account.name, account.username
    since = tills.badge_since(operator, username)
    st.text(
        _("{name} has had a badge since {moment}.", name=name, moment=moment(since))
        if since
        else _("{name} has no badge for tills.", name=name)
    )
    with st.container(horizontal=True):
        if not account.locked:
            issue = reporting_outage(partial(_issue, tills, operator, username))
            st.button(_("Issue a new badge"), key=f"issue-badge-{username}", on_click=issue)
        if since:
            ask_first(
                _("Take the badge"),
                _("Yes, take it"),
                lost=_("The badge of {name} no longer opens any till.", name=name),
                key=f"take-badge-{username}",
                on_click=partial(_take, tills, operator, username),
            )
    owner, code = session.recall(_ISSUED, ("", ""))
    if owner == username:
        _to_print(name, code)


def _to_print(name: str, code: str) -> None:
    st.info(
        _("Print this code for {name} now: it is not shown again. Any earlier badge has stopped working.", name=name)
    )
    code_to_scan(code, alt=_("The badge's code, to be scanned"))
    st.code(code, language=None)
    st.button(_("I have printed it"), key="badge-printed", on_click=session.forget, args=(_ISSUED,))


def _issue(tills: TillDesk, operator: Operator, username: str) -> None:
    session.remember(_ISSUED, (username, tills.issue_badge(operator, username)))


def _take(tills: TillDesk, operator: Operator, username: str) -> None:
    session.forget(_ISSUED)
    tills.take_badge(operator, username)
