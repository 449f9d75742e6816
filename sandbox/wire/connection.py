"""The connection of a request, within reach: some faults need it cut at a chosen moment."""

import asyncio
from typing import Any

from starlette.types import Receive, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

_TRANSPORT = "sandbox.transport"


# platform: name uvicorn.protocols.http.h11_impl.H11Protocol
class ReachableConnection(H11Protocol):
    """uvicorn's HTTP/1.1 protocol, which also tells the application its transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Put the transport into the scope of every request on this connection."""
        super().connection_made(transport)
        application: Any = self.app

        async def with_transport(scope: Any, receive: Any, send: Any) -> None:
            scope[_TRANSPORT] = transport
            await application(scope, receive, send)

        self.app = with_transport

    def shutdown(self) -> None:
        """At the sandbox's end, do not wait for an idle client's farewell, which TLS would do for seconds."""
        super().shutdown()
        if self.transport.is_closing():
            self.transport.abort()


async def drop(scope: Scope, receive: Receive, *, after_what_was_sent: bool = False) -> None:
    """Cut the connection; first deliver what was sent where that is asked for. Returns once it is cut."""
    transport: asyncio.Transport = scope[_TRANSPORT]
    if after_what_was_sent:
        transport.close()
    else:
        transport.abort()
    while (await receive())["type"] != "http.disconnect":
        pass
