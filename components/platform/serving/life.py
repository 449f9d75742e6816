"""The life of this process: which start of the program it is, how it ends, who is sent on, and what monitors ask of it.

No answer says anything of customers or tokens. `/livez`: the event loop answers, nothing is asked. `/readyz`: people
may be sent here. `/version`: which program, on which journal. `/healthz`: the journal can be written. Whatever hangs,
the event loop does not wait for it, and of any number of questions at once one goes to the database.
"""

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Final
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from warranty import VERSION
from warranty.database.schema import Schema
from warranty.errors import JournalUnavailable


class Life:
    """One for each process; `pause` is how long, in seconds, a proxy needs to see that people go elsewhere."""

    def __init__(self, *, pause: float = 0) -> None:
        self._pause = pause
        self.start_id = uuid4().hex
        """Another at each start: tells whether the process that answers is the one that answered before."""
        self.draining = threading.Event()
        """Set when the program was asked to end: nothing new is begun, and what runs on looks for its place to stop."""

    def drain_at_sigterm(self, finish: Callable[[], None]) -> None:
        """At the first SIGTERM drain: pause, `finish` what is on its way, and only then let the server stop.

        The server's own way is to hang up at once and to wait afterwards. A second SIGTERM ends the program on the
        spot, as a power cut would: what was on its way then is unknown. Elsewhere than in the main thread, where no
        signal arrives, this does nothing.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        server_stops = signal.getsignal(signal.SIGTERM)
        if not callable(server_stops):
            return

        def leave() -> None:
            try:
                threading.Event().wait(self._pause)
                finish()
            finally:
                server_stops(signal.SIGTERM, None)

        def on_sigterm(number: int, _: FrameType | None) -> None:
            if self.draining.is_set():
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)
            self.draining.set()
            threading.Thread(target=leave, name="drain").start()

        signal.signal(signal.SIGTERM, on_sigterm)


class Elsewhere:
    """ASGI middleware: while the process drains, a new live connection is refused and a page has the status 503.

    Every proxy understands a 503. One that asks /readyz would know by itself; nginx asks nothing, and sends the next
    browser to whoever has the fewest connections, which soon is the process that goes.

    The page itself stays: where there is no other replica, it says that the desk is being updated. Connections that
    stand, and what their pages ask for, go on.
    """

    def __init__(self, app: ASGIApp, *, life: Callable[[], Life]) -> None:
        self._app = app
        self._life = life

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but a live connection that came too late."""

        async def send_as_unavailable(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200 and _is_page(message):
                message["status"] = 503
            await send(message)

        if scope["type"] == "lifespan" or not self._life().draining.is_set():
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(Response(status_code=503))
        else:
            await self._app(scope, receive, send_as_unavailable)


def _is_page(message: Message) -> bool:
    return any(name == b"content-type" and value.startswith(b"text/html") for name, value in message["headers"])


_PATIENCE_SECONDS: Final = 2
"""A proxy that asks every few seconds wants an answer before it asks again."""


class Health:
    """Answers for a process; `schema` asks its journal, and may raise `JournalUnavailable`."""

    def __init__(self, *, environment: str, schema: Callable[[], Schema], life: Life) -> None:
        self._environment = environment
        self._schema = schema
        self._life = life
        self._pending: asyncio.Future[Schema | None] | None = None

    async def ready(self) -> JSONResponse:
        """Whether people may be sent here."""
        status = "draining"
        if not self._life.draining.is_set():
            schema = await self._soon()
            status = "ready" if schema else "journal unavailable"
            if schema and not schema.fits:
                status = "journal out of date"
        return _answer({"status": status}, well=status == "ready")

    async def healthy(self) -> JSONResponse:
        """Whether the journal can be written, however long that takes to find out."""
        answers = await asyncio.shield(self._ask()) is not None
        status = "ok" if answers else "journal unavailable"
        return _answer({"status": status, "environment": self._environment}, well=answers)

    async def version(self) -> JSONResponse:
        """The program, the revision of its journal's schema (null: not known now), and the start."""
        schema = await self._soon()
        journal = schema.revision if schema else None
        return _answer({"version": VERSION, "journal": journal, "start": self._life.start_id})

    async def _soon(self) -> Schema | None:
        try:
            return await asyncio.wait_for(asyncio.shield(self._ask()), _PATIENCE_SECONDS)
        except TimeoutError:
            return None

    def _ask(self) -> asyncio.Future[Schema | None]:
        if self._pending is None or self._pending.done():
            self._pending = asyncio.ensure_future(asyncio.to_thread(self._look))
        return self._pending

    def _look(self) -> Schema | None:
        try:
            return self._schema()
        except JournalUnavailable:
            return None


def health_routes(health: Callable[[], Health]) -> list[Route]:
    """The routes; `health` is asked for once the server has started."""

    async def livez(_: Request) -> JSONResponse:
        return _answer({"status": "alive"})

    async def readyz(_: Request) -> JSONResponse:
        return await health().ready()

    async def healthz(_: Request) -> JSONResponse:
        return await health().healthy()

    async def version(_: Request) -> JSONResponse:
        return await health().version()

    return [Route(f"/{answer.__name__}", answer) for answer in (livez, readyz, healthz, version)]


def _answer(content: dict[str, str | None], *, well: bool = True) -> JSONResponse:
    return JSONResponse(content, status_code=200 if well else 503)
