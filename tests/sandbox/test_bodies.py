"""What a call has to be before its endpoint acts: its token, its body, its fields."""

import json
import socket
import ssl
from datetime import date
from decimal import Decimal
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox import SandboxServer
from sandbox.wire.answers import Refused
from sandbox.wire.bodies import read_object
from sandbox.wire.fields import Fields
from tests.sandbox.shop import ALL, CARTS, CHECKOUT, CLAIMS, OFFERS, SALE, VERIFY, Shop, checkout, order, product, term

clause = pytest.mark.clause
POSTS = (CARTS, SALE, CHECKOUT, CLAIMS, OFFERS)
UNREADABLE = {
    "empty": b"", "not JSON": b"order_id=1&line_items=2", "cut off": b'{"order_id": "1", ', "a list": b"[]",
    "a text": b'"order"', "null": b"null", "two objects": b"{}{}",
    "not UTF-8": b'{"order_id": "\xff\xfe"}',
    "UTF-16": '{"order_id": "1"}'.encode("utf-16"),
    "with a byte order mark": b"\xef\xbb\xbf{}",
    "NaN": b'{"order_id": NaN}', "Infinity": b'{"order_id": -Infinity}',
    "huge exponent": b'{"order_id": 1e999999999}',
    "huge number": b'{"order_id": ' + b"9" * 10_000 + b"}",
    "half a character": b'{"order_id": "\\ud800"}',
    "half a character as a name": b'{"a": {"\\udfff": 1}}',
    "deep lists": b'{"order_id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a little too deep": b'{"a":' * 101 + b"1" + b"}" * 101,
    "unclosed depth": b"[" * 500_000,
    "control characters": b'{"order_id": "\x00"}',
}  # fmt: skip


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_body_that_cannot_be_read_is_refused(body: bytes) -> None:
    with pytest.raises(Refused, match="The body "):
        read_object(body)


@pytest.mark.parametrize("path", POSTS)
def test_an_endpoint_refuses_such_a_body_and_one_over_a_mebibyte_its_own_way(shop: Shop, path: str) -> None:
    answer = shop.http.post(path, content=UNREADABLE["deep lists"], headers=shop.headers(path))
    assert answer.status_code == 400
    sentence = answer.json()["error"] if path == SALE else answer.json()["message"]["validation_errors"][0]
    assert sentence == "The body is nested too deeply."
    for size in (1024 * 1024 + 1, 5_000_000):
        assert shop.http.post(path, content=b" " * (size - 2) + b"{}", headers=shop.headers(path)).status_code == 413
    assert shop.http.get(VERIFY, headers=shop.private).status_code == 200


def test_a_mebibyte_a_hundred_levels_and_pieces_are_taken_whatever_the_content_type_says(shop: Shop) -> None:
    deep: Any = "end"
    for _ in range(95):
        deep = [deep]
    body = json.dumps(order(note=deep)).encode()
    padded = body + b" " * (1024 * 1024 - len(body))
    for content in (padded, iter([body[:7], body[7:]])):
        assert shop.http.post(CARTS, content=content, headers=shop.private).status_code == 200
    assert shop.http.post(CARTS, content=(b" " * 65_536 for _ in range(40)), headers=shop.private).status_code == 413
    latin = shop.private | {"Content-Type": "application/json; charset=latin-1"}
    umlaut = json.dumps(order(product("Ä")), ensure_ascii=False).encode()
    assert shop.http.post(CARTS, content=umlaut, headers=latin).status_code == 200


def read(kind: str, written: str, **options: Any) -> tuple[Any, list[str]]:
    fields = Fields(read_object(f'{{"field": {written}}}'.encode()))
    return getattr(fields, kind)("field", **options), fields.faults


@clause("item.product-price", "limits.same-quantity", "item.quantity-default")
@pytest.mark.parametrize(("kind", "written", "value"), [
    ("text", '""', ""), ("text", "null", None), ("identifier", "6599143014002", "6599143014002"),
    ("amount", '"899.99"', Decimal("899.99")), ("amount", "899.99", Decimal("899.99")),
    ("amount", "900", Decimal(900)), ("amount", '" 12.5 "', Decimal("12.5")),
    ("amount", '"007.10"', Decimal("7.10")), ("amount", '"0.00"', Decimal(0)),
    ("amount", "8.9900000000000002", Decimal("8.9900000000000002")),  # as platforms print a float
    ("amount", f'"8.99{"0" * 60}"', Decimal("8.99")),
    ("quantity", "null", 1), ("quantity", "2", 2), ("quantity", "2.0", 2), ("quantity", '"2"', 2),
    ("quantity", '"2.0"', 2), ("quantity", f'"{"9" * 400}"', int("9" * 400)),
    ("whole", "2.0", 2), ("whole", "-12", -12), ("number", "12.5", Decimal("12.5")), ("number", "0", Decimal(0)),
    ("day", '"2026-02-28"', date(2026, 2, 28)), ("objects", "[]", []),
])  # fmt: skip
def test_a_field_is_read_as_it_is_meant(kind: str, written: str, value: object) -> None:
    assert read(kind, written) == (value, [])


NO_TEXT = ("5", "true", "[]", "{}")
NO_AMOUNT = (
    '""', '"abc"', '"NaN"', '"Infinity"', '"-1.00"', '"1,299.00"', '"1e3"', '"+5"', '"٣"', '"1."', '".5"', "true",
    "[]", "{}", "-1", "-0.01", "1e-400", "1E+30", "123456789012345678901234567890.5",
)  # fmt: skip
NO_QUANTITY = (
    "0", "-1", "1.5", '"1.5"', '"two"', '""', "true", "false", "[1]", "{}", '"-2"', "1e-9", '"1e1"', '"２"'
)  # fmt: skip
NO_ORDER_ID = ('""', '" "', '"\\t\\n"', '"."', '".."', f'"{"x" * 256}"', "1.5", "true", "null")


@clause("sale-error.quantity", "limits.sale-quantity", "item.product-price", "order.order-id")
@pytest.mark.parametrize(("kind", "values", "sentence"), [
    ("text", NO_TEXT, "field must be text."), ("identifier", ("1.5", "true", "[]"), "field must be text."),
    ("amount", NO_AMOUNT, 'field must be an amount of zero or more, written like "1500.00".'),
    ("quantity", NO_QUANTITY, "field must be a positive whole number."),
    ("whole", ('"24"', "true", "1.5", "[]"), "field must be a whole number."),
    ("number", ('"12"', "true", "-1"), "field must be a number of zero or more."),
    ("day", ('"2026-02-30"', '"28.02.2026"', "20260228", '""'), "field must be a date of the form YYYY-MM-DD."),
    ("object", ('"x"', "[]", "5", "false"), "field must be an object."),
    ("objects", ("{}", '"x"', "5"), "field must be a list."), ("order_id", NO_ORDER_ID, "field "),
])  # fmt: skip
def test_a_wrong_field_is_refused_by_its_name(kind: str, values: tuple[str, ...], sentence: str) -> None:
    for written in values:
        value, faults = read(kind, written)
        assert [fault[: len(sentence)] for fault in faults] == [sentence], written
        assert not value or kind == "quantity"


def test_a_required_field_is_missed_where_it_is_null_or_an_empty_text() -> None:
    for kind in ("text", "identifier", "amount", "whole", "object", "objects"):
        assert read(kind, "null", required=True)[1] == ["field is required."]
    for kind in ("text", "identifier"):
        assert read(kind, '" "', required=True)[1] == ["field is required."]
    assert read("identifier", '""', required=True, may_be_empty=True) == ("", [])


EXAMPLES: dict[str, dict[str, Any]] = {
    CARTS: order(product("SET", products=[product("M1", "700"), product("M2", "400")], quantity=2)),
    SALE: {"id": "x", "line_items": [{"line_item_id": 1, "product_id": "TV-55", "warranty": term(24)}]},
    CHECKOUT: checkout(phone="1", shipping_address=checkout()["billing_address"]),
    CLAIMS: {"claimDateRange": {"startDate": "2026-03-01T12:00:00.000001"}, "customerEmail": "ada@example.com"},
    OFFERS: {"title": "TV", "id": "TV", "price": "899.00", "meta": product()["meta"]},
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(content: Any, *, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = content if isinstance(content, dict) else range(len(content)) if isinstance(content, list) else ()
    return [(*above, key) for key in keys] + [
        place for key in keys for place in places(content[key], above=(*above, key))
    ]


@pytest.mark.parametrize("path", POSTS)
@settings(max_examples=25)
@given(data=st.data())
def test_any_value_is_taken_or_refused_in_words(running_shop: Shop, path: str, data: st.DataObject) -> None:
    """A body that is right but for one value: any JSON in its place, or nothing."""
    if path == SALE:
        running_shop.stored(order_id="x")
    content = json.loads(json.dumps(EXAMPLES[path]))
    *way, last = data.draw(st.sampled_from(places(content)))
    holder = content
    for key in way:
        holder = holder[key]
    holder[last] = data.draw(JSON)
    answer = running_shop.post(path, content)
    assert answer.status_code in {200, 400, 404}, answer.text
    if answer.status_code == 400:
        shape = answer.json()
        sentences = [shape["error"]] if path == SALE else shape["message"]["validation_errors"]
        assert all(isinstance(sentence, str) for sentence in sentences)
        assert sentences


def test_half_a_request_is_no_request(shop: Shop) -> None:
    """The body is a whole order, but the client promised more and went away."""
    body = json.dumps(order(order_id="half")).encode()
    address = httpx.URL(shop.sandbox.base_url)
    head = (
        f"POST {CARTS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {shop.private['Authorization']}\r\n"
        f"Content-Length: {len(body) + 10}\r\n\r\n"
    )
    context = ssl.create_default_context(cafile=shop.sandbox.ca_file)
    bare = socket.create_connection((address.host, address.port or 0), timeout=10)
    with bare, context.wrap_socket(bare, server_hostname="localhost") as secure:
        secure.sendall(head.encode() + body)
        secure.unwrap()
    assert shop.look("half").status_code == 404
    assert [call["operation"] for call in shop.sandbox.calls()] == ["purchase_warranties"]


@clause("auth.two-tokens", "auth.private", "auth.public", "auth.public-header", "auth.every-request")
@clause("auth.401", "carts.no-token", "sale-error.401", "other-errors.verify-auth")
@pytest.mark.parametrize(("method", "path"), ALL)
def test_an_endpoint_opens_by_its_own_token_first_and_by_one_method(shop: Shop, method: str, path: str) -> None:
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
    for verb in {"GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"} - {method}:
        answer = shop.http.request(verb, path, headers=shop.headers(path))
        assert (answer.status_code, answer.headers["allow"]) == (405, method)


@clause("auth.bearer", "auth.401", "verify-auth.check", "verify-auth.answer", "service.verify")
@pytest.mark.parametrize("pattern", [
    "", "Bearer", "{token}", "bearer {token}", "BEARER {token}", "Bearer  {token}", "Basic {token}",
    "Bearer{token}", "Bearer {token}x", "Bearer {token} {token}", 'Bearer "{token}"', "Token {token}",
    "Bearer\t{token}", "Bearer \xff\xfe", "Bearer " + "x" * 20_000,
])  # fmt: skip
def test_the_header_is_the_word_bearer_a_space_and_the_token(shop: Shop, pattern: str) -> None:
    token = shop.sandbox.private_token
    assert shop.http.get(VERIFY, headers={"Authorization": f"Bearer {token}"}).json() == {"success": True}
    answer = shop.http.get(VERIFY, headers=[(b"Authorization", pattern.format(token=token).encode("latin-1"))])
    assert (answer.status_code, token in answer.text) == (401, False)


@pytest.mark.parametrize("path", ["/api/", "/api/nothing", "/api/carts/", "/api/carts/1", "/api//carts", "/api/Carts"])
def test_an_unknown_endpoint_is_401_without_a_token_and_404_with_one(shop: Shop, path: str) -> None:
    assert shop.http.get(path).status_code == 401
    for headers in (shop.private, shop.public):
        assert shop.http.post(path, headers=headers, json={}).status_code == 404


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
