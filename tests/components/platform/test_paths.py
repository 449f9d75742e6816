"""What our own addresses beside the dashboard have in common."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from components.platform.paths import or_unavailable, small_body
from warranty.errors import JournalUnavailable


async def _body(request: Request) -> Response:
    body = await small_body(request, 3)
    return Response("too long" if body is None else body)


def _away(_: Request) -> Response:
    raise JournalUnavailable("It is away.")


def test_a_body_past_its_limit_is_not_kept_and_a_journal_that_is_away_is_no_fault_of_ours() -> None:
    client = TestClient(
        Starlette(routes=[Route("/body", _body, methods=["POST"]), Route("/away", or_unavailable(_away))])
    )
    assert [client.post("/body", content=sent).text for sent in ("", "abc", "abcd")] == ["", "abc", "too long"]
    assert client.get("/away").status_code == 503
