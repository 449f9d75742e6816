"""At a till: the way to its pad for a tab without a person, and what locks its screen by itself (page_till.html)."""

from typing import Final

import streamlit as st

from components.people.till.page import till_path
from components.platform import session
from components.platform.browser_part import BrowserPart
from components.platform.cookies.handing import sent
from components.platform.cookies.names import TILL_COOKIE
from warranty.access import Operator
from warranty.people.tills import TillDesk

_BY_PASSWORD: Final = ("sign-in", "password")
_SOLD: Final = "sold-last"
_AFTER_SALE_SECONDS: Final = 15

_TO_THE_PAD: Final = """
export default function ({ data }) {
  location.replace(data.path);
}
"""
_WATCH: Final = """
export default function ({ data }) {
  window.deskTill?.watch(data);
}
"""
_PAD: Final = BrowserPart("to_the_pad", _TO_THE_PAD)
_WATCHED: Final = BrowserPart("till_watch", _WATCH)


def to_the_pad(tills: TillDesk) -> bool:
    """At a till, draw the way to its pad, and say so; unless its person wants to sign in with a password."""
    name, way = _BY_PASSWORD
    if st.query_params.get(name) == way or tills.at(sent(TILL_COOKIE)) is None:
        return False
    _PAD.unseen(key="to-the-pad", data={"path": till_path()})
    return True


def sold(operator: Operator, attempt_id: str) -> None:
    """Note that something of this tab has just been sold. At a till the script begins anew: its page has to know."""
    if operator.at.till_id:
        session.remember(_SOLD, attempt_id)
        st.rerun()


def watch_till(operator: Operator, *, idle_seconds: int, after_sale: bool) -> None:
    """Have the page lock a till's screen after so many seconds without a touch, sooner after a sale; 0 is never.

    Elsewhere a badge that is scanned goes nowhere, but into no field either.
    """
    path, last_sold = till_path() if operator.at.till_id else "", session.recall(_SOLD, "") if after_sale else ""
    data = {"path": path, "idle": idle_seconds, "after": _AFTER_SALE_SECONDS, "sold": last_sold}
    _WATCHED.unseen(key="till-watch", data=data)
