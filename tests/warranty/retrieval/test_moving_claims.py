"""A claim that comes or goes at an awkward moment costs requests, and not that the set is complete."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.builders import claim_record
from tests.warranty.retrieval.conftest import NoWaiting
from tests.warranty.retrieval.fake_service import (
    DAY,
    FakeService,
    Order,
    Record,
    as_bag,
    received,
    records_at,
)
from warranty.errors import ServiceFailed, Trace
from warranty.resources import ClaimQuery
from warranty.retrieval import Bounds, ClaimLimits, retrieve_claims

MOMENT = DAY + timedelta(days=3)
MONTH = ClaimQuery(claim_dates=(DAY, DAY + timedelta(days=30)))
EVER = ClaimQuery()
ORDERS: list[Order] = ["newest", "oldest", "random"]


def hourly(count: int) -> list[Record]:
    return records_at(DAY + timedelta(hours=number) for number in range(count))


def crowded(count: int) -> list[Record]:
    """Claims of one microsecond, each with a warranty start of its own."""
    starts = [(DAY - timedelta(hours=number)).isoformat() + "+00:00" for number in range(count)]
    return [claim_record(MOMENT, number, warranty_start_date=start) for number, start in enumerate(starts)]


class Changing(FakeService):
    """A service whose claims change before one of its answers."""

    def __init__(
        self, records: list[Record], call: int, change: Callable[[list[Record]], object], **oddities: object
    ) -> None:
        def act(number: int) -> None:
            if number == call:
                change(self.records)

        super().__init__(records, before_call=act, **oddities)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", range(2, 12))
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("count", [30, 120])
def test_a_claim_that_vanishes_while_the_ends_are_chosen_is_not_told_as_one_outside_them(
    count: int, order: Order, call: int
) -> None:
    service = Changing(hourly(count), call, lambda records: records.pop(7), order=order)

    claims = retrieve_claims(service, EVER, limits=ClaimLimits(at_once=1))

    assert claims.is_complete, claims.reasons
    assert as_bag(service.records) <= received(claims)


def test_a_claim_that_vanishes_and_one_that_comes_while_the_ends_are_chosen_are_told_apart() -> None:
    def change(number: int) -> None:
        if number == 2:
            service.records.pop()
        if number == 3:
            service.records.append(claim_record(MOMENT, 900))

    service = FakeService(hourly(120), before_call=change)

    claims = retrieve_claims(service, EVER, limits=ClaimLimits(at_once=1))

    assert claims.is_complete, claims.reasons
    assert received(claims) == as_bag(service.records)


@pytest.mark.parametrize("call", range(2, 7))
@pytest.mark.parametrize("query", [MONTH, EVER])
def test_the_only_claim_that_vanishes_while_it_is_looked_for_does_not_make_the_range_useless(
    query: ClaimQuery, call: int
) -> None:
    service = Changing(hourly(1), call, lambda records: records.clear(), bounds=Bounds(False, False))

    claims = retrieve_claims(service, query, limits=ClaimLimits(at_once=1))

    assert claims.is_complete, claims.reasons


@pytest.mark.parametrize(
    "change", [lambda records: records.pop(11), lambda records: records.append(crowded(200)[-1])]
)
@pytest.mark.parametrize("call", range(2, 16))
@pytest.mark.parametrize("order", ORDERS)
def test_a_claim_that_comes_or_goes_in_a_crowded_microsecond_is_no_reason_to_call_the_set_incomplete(
    order: Order, call: int, change: Callable[[list[Record]], object]
) -> None:
    service = Changing([*crowded(120), *hourly(20)], call, change, order=order)

    claims = retrieve_claims(service, MONTH, limits=ClaimLimits(at_once=1))

    assert claims.is_complete, claims.reasons
    assert as_bag([*crowded(120), *hourly(20)]) & as_bag(service.records) <= received(claims)


def test_a_claim_that_is_there_for_a_moment_does_not_make_a_full_page_doubtful() -> None:
    def change(number: int) -> None:
        if number == 3:
            service.records.append(claim_record(MOMENT, 900))
        if number == 4:
            service.records.pop()

    service = FakeService(hourly(50), before_call=change)

    claims = retrieve_claims(service, MONTH, limits=ClaimLimits(at_once=1), bounds=Bounds())

    assert claims.is_complete, claims.reasons
    assert received(claims) == as_bag(hourly(50))


@pytest.mark.parametrize("bounds", [Bounds(True, False), Bounds(False, True), Bounds(False, False)])
@pytest.mark.parametrize("order", ORDERS)
def test_a_claim_on_the_end_of_a_range_of_warranty_starts_is_not_told_as_one_without_a_date(
    order: Order, bounds: Bounds
) -> None:
    starts = [DAY - timedelta(hours=number) for number in range(200)]
    records = [
        claim_record(DAY + timedelta(hours=n), n, warranty_start_date=start.isoformat() + "+00:00")
        for n, start in enumerate(starts)
    ]
    query = ClaimQuery(warranty_start_dates=(starts[-1], starts[0]))

    claims = retrieve_claims(
        FakeService(records, order=order, bounds=bounds), query, limits=ClaimLimits(at_once=1)
    )

    assert claims.is_complete, claims.reasons
    assert received(claims) == as_bag(records)


def test_claims_of_one_microsecond_whose_warranty_start_finds_nobody_are_told_as_such() -> None:
    class Forgetful(FakeService):
        def _matches(self, record: Record, query: ClaimQuery) -> bool:
            if query.warranty_start_dates is not None and record["warranty_id"] == "w-5":
                return False
            return super()._matches(record, query)

    claims = retrieve_claims(Forgetful(crowded(120)), MONTH, limits=ClaimLimits(at_once=1))

    assert not claims.is_complete
    assert tuple(map(str, claims.reasons)) == (
        "Claims of the microsecond 2026-05-04T00:00:00.000000 that no start of a warranty finds: 1.",
    )
    assert (claims.received, claims.total) == (119, 120)


@pytest.mark.parametrize("start", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_start_that_has_no_moment_in_utc_does_not_stop_a_crowded_microsecond(start: str) -> None:
    records = [*crowded(60), claim_record(MOMENT, 900)]
    printed = {"w-900": start}

    class Misprinting(FakeService):
        def _shown(self, found: list[Record]) -> list[Record]:
            return [
                record
                | {"warranty_start_date": printed.get(record["warranty_id"], record["warranty_start_date"])}
                for record in super()._shown(found)
            ]

    claims = retrieve_claims(Misprinting(records, order="random"), MONTH, limits=ClaimLimits(at_once=1))

    assert claims.is_complete, claims.reasons
    assert claims.received == 61


def test_a_failure_while_a_crowded_microsecond_is_cut_keeps_the_page_in_hand(no_waiting: NoWaiting) -> None:
    def fail(_number: int) -> None:
        if service.queries[-1].warranty_start_dates is not None:
            raise ServiceFailed(trace=Trace(operation="claims", attempt_id="", status=500))

    service = FakeService(crowded(120), before_call=fail)

    claims = retrieve_claims(service, MONTH, cancel=no_waiting, limits=ClaimLimits(at_once=1))

    assert not claims.is_complete
    assert claims.received == 50
