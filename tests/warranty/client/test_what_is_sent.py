"""What leaves this machine for each call, and what is sent a second time."""

import json
import logging
import ssl
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.warranty.client.prepared_service import (
    CALLS,
    NEVER_REPEATED,
    ORDER,
    REPEATED,
    SUCCESS,
    TOKEN,
    Answer,
    Pauses,
    Service,
    client,
    raised,
)
from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.client.pacing import retry_after
from warranty.client.resources import ClaimQuery, OfferedProduct
from warranty.client.transport import Pools
from warranty.errors import CredentialRefused, NotSent, OutcomeUnknown, ServiceFailed, SettingsProblem


@pytest.mark.parametrize(("call", "method", "path", "token"), [
    ("verify_credentials", "GET", "/base/api/verify-auth", "private"),
    ("submit_order", "POST", "/base/api/carts", "private"),
    ("record_sale", "POST", "/base/api/post-purchase-checkout", "private"),
    ("notify_checkout", "POST", "/base/api/checkout", "private"),
    ("claims", "POST", "/base/api/warranty-claim-customer-status", "public"),
])  # fmt: skip
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


@pytest.mark.parametrize(("says", "base_url"), [
    ("only https", "http://service.example"),
    *(("https://", address) for address in ("service.example", "ftp://service.example", "")), ("no host", "https://"),
    ("user name or password", "https://user:hunter2@service.example"),
    ("query", "https://service.example/?token=hunter2"), ("address", "https://service.example\x00"),
])  # fmt: skip
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


@pytest.mark.parametrize("call", REPEATED)
@pytest.mark.parametrize("failed", [httpx.Response(500), httpx.Response(503), httpx.Response(429), httpx.ReadTimeout])
def test_a_harmless_call_that_succeeds_at_last_is_a_success(call: str, failed: Answer) -> None:
    service = Service(failed, failed, httpx.Response(200, json=SUCCESS[call]))
    CALLS[call](client(service))
    assert len(service.requests) == 3


@pytest.mark.parametrize("call", NEVER_REPEATED)
def test_a_sale_or_a_checkout_is_sent_again_where_it_never_left_and_not_because_the_service_asks(call: str) -> None:
    asked, lost = (
        Service(httpx.Response(503, headers={"Retry-After": "0"})),
        Service(httpx.ConnectError, httpx.ReadTimeout),
    )
    raised(call, asked)
    assert type(raised(call, lost)) is OutcomeUnknown
    assert [len(service.requests) for service in (asked, lost)] == [1, 2]


@pytest.mark.parametrize("last", [httpx.ConnectError, httpx.Response(401)])
def test_a_repeat_that_did_not_arrive_says_nothing_of_the_order_sent_before_it(last: Answer) -> None:
    assert type(raised("submit_order", Service(httpx.ReadTimeout, last))) is OutcomeUnknown
    assert type(raised("claims", Service(httpx.ReadTimeout, last))) in {NotSent, CredentialRefused}


@pytest.mark.parametrize(
    ("headers", "slept"), [({}, [0.25, 0.5]), ({"Retry-After": "3"}, [3.0, 3.0]), ({"Retry-After": "120"}, [])]
)
def test_pauses_grow_or_are_as_the_service_asks_but_never_minutes(headers: dict[str, str], slept: list[float]) -> None:
    service, pauses = Service(httpx.Response(503, headers=headers)), Pauses()
    with pytest.raises(ServiceFailed):
        client(service, pauses).verify_credentials()
    assert pauses.slept == slept
    assert len(service.requests) == 1 + len(slept)


def test_pauses_are_drawn_by_lot_between_half_and_all() -> None:
    assert Pacing(jitter=lambda: 0.0).pause(1, None) == timedelta(milliseconds=250)
    assert Pacing(jitter=lambda: 1.0).pause(1, None) == timedelta(milliseconds=500)
    assert Pacing(jitter=lambda: 1.0).pause(20, None) == Pacing().longest_pause


@pytest.mark.parametrize(("header", "seconds"), [
    *((header, None) for header in (None, "", "soon", "-1", "1.5", "Sat, 99 Nov 2026 09:00:00 GMT")), ("0", 0),
    ("7", 7), ("9" * 400, 999_999_999), ("Sat, 21 Nov 2026 10:00:30 GMT", 30), ("Sat, 21 Nov 2026 09:00:00 GMT", 0),
])  # fmt: skip
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: int | None) -> None:
    wanted = None if seconds is None else timedelta(seconds=seconds)
    assert retry_after(header, now=datetime(2026, 11, 21, 10, tzinfo=UTC)) == wanted


def test_the_longest_call_is_known_and_shorter_where_nothing_is_repeated() -> None:
    caller = client(Service(httpx.Response(200)))
    assert caller.longest_call("record_sale") == caller.longest_call("notify_checkout")
    assert Timeouts().whole < caller.longest_call("record_sale") < caller.longest_call("submit_order")
    assert caller.longest_call("submit_order") == 3 * Timeouts().whole + 2 * Pacing().longest_pause


@pytest.mark.parametrize("call", CALLS)
def test_what_must_not_be_repeated_never_takes_a_kept_connection(call: str) -> None:
    taken: list[str] = []

    def pool(name: str) -> httpx.MockTransport:
        def answer(_: httpx.Request) -> httpx.Response:
            taken.append(name)
            return httpx.Response(200, json=SUCCESS[call])

        return httpx.MockTransport(answer)

    caller = client(Service(httpx.Response(500)))
    caller._transport._pools = Pools(keep_alive=pool("kept"), single_use=pool("single use"))
    CALLS[call](caller)
    assert taken == ["kept" if call in REPEATED else "single use"]
