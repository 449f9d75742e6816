"""401 before anything else, two tokens that are told apart, and nothing without TLS."""

import socket
import ssl

import httpx
import pytest

from sandbox import SandboxServer
from tests.sandbox.shop import CARTS, CLAIMS, PRIVATE, PUBLIC, VERIFY, Shop

clause = pytest.mark.clause
ALL = (*PRIVATE, *PUBLIC)


@clause("verify-auth.check", "verify-auth.answer", "service.verify", "auth.bearer")
def test_the_private_token_is_accepted(shop: Shop) -> None:
    answer = shop.http.get(VERIFY, headers=shop.private)
    assert (answer.status_code, answer.json()) == (200, {"success": True})


@clause("auth.two-tokens", "auth.private", "other-errors.verify-auth")
@pytest.mark.parametrize(("method", "path"), PRIVATE)
def test_the_public_token_opens_no_private_endpoint(shop: Shop, method: str, path: str) -> None:
    assert shop.http.request(method, path, headers=shop.public, content=b"{}").status_code == 401
    assert shop.http.request(method, path, headers=shop.private, content=b"{}").status_code != 401


@clause("auth.two-tokens", "auth.public", "auth.public-header")
@pytest.mark.parametrize(("method", "path"), PUBLIC)
def test_the_private_token_opens_no_public_endpoint(shop: Shop, method: str, path: str) -> None:
    assert shop.http.request(method, path, headers=shop.private, content=b"{}").status_code == 401
    assert shop.http.request(method, path, headers=shop.public, content=b"{}").status_code != 401


@clause("auth.every-request", "auth.401", "auth.bearer", "carts.no-token", "sale-error.401")
@pytest.mark.parametrize(("method", "path"), ALL)
@pytest.mark.parametrize(
    "pattern",
    [
        None, "", "Bearer", "{token}", "bearer {token}", "BEARER {token}", "Bearer  {token}", "Basic {token}",
        "Bearer{token}", "Bearer {token}x", "Bearer {token} {token}", 'Bearer "{token}"', "Token {token}",
        "Bearer\t{token}", "Bearer nobody", "Bearer \xff\xfe", "Bearer " + "x" * 20_000,
    ],
)  # fmt: skip
def test_a_missing_or_malformed_header_gets_401(
    shop: Shop, method: str, path: str, pattern: str | None
) -> None:
    token = shop.headers(path)["Authorization"].removeprefix("Bearer ")
    headers = [] if pattern is None else [(b"Authorization", pattern.format(token=token).encode("latin-1"))]
    answer = shop.http.request(method, path, headers=headers, content=b"not json")
    assert answer.status_code == 401
    assert "token" in answer.json()["error"]
    assert token not in answer.text


@clause("auth.401")
@pytest.mark.parametrize(("method", "path"), ALL)
def test_401_comes_before_faults_of_method_size_body_and_misbehaviour(
    shop: Shop, method: str, path: str
) -> None:
    shop.sandbox.add_fault("claims", "status", status=500)
    shop.sandbox.add_fault("submit_order", "drop_before_write")
    wrong = {"Authorization": "Bearer nobody"}
    assert shop.http.request("DELETE", path, headers=wrong).status_code == 401
    assert shop.http.request(method, path, headers=wrong, content=b"\xff" * 2_000_000).status_code == 401
    assert shop.http.request(method, path, headers=wrong, content=b"[" * 100_000).status_code == 401


@clause("auth.401")
def test_two_authorization_headers_are_none(shop: Shop) -> None:
    value = shop.private["Authorization"]
    answer = shop.http.get(VERIFY, headers=[("Authorization", value), ("Authorization", value)])
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "path", ["/api/", "/api/nothing", "/api/carts/", "/api/carts/1", "/api//carts", "/api/Carts"]
)
def test_an_unknown_endpoint_is_401_without_a_token_and_404_with_one(shop: Shop, path: str) -> None:
    assert shop.http.get(path).status_code == 401
    for headers in (shop.private, shop.public):
        assert shop.http.post(path, headers=headers, json={}).status_code == 404


@pytest.mark.parametrize(("method", "path"), ALL)
def test_a_wrong_method_names_the_right_one(shop: Shop, method: str, path: str) -> None:
    for other in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"} - {method}:
        answer = shop.http.request(other, path, headers=shop.headers(path))
        assert (answer.status_code, answer.headers["allow"]) == (405, method)


@clause("service.https-only", "auth.every-request")
def test_plain_http_fails(shop: Shop) -> None:
    plain = shop.sandbox.base_url.replace("https://", "http://")
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{plain}{VERIFY}", headers=shop.private, timeout=5)
    with socket.create_connection(("127.0.0.1", httpx.URL(plain).port or 0), timeout=5) as bare:
        bare.sendall(b"GET /api/verify-auth HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"HTTP/1.1" not in bare.recv(1000)
    assert shop.sandbox.calls() == []


@clause("service.https-only")
def test_the_certificate_is_trusted_by_its_own_authority_only(shop: Shop) -> None:
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{shop.sandbox.base_url}{VERIFY}", verify=ssl.create_default_context())


@clause("auth.public-header")
def test_the_public_token_may_come_in_another_header_by_a_start_option() -> None:
    with SandboxServer(public_token_header="X-Public-Token") as sandbox:
        shop = Shop(sandbox)
        for value in (sandbox.public_token, f"Bearer {sandbox.public_token}"):
            assert shop.http.post(CLAIMS, json={}, headers={"X-Public-Token": value}).status_code == 200
        assert shop.http.post(CLAIMS, json={}, headers=shop.public).status_code == 401
        assert (
            shop.http.post(CLAIMS, json={}, headers={"X-Public-Token": sandbox.private_token}).status_code
            == 401
        )
        assert shop.http.post(CARTS, content=b"", headers=shop.private).status_code == 400
        assert (
            shop.http.post(CARTS, content=b"", headers={"Authorization": sandbox.private_token}).status_code
            == 401
        )
        shop.close()
