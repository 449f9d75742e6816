"""A claim that comes or goes at an awkward moment costs requests, and not that the set is complete."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.builders import claim_record
from tests.warranty.retrieval.conftest import NoWaiting
from tests.warranty.retrieval.fake_service import (
    DAY,
    EVER,
    MONTH,
    ONE_AT_A_TIME,
    ORDERS,
    FakeService,
    Order,
    Record,
    as_bag,
    complete,
    received,
    records_at,
    started_apart,
)
from warranty.errors import ServiceFailed, Trace
from warranty.resources import ClaimQuery
from warranty.resources.claims import TimeRange
from warranty.retrieval import Bounds, ClaimSet, retrieve_claims

MOMENT = DAY + timedelta(days=3)
Changes = dict[int, Callable[[list[Record]], object]]


def hourly(count: int) -> list[Record]:
    return records_at(DAY + timedelta(hours=number) for number in range(count))


def crowded(count: int) -> list[Record]:
    """Claims of one microsecond, each with a warranty start of its own."""
    return started_apart([MOMENT] * count)


def comes(records: list[Record]) -> None:
    records.append(claim_record(MOMENT, 900))


class Changing(FakeService):
    """A service whose claims change before the calls with these numbers."""

    def __init__(self, records: list[Record], changes: Changes, **oddities: object) -> None:
        def act(number: int) -> None:
            if number in changes:
                changes[number](self.records)

        super().__init__(records, before_call=act, **oddities)  # type: ignore[arg-type]


def read(service: FakeService, query: ClaimQuery = MONTH, bounds: Bounds | None = None) -> ClaimSet:
    return retrieve_claims(service, query, limits=ONE_AT_A_TIME, bounds=bounds)


@pytest.mark.parametrize("call", range(2, 12))
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("count", [30, 120])
def test_a_claim_that_vanishes_while_the_ends_are_chosen_is_not_told_as_one_outside_them(
    count: int, order: Order, call: int
) -> None:
    service = Changing(hourly(count), {call: lambda records: records.pop(7)}, order=order)
    claims = read(service, EVER)
    assert claims.is_complete, claims.reasons
    assert as_bag(service.records) <= received(claims)


def test_a_claim_that_vanishes_and_one_that_comes_while_the_ends_are_chosen_are_told_apart() -> None:
    service = Changing(hourly(120), {2: list.pop, 3: comes})
    assert complete(read(service, EVER)) == as_bag(service.records)


@pytest.mark.parametrize("call", range(2, 7))
@pytest.mark.parametrize("query", [MONTH, EVER])
def test_the_only_claim_that_vanishes_while_it_is_looked_for_does_not_make_the_range_useless(
    query: ClaimQuery, call: int
) -> None:
    claims = read(Changing(hourly(1), {call: list.clear}, bounds=Bounds(False, False)), query)
    assert claims.is_complete, claims.reasons


@pytest.mark.parametrize("change", [lambda records: records.pop(11), comes])
@pytest.mark.parametrize("call", range(2, 16))
@pytest.mark.parametrize("order", ORDERS)
def test_a_claim_that_comes_or_goes_in_a_crowded_microsecond_is_no_reason_to_call_the_set_incomplete(
    order: Order, call: int, change: Callable[[list[Record]], object]
) -> None:
    before = [*crowded(120), *hourly(20)]
    service = Changing(before, {call: change}, order=order)
    claims = read(service)
    assert claims.is_complete, claims.reasons
    assert as_bag(before) & as_bag(service.records) <= received(claims)


def test_a_claim_that_is_there_for_a_moment_does_not_make_a_full_page_doubtful() -> None:
    service = Changing(hourly(50), {3: comes, 4: list.pop})
    assert complete(read(service, bounds=Bounds())) == as_bag(hourly(50))


@pytest.mark.parametrize("bounds", [Bounds(True, False), Bounds(False, True), Bounds(False, False)])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dates", [MONTH.claim_dates, None])
def test_a_claim_on_the_end_of_a_range_of_warranty_starts_is_read_and_not_told_as_one_without_a_date(
    order: Order, bounds: Bounds, dates: TimeRange | None
) -> None:
    records = started_apart(DAY + timedelta(hours=number) for number in range(200))
    query = ClaimQuery(claim_dates=dates, warranty_start_dates=(DAY - timedelta(hours=199), DAY))
    assert complete(read(FakeService(records, order=order, bounds=bounds), query)) == as_bag(records)


def test_claims_of_one_microsecond_whose_warranty_start_finds_nobody_are_told_as_such() -> None:
    class Forgetful(FakeService):
        def _matches(self, record: Record, query: ClaimQuery) -> bool:
            if query.warranty_start_dates is not None and record["warranty_id"] == "w-5":
                return False
            return super()._matches(record, query)

    claims = read(Forgetful(crowded(120)))
    assert complete(claims) == [
        "Claims of the microsecond 2026-05-04T00:00:00.000000 that no start of a warranty finds: 1.",
    ]
    assert (claims.received, claims.total) == (119, 120)


@pytest.mark.parametrize("start", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_start_that_has_no_moment_in_utc_does_not_stop_a_crowded_microsecond(start: str) -> None:
    class Misprinting(FakeService):
        def _shown(self, found: list[Record]) -> list[Record]:
            odd = {"w-900": {"warranty_start_date": start}}
            return [record | odd.get(record["warranty_id"], {}) for record in super()._shown(found)]

    claims = read(Misprinting([*crowded(60), claim_record(MOMENT, 900)], order="random"))
    assert claims.is_complete, claims.reasons
    assert claims.received == 61


def test_a_failure_while_a_crowded_microsecond_is_cut_keeps_the_page_in_hand(no_waiting: NoWaiting) -> None:
    def fail(_number: int) -> None:
        if service.queries[-1].warranty_start_dates is not None:
            raise ServiceFailed(trace=Trace(operation="claims", attempt_id="", status=500))

    service = FakeService(crowded(120), before_call=fail)
    claims = retrieve_claims(service, MONTH, cancel=no_waiting, limits=ONE_AT_A_TIME)
    assert not claims.is_complete
    assert claims.received == 50
