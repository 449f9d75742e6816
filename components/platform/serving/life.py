"""The life of this process: which start of the program it is, how it ends when it is asked to, and who is sent on."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from uuid import uuid4

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket


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
