"""What the client sends again, after which pause, and what it never does."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tests.warranty.client.prepared_service import (
    CALLS,
    NEVER_REPEATED,
    REPEATED,
    SUCCESS,
    Answer,
    Pauses,
    Service,
    client,
    raised,
)
from warranty.client import Pacing, Timeouts
from warranty.client.pacing import retry_after
from warranty.client.transport import Pools
from warranty.errors import CredentialRefused, NotSent, OutcomeUnknown, ServiceFailed


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


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        *((header, None) for header in (None, "", "soon", "-1", "1.5", "Sat, 99 Nov 2026 09:00:00 GMT")), ("0", 0),
        ("7", 7), ("9" * 400, 999_999_999), ("Sat, 21 Nov 2026 10:00:30 GMT", 30), ("Sat, 21 Nov 2026 09:00:00 GMT", 0),
    ],
)  # fmt: skip
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
