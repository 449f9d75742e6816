"""Tills and badges, for who may see to them: this computer becomes a till, a till is withdrawn; a person's badge."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.cookies.handing import keep_in_browser, sent
from components.platform.cookies.names import TILL_COOKIE
from components.platform.markup import plain
from components.ui.forms.pick_list import Option, pick_list
from components.ui.frame.ask_first import ask_first
from components.ui.frame.code_to_scan import code_to_scan
from components.ui.frame.failure_notice import reporting_outage
from components.words.attempts import moment
from warranty.access import Operator
from warranty.language import _
from warranty.people.accounts.people import Account
from warranty.people.tills import TillDesk
from warranty.people.tills.tills import Till

_ISSUED: Final = "badge-issued"


def badge_of(tills: TillDesk, operator: Operator, account: Account) -> None:
    """Draw it; the code of a new one until it is printed."""
    name, username = account.name, account.username
    since = tills.badge_since(operator, username)
    held = _("{name} has had a badge since {moment}.", name=name, moment=moment(since)) if since else ""
    st.text(held or _("{name} has no badge for tills.", name=name))
    with st.container(horizontal=True):
        if not account.locked:
            issue = reporting_outage(partial(_issue, tills, operator, username))
            st.button(_("Issue a new badge"), key=f"issue-badge-{username}", on_click=issue)
        if since:
            lost = _("The badge of {name} no longer opens any till.", name=name)
            take = partial(_take, tills, operator, username)
            ask_first(_("Take the badge"), _("Yes, take it"), lost=lost, key=f"take-badge-{username}", on_click=take)
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


_NAME: Final = "till-name"
_LONGEST_NAME: Final = 40
_LASTS: Final = timedelta(days=400)
"""As long as browsers keep any cookie."""
_BADGE_OF: Final = "badge-of"
_MADE: Final = "till-made"


def tills_and_badges(tills: TillDesk, operator: Operator, people: Sequence[Account]) -> None:
    """Draw them folded away."""
    with st.expander(_("Tills and badges"), key="tills"):
        here = tills.at(sent(TILL_COOKIE))
        made: str = session.recall(_MADE, "")
        if here is not None:
            st.success(_("This computer is the till {till}.", till=plain(here.name)))
        elif made:
            st.success(
                _("This computer is the till {till} from the next time that its page is loaded.", till=plain(made))
            )
        else:
            _register(tills, operator)
        for till in tills.all(operator):
            _till(tills, operator, till)
        st.divider()
        _badges(tills, operator, people)


def _register(tills: TillDesk, operator: Operator) -> None:
    st.write(
        _("At a till people switch by a PIN or a badge. Register this computer only where it stands at a counter.")
    )
    with st.form("register-till", border=False):
        st.text_input(_("Name of this till"), key=_NAME, max_chars=_LONGEST_NAME, placeholder=_("Counter 1"))
        make = reporting_outage(partial(_make, tills, operator))
        st.form_submit_button(_("Register this computer as a till"), on_click=make)


def _make(tills: TillDesk, operator: Operator) -> None:
    name = str(session.value_of(_NAME, "")).strip() or _("Counter 1")
    till, key = tills.register(operator, name)
    keep_in_browser(TILL_COOKIE, key, _LASTS)
    session.remember(_MADE, till.name)


def _till(tills: TillDesk, operator: Operator, till: Till) -> None:
    text_column, button = st.columns([3, 1], vertical_alignment="center")
    since = moment(till.registered_at)
    if till.revoked_at:
        text_column.text(_("{till}: withdrawn {moment}", till=till.name, moment=moment(till.revoked_at)))
        return
    text_column.text(_("{till}: registered {moment} by {name}", till=till.name, moment=since, name=till.registered_by))
    revoke = reporting_outage(partial(tills.revoke, operator, till.till_id))
    button.button(_("Withdraw"), key=f"withdraw-{till.till_id}", on_click=revoke, width="stretch")


def _badges(tills: TillDesk, operator: Operator, people: Sequence[Account]) -> None:
    found = {one.username: one for one in people}
    names = [Option(username, one.name, (username,)) for username, one in found.items()]
    of = pick_list(_("Badge for"), "", key=_BADGE_OF, options=names)
    if of in found:
        badge_of(tills, operator, found[of])
