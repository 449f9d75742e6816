"""What both samples of a proxy do, in front of stand-ins of replicas."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from deploy.up.proxy import Proxy
from tests.deploy.caddy import Caddy
from tests.deploy.stand_in import StandIn
from tests.machine import program
from tests.waiting import until

COOKIE = "warranty_desk_replica"
UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


@dataclass
class Front:
    proxy: Proxy
    replicas: list[StandIn]

    def browser(self, **more: Any) -> httpx.Client:
        return httpx.Client(base_url=self.proxy.url, verify=self.trusts(), timeout=10, trust_env=False, **more)

    def trusts(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.proxy.ca_file))


BOTH = [pytest.param(Proxy, id="nginx"), pytest.param(Caddy, id="caddy")]


@contextmanager
def standing(kind: type[Proxy]) -> Iterator[Front]:
    program("caddy") if kind is Caddy else program("nginx", package="nginx-light")
    replicas = [StandIn("one"), StandIn("two"), StandIn("three")]
    proxy = kind([replica.port for replica in replicas])
    try:
        proxy.start()
        yield Front(proxy, replicas)
    finally:
        proxy.close()
        for replica in replicas:
            replica.stop()


@pytest.fixture(params=BOTH, scope="module")
def running(request: pytest.FixtureRequest) -> Iterator[Front]:
    with standing(request.param) as front:
        yield front


@pytest.fixture
def front(running: Front) -> Front:
    for replica in running.replicas:
        replica.asked.clear()
    return running


@pytest.fixture(params=BOTH)
def breakable(request: pytest.FixtureRequest) -> Iterator[Front]:
    with standing(request.param) as front:
        yield front


def newcomers(front: Front, number: int = 3) -> set[str]:
    came: set[str] = set()
    for _ in range(number):
        with front.browser() as browser:
            came.add(browser.get("/").json()["name"])
    return came


def test_a_browser_stays_with_the_replica_of_its_cookie_and_a_providers_words_pass_whole(front: Front) -> None:
    with front.browser() as browser:
        first = browser.get("/")
        cookie = first.headers.get_list("set-cookie")
        said = (set(one.split("; ")) for one in cookie if one.startswith(COOKIE))
        assert any({"HttpOnly", "Secure", "SameSite=Strict"} <= words for words in said), cookie
        assert {browser.get("/claims").json()["name"] for _ in range(12)} == {first.json()["name"]}
    assert len(newcomers(front, 12)) > 1
    with front.browser() as browser:
        assert browser.get("/oauth2callback?code=1&state=2").status_code == 200
        sent = browser.get("/").json()["headers"]["cookie"]
        assert all(f"_streamlit_user_tokens_{part}=" in sent for part in range(5))


def test_a_stopped_replica_is_left_at_once_and_its_browsers_stay_where_they_went(breakable: Front) -> None:
    with breakable.browser() as browser:
        left = browser.get("/").json()["name"]
        gone = next(replica for replica in breakable.replicas if replica.name == left)
        gone.stop()
        taken_in_by = browser.get("/").json()["name"]
        assert taken_in_by != left
        assert left not in newcomers(breakable, 6)
        back = StandIn(left, port=gone.port)
        try:
            until(lambda: left in newcomers(breakable))
            assert {browser.get("/").json()["name"] for _ in range(6)} == {taken_in_by}
        finally:
            back.stop()


def test_the_pages_own_connection_moves_the_browser_with_it(breakable: Front) -> None:
    """Files go up and down by requests of their own: to the replica that holds the page."""
    with breakable.browser() as browser:
        left = browser.get("/").json()["name"]
        next(replica for replica in breakable.replicas if replica.name == left).stop()
        with browser.stream("GET", "/_stcore/stream", headers=UPGRADE) as answer:
            assert answer.status_code == 101
            assert any(COOKIE in one for one in answer.headers.get_list("set-cookie"))
        taken_in_by = next(replica for replica in breakable.replicas if "GET /_stcore/stream" in replica.asked)
        assert browser.put("/_stcore/upload_file/a/b", content=b"x").json()["name"] == taken_in_by.name


def test_a_draining_replica_gets_no_new_browser(breakable: Front) -> None:
    with breakable.browser() as browser:
        draining = browser.get("/").json()["name"]
        replica = next(one for one in breakable.replicas if one.name == draining)
        replica.draining = True
        until(lambda: browser.get("/").status_code == 200)
        assert draining not in newcomers(breakable, 6)


def test_a_replica_is_told_who_asks_and_not_what_the_browser_claims(front: Front) -> None:
    with front.browser() as browser:
        claims = dict.fromkeys(("X-Forwarded-For", "X-Real-IP"), "203.0.113.9")
        claims |= {"Forwarded": "for=203.0.113.9", "X-Forwarded-Proto": "http"}
        headers = browser.get("/", headers=claims).json()["headers"]
        assert headers["x-forwarded-for"] == "127.0.0.1"
        assert headers["x-forwarded-proto"] == "https"
        # The desk gives its connection to names it knows.
        assert headers["host"] == f"localhost:{front.proxy.port}"
        assert "203.0.113.9" not in str(headers)


def test_answers_are_compressed_and_bound_to_https(front: Front) -> None:
    with front.browser() as browser:
        answer = browser.get("/", headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert "accept-encoding" not in answer.json()["headers"]
        assert all("secure" in one.lower().split("; ") for one in answer.headers.get_list("set-cookie"))
        assert "server" not in answer.headers or answer.headers["server"] == "nginx"
    plain = httpx.get(f"{front.proxy.http_url}/claims", trust_env=False, headers={"Host": "localhost"})
    assert plain.status_code in {301, 308}
    assert plain.headers["location"].startswith("https://localhost")


def test_what_is_internal_is_not_there_from_outside_and_what_a_page_asks_for_is(front: Front) -> None:
    with front.browser() as browser:
        for path in (
            "/healthz", "/livez", "/version", "/metrics", "/healthz/", "/%68ealthz", "//healthz", "/_stcore/metrics",
            "/_stcore/script-health-check", "/_stcore/agent/mcp", "/_stcore/bidi-components/a/b.js",
            "/_stcore/anything-new", "/_stcore//metrics", "//_stcore/metrics", "/%5Fstcore/metrics",
            "/static/../_stcore/metrics", "/_stcore/health/../metrics",
        ):  # fmt: skip
            request = browser.build_request("GET", "/")
            request.url = request.url.copy_with(raw_path=path.encode())
            assert browser.send(request).status_code == 404, path
    assert [replica.asked for replica in front.replicas] == [[], [], []]
    asked = ("", "claims", "static/js/a.js", "media/a.csv", "readyz", "_stcore/health", "_stcore/host-config")
    with front.browser() as browser:
        assert [path for path in asked if browser.get(f"/{path}").status_code != 200] == []


def test_a_body_over_the_desks_limit_is_refused_before_it_is_read(front: Front) -> None:
    megabyte = 1024 * 1024
    with front.browser() as browser:
        fits = browser.put("/_stcore/upload_file/a/b", content=b"x" * 50 * megabyte)
        assert fits.status_code == 200
        unannounced = browser.put("/_stcore/upload_file/a/c", content=(b"x" * megabyte for _ in range(54)))
        assert unannounced.status_code in {413, 502}
    context = front.trusts()
    with (
        socket.create_connection(("127.0.0.1", front.proxy.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as line,
    ):
        line.sendall(
            f"PUT /_stcore/upload_file/a/c HTTP/1.1\r\nHost: localhost:{front.proxy.port}\r\n"
            f"Content-Length: {60 * megabyte}\r\n\r\n".encode()
        )
        answer = line.recv(4096)
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_who_asks_for_another_name_or_in_an_old_tls_gets_nothing_of_the_desk(front: Front) -> None:
    with front.browser() as browser:
        assert browser.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert [replica.asked for replica in front.replicas] == [[], [], []]
    with httpx.Client(verify=front.trusts(), trust_env=False) as stranger, pytest.raises(httpx.ConnectError):
        stranger.get(front.proxy.url, extensions={"sni_hostname": "evil.example"})
    careless = httpx.Client(verify=False, trust_env=False, headers={"Host": "evil.example"})  # noqa: S501
    with careless, suppress(httpx.ConnectError):
        assert careless.get(front.proxy.url, extensions={"sni_hostname": "evil.example"}).status_code == 421
    assert [replica.asked for replica in front.replicas] == [[], [], []]
    old = front.trusts()
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with httpx.Client(verify=old, trust_env=False) as browser, pytest.raises(httpx.ConnectError):
        browser.get(front.proxy.url)


def test_what_is_not_harmless_twice_is_never_sent_to_a_second_replica(breakable: Front) -> None:
    for replica in breakable.replicas:
        replica.draining = True
    with breakable.browser() as browser:
        assert browser.post("/", content=b"x").status_code in {502, 503}
    assert sum(len(replica.asked) for replica in breakable.replicas) <= 1


def test_what_a_replica_took_before_it_died_is_repeated_only_where_that_is_harmless(breakable: Front) -> None:
    replicas = {replica.name: replica for replica in breakable.replicas}
    with breakable.browser() as browser:
        first = replicas[browser.get("/").json()["name"]]
        first.dies = True
        second = replicas[browser.get("/read").json()["name"]]
        second.dies = True
        assert browser.post("/sent", content=b"x").status_code == 502
    asked = [what for replica in breakable.replicas for what in replica.asked]
    assert asked.count("GET /read") > 1
    assert asked.count("POST /sent") == 1
