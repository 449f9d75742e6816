"""What leaves the client: to which path, with which token, and one line in the log; and what no client is made of."""

import json
import logging
import ssl
from typing import Any

import httpx
import pytest

from tests.warranty.client.prepared_service import CALLS, ORDER, SUCCESS, TOKEN, Service, client
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery, OfferedProduct
from warranty.errors import SettingsProblem


@pytest.mark.parametrize(
    ("call", "method", "path", "token"),
    [
        ("verify_credentials", "GET", "/base/api/verify-auth", "private"),
        ("submit_order", "POST", "/base/api/carts", "private"),
        ("record_sale", "POST", "/base/api/post-purchase-checkout", "private"),
        ("notify_checkout", "POST", "/base/api/checkout", "private"),
        ("claims", "POST", "/base/api/warranty-claim-customer-status", "public"),
    ],
)
def test_each_call_goes_to_its_path_with_its_token(call: str, method: str, path: str, token: str) -> None:
    service = Service(httpx.Response(200, json=SUCCESS[call]))
    CALLS[call](client(service))
    [request] = service.requests
    assert (request.method, request.url.path, request.url.query) == (method, path, b"")
    assert request.headers["Authorization"] == f"Bearer {token}{TOKEN}"
    assert request.headers["Content-Type"] == request.headers["Accept"] == "application/json"
    if method == "POST":
        assert json.loads(request.content) is not None


def test_the_public_token_may_travel_bare_in_a_header_of_its_own() -> None:
    service = Service(httpx.Response(200, json=SUCCESS["claims"]))
    WarrantyClient(
        "https://service.example",
        private_token="private-token",
        public_token="public-token",
        public_token_header="X-Public-Token",
        transport=httpx.MockTransport(service),
    ).claims(ClaimQuery())
    [request] = service.requests
    assert request.headers["X-Public-Token"] == "public-token"
    assert "Authorization" not in request.headers


def test_no_cookie_is_carried_to_the_next_call_and_an_order_id_in_a_query_stays_a_value() -> None:
    service = Service(httpx.Response(200, json={}, headers={"Set-Cookie": "session=1"}))
    caller = client(service)
    caller.verify_credentials()
    caller.verify_credentials()
    assert "Cookie" not in service.requests[1].headers
    service = Service(httpx.Response(200, json={"order_id": "a&b=c/../d", "line_items": []}))
    client(service).purchase_warranties("a&b=c/../d")
    assert service.requests[0].url.path == "/base/api/purchase-warranties"
    assert dict(service.requests[0].url.params) == {"order_id": "a&b=c/../d"}


def test_the_two_assumed_reads_exist_only_where_the_settings_name_their_paths() -> None:
    bare = WarrantyClient("https://service.example", private_token="a", public_token="b")
    assert not bare.has("purchase_warranties")
    assert not bare.has("offers")
    assert bare.has("claims")
    with pytest.raises(SettingsProblem, match="WARRANTY_PURCHASE_WARRANTIES_PATH"):
        bare.purchase_warranties("9f2c")
    with pytest.raises(SettingsProblem, match="WARRANTY_OFFERS_PATH"):
        bare.offers(OfferedProduct.model_validate({"title": "TV", "id": "TV", "price": "899.00"}))


def test_every_attempt_is_one_line_of_json_with_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    done = httpx.Response(200, json=SUCCESS["submit_order"])
    service = Service(httpx.Response(503), httpx.ReadTimeout, done)
    with caplog.at_level(logging.INFO, logger="warranty.calls"):
        client(service).submit_order(ORDER, attempt_id="attempt-1")
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "warranty.calls"]
    assert lines == [
        {"operation": "submit_order", "attempt_id": "attempt-1", "milliseconds": 0.0, **ending}
        for ending in (
            {"status": 503, "repeats": 0, "outcome": "ServiceFailed"},
            {"status": None, "repeats": 1, "outcome": "OutcomeUnknown"},
            {"status": 200, "repeats": 2, "outcome": "done"},
        )
    ]


@pytest.mark.parametrize(
    ("says", "base_url"),
    [
        ("only https", "http://service.example"),
        *(("https://", address) for address in ("service.example", "ftp://service.example", "")),
        ("no host", "https://"),
        ("user name or password", "https://user:hunter2@service.example"),
        ("query", "https://service.example/?token=hunter2"),
        ("address", "https://service.example\x00"),
    ],
)
def test_a_base_url_other_than_https_is_refused_without_repeating_it(base_url: str, says: str) -> None:
    with pytest.raises(SettingsProblem, match=says) as refused:
        WarrantyClient(base_url, private_token="a", public_token="b")
    assert isinstance(refused.value, ValueError)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("token", ["", " \n", "a b", "a\nX-Evil: 1", "ä", "a\x00"])
@pytest.mark.parametrize("which", ["private_token", "public_token"])
def test_a_token_that_could_not_be_a_header_is_refused_unseen(which: str, token: str) -> None:
    tokens: dict[str, Any] = {"private_token": "a", "public_token": "b"} | {which: token}
    with pytest.raises(SettingsProblem, match="token is empty or holds") as refused:
        WarrantyClient("https://service.example", **tokens)
    assert "Evil" not in str(refused.value)


def test_a_token_that_was_copied_with_a_line_end_is_the_token() -> None:
    service = Service(httpx.Response(200, json={}))
    WarrantyClient(
        "https://service.example",
        private_token=" private-token\n",
        public_token="b",
        transport=httpx.MockTransport(service),
    ).verify_credentials()
    assert service.requests[0].headers["Authorization"] == "Bearer private-token"


def test_a_header_name_that_is_none_is_refused() -> None:
    tokens: dict[str, Any] = {"private_token": "a", "public_token": "b", "public_token_header": "X: y"}
    with pytest.raises(SettingsProblem, match="WARRANTY_PUBLIC_TOKEN_HEADER"):
        WarrantyClient("https://service.example", **tokens)


def test_certificates_are_always_verified() -> None:
    lax = ssl.create_default_context()
    lax.check_hostname = False
    lax.verify_mode = ssl.CERT_NONE
    for verify in (False, lax, "no-such-file.pem"):
        with pytest.raises(SettingsProblem):
            WarrantyClient("https://service.example", private_token="a", public_token="b", verify=verify)  # type: ignore[arg-type]
