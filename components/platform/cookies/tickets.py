"""Tickets for cookies, and the address at which a page hands one in.

The platform answers a press over a WebSocket, and a cookie that scripts cannot read is set in the answer to a request.
So whoever was let in gets a ticket there, which the page's script hands in here, once and soon: what it stands for is
in the answer's Set-Cookie alone, and no script ever sees it. The tickets are in the journal: whichever desk the proxy
leads the page to takes them. An unused one is replaced in time.

To have a cookie of your own set, see `components.platform.cookies.handing`.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from threading import Event
from typing import Final

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from components.platform.cookies.names import set_in
from components.platform.paths import or_unavailable, path_of, small_body
from warranty.errors import JournalUnavailable
from warranty.people.accounts.cookie_tickets import CookieTickets

_TICKET_SECONDS: Final = 60
_PATIENCE_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.05
_LONGEST_BODY: Final = 200


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie as the server knows it; `seconds` is how long the browser keeps it: 0 takes it away."""

    name: str
    value: str
    seconds: int


@dataclass(slots=True)
class Handing:
    """A cookie on its way into a browser, by this ticket; `given_at` is a moment of the tickets' clock."""

    cookie: Cookie
    ticket: str
    given_at: float
    done: bool = False


@dataclass(frozen=True, slots=True)
class Tickets:
    """The tickets of the shop: given where a page was drawn, taken wherever it hands them in."""

    _store: CookieTickets
    clock: Callable[[], float] = time.monotonic
    patience: float = _PATIENCE_SECONDS

    def on_its_way(self, what: Cookie | Handing) -> Cookie | Handing:
        """A cookie with its ticket, or with another one where nobody handed the first one in.

        While the journal is away it stays as it is: the next run asks again.
        """
        with suppress(JournalUnavailable):
            if isinstance(what, Cookie):
                return self._give(what)
            if not what.done and self.clock() - what.given_at >= _TICKET_SECONDS:
                what.done = self._store.was_taken(what.ticket)
                return what if what.done else self._give(what.cookie)
        return what

    def wait_for(self, handing: Handing) -> None:
        """Wait until the ticket is handed in, for a moment at most: what is drawn after that finds the cookie there."""
        give_up, pause = self.clock() + self.patience, Event()
        with suppress(JournalUnavailable):
            while not handing.done and self.clock() < give_up:
                pause.wait(_LOOK_SECONDS)
                handing.done = self._store.was_taken(handing.ticket)

    def take(self, ticket: str) -> Cookie | None:
        """Take a ticket for the cookie that it stands for; None for one that is unknown, used or too old.

        Raises `JournalUnavailable`.
        """
        content = self._store.take(ticket)
        return None if content is None else Cookie(**json.loads(content))

    def _give(self, cookie: Cookie) -> Handing:
        return Handing(cookie, self._store.give(json.dumps(asdict(cookie))), self.clock())


def cookie_routes(tickets: Callable[[], Tickets]) -> list[Route]:
    """The address; `tickets` is asked for once the server has started.

    204 with the cookie, 410 for a ticket that is good no more, 503 while that cannot be known. That the page is ours,
    the door has seen before.
    """

    async def hand_in(request: Request) -> Response:
        ticket = await small_body(request, _LONGEST_BODY) or b""
        take = or_unavailable(lambda _: _taken(tickets(), request, ticket.decode("ascii", "replace")))
        return await anyio.to_thread.run_sync(take, request)

    return [Route(path_of("cookie"), hand_in, methods=["POST"])]


def _taken(tickets: Tickets, request: Request, ticket: str) -> Response:
    cookie = tickets.take(ticket)
    if cookie is None:
        return Response(status_code=410)
    answer = Response(status_code=204)
    set_in(answer, request, cookie.name, cookie.value, cookie.seconds)
    return answer
