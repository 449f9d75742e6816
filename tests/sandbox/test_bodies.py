"""Bodies nobody should send: always a refusal in the endpoint's own shape, never an accident."""

import json
import socket
import ssl
from typing import Any

import httpx
import pytest

from tests.sandbox.shop import CARTS, CHECKOUT, CLAIMS, OFFERS, SALE, VERIFY, Shop, order, product

POSTS = (CARTS, SALE, CHECKOUT, CLAIMS, OFFERS)
UNREADABLE = {
    "empty": b"",
    "not JSON": b"order_id=1&line_items=2",
    "cut off": b'{"order_id": "1", ',
    "a list": b"[]",
    "a text": b'"order"',
    "null": b"null",
    "a number": b"7",
    "two objects": b"{}{}",
    "not UTF-8": b'{"order_id": "\xff\xfe"}',
    "UTF-16": '{"order_id": "1"}'.encode("utf-16"),
    "with a byte order mark": b"\xef\xbb\xbf{}",
    "NaN": b'{"order_id": NaN}',
    "Infinity": b'{"order_id": -Infinity}',
    "huge exponent": b'{"order_id": 1e999999999}',
    "huge number": b'{"order_id": ' + b"9" * 10_000 + b"}",
    "half a character": b'{"order_id": "\\ud800"}',
    "half a character as a name": b'{"a": {"\\udfff": 1}}',
    "deep lists": b'{"order_id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "a little too deep": b'{"a":' * 101 + b"1" + b"}" * 101,
    "unclosed depth": b"[" * 500_000,
    "control characters": b'{"order_id": "\x00"}',
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_body_that_cannot_be_read_is_refused(shop: Shop, path: str, body: bytes) -> None:
    answer = shop.http.post(path, content=body, headers=shop.headers(path))
    assert answer.status_code == 400
    sentence = answer.json()["error"] if path == SALE else answer.json()["message"]["validation_errors"][0]
    assert sentence.startswith("The body ")


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("size", [1024 * 1024 + 1, 5_000_000])
def test_a_body_over_one_mebibyte_is_refused(shop: Shop, path: str, size: int) -> None:
    answer = shop.http.post(path, content=b" " * (size - 2) + b"{}", headers=shop.headers(path))
    assert answer.status_code == 413
    assert shop.http.get(VERIFY, headers=shop.private).status_code == 200


def test_a_body_in_pieces_is_put_together_and_measured(shop: Shop) -> None:
    whole = json.dumps(order()).encode()
    assert (
        shop.http.post(CARTS, content=iter([whole[:7], whole[7:]]), headers=shop.private).status_code == 200
    )
    pieces = (b" " * 65_536 for _ in range(40))
    assert shop.http.post(CARTS, content=pieces, headers=shop.private).status_code == 413


def test_one_mebibyte_is_taken(shop: Shop) -> None:
    body = json.dumps(order(note="x")).encode()
    padded = body + b" " * (1024 * 1024 - len(body))
    assert shop.http.post(CARTS, content=padded, headers=shop.private).status_code == 200


def test_a_hundred_levels_are_taken(shop: Shop) -> None:
    deep: Any = "end"
    for _ in range(95):
        deep = [deep]
    assert shop.submit(order(note=deep)).status_code == 200


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/json; charset=latin-1"])
def test_the_content_type_is_not_looked_at(shop: Shop, content_type: str | None) -> None:
    headers = shop.private | ({"Content-Type": content_type} if content_type else {})
    body = json.dumps(order(product("Ä")), ensure_ascii=False).encode()
    assert shop.http.post(CARTS, content=body, headers=headers).status_code == 200


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1e-400", "123456789012345678901234567890.5", "1E+30"])
def test_extreme_numbers_are_refused_by_their_field(shop: Shop, number: str) -> None:
    body = json.dumps(order(product(price="PRICE"))).replace('"PRICE"', number).encode()
    answer = shop.http.post(CARTS, content=body, headers=shop.private)
    assert answer.status_code == 400
    assert "product_price" in answer.text


def test_texts_with_odd_characters_are_stored_as_they_are(shop: Shop) -> None:
    title = "\u0000\u202e\u200b\u2028 שלום 😡 <script>\t\r\n\x7f"
    order_id = shop.stored(product("A") | {"product_title": title})
    assert shop.carried(order_id)[0]["product_title"] == title


def test_half_a_request_is_no_request(shop: Shop) -> None:
    """The body is a whole order, but the client promised more and went away."""
    body = json.dumps(order(order_id="half")).encode()
    address = httpx.URL(shop.sandbox.base_url)
    head = (
        f"POST {CARTS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {shop.private['Authorization']}\r\n"
        f"Content-Length: {len(body) + 10}\r\n\r\n"
    )
    context = ssl.create_default_context(cafile=shop.sandbox.ca_file)
    with (
        socket.create_connection((address.host, address.port or 0), timeout=10) as bare,
        context.wrap_socket(bare, server_hostname="localhost") as secure,
    ):
        secure.sendall(head.encode() + body)
        secure.unwrap()
    assert (
        shop.http.get(
            "/api/purchase-warranties", params={"order_id": "half"}, headers=shop.private
        ).status_code
        == 404
    )
    assert [call["operation"] for call in shop.sandbox.calls()] == ["purchase_warranties"]
