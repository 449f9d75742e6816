"""What a process that is about to go answers to newcomers."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message
from starlette.websockets import WebSocket

from components.serving.elsewhere import Elsewhere
from components.serving.life import Life


async def page(_: Request) -> Response:
    return HTMLResponse("<p>the page</p>")


async def file(_: Request) -> Response:
    return JSONResponse({"a file of": "a page"})


async def stream(connection: WebSocket) -> None:
    await connection.accept()
    await connection.send_text(await connection.receive_text())


DESK = Starlette(routes=[Route("/", page), Route("/file", file), WebSocketRoute("/stream", stream)])


def sent(life: Life, path: str, *received: Message, then: Any = None, kind: str = "http") -> list[Message]:
    """What the server is told to send; `then` is done once the connection stands."""
    answers: list[Message] = []
    coming = iter(received)

    async def receive() -> Message:
        return next(coming)

    async def send(message: Message) -> None:
        answers.append(message)
        if message["type"] == "websocket.accept":
            then()

    scope = {
        "type": kind,
        "method": "GET",
        "path": path,
        "headers": [],
        "query_string": b"",
        "extensions": {"websocket.http.response": {}},
    }
    with ThreadPoolExecutor(1) as elsewhere:  # a browser of another test may have a loop in this thread
        elsewhere.submit(asyncio.run, Elsewhere(DESK, life=lambda: life)(scope, receive, send)).result()
    return answers


OPEN = {"type": "websocket.connect"}


@pytest.fixture
def life() -> Life:
    return Life()


def test_a_newcomer_is_sent_elsewhere_by_a_503_and_still_gets_the_page(life: Life) -> None:
    assert sent(life, "/")[0]["status"] == 200
    life.draining.set()
    start, body = sent(life, "/")
    assert (start["status"], body["body"]) == (503, b"<p>the page</p>")
    refused = sent(life, "/stream", OPEN, kind="websocket")
    assert (refused[0]["type"], refused[0]["status"]) == ("websocket.http.response.start", 503)


def test_a_page_that_is_open_goes_on(life: Life) -> None:
    typed = {"type": "websocket.receive", "text": "typed"}
    answers = sent(life, "/stream", OPEN, typed, then=life.draining.set, kind="websocket")
    assert answers[-1]["text"] == "typed"
    assert life.draining.is_set()
    assert sent(life, "/file")[0]["status"] == 200
