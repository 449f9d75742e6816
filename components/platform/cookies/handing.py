"""Has a browser keep a cookie, or give it back.

How a room uses it: in a run of the script, or in a callback, `keep_in_browser("warranty_desk_till", value, lasts)`,
and `take_from_browser("warranty_desk_till")` for the way back. That is all: the sign-in's part, which is on every
screen, calls `hand_over` in each run, and the page's script has the server set what was noted (`tickets`). What the
browser sends from then on is read by `sent("warranty_desk_till")` in a run, and by `names.ours` in a request of its
own. What a tab sent is as old as its connection: in the tab that had a cookie set, `sent` knows it after a reload.
A note is forgotten with all else of the tab at a sign-out: note what is to outlive it after that.
"""

from datetime import timedelta
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.browser_part import BrowserPart
from components.platform.cookies.names import ours
from components.platform.cookies.tickets import Cookie, Handing, Tickets
from components.platform.paths import path_of

_NOTED: Final = "cookies"

# Handed in once, also where this is drawn again; a network or a journal that is away for a moment is asked again. It
# never answers the script (docs/platform-notes/sign-in-cookie.md).
_JS: Final = """
const handed = new Set();

export default function ({ data }) {
  for (const { ticket, tells } of data.tickets) {
    if (handed.has(ticket)) continue;
    handed.add(ticket);
    const tell = () => { if (tells) localStorage.setItem(tells, Date.now()); };
    const again = (tries) => { if (tries) setTimeout(hand, 2000, tries - 1); else tell(); };
    const hand = (tries) =>
      fetch(data.path, { method: "POST", body: ticket, keepalive: true, credentials: "same-origin" })
        .then((answer) => { if (answer.status >= 500) again(tries); else tell(); }, () => again(tries));
    hand(10);
  }
}
"""
_HANDS_IN: Final = BrowserPart("cookies", _JS)


def keep_in_browser(name: str, value: str, lasts: timedelta, *, tells: str = "") -> None:
    """Note a cookie that this tab's browser is to keep; `tells` is a word for its other tabs, in their storage."""
    _note(Cookie(name, value, round(lasts.total_seconds())), tells)


def take_from_browser(name: str, *, tells: str = "") -> None:
    """Note that this tab's browser is to give a cookie back."""
    _note(Cookie(name, "", 0), tells)


def hand_over(tickets: Tickets, *, make_ready: bool) -> None:
    """Have the page hand in the tickets for what was noted; the same again is nothing new.

    In every run, not only in the one that noted it: that one may end at once, for another screen, unseen. `make_ready`
    is for the form: what hands in stands there already, so that whoever reloads right after signing in has the cookie.
    """
    noted: dict[str, tuple[Cookie | Handing, str]] = session.recall(_NOTED, {})
    on_the_way = {name: (tickets.on_its_way(what), tells) for name, (what, tells) in noted.items()}
    if on_the_way:
        session.remember(_NOTED, on_the_way)
    handed = [(what, tells) for what, tells in on_the_way.values() if isinstance(what, Handing)]
    if handed or make_ready:
        handed_in = [{"ticket": handing.ticket, "tells": tells} for handing, tells in handed]
        _HANDS_IN.unseen(key="cookies", data={"path": path_of("cookie"), "tickets": handed_in})
    for name, (what, _) in noted.items():
        given = on_the_way[name][0]
        if isinstance(what, Cookie) and isinstance(given, Handing):
            tickets.wait_for(given)  # whoever is drawn as signed in and reloads at once has the cookie


def sent(name: str) -> str:
    """What the cookie of this name held as this tab connected; "" where there was none."""
    return ours(name, st.context.cookies, st.context.headers)


def _note(cookie: Cookie, tells: str) -> None:
    noted: dict[str, tuple[Cookie | Handing, str]] = session.recall(_NOTED, {})
    session.remember(_NOTED, {**noted, cookie.name: (cookie, tells)})
