"""What a service may get wrong costs what it is about, is told in the right words, and is never called complete."""

import json
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import httpx
import pyarrow as pa
import pytest

from tests.warranty.claims.retrieval.conftest import NoWaiting
from tests.warranty.claims.retrieval.fake_service import DAY, ORDERS, FakeService, Order, Record, as_bag, records_at
from tests.warranty.claims.retrieval.readings import EVER, MONTH, ONE_AT_A_TIME, complete, failing, reasons, received
from tests.warranty.client.prepared_service import Service, client
from warranty.claims.retrieval import Bounds, ClaimLimits, Progress, retrieve_claims
from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.timestamps import odd_places
from warranty.client.resources import ClaimQuery
from warranty.errors import RequestRefused, ServiceFailed, Trace

RECORDS = records_at(DAY + timedelta(minutes=37 * number, microseconds=number) for number in range(600))
WIDE = ClaimQuery(claim_dates=(datetime(2000, 1, 1), datetime(2050, 1, 1)))  # noqa: DTZ001 - service time
MISCOUNTED = "An answer of the service did not show as many claims as its own total."


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


ODD_FORMS: dict[str, Callable[[datetime], str]] = {
    "a day": lambda moment: moment.date().isoformat(),
    "to the minute": lambda moment: iso(moment)[:16],
    "a day of a week": lambda moment: moment.strftime("%G-W%V-%u"),
    "seven digits": lambda moment: iso(moment) + "5",
    "with a zone": lambda moment: iso(moment) + "Z",
    "no separators": lambda moment: moment.strftime("%Y%m%dT%H%M%S.%f"),
}


class Misprinting(FakeService):
    """Keeps good dates, goes by them, and writes some of them oddly."""

    printed: dict[str, str]

    def _shown(self, found: list[Record]) -> list[Record]:
        return [
            record | {"claim_date": self.printed.get(record["warranty_id"], record["claim_date"])}
            for record in super()._shown(found)
        ]


@pytest.mark.parametrize(("order", "form", "place"), [
    *((order, "a day", place) for order in ORDERS for place in (0, 25, 49)),
    *(("newest", form, 25) for form in ODD_FORMS),
])  # fmt: skip
def test_one_odd_timestamp_costs_its_record_and_no_other(order: Order, form: str, place: int) -> None:
    service = Misprinting(RECORDS, order=order)
    odd = RECORDS[::-1][place] if order == "newest" else RECORDS[place]
    service.printed = {odd["warranty_id"]: ODD_FORMS[form](datetime.fromisoformat(odd["claim_date"]))}
    claims = retrieve_claims(service, MONTH)
    assert (claims.is_whole, claims.is_complete) == (True, False)
    assert (claims.received, len(claims.rejected)) == (600, 1)
    assert received(claims) == as_bag(RECORDS) - as_bag([odd])


@pytest.mark.parametrize("text", [
    *[form(DAY) for form in ODD_FORMS.values()], iso(DAY), "2026-05-01 10:11:12.5", "0000-05-01T10:11:12",
    "0001-01-01T00:00:00", "9999-12-31T23:59:59.999999",
])  # fmt: skip
def test_the_reading_goes_by_the_timestamps_that_the_columns_take(text: str) -> None:
    read = Answer(number=1, records=[{"claim_date": text}], total=1).moments[0] is not None
    assert read == (not odd_places(pa.array([text]), pa.timestamp("us")))


def test_a_claim_that_is_not_found_again_by_its_date_is_not_taken_for_all_of_them() -> None:
    service, oldest_shown = Misprinting(RECORDS, order="newest"), RECORDS[-50]
    earlier = datetime.fromisoformat(oldest_shown["claim_date"]) - timedelta(seconds=1)
    service.printed = {oldest_shown["warranty_id"]: iso(earlier)}
    claims = retrieve_claims(service, MONTH)
    assert (claims.is_complete, claims.received) == (True, 600)


@pytest.mark.parametrize("query", [MONTH, EVER, WIDE])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("calls", [1, 5, 12])
def test_a_stopped_or_refused_reading_keeps_its_pages(order: Order, query: ClaimQuery, calls: int) -> None:
    cancel = threading.Event()

    def stop(progress: Progress) -> None:
        if progress.requests >= calls:
            cancel.set()

    refuse = failing(RequestRefused, lambda number: number > calls, 400)
    stopped, refused = (FakeService(RECORDS, order=order, before_call=each) for each in (lambda _: None, refuse))
    part = retrieve_claims(stopped, query, cancel=cancel, progress=stop, limits=ONE_AT_A_TIME)
    assert complete(part) == ["Somebody stopped the reading before its end; nothing failed."]
    broken = retrieve_claims(refused, query, limits=ONE_AT_A_TIME)
    assert complete(broken) == ["The service refused a request while claims were read."]
    for claims in (part, broken):
        assert claims.received >= 50
        assert not received(claims) - as_bag(RECORDS)


@pytest.mark.parametrize("dies", range(15, 26, 2))
def test_a_part_that_is_to_be_read_again_is_kept_where_that_fails(dies: int, no_waiting: NoWaiting) -> None:
    def change(number: int) -> None:
        if number == 9:
            del service.records[-2]  # from the page that was read first
        if number >= dies:
            raise ServiceFailed(trace=Trace(operation="claims", attempt_id="", status=500))

    service = FakeService(RECORDS, before_call=change)
    claims = retrieve_claims(service, MONTH, cancel=no_waiting, limits=ONE_AT_A_TIME)
    assert claims.received >= 599


class CountsThePage(FakeService):
    def claims_body(self, query: ClaimQuery) -> bytes:
        page = json.loads(super().claims_body(query))
        return json.dumps(page | {"total_count": len(page["data"])}).encode()


@pytest.mark.parametrize(("count", "page_size"), [(51, 50), (60, 50), (600, 50), (9, 1)])
@pytest.mark.parametrize("query", [MONTH, EVER])
@pytest.mark.parametrize("order", ORDERS)
def test_a_page_sized_total_is_no_total(order: Order, query: ClaimQuery, count: int, page_size: int) -> None:
    claims = retrieve_claims(CountsThePage(RECORDS[:count], order=order, page_size=page_size), query)
    assert not claims.is_complete
    if page_size > 1:
        assert claims.received == page_size
        assert reasons(claims) == [
            "The service's total counts only the claims that one answer shows: how many there are is not known."
        ]


@pytest.mark.long
@pytest.mark.parametrize("bounds", [Bounds(), Bounds(False, False)])
@pytest.mark.parametrize("query", [MONTH, EVER])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("moments", [1, 2, 5])
def test_a_total_of_the_page_alone_is_no_total(order: Order, query: ClaimQuery, moments: int, bounds: Bounds) -> None:
    tied = records_at(DAY + timedelta(days=n % moments) for n in range(30))
    service = CountsThePage([*tied, *RECORDS[-30:]], order=order, page_size=15, bounds=bounds)
    assert not retrieve_claims(service, query).is_complete


@pytest.mark.parametrize("query", [MONTH, EVER])
@pytest.mark.parametrize("order", ORDERS)
def test_a_page_that_is_exactly_full_is_complete(order: Order, query: ClaimQuery) -> None:
    claims = retrieve_claims(FakeService(RECORDS[:50], order=order), query)
    assert claims.is_complete
    assert claims.requests <= 5


class Altered(FakeService):
    """`alters` changes what it answers to a query."""

    alters: Callable[[dict[str, Any], ClaimQuery], dict[str, Any]]

    def claims_body(self, query: ClaimQuery) -> bytes:
        return json.dumps(self.alters(json.loads(super().claims_body(query)), query)).encode()


@pytest.mark.parametrize("order", ORDERS)
def test_a_total_that_is_always_the_same_is_given_up_soon(order: Order) -> None:
    service = Altered(RECORDS, order=order)
    service.alters = lambda page, _query: page | {"total_count": 600}
    claims = retrieve_claims(service, MONTH)
    assert complete(claims) == [MISCOUNTED]
    assert claims.requests <= 160
    assert not received(claims) - as_bag(RECORDS)


def test_a_total_that_shows_none_of_its_claims_is_not_told_as_claims_of_one_microsecond() -> None:
    service = Altered([*records_at([DAY] * 120), *RECORDS[200:]])
    none = {"data": [], "total_count": 1}
    service.alters = lambda page, query: page if query.warranty_start_dates is None else page | none
    claims = retrieve_claims(service, MONTH)
    assert not claims.is_complete
    assert MISCOUNTED in reasons(claims)
    assert not any("microsecond" in reason for reason in reasons(claims))


@pytest.mark.parametrize(("answer", "pauses"), [
    (httpx.Response(500), [0.25, 0.5]),  # tried three times, and not three times three
    (httpx.Response(503, headers={"Retry-After": "2"}), [2.0, 2.0]),
    (httpx.Response(503, headers={"Retry-After": "60"}), []),
])  # fmt: skip
def test_a_dead_service_is_tried_thrice(answer: httpx.Response, pauses: list[float], no_waiting: NoWaiting) -> None:
    service = Service(answer)
    with pytest.raises(ServiceFailed):
        retrieve_claims(client(service), MONTH, cancel=no_waiting)
    assert no_waiting.pauses == pauses
    assert len(service.requests) == 1 + len(pauses)


def test_every_try_is_counted_and_paced(no_waiting: NoWaiting) -> None:
    body = FakeService(RECORDS[:40]).claims_body(MONTH)
    service = Service(httpx.Response(500), httpx.Response(500), httpx.Response(200, content=body))
    claims = retrieve_claims(client(service), MONTH, cancel=no_waiting, limits=ClaimLimits(per_second=2))
    assert claims.is_complete
    assert claims.requests == len(service.requests) == 4
    paced = [pause for pause in no_waiting.pauses if pause not in {0.25, 0.5}]
    assert len(paced) == 4


def test_a_service_that_dies_midway_is_tried_again_for_the_first_call_only(no_waiting: NoWaiting) -> None:
    fail = failing(ServiceFailed, lambda number: number >= 8, 500)
    service = FakeService(RECORDS, order="random", before_call=fail)
    claims = retrieve_claims(service, MONTH, cancel=no_waiting, limits=ONE_AT_A_TIME)
    assert complete(claims) == ["The service failed while claims were read."]
    assert not received(claims) - as_bag(RECORDS)
    assert len(service.queries) == 7 + 5 + 1 + 1
