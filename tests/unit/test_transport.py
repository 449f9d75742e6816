"""What the client makes of every ending of a call, what it sends again, and what it never does.

Here stand the endings that a real service cannot be asked for; the rest is in tests/contract.
"""

import json
import logging
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.errors import (
    BillingAddressMissing,
    CredentialRefused,
    NotSent,
    OrderNotFound,
    OutcomeUnknown,
    RequestRefused,
    ServiceFailed,
    SettingsProblem,
    UnexpectedAnswer,
    WarrantyError,
)
from warranty.operations import OPERATIONS, Repeat
from warranty.pacing import retry_after
from warranty.resources import Checkout, ClaimQuery, OfferedProduct, Order, Sale
from warranty.transport import Pools

ORDER = Order.model_validate(
    {
        "order_id": "7689dde5c0f64fffa7ad217f6f73",
        "line_items": [{"product_id": "TV", "product_title": "TV", "product_price": "899.00"}],
        "billing_address": {"state": "NY", "country": "US", "first_name": "Ada", "phone": "+12125550100"},
    }
)
SALE = Sale.model_validate({"id": ORDER.order_id, "line_items": [{"product_id": "TV"}]})
ADDRESS = {
    "first_name": "Ada",
    "last_name": "Byron",
    "address1": "1 Main St",
    "city": "Boston",
    "state": "MA",
    "zip": "02108",
    "country": "United States",
    "country_code": "US",
}
CHECKOUT = Checkout.model_validate(
    {
        "id": ORDER.order_id,
        "email": "ada@example.com",
        "line_items": [{"warranty_offer_id": "0b2f4c9e-8f0d-4a38-9d3f-3f1d2a4b5c6d"}],
        "billing_address": ADDRESS,
    }
)
CALLS: dict[str, Callable[[WarrantyClient], object]] = {
    "verify_credentials": lambda client: client.verify_credentials(),
    "submit_order": lambda client: client.submit_order(ORDER),
    "record_sale": lambda client: client.record_sale(SALE),
    "notify_checkout": lambda client: client.notify_checkout(CHECKOUT),
    "claims": lambda client: client.claims(ClaimQuery()),
}
REPEATED = [name for name in CALLS if OPERATIONS[name].repeat is Repeat.HARMLESS]
NEVER_REPEATED = [name for name in CALLS if OPERATIONS[name].repeat is Repeat.UNSENT_ONLY]
SUCCESS: dict[str, Any] = {
    "verify_credentials": {},
    "submit_order": {"success": True, "url": "https://pages.example.com/1", "warrantable_products": True},
    "record_sale": {"id": "64fa"},
    "notify_checkout": {},
    "claims": {"data": [], "page": 1, "per_page": 50, "total_count": 0},
}

Answer = httpx.Response | Exception | type[Exception]


class Service:
    """A service that gives prepared answers in turn, the last one for ever, and keeps the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, httpx.Response):
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        raise answer("made by the test") if isinstance(answer, type) else answer


class Pauses:
    """A clock that stands still except while sleeping, so that no test waits."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def clock(self) -> float:
        return sum(self.slept)


def client(
    service: Callable[[httpx.Request], httpx.Response], pauses: Pauses | None = None
) -> WarrantyClient:
    pauses = pauses or Pauses()
    return WarrantyClient(
        "https://service.example/base",
        private_token="private-token-1234567890",
        public_token="public-token-1234567890",
        transport=httpx.MockTransport(service),
        pacing=Pacing(sleep=pauses.sleep, clock=pauses.clock, jitter=lambda: 1.0),
        purchase_warranties_path="/api/purchase-warranties",
        offers_path="/api/warranty-offers",
    )


def raised(call: str, service: Service) -> WarrantyError:
    with pytest.raises(WarrantyError) as ending:
        CALLS[call](client(service))
    return ending.value


# --- what each answer means ---------------------------------------------------------------------------------


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "status", [200, 301, 302, 307, 308, 400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503, 504]
)
def test_each_status_means_what_the_document_says_for_that_call(call: str, status: int) -> None:
    meanings: dict[int, type[WarrantyError]] = {
        400: RequestRefused,
        401: CredentialRefused,
        404: {"submit_order": BillingAddressMissing, "record_sale": OrderNotFound}.get(
            call, UnexpectedAnswer
        ),
    }
    service = Service(
        httpx.Response(status, json=SUCCESS[call], headers={"Location": "https://elsewhere.example/"})
    )
    if status == 200:
        CALLS[call](client(service))
        return
    error = raised(call, service)
    assert type(error) is meanings.get(status, ServiceFailed if status >= 500 else UnexpectedAnswer)
    assert (error.trace.operation, error.trace.status) == (call, status)
    assert {request.url.host for request in service.requests} == {"service.example"}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "failure", [httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol]
)
def test_without_a_connection_nothing_was_sent_and_any_call_is_tried_again(
    call: str, failure: type[Exception]
) -> None:
    service = Service(failure)
    error = raised(call, service)
    assert type(error) is NotSent
    assert error.nothing_written
    assert len(service.requests) == 3


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "failure",
    [
        httpx.WriteError,
        httpx.WriteTimeout,
        httpx.ReadError,
        httpx.ReadTimeout,
        httpx.RemoteProtocolError,
        httpx.LocalProtocolError,
        httpx.CloseError,
    ],
)
def test_after_the_first_byte_silence_leaves_the_outcome_unknown(call: str, failure: type[Exception]) -> None:
    service = Service(failure)
    error = raised(call, service)
    assert type(error) is OutcomeUnknown
    assert not error.nothing_written
    assert len(service.requests) == (3 if call in REPEATED else 1)


@pytest.mark.parametrize(
    ("call", "body"),
    [
        ("submit_order", b""),
        ("submit_order", b"[]"),
        ("submit_order", b"{}"),
        ("submit_order", b'{"success": true}'),
        ("submit_order", b'{"url": 7}'),
        ("submit_order", b'{"url": "javascript:alert(1)"}'),
        ("submit_order", b"<html>Welcome</html>"),
        ("submit_order", b"\xff\xfe"),
        ("record_sale", b""),
        ("record_sale", b"{}"),
        ("record_sale", b'{"id": ""}'),
        ("record_sale", b'{"id": true}'),
        ("record_sale", b'"64fa"'),
        ("record_sale", b"OK"),
        ("notify_checkout", b"<html>Welcome</html>"),
        ("verify_credentials", b"<html>Sign in to this network</html>"),
        ("claims", b"{}"),
        ("claims", b'{"data": [{"status": "RESOLVED"}], "page": 1, "per_page": 50, "total_count": 1}'),
        ("claims", b'{"data": null, "page": 1, "per_page": 50, "total_count": 1}'),
        ("claims", b"[" * 100_000),
    ],
)
def test_a_whole_body_outside_the_document_is_an_unexpected_answer(call: str, body: bytes) -> None:
    service = Service(httpx.Response(200, content=body))
    error = raised(call, service)
    assert type(error) is UnexpectedAnswer
    assert not error.nothing_written
    assert error.service_words == ()
    assert len(service.requests) == 1


@pytest.mark.parametrize("call", CALLS)
def test_json_that_ends_in_the_middle_leaves_the_outcome_unknown(call: str) -> None:
    service = Service(httpx.Response(200, content=b'{"url": "https://pages.exa'))
    error = raised(call, service)
    assert type(error) is OutcomeUnknown
    assert error.trace.status == 200
    assert len(service.requests) == (3 if call in REPEATED else 1)


class Stream(httpx.SyncByteStream):
    """A body in pieces, of which one may be an exception."""

    def __init__(self, *pieces: bytes | Exception, between: Callable[[], None] = lambda: None) -> None:
        self.pieces, self.between = pieces, between

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.between()
            if isinstance(piece, Exception):
                raise piece
            yield piece


def test_a_refusal_whose_body_is_cut_off_is_still_a_refusal() -> None:
    body = Stream(b'{"error": "The te', httpx.RemoteProtocolError("closed"))
    with pytest.raises(RequestRefused) as refused:
        client(lambda request: httpx.Response(400, stream=body)).record_sale(SALE)
    assert refused.value.service_words == ()


def test_a_body_that_trickles_in_for_ever_is_given_up() -> None:
    pauses = Pauses()
    body = Stream(*[b"a"] * 40, between=lambda: pauses.sleep(1))
    with pytest.raises(OutcomeUnknown):
        client(lambda request: httpx.Response(200, stream=body), pauses).record_sale(SALE)


def test_a_body_without_end_is_given_up() -> None:
    body = Stream(*[b"a" * 1_000_000] * 40)
    with pytest.raises(OutcomeUnknown):
        client(lambda request: httpx.Response(200, stream=body)).record_sale(SALE)


def test_a_compressed_body_that_cannot_be_unpacked_leaves_the_outcome_unknown() -> None:
    answer = httpx.Response(200, stream=Stream(b"no gzip"), headers={"Content-Encoding": "gzip"})
    with pytest.raises(OutcomeUnknown):
        client(lambda request: answer).record_sale(SALE)


# --- the service's own words --------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["submit_order", "record_sale", "notify_checkout", "claims"])
@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            b'{"message": {"validation_errors": ["No state given", "No phone"]}}',
            ("No state given", "No phone"),
        ),
        (b'{"error": "The term is not offered"}', ("The term is not offered",)),
        (b'{"message": "Bad request"}', ("Bad request",)),
        (b'{"validation_errors": ["No state"]}', ("No state",)),
        (b'{"error": {"code": 7}}', ('{"code":7}',)),
        (b'{"message": {"validation_errors": "No state"}}', ("No state",)),
        (b'{"message": {"other": 1}}', ('{"other":1}',)),
        (b'{"detail": "odd"}', ('{"detail":"odd"}',)),
        (b'"refused"', ("refused",)),
        (b"Bad\n  Request", ("Bad Request",)),
        (b"{}", ()),
        (b"", ()),
        (b"  ", ()),
    ],
)
def test_either_shape_of_a_refusal_is_understood_on_any_call_and_other_text_is_kept(
    call: str, body: bytes, words: tuple[str, ...]
) -> None:
    assert raised(call, Service(httpx.Response(400, content=body))).service_words == words


def test_what_the_service_says_is_kept_within_bounds() -> None:
    sentences = ["x" * 5000] * 200
    error = raised(
        "submit_order", Service(httpx.Response(400, json={"message": {"validation_errors": sentences}}))
    )
    assert len(error.service_words) == 50
    assert all(len(sentence) == 1001 for sentence in error.service_words)


def test_plans_of_a_refused_term_are_read_beside_the_words() -> None:
    words = "18 months is not offered on TV. Available plans: 12 months (Extended), 24 months (Accident)"
    error = raised("record_sale", Service(httpx.Response(400, json={"error": words})))
    assert [(plan.months, plan.type) for plan in error.plans] == [(12, "Extended"), (24, "Accident")]
    assert error.service_words == (words,)
    assert error.failure.plans == error.plans


# --- receipts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "warrantable", "known"),
    [
        ({"warrantable_products": True}, True, False),
        ({"warrantable_products": False}, False, False),
        ({"warrantable_products": None}, None, False),
        ({"warrantable_products": "several"}, None, False),
        ({}, None, True),
        ({"success": False}, None, True),
        ({"warrantable_products": True, "something_new": {}}, True, False),
    ],
)
def test_an_order_is_warrantable_not_warrantable_or_known_already(
    answer: dict[str, Any], warrantable: bool | None, known: bool
) -> None:
    body = {"success": True, "url": "https://pages.example.com/1", **answer}
    receipt = client(Service(httpx.Response(200, json=body))).submit_order(ORDER)
    assert (receipt.url, receipt.warrantable_products, receipt.already_known, receipt.after_silence) == (
        "https://pages.example.com/1",
        warrantable,
        known,
        False,
    )


@pytest.mark.parametrize(("first", "after_silence"), [(httpx.ReadTimeout, True), (httpx.ConnectError, False)])
def test_an_order_known_already_may_be_known_from_our_own_lost_sending(
    first: type[Exception], after_silence: bool
) -> None:
    service = Service(
        first, httpx.Response(200, json={"success": True, "url": "https://pages.example.com/1"})
    )
    receipt = client(service).submit_order(ORDER)
    assert receipt.already_known
    assert receipt.after_silence is after_silence


@pytest.mark.parametrize(("identifier", "read"), [("64fa", "64fa"), (64, "64")])
def test_a_sale_gives_the_id_of_the_warranty_order(identifier: object, read: str) -> None:
    assert (
        client(Service(httpx.Response(200, json={"id": identifier, "new": 1}))).record_sale(SALE).id == read
    )


@pytest.mark.parametrize("status", [200, 201, 202, 204])
@pytest.mark.parametrize(
    ("body", "identifier"), [(b"", None), (b'{"id": "c-1"}', "c-1"), (b"[]", None), (b'{"id": 1}', None)]
)
def test_any_success_of_a_checkout_is_a_success_since_none_is_shown(
    status: int, body: bytes, identifier: str | None
) -> None:
    receipt = client(Service(httpx.Response(status, content=body))).notify_checkout(CHECKOUT)
    assert receipt.id == identifier


def test_a_created_order_is_outside_the_document_since_200_is_shown() -> None:
    assert (
        type(raised("submit_order", Service(httpx.Response(201, json=SUCCESS["submit_order"]))))
        is UnexpectedAnswer
    )


def test_the_body_of_a_claims_answer_is_passed_on_unread() -> None:
    body = b' {"data": [{"anything": 1}], "page": 1, "per_page": 50, "total_count": 1} '
    assert client(Service(httpx.Response(200, content=body))).claims_body(ClaimQuery()) == body


@pytest.mark.parametrize(
    ("body", "error"), [(b"<html>", UnexpectedAnswer), (b"", UnexpectedAnswer), (b'{"data"', OutcomeUnknown)]
)
def test_a_body_of_claims_that_is_no_whole_object_is_not_passed_on(
    body: bytes, error: type[WarrantyError]
) -> None:
    with pytest.raises(error):
        client(Service(httpx.Response(200, content=body))).claims_body(ClaimQuery())


# --- what is sent -------------------------------------------------------------------------------------------


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
    assert request.headers["Authorization"] == f"Bearer {token}-token-1234567890"
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


def test_no_cookie_is_carried_from_one_call_to_the_next() -> None:
    service = Service(httpx.Response(200, json={}, headers={"Set-Cookie": "session=1"}))
    caller = client(service)
    caller.verify_credentials()
    caller.verify_credentials()
    assert "Cookie" not in service.requests[1].headers


def test_the_two_assumed_reads_exist_only_where_the_settings_name_their_paths() -> None:
    bare = WarrantyClient("https://service.example", private_token="a", public_token="b")
    assert not bare.has("purchase_warranties")
    assert not bare.has("offers")
    assert bare.has("claims")
    with pytest.raises(SettingsProblem, match="WARRANTY_PURCHASE_WARRANTIES_PATH"):
        bare.purchase_warranties("9f2c")
    with pytest.raises(SettingsProblem, match="WARRANTY_OFFERS_PATH"):
        bare.offers(OfferedProduct.model_validate({"title": "TV", "id": "TV", "price": "899.00"}))


def test_an_order_id_in_a_query_stays_a_value() -> None:
    service = Service(httpx.Response(200, json={"order_id": "a&b=c/../d", "line_items": []}))
    client(service).purchase_warranties("a&b=c/../d")
    assert service.requests[0].url.path == "/base/api/purchase-warranties"
    assert dict(service.requests[0].url.params) == {"order_id": "a&b=c/../d"}


# --- repeats ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", REPEATED)
@pytest.mark.parametrize(
    "failed", [httpx.Response(500), httpx.Response(503), httpx.Response(429), httpx.ReadTimeout]
)
def test_a_harmless_call_is_repeated_twice_at_most(call: str, failed: Answer) -> None:
    good = httpx.Response(200, json=SUCCESS[call])
    service = Service(failed, failed, good)
    CALLS[call](client(service))
    assert len(service.requests) == 3
    hopeless = Service(failed)
    with pytest.raises(WarrantyError):
        CALLS[call](client(hopeless))
    assert len(hopeless.requests) == 3


@pytest.mark.parametrize("call", NEVER_REPEATED)
@pytest.mark.parametrize(
    "failed",
    [
        httpx.Response(500),
        httpx.Response(503, headers={"Retry-After": "0"}),
        httpx.Response(429),
        httpx.ReadTimeout,
        httpx.Response(200, content=b"{"),
    ],
)
def test_a_sale_or_a_checkout_is_never_sent_again_once_it_left(call: str, failed: Answer) -> None:
    service = Service(failed)
    with pytest.raises(WarrantyError):
        CALLS[call](client(service))
    assert len(service.requests) == 1


@pytest.mark.parametrize("call", NEVER_REPEATED)
def test_a_sale_that_never_left_is_sent_and_then_no_further(call: str) -> None:
    service = Service(httpx.ConnectError, httpx.ReadTimeout)
    with pytest.raises(OutcomeUnknown):
        CALLS[call](client(service))
    assert len(service.requests) == 2


@pytest.mark.parametrize("last", [httpx.ConnectError, httpx.Response(401)])
def test_a_repeat_that_did_not_arrive_says_nothing_of_the_order_sent_before_it(last: Answer) -> None:
    assert type(raised("submit_order", Service(httpx.ReadTimeout, last))) is OutcomeUnknown
    assert type(raised("claims", Service(httpx.ReadTimeout, last))) in {NotSent, CredentialRefused}


@pytest.mark.parametrize("call", REPEATED)
@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_was_refused_is_not_sent_again(call: str, status: int) -> None:
    service = Service(httpx.Response(status))
    with pytest.raises(WarrantyError):
        CALLS[call](client(service))
    assert len(service.requests) == 1


def test_pauses_grow_and_what_the_service_asks_for_is_kept_to() -> None:
    pauses = Pauses()
    with pytest.raises(ServiceFailed):
        client(Service(httpx.Response(503)), pauses).verify_credentials()
    assert pauses.slept == [0.25, 0.5]
    pauses = Pauses()
    with pytest.raises(ServiceFailed):
        client(Service(httpx.Response(503, headers={"Retry-After": "3"})), pauses).verify_credentials()
    assert pauses.slept == [3.0, 3.0]


def test_nobody_waits_for_a_service_that_asks_for_minutes() -> None:
    service, pauses = Service(httpx.Response(503, headers={"Retry-After": "120"})), Pauses()
    with pytest.raises(ServiceFailed):
        client(service, pauses).verify_credentials()
    assert (len(service.requests), pauses.slept) == (1, [])


def test_pauses_are_drawn_by_lot_between_half_and_all() -> None:
    assert Pacing(jitter=lambda: 0.0).pause(1, None) == timedelta(milliseconds=250)
    assert Pacing(jitter=lambda: 1.0).pause(1, None) == timedelta(milliseconds=500)
    assert Pacing(jitter=lambda: 1.0).pause(20, None) == Pacing().longest_pause


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("0", 0),
        ("7", 7),
        ("-1", None),
        ("1.5", None),
        ("9" * 400, 999_999_999),
        ("Sat, 21 Nov 2026 10:00:30 GMT", 30),
        ("Sat, 21 Nov 2026 09:00:00 GMT", 0),
        ("Sat, 99 Nov 2026 09:00:00 GMT", None),
    ],
)
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
    caller._transport._pools = Pools(kept=pool("kept"), single_use=pool("single use"))
    CALLS[call](caller)
    assert taken == ["kept" if call in REPEATED else "single use"]


# --- the log ------------------------------------------------------------------------------------------------


def test_every_attempt_is_one_line_of_json_with_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    service = Service(
        httpx.Response(503), httpx.ReadTimeout, httpx.Response(200, json=SUCCESS["submit_order"])
    )
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


# --- what a client cannot be made of ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base_url", "says"),
    [
        ("http://service.example", "only https"),
        ("service.example", "https://"),
        ("ftp://service.example", "https://"),
        ("https://", "no host"),
        ("", "https://"),
        ("https://user:hunter2@service.example", "user name or password"),
        ("https://service.example/?token=hunter2", "query"),
        ("https://service.example\x00", "address"),
    ],
)
def test_a_base_url_that_is_not_https_is_refused_with_a_sentence_that_repeats_nothing(
    base_url: str, says: str
) -> None:
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
    with pytest.raises(SettingsProblem, match="WARRANTY_PUBLIC_TOKEN_HEADER"):
        WarrantyClient(
            "https://service.example", private_token="a", public_token="b", public_token_header="X: y"
        )


def test_certificates_are_always_verified() -> None:
    lax = ssl.create_default_context()
    lax.check_hostname = False
    lax.verify_mode = ssl.CERT_NONE
    for verify in (False, lax, "no-such-file.pem"):
        with pytest.raises(SettingsProblem):
            WarrantyClient("https://service.example", private_token="a", public_token="b", verify=verify)  # type: ignore[arg-type]
