"""The pad of a till: a page of our own beside the dashboard, what it asks, the way to it for a tab without a person,
and what locks a till's screen by itself (page_till.js).

It is not one of the platform's screens: a switch is one request and then a whole new page, so nothing that the former
person saw or typed is left in the tab. Whose browser this is, its cookie says, which only the server reads.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from components.platform import session
from components.platform.browser_part import BrowserPart
from components.platform.cookies.handing import sent
from components.platform.cookies.names import TILL_COOKIE, ours
from components.platform.own_page.page import page_files
from components.platform.paths import address_of, or_unavailable, path_of, small_body
from warranty.access import Operator
from warranty.language import N_
from warranty.people.tills import Answer, TillDesk
from warranty.settings import Settings

_STATUS: Final = {Answer.IN: 200, Answer.WRONG: 403, Answer.LOCKED: 423, Answer.SPENT: 410, Answer.NO_TILL: 404}
_LONGEST_BODY: Final = 1_000
WORDS: Final[Mapping[str, str]] = {
    "who": N_("Who is at this till?"),
    "how": N_("Press your name, its number or its first letter. A badge can be scanned at any time."),
    "pin": N_("PIN of {name}"),
    "back": N_("Not me"),
    "erase": N_("Erase the last digit"),
    "wrong": N_("Wrong PIN. Tries left: {left}."),
    "wrong_badge": N_("This badge opens nothing here. Tries left: {left}."),
    "locked": N_("This pad is locked after five wrong tries. A sign-in with a password opens it again."),
    "spent": N_("This PIN was tried wrongly too often. Sign in with your password, and choose another one."),
    "away": N_("The desk does not answer at the moment. Try again in a minute."),
    "nobody": N_("Nobody here has a PIN yet. Sign in with your password, and set one in the menu behind your name."),
    "no_till": N_("This computer is no registered till. Sign in with your password."),
    "password": N_("Sign in with a password"),
    "in": N_("One moment, {name}"),
    "badge": N_("badge"),
}
"""What the pad says, in the language that is chosen on it; it fills in what stands in braces."""


def till_path() -> str:
    """Where the pad is."""
    return path_of("till")


def till_key(request: Request) -> str:
    """The key that the browser of this request keeps; "" where it is no till."""
    return ours(TILL_COOKIE, request.cookies, request.headers, request.url.scheme)


def till_routes(tills: Callable[[], TillDesk], settings: Settings) -> list[Route]:
    """The routes; `tills` are asked for once the server has started.

    `now` tells the pad who is to be shown. `switch` answers 200 for who is in, 403 for what was wrong, 423 for a locked
    pad, 410 for a PIN that is spent and 404 where there is no till; `lock` 204. That the page is ours,
    the door has seen before.
    """
    path = till_path()

    def now(request: Request) -> Response:
        till = tills().at(till_key(request), fresh=True)
        if till is None:
            return JSONResponse({}, status_code=404)
        listed = [{"id": one.username, "name": one.name, "digits": one.digits} for one in tills().people(till)]
        left, locked = tills().tries_left(till), till.pad_locked_at is not None
        told = {"shop": settings.shop_name, "till": till.name, "locked": locked, "people": listed, "left": left}
        return JSONResponse(told)

    async def switch(request: Request) -> Response:
        posted = _texts(await small_body(request, _LONGEST_BODY))
        switched = or_unavailable(lambda _: Response(status_code=_STATUS[_switch(tills(), request, posted)]))
        return await anyio.to_thread.run_sync(switched, request)

    def lock(request: Request) -> Response:
        locked = tills().lock(till_key(request), address=address_of(request))
        return Response(status_code=204 if locked else 404)

    return [
        *page_files("till", Path(__file__).parent, WORDS, settings.environment),
        Route(f"{path}/now", or_unavailable(now), methods=["GET"]),
        Route(f"{path}/switch", switch, methods=["POST"]),
        Route(f"{path}/lock", or_unavailable(lock), methods=["POST"]),
    ]


def _switch(tills: TillDesk, request: Request, posted: Mapping[str, str]) -> Answer:
    key, address = till_key(request), address_of(request)
    if badge := posted.get("badge", ""):
        return tills.by_badge(key, badge, address=address)
    return tills.by_pin(key, posted.get("person", ""), posted.get("pin", ""), address=address)


def _texts(body: bytes | None) -> Mapping[str, str]:
    """The texts of a JSON object; what is anything else says nothing."""
    try:
        content: Any = json.loads(body or b"")
    except ValueError:
        return {}
    return {name: each for name, each in content.items() if isinstance(each, str)} if isinstance(content, dict) else {}


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
    if operator.at.till_id:  # its next person comes to the pad
        st.query_params.pop(_BY_PASSWORD[0], None)
    path, last_sold = till_path() if operator.at.till_id else "", session.recall(_SOLD, "") if after_sale else ""
    data = {"path": path, "idle": idle_seconds, "after": _AFTER_SALE_SECONDS, "sold": last_sold}
    _WATCHED.unseen(key="till-watch", data=data)
