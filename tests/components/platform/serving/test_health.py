"""What this process says of itself to supervisor, proxy, monitor and log, and to newcomers as it is about to go."""

import json
import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Scope
from starlette.websockets import WebSocket

from components.platform.serving import life as health
from components.platform.serving.life import Elsewhere, Health, Life, health_routes
from components.platform.serving.log_lines import Dated
from deploy.up.machine import free_port
from sandbox import SandboxServer
from tests.builders import MANAGER, order_of
from tests.components.platform.serving.asked import answers
from tests.components.stage import Stage
from tests.machine import in_a_loop_of_its_own
from tests.warranty.watch.metrics.story import scrape
from warranty import VERSION
from warranty.client.resources import ClaimQuery
from warranty.database.schema import Schema
from warranty.errors import JournalUnavailable
from warranty.watch.metrics.serving import GAUGES

NEWEST = Schema("0018")


def gone() -> Schema:
    raise JournalUnavailable("The journal cannot be read (OperationalError).")


def desk(schema: Callable[[], Schema], life: Life | None = None) -> Starlette:
    told = Health(environment="sandbox", schema=schema, life=life or Life())
    return Starlette(routes=health_routes(lambda: told))


def of(path: str, *, schema: Callable[[], Schema], life: Life | None = None) -> tuple[int, Any]:
    (answer,) = answers(desk(schema, life), path)
    return answer.status_code, answer.json()


@pytest.mark.parametrize(("schema", "told"), [
    (lambda: NEWEST, (200, {"status": "ready"})),
    (lambda: Schema("9999"), (200, {"status": "ready"})),  # a newer program has added to it
    (lambda: Schema("0001"), (503, {"status": "journal out of date"})),
    (lambda: Schema(None), (503, {"status": "journal out of date"})),
    (gone, (503, {"status": "journal unavailable"})),
])  # fmt: skip
def test_people_are_sent_where_the_journal_can_be_written(schema: Callable[[], Schema], told: tuple[int, Any]) -> None:
    assert of("/readyz", schema=schema) == told


def test_a_program_that_is_about_to_go_is_not_ready_whatever_its_journal_says() -> None:
    life = Life()
    life.draining.set()
    assert of("/readyz", schema=lambda: NEWEST, life=life) == (503, {"status": "draining"})
    assert of("/livez", schema=lambda: NEWEST, life=life) == (200, {"status": "alive"})


def test_a_journal_that_hangs_is_asked_once_and_holds_up_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_PATIENCE_SECONDS", 0.05)
    goes_on, questions = Event(), []

    def hangs() -> Schema:
        questions.append(1)
        goes_on.wait(10)
        return NEWEST

    found = answers(desk(hangs), *["/readyz"] * 20 + ["/livez", "/version"], then=goes_on.set)
    assert [answer.status_code for answer in found] == [503] * 20 + [200, 200]
    assert len(questions) == 1


def test_the_version_tells_program_journal_and_start_and_nothing_else_and_the_monitor_is_told_as_ever() -> None:
    life = Life()
    told = {"version": VERSION, "journal": "0018", "start": life.start_id}
    assert of("/version", schema=lambda: NEWEST, life=life) == (200, told)
    assert of("/version", schema=gone, life=life) == (200, {**told, "journal": None})
    assert of("/healthz", schema=lambda: NEWEST) == (200, {"status": "ok", "environment": "sandbox"})
    assert of("/healthz", schema=gone) == (503, {"status": "journal unavailable", "environment": "sandbox"})


def test_a_desk_tells_every_figure(sandbox: SandboxServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    stage = Stage(sandbox, tmp_path, monkeypatch, metrics_port=str(port))
    try:
        stage.send(order_of(order_id="o-1"))
        sandbox.add_fault("claims", "status", status=503)  # is tried again, which the budget pays
        claims = stage.runtime.claims.of(MANAGER)
        query = ClaimQuery()
        claims.start(query, viewer="a tab")
        claims.wait(query, longest=timedelta(seconds=30))
        told = scrape(port)
        assert told is not None
        no_night = {"warranty_night_age_seconds", "warranty_first_night_awaited_seconds"}  # and none is wanted
        assert GAUGES.keys() - told.keys() == no_night
        assert 9 <= told["warranty_retry_budget_left"] < 10
        assert told["warranty_reading_age_seconds"] < 60
        assert told['warranty_calls_total{operation="submit_order",outcome="done"}'] == 1
    finally:
        stage.runtime.process.close()
    assert scrape(port) is None


def test_a_line_has_a_moment_of_its_own_and_one_of_json_is_json_still() -> None:
    call, sentence = (
        Dated().format(logging.makeLogRecord({"msg": text, "created": 1795716000.1234}))
        for text in ('{"operation": "record_sale", "status": 401}', "journal read failed: OperationalError")
    )
    moment = "2026-11-26T18:00:00.123+00:00"
    assert json.loads(call) == {"at": moment, "operation": "record_sale", "status": 401}
    assert sentence == f"{moment} journal read failed: OperationalError"


async def page(_: Request) -> Response:
    return HTMLResponse("<p>the page</p>")


async def file(_: Request) -> Response:
    return JSONResponse({"a file of": "a page"})


async def stream(connection: WebSocket) -> None:
    await connection.accept()
    await connection.send_text(await connection.receive_text())


DESK = Starlette(routes=[Route("/", page), Route("/file", file), WebSocketRoute("/stream", stream)])


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
    in_a_loop_of_its_own(Elsewhere(DESK, life=lambda: life)(scope, receive, send))
    return sent


def test_a_newcomer_is_sent_elsewhere_by_a_503_and_still_gets_the_page_and_a_page_that_is_open_goes_on() -> None:
    life = Life()
    assert status(life, "/") == 200
    life.draining.set()
    (answer,) = answers(Elsewhere(DESK, life=lambda: life), "/")
    assert (answer.status_code, answer.text) == (503, "<p>the page</p>")
    refused = connected(life)[0]
    assert (refused["type"], refused["status"]) == ("websocket.http.response.start", 503)
    open_page = Life()
    assert connected(open_page, then=open_page.draining.set)[-1]["text"] == "typed"
    assert open_page.draining.is_set()
    assert status(open_page, "/file") == 200
