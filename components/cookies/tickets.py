"""Tickets for cookies, and the address at which a page hands one in.

The platform answers a press over a WebSocket, and a cookie that scripts cannot read is set in the answer to a request.
So whoever was let in gets a ticket there, which the page's script hands in here, once and soon: what it stands for is
in the answer's Set-Cookie alone, and no script ever sees it. The ticket is good at the process that gave it; a proxy
before several keeps a browser with one (docs/decisions/proxies.md), and an unused ticket is replaced in time.

To have a cookie of your own set, see `components.cookies.handing`.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Final

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from components.cookies.names import name_in_browser, origin_of

TICKET_SECONDS: Final = 60
_PATIENCE_SECONDS: Final = 2.0
_TICKET_BYTES: Final = 32
_LONGEST_BODY: Final = 200


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie as the server knows it; `seconds` is how long the browser keeps it: 0 takes it away."""

    name: str
    value: str
    seconds: int


@dataclass(slots=True)
class Handing:
    """A cookie on its way into a browser, by this ticket."""

    cookie: Cookie
    ticket: str
    until: float
    done: Event = field(default_factory=Event)

    def is_lost(self, moment: float) -> bool:
        """Whether nobody handed the ticket in while it was good."""
        return not self.done.is_set() and moment >= self.until


class Tickets:
    """The tickets that this process gave and that nobody has handed in yet."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, patience: float = _PATIENCE_SECONDS
    ) -> None:
        self._clock = clock
        self._patience = patience
        self._open: dict[str, Handing] = {}
        self._lock = Lock()

    def give(self, cookie: Cookie) -> Handing:
        """Give a ticket for a cookie."""
        moment = self._clock()
        handing = Handing(cookie, secrets.token_urlsafe(_TICKET_BYTES), moment + TICKET_SECONDS)
        with self._lock:
            self._open = {ticket: one for ticket, one in self._open.items() if one.until > moment}
            self._open[handing.ticket] = handing
        return handing

    def again(self, handing: Handing) -> Handing:
        """The same, or with another ticket where nobody handed the first one in."""
        return self.give(handing.cookie) if handing.is_lost(self._clock()) else handing

    def wait_for(self, handing: Handing) -> None:
        """Wait until the ticket is handed in, for a moment at most: what is drawn after that finds the cookie there."""
        handing.done.wait(self._patience)

    def take(self, ticket: str) -> Cookie | None:
        """Take a ticket for the cookie that it stands for; None for one that is unknown, used or too old."""
        with self._lock:
            handing = self._open.pop(ticket, None)
        if handing is None or handing.is_lost(self._clock()):
            return None
        handing.done.set()
        return handing.cookie


def cookie_path() -> str:
    """Where a page hands its tickets in."""
    return f"/{st.get_option('server.baseUrlPath')}".rstrip("/") + "/cookie"


def cookie_routes(tickets: Callable[[], Tickets]) -> list[Route]:
    """The address; `tickets` is asked for once the server has started.

    204 with the cookie, 410 for a ticket that is good no more. That the page is ours, the door has seen before.
    """

    async def hand_in(request: Request) -> Response:
        ticket = b""
        try:
            async for part in request.stream():
                ticket += part
                if len(ticket) > _LONGEST_BODY:
                    break
        except ClientDisconnect:
            return Response(status_code=400)
        cookie = tickets().take(ticket.decode("ascii", "replace"))
        if cookie is None:
            return Response(status_code=410)
        origin = origin_of(request.headers, request.url.scheme)
        answer = Response(status_code=204)
        answer.set_cookie(
            name_in_browser(cookie.name, origin),
            cookie.value,
            max_age=cookie.seconds,
            path="/",
            secure=origin.startswith("https:"),
            httponly=True,
            samesite="strict",
        )
        return answer

    return [Route(cookie_path(), hand_in, methods=["POST"])]
