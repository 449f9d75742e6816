"""401 before anything else, two tokens that are told apart, and nothing without TLS."""

import socket
import ssl

import httpx
import pytest

from sandbox import SandboxServer
from tests.sandbox.shop import CARTS, CLAIMS, PRIVATE, PUBLIC, VERIFY, Shop

clause = pytest.mark.clause
ALL = (*PRIVATE, *PUBLIC)
every_endpoint = pytest.mark.parametrize(("method", "path"), ALL)


@clause("auth.two-tokens", "auth.private", "auth.public", "auth.public-header", "auth.every-request")
@clause("auth.401", "carts.no-token", "sale-error.401", "other-errors.verify-auth")
@every_endpoint
def test_an_endpoint_is_opened_by_its_own_token_before_all_else(shop: Shop, method: str, path: str) -> None:
    own = shop.headers(path)
    other = shop.public if own is shop.private else shop.private
    for operation in ("claims", "submit_order"):
        shop.sandbox.add_fault(operation, "drop_before_write")
    for headers in ({}, other, {"Authorization": "Bearer nobody"}):
        for content in (b"not json", b"\xff" * 2_000_000, b"[" * 100_000):
            answer = shop.http.request(method, path, headers=headers, content=content)
            assert (answer.status_code, "token" in answer.json()["error"]) == (401, True)
            assert headers.get("Authorization", "none") not in answer.text
        assert shop.http.request("DELETE", path, headers=headers).status_code == 401
    shop.sandbox.clear_faults()
    assert shop.http.request(method, path, headers=own, content=b"{}").status_code != 401


@clause("auth.bearer", "auth.401", "verify-auth.check", "verify-auth.answer", "service.verify")
@pytest.mark.parametrize(
    "pattern",
    [
        "", "Bearer", "{token}", "bearer {token}", "BEARER {token}", "Bearer  {token}", "Basic {token}",
        "Bearer{token}", "Bearer {token}x", "Bearer {token} {token}", 'Bearer "{token}"', "Token {token}",
        "Bearer\t{token}", "Bearer \xff\xfe", "Bearer " + "x" * 20_000,
    ],
)  # fmt: skip
def test_the_header_is_the_word_bearer_a_space_and_the_token(shop: Shop, pattern: str) -> None:
    token = shop.sandbox.private_token
    assert shop.http.get(VERIFY, headers={"Authorization": f"Bearer {token}"}).json() == {"success": True}
    value = pattern.format(token=token).encode("latin-1")
    answer = shop.http.get(VERIFY, headers=[(b"Authorization", value)])
    assert (answer.status_code, token in answer.text) == (401, False)


@pytest.mark.parametrize("path", ["/api/", "/api/nothing", "/api/carts/", "/api/carts/1", "/api//carts", "/api/Carts"])
def test_an_unknown_endpoint_is_401_without_a_token_and_404_with_one(shop: Shop, path: str) -> None:
    assert shop.http.get(path).status_code == 401
    for headers in (shop.private, shop.public):
        assert shop.http.post(path, headers=headers, json={}).status_code == 404


@every_endpoint
def test_a_wrong_method_names_the_right_one(shop: Shop, method: str, path: str) -> None:
    for other in {"GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"} - {method}:
        answer = shop.http.request(other, path, headers=shop.headers(path))
        assert (answer.status_code, answer.headers["allow"]) == (405, method)


@clause("service.https-only", "auth.every-request")
def test_plain_http_fails_and_the_certificate_is_trusted_by_its_own_authority_only(shop: Shop) -> None:
    port = httpx.URL(shop.sandbox.base_url).port or 0
    with socket.create_connection(("127.0.0.1", port), timeout=5) as bare:
        bare.sendall(f"GET {VERIFY} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert b"HTTP/1.1" not in bare.recv(1000)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{shop.sandbox.base_url}{VERIFY}", verify=ssl.create_default_context())
    assert shop.sandbox.calls() == []


@clause("auth.public-header")
def test_the_public_token_may_come_in_another_header_by_a_start_option() -> None:
    with SandboxServer(public_token_header="X-Public-Token") as sandbox, Shop(sandbox) as shop:
        own = sandbox.public_token
        for headers, path, status in (
            ({"X-Public-Token": own}, CLAIMS, 200),
            ({"X-Public-Token": f"Bearer {own}"}, CLAIMS, 200),
            (shop.public, CLAIMS, 401),
            ({"X-Public-Token": sandbox.private_token}, CLAIMS, 401),
            (shop.private, CARTS, 404),
            ({"Authorization": sandbox.private_token}, CARTS, 401),
        ):
            assert shop.http.post(path, json={}, headers=headers).status_code == status, headers
