"""What the client makes of every ending of a call: the one table of what each status and each body means.

Here stand the endings that a real service cannot be asked for; the rest is in tests/contract.
"""

import json
import logging
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import httpx
import pytest

from tests.warranty.client import prepared_service as prepared
from tests.warranty.client.prepared_service import CALLS, REPEATED, SUCCESS, Service, client, client_of, raised
from warranty import errors
from warranty.client import Pacing, Timeouts, WarrantyClient
from warranty.client.pacing import retry_after
from warranty.client.plans import read_plans
from warranty.client.resources import ClaimQuery, OfferedProduct
from warranty.client.transport import Pools
from warranty.errors import CredentialRefused, NotSent, OutcomeUnknown, RequestRefused, ServiceFailed, UnexpectedAnswer

NOT_FOUND = {"submit_order": errors.BillingAddressMissing, "record_sale": errors.OrderNotFound}
CUT_OFF = httpx.Response(200, content=b'{"url": "https://pages.exa')
BEFORE_A_BYTE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
AFTER_IT = (
    httpx.WriteError, httpx.WriteTimeout, httpx.ReadError, httpx.ReadTimeout, httpx.RemoteProtocolError,
    httpx.LocalProtocolError, httpx.CloseError, CUT_OFF,
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "status", [200, 301, 302, 307, 308, 400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503, 504]
)
def test_each_status_means_what_is_documented_and_a_refusal_is_sent_once(call: str, status: int) -> None:
    meanings = {400: RequestRefused, 401: CredentialRefused, 404: NOT_FOUND.get(call, UnexpectedAnswer)}
    elsewhere = {"Location": "https://elsewhere.example/"}
    service = Service(httpx.Response(status, json=SUCCESS[call], headers=elsewhere))
    if status == 200:
        CALLS[call](client(service))
        return
    error = raised(call, service)
    assert type(error) is meanings.get(status, ServiceFailed if status >= 500 else UnexpectedAnswer)
    assert (error.trace.operation, error.trace.status) == (call, status)
    assert {request.url.host for request in service.requests} == {"service.example"}
    again = call in REPEATED and (status == 429 or status >= 500)
    assert len(service.requests) == (3 if again else 1)


@pytest.mark.parametrize("call", ["submit_order", "record_sale", "notify_checkout"])
@pytest.mark.parametrize(
    "no", [{"success": False, "message": "Closed"}, {"success": "false", "error": "Closed"}, {"error": "Closed"}]
)
def test_a_200_whose_body_says_no_is_unknown_in_the_services_words(call: str, no: dict[str, object]) -> None:
    error = raised(call, Service(httpx.Response(200, json={**SUCCESS[call], **no})))
    assert type(error) is UnexpectedAnswer
    assert (error.nothing_written, error.service_words) == (False, ("Closed",))


def test_a_gateways_page_for_404_says_nothing_of_the_order_and_a_refusal_that_is_cut_off_is_one() -> None:
    page = httpx.Response(404, html="\n<html><body>404 page not found</body></html>")
    assert type(raised("submit_order", Service(page))) is UnexpectedAnswer
    assert type(raised("record_sale", Service(page))) is errors.OrderNotFound
    body = Stream(b'{"error": "The te', httpx.RemoteProtocolError("closed"))
    with pytest.raises(RequestRefused) as refused:
        client(lambda request: httpx.Response(400, stream=body)).record_sale(prepared.SALE)
    assert refused.value.service_words == ()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("ending", [*BEFORE_A_BYTE, *AFTER_IT])
def test_before_the_first_byte_nothing_was_sent_then_it_is_unknown(call: str, ending: prepared.Answer) -> None:
    service = Service(ending)
    error = raised(call, service)
    sent = ending not in BEFORE_A_BYTE
    assert type(error) is (OutcomeUnknown if sent else NotSent)
    assert error.nothing_written is not sent
    assert error.trace.status == (200 if ending is CUT_OFF else None)
    assert len(service.requests) == (1 if sent and call not in REPEATED else 3)


OUTSIDE_THE_DOCUMENT = {
    "submit_order": [
        b"", b"[]", b"{}", b'{"success": true}', b'{"url": 7}', b'{"url": "javascript:alert(1)"}',
        b"<html>Welcome</html>", b"\xff\xfe",
    ],
    "record_sale": [b"", b"{}", b'{"id": ""}', b'{"id": true}', b'"64fa"', b"OK"],
    "notify_checkout": [b"<html>Welcome</html>"], "verify_credentials": [b"<html>Sign in to this network</html>"],
    "claims": [
        b"{}", b'{"data": [{"status": "RESOLVED"}], "page": 1, "per_page": 50, "total_count": 1}',
        b'{"data": null, "page": 1, "per_page": 50, "total_count": 1}', b"[" * 100_000,
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "body"), [(call, body) for call, bodies in OUTSIDE_THE_DOCUMENT.items() for body in bodies]
)
def test_a_whole_body_outside_the_document_is_an_unexpected_answer(call: str, body: bytes) -> None:
    service = Service(httpx.Response(200, content=body))
    error = raised(call, service)
    assert type(error) is UnexpectedAnswer
    assert (error.nothing_written, error.service_words, len(service.requests)) == (False, (), 1)


class Stream(httpx.SyncByteStream):
    def __init__(self, *pieces: bytes | Exception, between: Callable[[], None] = lambda: None) -> None:
        self.pieces, self.between = pieces, between

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.between()
            if isinstance(piece, Exception):
                raise piece
            yield piece


@pytest.mark.parametrize("ends", ["after minutes", "never", "as no gzip"])
def test_a_body_that_cannot_be_read_to_its_end_is_given_up(ends: str) -> None:
    pauses = prepared.Pauses()
    body, headers = {
        "after minutes": (Stream(*[b"a"] * 40, between=lambda: pauses.sleep(1)), {}),
        "never": (Stream(*[b"a" * 1_000_000] * 40), {}),
        "as no gzip": (Stream(b"no gzip"), {"Content-Encoding": "gzip"}),
    }[ends]
    with pytest.raises(OutcomeUnknown):
        client(lambda _: httpx.Response(200, stream=body, headers=headers), pauses).record_sale(prepared.SALE)


# --- the service's own words --------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["submit_order", "record_sale", "notify_checkout", "claims"])
@pytest.mark.parametrize(("body", "words"), [
    (b'{"message": {"validation_errors": ["No state given", "No phone"]}}', ("No state given", "No phone")),
    (b'{"error": "The term is not offered"}', ("The term is not offered",)),
    (b'{"message": "Bad request"}', ("Bad request",)), (b'{"validation_errors": ["No state"]}', ("No state",)),
    (b'{"error": {"code": 7}}', ('{"code":7}',)), (b'{"message": {"validation_errors": "No state"}}', ("No state",)),
    (b'{"message": {"other": 1}}', ('{"other":1}',)), (b'{"detail": "odd"}', ('{"detail":"odd"}',)),
    (b'"refused"', ("refused",)), (b"Bad\n  Request", ("Bad Request",)), (b"{}", ()), (b"", ()), (b"  ", ()),
])  # fmt: skip
def test_either_shape_of_refusal_is_read_and_other_text_kept(call: str, body: bytes, words: tuple[str, ...]) -> None:
    assert raised(call, Service(httpx.Response(400, content=body))).service_words == words


def spelled(text: str) -> str:
    """As JSON may write it: each letter by its number."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


def slashed(text: str) -> str:
    """As some programs write JSON: with its slashes escaped."""
    return text.replace("/", "\\/")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("write", [str, spelled, slashed])
@pytest.mark.parametrize(
    "body",
    ['{"error": "No: prepared.TOKEN"}', '{"detail": ["a", {"seen": "prepared.TOKEN"}]}', '{"prepared.TOKEN": 1}'],
)
def test_a_refusal_that_repeats_our_token_is_told_without_it(call: str, write: Callable[[str], str], body: str) -> None:
    """docs/security.md: L3."""
    sent = ("public" if call == "claims" else "private") + prepared.TOKEN
    error = raised(call, Service(httpx.Response(400, text=body.replace("prepared.TOKEN", write(sent)))))
    told = f"{error.service_words} {error} {error.trace!r}"
    assert "[token]" in told
    assert "1234567890" not in told.replace("\\", "")


def test_what_the_service_says_is_kept_within_bounds() -> None:
    answer = httpx.Response(400, json={"message": {"validation_errors": ["x" * 5000] * 200}})
    words = raised("submit_order", Service(answer)).service_words
    assert [len(sentence) for sentence in words] == [1001] * 50


# --- receipts -----------------------------------------------------------------------------------------------

URL = "https://pages.example.com/1"


@pytest.mark.parametrize(("answer", "warrantable", "known"), [
    ({"warrantable_products": True}, True, False), ({"warrantable_products": False}, False, False),
    ({"warrantable_products": None}, None, False), ({"warrantable_products": "several"}, None, False), ({}, None, True),
    ({"warrantable_products": True, "something_new": {}}, True, False),
])  # fmt: skip
def test_an_order_is_warrantable_or_not_or_known(answer: dict[str, Any], warrantable: bool | None, known: bool) -> None:
    answered = httpx.Response(200, json={"success": True, "url": URL, **answer})
    receipt = client(Service(answered)).submit_order(prepared.ORDER)
    assert (receipt.url, receipt.warrantable_products, receipt.already_known) == (URL, warrantable, known)
    assert not receipt.after_silence


@pytest.mark.parametrize(("first", "after_silence"), [(httpx.ReadTimeout, True), (httpx.ConnectError, False)])
def test_a_known_order_may_be_our_own_lost_one(first: type[Exception], after_silence: bool) -> None:
    service = Service(first, httpx.Response(200, json={"success": True, "url": URL}))
    receipt = client(service).submit_order(prepared.ORDER)
    assert (receipt.already_known, receipt.after_silence) == (True, after_silence)


@pytest.mark.parametrize(("identifier", "read"), [("64fa", "64fa"), (64, "64")])
def test_a_sale_gives_the_id_of_the_warranty_order(identifier: object, read: str) -> None:
    answered = Service(httpx.Response(200, json={"id": identifier, "new": 1}))
    assert client(answered).record_sale(prepared.SALE).id == read


@pytest.mark.parametrize("status", [200, 201, 202, 204])
@pytest.mark.parametrize(
    ("body", "identifier"), [(b"", None), (b'{"id": "c-1"}', "c-1"), (b"[]", None), (b'{"id": 1}', None)]
)
def test_any_success_of_a_checkout_is_success(status: int, body: bytes, identifier: str | None) -> None:
    receipt = client(Service(httpx.Response(status, content=body))).notify_checkout(prepared.CHECKOUT)
    assert receipt.id == identifier


@pytest.mark.parametrize("call", ["submit_order", "record_sale", "claims"])
def test_a_created_one_is_outside_the_document_where_200_is_shown(call: str) -> None:
    assert type(raised(call, Service(httpx.Response(201, json=SUCCESS[call])))) is UnexpectedAnswer


def test_the_body_of_a_claims_answer_is_passed_on_unread() -> None:
    body = b' {"data": [{"anything": 1}], "page": 1, "per_page": 50, "total_count": 1} '
    assert client(Service(httpx.Response(200, content=body))).claims_body(ClaimQuery()) == body


@pytest.mark.parametrize(
    ("body", "error"), [(b"<html>", UnexpectedAnswer), (b"", UnexpectedAnswer), (b'{"data"', OutcomeUnknown)]
)
def test_a_body_of_claims_is_a_whole_object(body: bytes, error: type[errors.WarrantyError]) -> None:
    with pytest.raises(error):
        client(Service(httpx.Response(200, content=body))).claims_body(ClaimQuery())


EXTENDED_24, ACCIDENT_12 = errors.AvailablePlan(24, "Extended"), errors.AvailablePlan(12, "Accident")


@pytest.mark.parametrize("sentence", [
        *(f"Term of 18 months is not offered on item TV-55. Available plans: {listed}" for listed in (
            "24 months (Extended), 12 months (Accident)", "24 months (Extended); 12 months (Accident).",
            "24 months - Extended, 12 months - Accident", "24 months – Extended | 12 months – Accident",
            "24 months: Extended, 12 months: Accident", "24-month Extended, 12-month Accident",
            "24-month Extended and 12-month Accident", "24 months Extended or 12 months Accident",
            "months: 24, type: Extended; months: 12, type: Accident",
            "[{'months': 24, 'type': 'Extended'}, {'months': 12, 'type': 'Accident'}]",
            '[{"months": 24, "type": "Extended"}, {"months": 12, "type": "Accident"}]',
            "(months=24, type=Extended), (months=12, type=Accident)",
            "24 months, type Extended; 12 months, type Accident",
            "24 months of type Extended, 12 months of type Accident", "Extended (24 months), Accident (12 months)",
            "Extended [24 months], Accident [12 months]", "24 mo (Extended), 12 mo (Accident)",
        )),
        "24 months is offered by more than one warranty; choose one of: 24 months (Extended), 12 months (Accident)",
        "18 months not offered; options are 24 months (Extended), 12 months (Accident)",
        "Term 18 is not offered. Plans are 24 months (Extended), 12 months (Accident)",
        "No 18: 24 months (Extended), 12 months (Accident)",
])  # fmt: skip
def test_each_wording_gives_the_same_plans_and_not_the_term_that_was_asked_for(sentence: str) -> None:
    assert read_plans([sentence]) == (EXTENDED_24, ACCIDENT_12)


def test_plans_of_a_refused_term_are_read_beside_the_words_each_once_whatever_its_type() -> None:
    sentence = "Available: 24 months (Extended warranty), 24 months (Accidental damage & theft)"
    assert [plan.type for plan in read_plans([sentence])] == ["Extended warranty", "Accidental damage & theft"]
    assert read_plans(["Available: 24 months (Extended)"] * 2) == (EXTENDED_24,)
    words = "18 months is not offered on TV. Available plans: 12 months (Extended), 24 months (Accident)"
    error = raised("record_sale", Service(httpx.Response(400, json={"error": words})))
    assert [(plan.months, plan.type) for plan in error.plans] == [(12, "Extended"), (24, "Accident")]
    assert (error.service_words, error.failure.plans) == ((words,), error.plans)


@pytest.mark.parametrize("sentence", [
    "18 months is not offered on this item.", "The product TV-55 has no unsold offer on the order 24-77.",
    "Available plans: none", "quantity must be between 1 and 20", "",
])  # fmt: skip
def test_a_sentence_without_plans_gives_none(sentence: str) -> None:
    assert read_plans([sentence]) == ()


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
    assert request.headers["Authorization"] == f"Bearer {token}{prepared.TOKEN}"
    assert request.headers["Content-Type"] == request.headers["Accept"] == "application/json"
    if method == "POST":
        assert json.loads(request.content) is not None


def test_a_token_copied_with_a_line_end_is_the_token_and_the_public_one_may_travel_in_a_header_of_its_own() -> None:
    service = Service(httpx.Response(200, json=SUCCESS["claims"]))
    client_of(service, public_token_header="X-Public-Token").claims(ClaimQuery())
    client_of(service, private_token=" private-token\n").verify_credentials()
    bare, copied = (request.headers for request in service.requests)
    assert (bare["X-Public-Token"], "Authorization" in bare) == ("public-token", False)
    assert copied["Authorization"] == "Bearer private-token"
    with pytest.raises(errors.SettingsProblem, match="WARRANTY_PUBLIC_TOKEN_HEADER"):
        client_of(service, public_token_header="X: y")


def test_no_cookie_is_carried_to_the_next_call_and_an_order_id_in_a_query_stays_a_value() -> None:
    service = Service(httpx.Response(200, json={}, headers={"Set-Cookie": "session=1"}))
    caller = client(service)
    for _ in range(2):
        caller.verify_credentials()
    assert "Cookie" not in service.requests[1].headers
    service = Service(httpx.Response(200, json={"order_id": "a&b=c/../d", "line_items": []}))
    client(service).purchase_warranties("a&b=c/../d")
    assert service.requests[0].url.path == "/base/api/purchase-warranties"
    assert dict(service.requests[0].url.params) == {"order_id": "a&b=c/../d"}


def test_the_two_assumed_reads_exist_only_where_the_settings_name_their_paths() -> None:
    bare = client_of(Service(httpx.Response(200)))
    assert [bare.has(call) for call in ("purchase_warranties", "offers", "claims")] == [False, False, True]
    with pytest.raises(errors.SettingsProblem, match="WARRANTY_PURCHASE_WARRANTIES_PATH"):
        bare.purchase_warranties("9f2c")
    with pytest.raises(errors.SettingsProblem, match="WARRANTY_OFFERS_PATH"):
        bare.offers(OfferedProduct.model_validate({"title": "TV", "id": "TV", "price": "899.00"}))


def test_every_attempt_is_one_line_of_json_with_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    done = httpx.Response(200, json=SUCCESS["submit_order"])
    service = Service(httpx.Response(503), httpx.ReadTimeout, done)
    with caplog.at_level(logging.INFO, logger="warranty.calls"):
        client(service).submit_order(prepared.ORDER, attempt_id="attempt-1")
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "warranty.calls"]
    same = {"operation": "submit_order", "attempt_id": "attempt-1", "milliseconds": 0.0}
    endings = ((503, "ServiceFailed"), (None, "OutcomeUnknown"), (200, "done"))
    assert lines == [{**same, "status": s, "repeats": n, "outcome": end} for n, (s, end) in enumerate(endings)]


@pytest.mark.parametrize(("says", "base_url"), [
    ("only https", "http://service.example"),
    *(("https://", address) for address in ("service.example", "ftp://service.example", "")), ("no host", "https://"),
    ("user name or password", "https://user:hunter2@service.example"),
    ("query", "https://service.example/?token=hunter2"), ("address", "https://service.example\x00"),
])  # fmt: skip
def test_a_base_url_other_than_https_is_refused_without_repeating_it(base_url: str, says: str) -> None:
    with pytest.raises(errors.SettingsProblem, match=says) as refused:
        WarrantyClient(base_url, private_token="a", public_token="b")
    assert isinstance(refused.value, ValueError)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("token", ["", " \n", "a b", "a\nX-Evil: 1", "ä", "a\x00"])
@pytest.mark.parametrize("which", ["private_token", "public_token"])
def test_a_token_that_could_not_be_a_header_is_refused_unseen(which: str, token: str) -> None:
    tokens: dict[str, Any] = {"private_token": "a", "public_token": "b"} | {which: token}
    with pytest.raises(errors.SettingsProblem, match="token is empty or holds") as refused:
        WarrantyClient("https://service.example", **tokens)
    assert "Evil" not in str(refused.value)


def test_certificates_are_always_verified() -> None:
    lax = ssl.create_default_context()
    lax.check_hostname = False
    lax.verify_mode = ssl.CERT_NONE
    for verify in (False, lax, "no-such-file.pem"):
        with pytest.raises(errors.SettingsProblem):
            WarrantyClient("https://service.example", private_token="a", public_token="b", verify=verify)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", REPEATED)
@pytest.mark.parametrize("failed", [httpx.Response(500), httpx.Response(503), httpx.Response(429), httpx.ReadTimeout])
def test_a_harmless_call_that_succeeds_at_last_is_a_success(call: str, failed: prepared.Answer) -> None:
    service = Service(failed, failed, httpx.Response(200, json=SUCCESS[call]))
    CALLS[call](client(service))
    assert len(service.requests) == 3


@pytest.mark.parametrize("call", prepared.NEVER_REPEATED)
def test_a_sale_or_a_checkout_is_sent_again_where_it_never_left_and_not_because_the_service_asks(call: str) -> None:
    asked = Service(httpx.Response(503, headers={"Retry-After": "0"}))
    lost = Service(httpx.ConnectError, httpx.ReadTimeout)
    raised(call, asked)
    assert type(raised(call, lost)) is OutcomeUnknown
    assert [len(service.requests) for service in (asked, lost)] == [1, 2]


@pytest.mark.parametrize("last", [httpx.ConnectError, httpx.Response(401)])
def test_a_repeat_that_did_not_arrive_says_nothing_of_the_order_sent_before_it(last: prepared.Answer) -> None:
    assert type(raised("submit_order", Service(httpx.ReadTimeout, last))) is OutcomeUnknown
    assert type(raised("claims", Service(httpx.ReadTimeout, last))) in {NotSent, CredentialRefused}


@pytest.mark.parametrize(
    ("headers", "slept"), [({}, [0.25, 0.5]), ({"Retry-After": "3"}, [3.0, 3.0]), ({"Retry-After": "120"}, [])]
)
def test_pauses_grow_or_are_as_the_service_asks_but_never_minutes(headers: dict[str, str], slept: list[float]) -> None:
    service, pauses = Service(httpx.Response(503, headers=headers)), prepared.Pauses()
    with pytest.raises(ServiceFailed):
        client(service, pauses).verify_credentials()
    assert pauses.slept == slept
    assert len(service.requests) == 1 + len(slept)


def test_pauses_are_drawn_by_lot_and_the_longest_call_is_known_and_shorter_where_nothing_is_repeated() -> None:
    pauses = [Pacing(jitter=partial(float, lot)).pause(tries, None) for lot, tries in ((0.0, 1), (1.0, 1), (1.0, 20))]
    assert pauses == [timedelta(milliseconds=250), timedelta(milliseconds=500), Pacing().longest_pause]
    caller = client(Service(httpx.Response(200)))
    assert caller.longest_call("record_sale") == caller.longest_call("notify_checkout")
    assert Timeouts().whole < caller.longest_call("record_sale") < caller.longest_call("submit_order")
    assert caller.longest_call("submit_order") == 3 * Timeouts().whole + 2 * Pacing().longest_pause


@pytest.mark.parametrize(("header", "seconds"), [
    *((header, None) for header in (None, "", "soon", "-1", "1.5", "Sat, 99 Nov 2026 09:00:00 GMT")), ("0", 0),
    ("7", 7), ("9" * 400, 999_999_999), ("Sat, 21 Nov 2026 10:00:30 GMT", 30), ("Sat, 21 Nov 2026 09:00:00 GMT", 0),
])  # fmt: skip
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: int | None) -> None:
    wanted = None if seconds is None else timedelta(seconds=seconds)
    assert retry_after(header, now=datetime(2026, 11, 21, 10, tzinfo=UTC)) == wanted


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
