"""While this process is about to go, newcomers are sent to another replica: what every proxy understands is a 503.

A proxy that asks /readyz would know by itself; nginx asks nothing, and sends the next browser to whoever has the fewest
connections, which soon is the one that goes.
"""

from collections.abc import Callable

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from components.platform.serving.life import Life


class Elsewhere:
    """ASGI middleware: while the process drains, a new live connection is refused and a page has the status 503.

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
