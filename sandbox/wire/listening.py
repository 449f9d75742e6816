"""How the sandbox's two ports are listened on: uvicorn inside somebody else's process, and the moment it answers."""

import socket
import ssl
from collections.abc import Callable
from queue import SimpleQueue

import uvicorn
from starlette.types import ASGIApp

from sandbox.wire.connection import ReachableConnection


class Ready:
    """Lets `start` sleep until `count` servers answer, or until the reason comes why they never will."""

    def __init__(self, count: int) -> None:
        self._news: SimpleQueue[BaseException | None] = SimpleQueue()
        self._count = count

    def one_more(self) -> None:
        """One of them answers."""
        self._news.put(None)

    def failed(self, problem: BaseException) -> None:
        """They will not all answer."""
        self._news.put(problem)

    def wait(self) -> None:
        """Return when all answer; raise what kept them from it."""
        for _ in range(self._count):
            problem = self._news.get()
            if problem is not None:
                raise problem


class Listener(uvicorn.Server):
    """uvicorn's server, which says when it answers instead of being asked again and again."""

    def __init__(self, config: uvicorn.Config, started: Ready) -> None:
        super().__init__(config)
        self._ready = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start as uvicorn does, and say so."""
        await super().startup(sockets)
        self._ready.one_more()


def settings(application: ASGIApp, *, secure: Callable[[ssl.SSLContext], None] | None = None) -> uvicorn.Config:
    """The settings of both servers; `secure` puts a certificate into a TLS context, None means plain HTTP."""

    def context(_config: uvicorn.Config, default: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
        if secure is None:
            return default()
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secure(made)
        return made

    return uvicorn.Config(
        application,
        http=ReachableConnection,
        ws="none",
        lifespan="off",
        log_config=None,  # else uvicorn turns on the access log of a Streamlit that we run inside of
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=3,
        ssl_context_factory=context if secure else None,
    )
