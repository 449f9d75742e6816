"""What a process that is about to go answers to newcomers."""

from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Scope
from starlette.websockets import WebSocket

from components.platform.serving.life import Elsewhere, Life
from tests.components.platform.serving.asked import answers, elsewhere


async def page(_: Request) -> Response:
    return HTMLResponse("<p>the page</p>")


async def file(_: Request) -> Response:
    return JSONResponse({"a file of": "a page"})


async def stream(connection: WebSocket) -> None:
    await connection.accept()
    await connection.send_text(await connection.receive_text())


DESK = Starlette(routes=[Route("/", page), Route("/file", file), WebSocketRoute("/stream", stream)])


@pytest.fixture
def life() -> Life:
    return Life()


def status(life: Life, path: str) -> int:
    return answers(Elsewhere(DESK, life=lambda: life), path)[0].status_code


def connected(life: Life, *, then: Callable[[], None] = lambda: None) -> list[Message]:
    """What the server is told to send to a live connection that types; `then` is done once it stands."""
    coming = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": "typed"}])
    sent: list[Message] = []

    async def receive() -> Message:
        return next(coming)

    async def send(message: Message) -> None:
        sent.append(message)
        if message["type"] == "websocket.accept":
            then()

    scope: Scope = {
        "type": "websocket", "path": "/stream", "headers": [], "query_string": b"",
        "extensions": {"websocket.http.response": {}},
    }  # fmt: skip
    elsewhere(Elsewhere(DESK, life=lambda: life)(scope, receive, send))
    return sent


def test_a_newcomer_is_sent_elsewhere_by_a_503_and_still_gets_the_page(life: Life) -> None:
    assert status(life, "/") == 200
    life.draining.set()
    (answer,) = answers(Elsewhere(DESK, life=lambda: life), "/")
    assert (answer.status_code, answer.text) == (503, "<p>the page</p>")
    refused = connected(life)[0]
    assert (refused["type"], refused["status"]) == ("websocket.http.response.start", 503)


def test_a_page_that_is_open_goes_on(life: Life) -> None:
    assert connected(life, then=life.draining.set)[-1]["text"] == "typed"
    assert life.draining.is_set()
    assert status(life, "/file") == 200
