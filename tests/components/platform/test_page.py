"""The page and its scripts as the server sends them: compressed, with our part in the platform's page."""

import gzip
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import streamlit
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from components.navigation import SCREENS
from components.platform.paths import or_unavailable, small_body
from components.platform.sign_in_library import LEFT
from tests.builders import away
from tests.dashboard import Dashboard

FOLDER = Path(streamlit.__file__).parent / "static"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    names = "desk.example.com desk.example.net"
    set_here = {"STREAMLIT_SERVER_BASE_URL_PATH": "desk", "STREAMLIT_SERVER_ALLOWED_HOSTS": names}
    with Dashboard(tmp_path_factory.mktemp("data"), environment=set_here) as running:
        yield running


@pytest.fixture(scope="module")
def http(desk: Dashboard) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{desk.url}/desk") as client:
        yield client


def scripts_named_by(page: str) -> list[str]:
    return re.findall(r'(?:src|href)="\./(static/js/[\w.-]+\.js)"', page)


def test_every_script_of_a_page_is_sent_unchanged_and_compressed_on_request(http: httpx.Client) -> None:
    names = scripts_named_by(http.get("/claims").text)
    assert len(names) > 50
    received = sent = 0
    for name in names:
        original = (FOLDER / name).read_bytes()
        with http.stream("GET", f"/{name}", headers={"Accept-Encoding": "gzip"}) as answer:
            body = b"".join(answer.iter_raw())
        if answer.headers.get("content-encoding") == "gzip":
            assert gzip.decompress(body) == original
        else:
            assert len(original) < 500, name  # nothing to gain
            assert body == original
        assert "javascript" in answer.headers["content-type"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "immutable" in answer.headers["cache-control"]
        received, sent = received + len(body), sent + len(original)
    assert received < 0.36 * sent
    plain = http.get(f"/{names[0]}", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == (FOLDER / names[0]).read_bytes()


@pytest.mark.parametrize("path", ["static/js/../../../app.py", "static/js/%2e%2e/%2e%2e/index.html", "static/js/no.js"])
def test_nothing_but_the_front_ends_own_files_is_sent(http: httpx.Client, path: str) -> None:
    answer = http.get(f"/{path}", headers={"Accept-Encoding": "gzip"})
    assert "javascript" not in answer.headers.get("content-type", "")
    assert "lifespan" not in answer.text


def test_a_page_is_asked_for_anew_and_is_this_streamlits_front_end_with_our_part(http: httpx.Client) -> None:
    own = scripts_named_by((FOLDER / "index.html").read_text())
    for screen in ("", *(each.name for each in SCREENS)):
        answer = http.get(f"/{screen}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        assert scripts_named_by(answer.text) == own
        assert f'event.key === "{LEFT}"' in answer.text


@pytest.mark.parametrize("name", ["evil.example", "localhost", "desk.example.com.evil.example"])
def test_a_page_under_a_name_of_the_settings_alone_is_given_its_live_connection(desk: Dashboard, name: str) -> None:
    """Those of config.toml no longer count where others are set."""
    for ours in ("desk.example.com", "desk.example.net"):
        with live_connection(desk, ours) as connection:
            assert connection.subprotocol == "streamlit"
    with pytest.raises(InvalidStatus, match="403"), live_connection(desk, name):
        pass


def live_connection(desk: Dashboard, name: str) -> ClientConnection:
    return connect(
        f"ws://{name}/desk/_stcore/stream", sock=socket.create_connection(("127.0.0.1", desk.port)),
        origin=Origin(f"https://{name}"), subprotocols=[Subprotocol("streamlit")], proxy=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "read_in"), [("es-MX,es;q=0.9,en;q=0.5", "es"), ("en-US", "en"), ("ja", "en"), ("", "en")]
)
def test_the_page_begins_in_the_browsers_language(http: httpx.Client, wanted: str, read_in: str) -> None:
    page = http.get("/", headers={"Accept-Language": wanted}).text
    assert f'<html lang="{read_in}" class="sandbox" translate="no">' in page
    assert "No hay conexi\\u00f3n" in page  # the page has the words of both, for who chooses another


async def _body(request: Request) -> Response:
    body = await small_body(request, 3)
    return Response("too long" if body is None else body)


def test_a_body_past_its_limit_is_not_kept_and_a_journal_that_is_away_is_no_fault_of_ours() -> None:
    client = TestClient(
        Starlette(routes=[Route("/body", _body, methods=["POST"]), Route("/away", or_unavailable(away))])
    )
    assert [client.post("/body", content=sent).text for sent in ("", "abc", "abcd")] == ["", "abc", "too long"]
    assert client.get("/away").status_code == 503
