"""Reading goes on when calls fail, keeps what it has when it is stopped, and says how far it is."""

import json
import threading
from datetime import timedelta
from typing import Any

import pytest

from tests.warranty.retrieval.conftest import NoWaiting
from tests.warranty.retrieval.fake_service import DAY, FakeService, Order, as_bag, received, records_at
from warranty.errors import (
    CredentialRefused,
    NotSent,
    OutcomeUnknown,
    RequestRefused,
    ServiceFailed,
    Trace,
    UnexpectedAnswer,
    WarrantyError,
)
from warranty.resources import ClaimQuery
from warranty.retrieval import Bounds, ClaimLimits, ClaimSet, Progress, retrieve_claims
from warranty.retrieval.answers import Answer
from warranty.retrieval.calls import Calls
from warranty.retrieval.spans import CANCELLED, Span

MONTH = ClaimQuery(claim_dates=(DAY, DAY + timedelta(days=30)))
RECORDS = records_at(DAY + timedelta(minutes=number) for number in range(1_000))


def failure(kind: type[WarrantyError], status: int | None = None) -> WarrantyError:
    return kind(trace=Trace(operation="claims", attempt_id="a-1", status=status))


@pytest.mark.parametrize("kind", [ServiceFailed, OutcomeUnknown, NotSent, UnexpectedAnswer])
@pytest.mark.parametrize("order", ["newest", "random"])
def test_a_call_that_fails_costs_a_repeat_and_no_claim(
    kind: type[WarrantyError], order: str, no_waiting: NoWaiting
) -> None:
    def fail_often(number: int) -> None:
        if number % 5 == 0:
            raise failure(kind)

    service = FakeService(RECORDS, order=order, before_call=fail_often)  # type: ignore[arg-type]

    claims = retrieve_claims(service, MONTH, cancel=no_waiting)

    assert claims.is_complete
    assert received(claims) == as_bag(RECORDS)
    assert claims.requests == len(service.queries)
    assert set(no_waiting.pauses) >= {0.25}


def test_a_call_that_fails_four_times_midway_costs_no_claim(no_waiting: NoWaiting) -> None:
    def fail(number: int) -> None:
        if number in {5, 6, 7, 8}:
            raise failure(OutcomeUnknown)

    claims = retrieve_claims(
        FakeService(RECORDS, before_call=fail), MONTH, cancel=no_waiting, limits=ClaimLimits(at_once=1)
    )

    assert claims.is_complete
    assert received(claims) == as_bag(RECORDS)


def test_pauses_between_repeats_grow(no_waiting: NoWaiting) -> None:
    def fail(number: int) -> None:
        if number > 1:
            raise failure(ServiceFailed, 500)

    retrieve_claims(
        FakeService(RECORDS, before_call=fail), MONTH, cancel=no_waiting, limits=ClaimLimits(at_once=1)
    )

    assert no_waiting.pauses[:2] == [0.25, 0.5]


@pytest.mark.parametrize(
    "kind", [CredentialRefused, RequestRefused, NotSent, ServiceFailed, OutcomeUnknown, UnexpectedAnswer]
)
def test_a_first_call_that_fails_is_the_answer_since_nothing_was_read(
    kind: type[WarrantyError], no_waiting: NoWaiting
) -> None:
    def fail(_number: int) -> None:
        raise failure(kind)

    service = FakeService(RECORDS, before_call=fail)

    with pytest.raises(kind):
        retrieve_claims(service, MONTH, cancel=no_waiting)

    assert len(service.queries) == (1 if kind in {CredentialRefused, RequestRefused} else 3)


def test_a_token_refused_midway_ends_the_reading_and_keeps_what_was_read(no_waiting: NoWaiting) -> None:
    def refuse(number: int) -> None:
        if number >= 12:
            raise failure(CredentialRefused, 401)

    service = FakeService(RECORDS, before_call=refuse)

    claims = retrieve_claims(service, MONTH, cancel=no_waiting)

    assert not claims.is_complete
    assert tuple(map(str, claims.reasons)) == (
        "The service refused the public token while claims were read.",
    )
    assert claims.failure is not None
    assert claims.failure.status == 401
    assert claims.total == 1_000
    assert 300 <= claims.received <= 600
    assert len(claims.frame) == claims.received
    assert received(claims) <= as_bag(RECORDS)
    assert len(service.queries) <= 12 + 4


def test_a_service_that_stays_down_is_not_asked_for_ever(no_waiting: NoWaiting) -> None:
    def fail(number: int) -> None:
        if number >= 8:
            raise failure(ServiceFailed, 500)

    service = FakeService(RECORDS, order="random", before_call=fail)

    claims = retrieve_claims(service, MONTH, cancel=no_waiting)

    assert not claims.is_complete
    assert tuple(map(str, claims.reasons)) == ("The service failed while claims were read.",)
    assert received(claims) <= as_bag(RECORDS)
    assert len(service.queries) <= 8 + 3 * 7


def test_an_answer_without_its_total_is_no_answer(no_waiting: NoWaiting) -> None:
    class Forgetful(FakeService):
        def claims_body(self, query: ClaimQuery) -> bytes:
            page = json.loads(super().claims_body(query))
            if len(self.queries) % 7 == 0:
                del page["total_count"]
            return json.dumps(page).encode()

    claims = retrieve_claims(Forgetful(RECORDS), MONTH, cancel=no_waiting)

    assert claims.is_complete
    with pytest.raises(UnexpectedAnswer) as unread:
        retrieve_claims(_Constant(b'{"data": []}'), MONTH, cancel=no_waiting)
    assert unread.value.service_words == ()  # ours are not the service's


class _Constant:
    def __init__(self, body: bytes) -> None:
        self._body = body

    def claims_body(self, _query: ClaimQuery) -> bytes:
        return self._body


def test_cancelling_keeps_what_was_read() -> None:
    cancel = threading.Event()
    service = FakeService(RECORDS)

    def stop_midway(progress: Progress) -> None:
        if progress.received >= 400:
            cancel.set()

    claims = retrieve_claims(service, MONTH, cancel=cancel, progress=stop_midway)

    assert not claims.is_complete
    assert claims.reasons == (CANCELLED,)
    assert 400 <= claims.received < 1_000
    assert received(claims) <= as_bag(RECORDS)


@pytest.mark.parametrize("order", ["newest", "oldest", "random"])
def test_what_came_so_far_is_a_set_that_never_passes_for_a_whole_one_and_leaves_the_reading_as_it_is(
    order: Order,
) -> None:
    parts: list[ClaimSet] = []

    def take(progress: Progress) -> None:
        assert progress.part is not None
        parts.append(progress.part())

    claims = retrieve_claims(FakeService(RECORDS, order=order), MONTH, progress=take)

    assert claims.is_complete
    assert received(claims) == as_bag(RECORDS)
    assert max(part.received for part in parts) == 1_000  # all here, and not compared with the totals yet
    for part in parts:
        assert received(part) <= as_bag(RECORDS)
        assert len(part.frame) == part.received
        assert not part.is_whole
        assert part.seal == f"{part.received:,} of 1,000, still reading"


@pytest.mark.parametrize("order", ["newest", "oldest", "random"])
def test_a_reading_that_was_stopped_goes_on_from_there_and_reads_no_part_twice(order: Order) -> None:
    cancel = threading.Event()
    service = FakeService(RECORDS, order=order)

    def stop_midway(progress: Progress) -> None:
        if progress.received >= 500:
            cancel.set()

    part = retrieve_claims(service, MONTH, cancel=cancel, progress=stop_midway)
    assert part.rest is not None
    proved, shown = set(part.rest.ledger.parts), len(part.frame)
    told: list[Progress] = []
    again = FakeService(RECORDS, order=order)  # what was on its way at the stop may still reach the other one
    whole = retrieve_claims(again, MONTH, former=part, progress=told.append)

    assert len(part.frame) == shown == part.received
    assert whole.is_complete, whole.reasons
    assert received(whole) == as_bag(RECORDS)
    assert whole.rest is None
    assert whole.as_of == part.as_of
    assert proved <= set(part.rest.ledger.parts)  # parts never overlap: none was read a second time
    assert whole.requests == part.requests + len(again.queries)
    assert told[0].received > 300
    alone = FakeService(RECORDS, order=order)
    retrieve_claims(alone, MONTH)
    assert len(again.queries) < len(alone.queries)


def test_a_stopped_reading_whose_answers_came_in_no_order_asks_only_for_what_is_unread() -> None:
    cancel = threading.Event()

    def stop_midway(progress: Progress) -> None:
        if progress.received >= 500:
            cancel.set()

    part = retrieve_claims(FakeService(RECORDS, order="random"), MONTH, cancel=cancel, progress=stop_midway)
    assert part.rest is not None
    gaps = list(part.rest.ledger.unread(Span.of(DAY, DAY + timedelta(days=30))))
    again = FakeService(RECORDS, order="random")
    whole = retrieve_claims(again, MONTH, former=part)

    assert whole.is_complete
    *asked, check = [Span.of(*query.claim_dates) for query in again.queries if query.claim_dates]
    assert all(any(gap.first <= span.first <= span.last <= gap.last for gap in gaps) for span in asked)
    assert check == Span.of(DAY, DAY + timedelta(days=30))


def test_an_answer_that_came_before_the_stop_counts_although_nobody_had_looked_at_it_yet() -> None:
    cancel, asked = threading.Event(), threading.Event()
    service = FakeService(RECORDS, before_call=lambda _number: asked.set())
    calls = Calls(service, limits=ClaimLimits(), repeats=0, cancel=cancel)

    calls.start(1, MONTH)
    assert asked.wait(20)
    calls.close()
    for thread in threading.enumerate():
        if thread.name.startswith("claims"):
            thread.join(20)
    cancel.set()

    came = calls.next_result()
    assert came is not None
    assert isinstance(came[1], Answer)
    assert calls.next_result() is None


def test_a_reading_whose_service_failed_on_the_way_goes_on_too(no_waiting: NoWaiting) -> None:
    def fail(number: int) -> None:
        if number >= 17:
            raise failure(ServiceFailed, 500)

    part = retrieve_claims(FakeService(RECORDS, before_call=fail), MONTH, cancel=no_waiting)
    service = FakeService(RECORDS)
    whole = retrieve_claims(service, MONTH, former=part)

    assert part.received > 500
    assert whole.is_complete
    assert received(whole) == as_bag(RECORDS)
    assert received(part) <= received(whole)
    assert len(service.queries) < 18


def test_cancelling_sends_nothing_that_still_waits_for_its_turn() -> None:
    cancel = threading.Event()

    def stop(number: int) -> None:
        if number == 2:
            cancel.set()

    service = FakeService(RECORDS, before_call=stop)

    retrieve_claims(service, MONTH, cancel=cancel, limits=ClaimLimits(per_second=4), bounds=Bounds())
    for thread in threading.enumerate():
        if thread.name.startswith("claims"):
            thread.join(20)

    assert len(service.queries) == 2


def test_a_call_that_fails_because_the_reading_is_cancelled_is_not_told_as_a_failure() -> None:
    cancel = threading.Event()

    def stop(number: int) -> None:
        if number == 2:
            cancel.set()
            raise failure(NotSent)

    claims = retrieve_claims(
        FakeService(RECORDS, before_call=stop), MONTH, cancel=cancel, limits=ClaimLimits(at_once=1)
    )

    assert claims.reasons == (CANCELLED,)
    assert claims.failure is None
    assert claims.received == 50


def test_cancelling_does_not_wait_for_an_answer_that_is_on_its_way() -> None:
    cancel, released = threading.Event(), threading.Event()

    def hang(number: int) -> None:
        if number == 6:
            cancel.set()
            released.wait(60)

    claims = retrieve_claims(FakeService(RECORDS, before_call=hang), MONTH, cancel=cancel)
    released.set()

    assert claims.reasons == (CANCELLED,)
    assert claims.received >= 50


def test_progress_tells_share_and_time_left() -> None:
    told: list[Progress] = []
    here = threading.get_ident()

    def hear(progress: Progress) -> None:
        assert threading.get_ident() == here
        told.append(progress)

    retrieve_claims(FakeService(RECORDS), MONTH, progress=hear)

    shares = [each.share for each in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert told[-1].remaining == timedelta(0)
    assert all(each.total == 1_000 for each in told)
    halfway = Progress(received=250, total=1_000, requests=6, elapsed=timedelta(seconds=10))
    assert halfway.remaining == timedelta(seconds=30)


def test_a_progress_callback_may_end_the_reading_by_an_error() -> None:
    class LeftThePage(BaseException):
        pass

    def leave(_progress: Progress) -> None:
        raise LeftThePage

    with pytest.raises(LeftThePage):
        retrieve_claims(FakeService(RECORDS), MONTH, progress=leave)


def test_a_mistake_in_a_client_is_raised_and_does_not_hang() -> None:
    class Broken:
        def claims_body(self, _query: ClaimQuery) -> bytes:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        retrieve_claims(Broken(), MONTH)


def test_no_more_requests_run_at_once_than_allowed() -> None:
    calls, running, most, lock = 0, 0, 0, threading.Lock()
    together = threading.Barrier(3)

    class Counting(FakeService):
        def claims_body(self, query: ClaimQuery) -> bytes:
            nonlocal calls, running, most
            with lock:
                calls, running = calls + 1, running + 1
                most, number = max(most, running), calls
            if number in {2, 3, 4}:
                together.wait(30)  # the first call finds out what to do, the next three run at once
            body = super().claims_body(query)
            with lock:
                running -= 1
            return body

    claims = retrieve_claims(Counting(RECORDS), MONTH, limits=ClaimLimits(at_once=3))

    assert claims.is_complete
    assert most == 3


@pytest.mark.parametrize("start_included", [True, False])
@pytest.mark.parametrize("end_included", [True, False])
@pytest.mark.parametrize("order", ["newest", "random"])
def test_a_reading_that_began_with_a_wrong_guess_of_the_ends_is_begun_anew(
    start_included: bool, end_included: bool, order: Order
) -> None:
    bounds = Bounds(start_included, end_included)

    claims = retrieve_claims(
        FakeService(RECORDS, order=order, bounds=bounds), MONTH, limits=ClaimLimits(at_once=4)
    )

    assert claims.is_complete
    assert claims.bounds == bounds
    assert received(claims) == as_bag(RECORDS)


def test_calls_are_not_started_faster_than_allowed(no_waiting: NoWaiting) -> None:
    claims = retrieve_claims(
        FakeService(RECORDS), MONTH, limits=ClaimLimits(at_once=1, per_second=2), cancel=no_waiting
    )

    # Time stands nearly still here, so each call waits half a second longer than the one before.
    assert claims.is_complete
    assert no_waiting.pauses[-1] == pytest.approx((claims.requests - 1) * 0.5, abs=3)


def test_a_service_that_says_it_is_busy_is_asked_for_less_at_once(no_waiting: NoWaiting) -> None:
    def busy(_number: int) -> None:
        raise failure(UnexpectedAnswer, 429)

    calls = Calls(
        FakeService(RECORDS, before_call=busy),
        limits=ClaimLimits(),
        repeats=0,
        cancel=no_waiting,
    )
    calls.start(1, MONTH)
    calls.next_result()
    calls.close()

    assert calls.allowed == 2


@pytest.mark.parametrize("wrong", [{"at_once": 0}, {"per_second": 0}])
def test_limits_that_allow_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        retrieve_claims(FakeService([]), MONTH, limits=ClaimLimits(**wrong))
