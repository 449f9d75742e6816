"""Reading goes on when calls fail, keeps what it has when it is stopped, and says how far it is."""

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from unittest.mock import Mock

import pytest

from tests.warranty.claims.retrieval.conftest import NoWaiting
from tests.warranty.claims.retrieval.fake_service import DAY, ORDERS, FakeService, Order, as_bag, records_at
from tests.warranty.claims.retrieval.readings import MONTH, ONE_AT_A_TIME, complete, failing, reasons, received
from warranty import errors
from warranty.claims.retrieval import Bounds, ClaimLimits, ClaimSet, Progress, retrieve_claims
from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.calls import Calls
from warranty.claims.retrieval.spans import CANCELLED, Span
from warranty.client.resources import ClaimQuery
from warranty.errors import CredentialRefused, NotSent, OutcomeUnknown, RequestRefused, ServiceFailed, Trace

RECORDS = records_at(DAY + timedelta(minutes=number) for number in range(1_000))
ALL = as_bag(RECORDS)
MISSED = [ServiceFailed, OutcomeUnknown, NotSent, errors.UnexpectedAnswer]


def stopping(cancel: threading.Event, *, after: int) -> Callable[[Progress], None]:
    def stop(progress: Progress) -> None:
        if progress.received >= after:
            cancel.set()

    return stop


@pytest.mark.parametrize("kind", MISSED)
@pytest.mark.parametrize("order", ["newest", "random"])
def test_a_failed_call_costs_no_claim(kind: type[errors.WarrantyError], order: Order, no_waiting: NoWaiting) -> None:
    service = FakeService(RECORDS, order=order, before_call=failing(kind, lambda number: number % 5 == 0))
    claims = retrieve_claims(service, MONTH, cancel=no_waiting)
    assert complete(claims) == ALL
    assert claims.requests == len(service.queries)
    assert set(no_waiting.pauses) >= {0.25}


def test_a_call_that_fails_four_times_midway_costs_no_claim(no_waiting: NoWaiting) -> None:
    service = FakeService(RECORDS, before_call=failing(OutcomeUnknown, lambda number: number in range(5, 9)))
    assert complete(retrieve_claims(service, MONTH, cancel=no_waiting, limits=ONE_AT_A_TIME)) == ALL
    assert no_waiting.pauses[:4] == [0.25, 0.5, 1.0, 2.0]


@pytest.mark.parametrize("kind", [CredentialRefused, RequestRefused, *MISSED])
def test_a_first_call_that_fails_is_the_answer(kind: type[errors.WarrantyError], no_waiting: NoWaiting) -> None:
    service = FakeService(RECORDS, before_call=failing(kind, lambda _number: True))
    with pytest.raises(kind):
        retrieve_claims(service, MONTH, cancel=no_waiting)
    assert len(service.queries) == (1 if kind in {CredentialRefused, RequestRefused} else 3)


def test_a_token_refused_midway_ends_the_reading_and_keeps_what_was_read(no_waiting: NoWaiting) -> None:
    service = FakeService(RECORDS, before_call=failing(CredentialRefused, lambda number: number >= 12, 401))
    claims = retrieve_claims(service, MONTH, cancel=no_waiting)
    assert complete(claims) == ["The service refused the public token while claims were read."]
    assert claims.total == 1_000
    assert 300 <= claims.received <= 600
    assert len(claims.frame) == claims.received
    assert received(claims) <= ALL
    assert len(service.queries) <= 12 + 4


def test_an_answer_without_its_total_is_no_answer(no_waiting: NoWaiting) -> None:
    class Forgetful(FakeService):
        every = 7

        def claims_body(self, query: ClaimQuery) -> bytes:
            page = json.loads(super().claims_body(query))
            if len(self.queries) % self.every == 0:
                del page["total_count"]
            return json.dumps(page).encode()

    service = Forgetful(RECORDS)
    assert complete(retrieve_claims(service, MONTH, cancel=no_waiting)) == ALL
    service.every = 1
    with pytest.raises(errors.UnexpectedAnswer) as unread:
        retrieve_claims(service, MONTH, cancel=no_waiting)
    assert unread.value.service_words == ()  # ours are not the service's


@pytest.mark.parametrize("order", ORDERS)
def test_what_came_so_far_never_passes_for_whole_and_changes_no_reading(order: Order) -> None:
    parts: list[ClaimSet] = []

    def take(progress: Progress) -> None:
        assert progress.part is not None
        parts.append(progress.part())

    records = RECORDS[:300]
    assert complete(retrieve_claims(FakeService(records, order=order), MONTH, progress=take)) == as_bag(records)
    assert max(part.received for part in parts) == 300  # all here, and not compared with the totals yet
    for part in parts:
        assert received(part) <= as_bag(records)
        assert (len(part.frame), part.is_whole) == (part.received, False)
        assert part.seal == f"{part.received:,} of 300, still reading"


@pytest.mark.parametrize("order", ORDERS)
def test_a_reading_that_was_stopped_goes_on_from_there_and_reads_no_part_twice(order: Order) -> None:
    cancel = threading.Event()
    service = FakeService(RECORDS, order=order)
    part = retrieve_claims(service, MONTH, cancel=cancel, progress=stopping(cancel, after=500))
    assert part.rest is not None
    proved, shown = set(part.rest.ledger.parts), len(part.frame)
    progress: list[Progress] = []
    again = FakeService(RECORDS, order=order)  # what was on its way at the stop may still reach the other one
    whole = retrieve_claims(again, MONTH, former=part, progress=progress.append)
    assert len(part.frame) == shown == part.received
    assert complete(whole) == ALL
    assert (whole.rest, whole.as_of) == (None, part.as_of)
    assert proved <= set(part.rest.ledger.parts)  # parts never overlap: none was read a second time
    assert whole.requests == part.requests + len(again.queries)
    assert progress[0].received > 300
    alone = FakeService(RECORDS, order=order)
    retrieve_claims(alone, MONTH)
    assert len(again.queries) < len(alone.queries)


def test_a_stopped_reading_whose_answers_came_in_no_order_asks_only_for_what_is_unread() -> None:
    cancel, month = threading.Event(), Span.of(DAY, DAY + timedelta(days=30))
    service = FakeService(RECORDS, order="random")
    part = retrieve_claims(service, MONTH, cancel=cancel, progress=stopping(cancel, after=500))
    assert part.rest is not None
    gaps = list(part.rest.ledger.unread(month))
    again = FakeService(RECORDS, order="random")
    assert complete(retrieve_claims(again, MONTH, former=part)) == ALL
    *asked, check = [Span.of(*query.claim_dates) for query in again.queries if query.claim_dates]
    assert all(any(gap.first <= span.first <= span.last <= gap.last for gap in gaps) for span in asked)
    assert check == month


def test_an_answer_that_came_before_the_stop_counts_although_nobody_had_looked_at_it_yet() -> None:
    cancel, asked = threading.Event(), threading.Event()
    service = FakeService(RECORDS, before_call=lambda _number: asked.set())
    calls = Calls(service, limits=ClaimLimits(), repeats=0, cancel=cancel)
    calls.start(1, MONTH)
    assert asked.wait(20)
    calls.close()
    for thread in threading.enumerate():
        if thread.name.startswith("claims"):
            thread.join(20)  # no call is left
    cancel.set()
    came = calls.next_result()
    assert came is not None
    assert isinstance(came[1], Answer)
    assert calls.next_result() is None


def test_a_reading_whose_service_failed_on_the_way_goes_on_too(no_waiting: NoWaiting) -> None:
    down = FakeService(RECORDS, before_call=failing(ServiceFailed, lambda number: number >= 17, 500))
    part = retrieve_claims(down, MONTH, cancel=no_waiting)
    service = FakeService(RECORDS)
    whole = retrieve_claims(service, MONTH, former=part)
    assert part.received > 500
    assert received(part) <= ALL
    assert complete(whole) == ALL
    assert len(service.queries) < 18


def test_a_call_that_fails_because_of_a_stop_is_no_failure_and_no_answer_on_its_way_is_waited_for() -> None:
    cancel = threading.Event()

    def stop(number: int) -> None:
        if number == 2:
            cancel.set()
            raise NotSent(trace=Trace(operation="claims", attempt_id="a-1"))

    claims = retrieve_claims(FakeService(RECORDS, before_call=stop), MONTH, cancel=cancel, limits=ONE_AT_A_TIME)
    assert complete(claims) == [str(CANCELLED)]
    assert claims.received == 50
    cancel, released = threading.Event(), threading.Event()

    def hang(number: int) -> None:
        if number == 6:
            cancel.set()
            released.wait(60)

    claims = retrieve_claims(FakeService(RECORDS, before_call=hang), MONTH, cancel=cancel)
    released.set()
    assert reasons(claims) == [str(CANCELLED)]
    assert claims.received >= 50


def test_progress_tells_share_and_time_left() -> None:
    progress: list[Progress] = []
    here = threading.get_ident()

    def hear(each: Progress) -> None:
        assert threading.get_ident() == here
        progress.append(each)

    retrieve_claims(FakeService(RECORDS), MONTH, progress=hear)
    shares = [each.share for each in progress]
    assert shares == sorted(shares)
    assert (shares[-1], progress[-1].remaining) == (1, timedelta(0))
    assert {each.total for each in progress} == {1_000}


def test_an_error_of_a_callback_or_of_a_client_ends_the_reading_and_does_not_hang() -> None:
    class LeftThePage(BaseException):
        pass

    def leave(_progress: Progress) -> None:
        raise LeftThePage

    with pytest.raises(LeftThePage):
        retrieve_claims(FakeService(RECORDS), MONTH, progress=leave)
    with pytest.raises(ZeroDivisionError):
        retrieve_claims(Mock(claims_body=Mock(side_effect=ZeroDivisionError)), MONTH)


@pytest.mark.parametrize("bounds", [Bounds(True, False), Bounds(False, True), Bounds(False, False)])
def test_a_reading_that_began_with_a_wrong_guess_of_the_ends_is_begun_anew(bounds: Bounds) -> None:
    claims = retrieve_claims(FakeService(RECORDS, order="random", bounds=bounds), MONTH, limits=ONE_AT_A_TIME)
    assert complete(claims) == ALL
    assert claims.bounds == bounds
    assert claims.requests < 55


@pytest.mark.parametrize(("status", "allowed"), [(429, 2), (503, 2), (500, 4)])
def test_a_busy_service_is_asked_for_less_at_once(status: int, allowed: int, no_waiting: NoWaiting) -> None:
    service = FakeService(RECORDS, before_call=failing(errors.UnexpectedAnswer, lambda _number: True, status))
    calls = Calls(service, limits=ClaimLimits(at_once=4), repeats=0, cancel=no_waiting)
    calls.start(1, MONTH)
    calls.next_result()
    calls.close()
    assert calls.allowed == allowed
