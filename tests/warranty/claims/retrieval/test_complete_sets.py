"""The set that is read, or refreshed, is the set that there is, whatever the service does that is left open."""

import itertools
import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any, Literal

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sandbox import SandboxServer
from sandbox.store.claim_book import ClaimsOrder
from tests.builders import claim_record, client_at
from tests.warranty.claims.retrieval.fake_service import DAY, ORDERS, FakeService, Order, Record, as_bag, records_at
from tests.warranty.claims.retrieval.readings import EVER, MONTH, ONE_AT_A_TIME, complete, started_apart
from tests.warranty.insight.history.claims_of_a_day import PAGE, ServiceOf, hides_two
from tests.worlds import ENDS, Shop
from warranty.claims.analysis import Period, compare
from warranty.claims.retrieval import Bounds, ClaimLimits, ClaimSet, refreshed_claims, retrieve_claims, with_beginning
from warranty.client import Timeouts, WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.errors import NotSent, Trace
from warranty.language import Sentence

START, END = DAY, DAY + timedelta(days=30)


def micros(low: int, high: int) -> st.SearchStrategy[timedelta]:
    return st.integers(low, high).map(lambda count: timedelta(microseconds=count))


@st.composite
def spreads(draw: st.DrawFn) -> list[datetime]:
    """Claim dates of a month as they come: loose, in bursts, in one second, on the ends, or in one microsecond."""
    loose = draw(st.lists(micros(0, (END - START) // timedelta(microseconds=1)), max_size=60))
    bursts = draw(st.lists(st.tuples(micros(0, 10**12), st.lists(micros(0, 10**6), max_size=60)), max_size=3))
    moments = [START + each for each in loose] + [START + at + each for at, some in bursts for each in some]
    moments += [START] * draw(st.integers(0, 2)) + [END] * draw(st.integers(0, 2))
    tied = draw(st.integers(0, 12))
    return moments + [draw(st.sampled_from(moments))] * tied if moments else []


@settings(max_examples=20)
@given(
    moments=spreads(), order=st.sampled_from(ORDERS), page_size=st.sampled_from([1, 2, 7, 50, 100]),
    bounds=st.builds(Bounds, st.booleans(), st.booleans()), dated=st.booleans(), concurrency=st.sampled_from([1, 4]),
)  # fmt: skip
@example(
    moments=[START] * 60 + [END] * 60, order="newest", page_size=50, bounds=Bounds(False, False), dated=True,
    concurrency=4,
)  # fmt: skip
def test_every_claim_of_a_query_is_read_once(
    *, moments: list[datetime], order: Order, page_size: int, bounds: Bounds, dated: bool, concurrency: int
) -> None:
    records = started_apart(moments)
    service = FakeService(records, order=order, page_size=page_size, bounds=bounds)
    claims = retrieve_claims(service, MONTH if dated else EVER, limits=ClaimLimits(at_once=concurrency))
    assert complete(claims) == as_bag(records)
    assert claims.received == claims.total == len(records)
    assert claims.requests == len(service.queries)
    assert claims.bounds in {None, bounds}


def test_a_total_that_never_stands_still_ends_as_incomplete() -> None:
    service = FakeService(records_at(START + timedelta(minutes=n) for n in range(300)), order="oldest")
    service._before_call = lambda number: service.records.append(
        claim_record(START + timedelta(seconds=number), 10_000 + number)
    )
    claims = retrieve_claims(service, MONTH, limits=ONE_AT_A_TIME)
    assert complete(claims) == ["The number of claims changed while they were read."]


@pytest.mark.parametrize("zone", [timedelta(0), timedelta(hours=-8), timedelta(hours=5, minutes=30)])
@pytest.mark.parametrize("order", ORDERS)
def test_crowded_microseconds_are_told_apart_by_warranty_start(order: Order, zone: timedelta) -> None:
    moment, starts = START + timedelta(days=3), [f"2026-02-{n % 28 + 1:02}T12:00:00+01:00" for n in range(180)]
    records = records_at(START + timedelta(hours=n, minutes=1) for n in range(100))
    records += [claim_record(moment, n, warranty_start_date=start) for n, start in enumerate(starts)]
    assert complete(retrieve_claims(FakeService(records, order=order, zone=zone), MONTH)) == as_bag(records)


@pytest.mark.parametrize("order", ORDERS)
def test_claims_that_share_microsecond_and_warranty_start_are_not_called_complete(order: Order) -> None:
    same = [claim_record(START + timedelta(days=3), number) for number in range(120)]
    others = records_at(START + timedelta(hours=n, minutes=1) for n in range(100))
    claims = retrieve_claims(FakeService([*same, *others], order=order), MONTH)
    assert (claims.received, claims.total) == (150, 220)
    assert complete(claims) == [
        "120 claims share the microsecond 2026-05-04T00:00:00.000000 and one warranty start: "
        "the service shows 50 of them."
    ]
    assert claims.requests < 40


def test_a_warranty_range_and_an_address_of_the_query_hold_for_every_request() -> None:
    early, late = DAY.replace(month=1), DAY.replace(month=2)
    wanted, unwanted = (
        [claim_record(START + timedelta(minutes=n), n, warranty_start_date=start) for n in range(130)]
        for start in ("2026-01-10T00:00:00+00:00", "2026-03-10T00:00:00+00:00")
    )
    service = FakeService([*wanted, *unwanted])
    query = ClaimQuery(warranty_start_dates=(early, late), customer_email="ada@example.com")
    assert complete(retrieve_claims(service, query)) == as_bag(wanted)
    assert {sent.customer_email for sent in service.queries} == {"ada@example.com"}
    assert {sent.warranty_start_dates for sent in service.queries} == {(early, late)}


@pytest.mark.parametrize("order", ORDERS)
def test_an_undated_query_reaches_claims_before_all_shops_and_after_today(order: Order) -> None:
    records = [
        *records_at(START + timedelta(hours=n) for n in range(70)), claim_record("0001-01-01T00:00:00.000000", 900),
        claim_record("9999-12-31T23:59:59.999999", 901),
    ]  # fmt: skip
    assert complete(retrieve_claims(FakeService(records, order=order), EVER)) == as_bag(records)


def test_claims_without_a_usable_date_are_counted_and_told() -> None:
    dated = records_at(START + timedelta(hours=n) for n in range(70))
    undated: list[Record] = [claim_record(DAY, 900) | {"claim_date": None}]
    shown = retrieve_claims(FakeService([*undated, *dated], order="newest"), EVER)
    hidden = retrieve_claims(FakeService([*undated, *dated], order="oldest"), EVER)
    assert (shown.received, shown.total) == (71, 71)
    assert [(bad.field, str(bad.reason)) for bad in shown.rejected] == [("claim_date", "is null, not text")]
    assert (hidden.received, hidden.total) == (70, 71)
    assert complete(hidden) == ["Claims without a claim date by which they can be asked for: 1."]


@pytest.mark.parametrize("apart", [timedelta(hours=1), timedelta(days=1)])
def test_a_service_that_does_not_keep_to_ranges_is_found_out_at_once(apart: timedelta) -> None:
    class Deaf(FakeService):
        def claims_body(self, query: ClaimQuery) -> bytes:
            return super().claims_body(EVER)

    claims = retrieve_claims(Deaf(records_at(START + apart * n for n in range(300))), MONTH)
    assert not claims.is_complete
    assert claims.reasons
    assert claims.requests <= 6
    assert claims.total == 300


def test_the_ends_are_fixed_at_the_start_and_the_set_says_as_of_when() -> None:
    now = datetime(2026, 11, 21, 14, 2, tzinfo=UTC)
    service = FakeService(records_at(now.replace(tzinfo=None) - timedelta(hours=n) for n in range(120)))
    assert retrieve_claims(service, EVER, now=lambda: now).as_of == now
    ends = {sent.claim_dates[1] for sent in service.queries if sent.claim_dates is not None}
    assert max(ends) == now.replace(tzinfo=None) + timedelta(hours=14)  # where the day is furthest


@pytest.mark.parametrize(("received", "total", "whole"), [(0, None, False), (3, 2, False), (1, 2, False), (2, 2, True)])
def test_a_set_of_the_number_said_is_whole(received: int, total: int | None, *, whole: bool) -> None:
    claims = replace(retrieve_claims(FakeService([]), MONTH), received=received, total=total)
    assert (claims.is_whole, claims.is_complete) == (whole, whole)


def test_a_known_convention_saves_the_request_that_finds_it_out() -> None:
    records = records_at(START + timedelta(hours=n) for n in range(20))
    first = retrieve_claims(FakeService(records), MONTH)
    second = retrieve_claims(FakeService(records), MONTH, bounds=first.bounds)
    assert (first.requests, second.requests) == (2, 1)
    assert second.is_complete


@pytest.mark.parametrize(("order", "reach"), [("newest", 1.04), ("oldest", 1.04), ("random", 1.5)])
def test_hardly_more_requests_are_made_than_the_claims_need(order: Order, reach: float) -> None:
    moments = (START + timedelta(minutes=22 * number, seconds=number % 60) for number in range(1_950))
    claims = retrieve_claims(FakeService(records_at(moments), order=order), MONTH)
    assert claims.is_complete
    assert claims.requests <= reach * 39 + 5


@pytest.mark.parametrize(("dates", "known_from"), [
    (["2026-05-27", "2026-06-02"], date(2026, 5, 27)),  # none is older
    (["2025-01-01", "2026-05-27"], date(2026, 5, 1)), (["2026-07-01"], date(2026, 7, 1)),
])  # fmt: skip
def test_one_call_says_whether_claims_are_older_than_the_days_read(dates: list[str], known_from: date) -> None:
    start = "2026-05-02T00:00:00+00:00"
    service = FakeService([claim_record(f"{day}T10:00:00.000000", warranty_start_date=start) for day in dates])
    reader = partial(retrieve_claims, service)
    times = Period(date(2026, 5, 1), date(2026, 6, 30)).times
    for each in (reader(ClaimQuery(claim_dates=times)), reader(ClaimQuery(warranty_start_dates=times))):
        before = len(service.queries)
        assert with_beginning(each, reader).known_from == known_from
        assert len(service.queries) == before + 1
    assert reader(ClaimQuery()).known_from == date.fromisoformat(dates[0])


IMPATIENT = Timeouts(read=timedelta(seconds=0.5))


class Faulty:
    """Sends every so many calls into a fault of the sandbox, of each kind in turn."""

    KINDS = ("delay", "status", "drop_before_write", "drop_after_write", "truncated_body", "not_json")

    def __init__(self, client: WarrantyClient, sandbox: SandboxServer, *, every: int) -> None:
        self._client, self._sandbox, self._every = client, sandbox, every
        self._kinds, self._lock = itertools.cycle(self.KINDS), threading.Lock()
        self.calls, self.faults = 0, 0

    def claims_body(self, query: ClaimQuery) -> bytes:
        with self._lock:
            self.calls += 1
            if self.calls % self._every == 0:
                self.faults += 1
                self._sandbox.add_fault("claims", next(self._kinds), seconds=0.9)
        return self._client.claims_body(query)


@pytest.mark.parametrize("order", ["newest", "oldest", "shuffled"])
@pytest.mark.parametrize(
    ("seed", "every", "faults"), [("demo", 4, 4), pytest.param("busy", 20, 20, marks=pytest.mark.long)]
)
def test_the_set_is_read_whole_in_each_order_and_with_a_fault_in_every_so_many_calls(
    order: ClaimsOrder, seed: Literal["demo", "busy"], every: int, faults: int
) -> None:
    with SandboxServer(seed=seed, claims_order=order) as sandbox, client_at(sandbox, timeouts=IMPATIENT) as client:
        service = Faulty(client, sandbox, every=every)
        claims = retrieve_claims(service, ClaimQuery(), limits=ClaimLimits(at_once=4))
        assert service.faults >= faults
        assert complete(claims) == as_bag(sandbox.claims())
        assert claims.total == {"demo": 480, "busy": 20_000}[seed]
        assert claims.rejected == ()


HOUR = timedelta(hours=1)
SHOP = Shop(seed=5, claims_a_month=170, resolve_days=8, months=24, term=18)
LAST_YEAR = ClaimQuery(claim_dates=(datetime(2025, 11, 1), datetime(2026, 11, 22, 23, 59, 59, 999999)))  # noqa: DTZ001


class Desk:
    """Reads the claims of a query from a service."""

    def __init__(self, frame: pd.DataFrame, query: ClaimQuery = LAST_YEAR) -> None:
        self.service, self.query, self.cancel = ServiceOf(frame), query, threading.Event()
        self.now = datetime(2026, 11, 22, 12, tzinfo=UTC)
        self.claims = self.read()

    def read(self, former: ClaimSet | None = None) -> ClaimSet:
        self.service.calls = 0
        limits = ClaimLimits(at_once=1 if self.service.at else 4)
        how: dict[str, Any] = {"closed": ENDS, "limits": limits, "cancel": self.cancel, "former": former}
        return refreshed_claims(self.service, self.query, now=lambda: self.now, **how)

    def refresh(self, *, after: timedelta = HOUR) -> ClaimSet:
        self.now += after
        self.claims = self.read(self.claims)
        return self.claims


def bag(frame: pd.DataFrame) -> Counter[tuple[object, ...]]:
    return Counter(frame.astype({"status": "str"}).itertuples(index=False, name=None))


BEFORE = SHOP.claims(SHOP.today - timedelta(days=2))
OF_A_YEAR = BEFORE[BEFORE["claim_date"].between(*LAST_YEAR.claim_dates or ())]
CLOSED = OF_A_YEAR[OF_A_YEAR["status"].isin(ENDS)]


@pytest.fixture
def desk() -> Desk:
    return Desk(BEFORE)


def test_of_20_000_claims_of_which_50_changed_at_most_a_quarter_is_asked_for() -> None:
    shop = Shop(seed=1, claims_a_month=560, months=48)
    before, now = shop.claims(shop.today - timedelta(days=2)), shop.claims()
    found = compare(before, now)
    assert 50 <= len(found.new) + len(found.changed) <= 150, "what two days bring, here within an hour"
    assert 20_000 <= len(now) < 22_000
    desk = Desk(before, ClaimQuery())
    all_of_them = desk.claims.requests
    desk.service.show(now)
    claims = desk.refresh()
    assert bag(claims.frame) == bag(now)
    assert claims.seal == f"complete: {len(now):,} of {len(now):,}"
    print(f"{claims.requests} of {all_of_them} calls")  # noqa: T201 - with -s
    assert claims.requests == desk.service.calls <= len(now) / PAGE / 4 < all_of_them / 4


@pytest.mark.parametrize("query", [ClaimQuery(), LAST_YEAR])
def test_it_is_what_a_reading_of_all_brings_and_says_since_when_closed_claims_stand(query: ClaimQuery) -> None:
    desk = Desk(BEFORE, query)
    first_read = desk.claims.as_of
    assert desk.claims.closed_from is None
    desk.service.show(SHOP.claims())
    claims, whole = desk.refresh(), desk.read()
    assert claims.requests < whole.requests * 0.7
    assert claims.frame.equals(whole.frame)
    assert claims.table.as_received().equals(whole.table.as_received())
    assert (claims.closed_from, claims.as_of, whole.closed_from) == (first_read, first_read + HOUR, None)
    some = claims.narrowed_to(LAST_YEAR)
    assert some is not None
    assert some.closed_from == first_read


def test_every_claim_is_read_anew_within_a_day_of_refreshes(desk: Desk) -> None:
    begun, place = desk.claims.as_of, CLOSED.index[len(CLOSED) // 2]
    desk.service.show(BEFORE.assign(status=BEFORE["status"].astype("str").where(BEFORE.index != place, "REOPENED")))
    for _ in range(8):
        claims = desk.refresh(after=3 * HOUR)
    assert "REOPENED" in set(claims.frame["status"])
    assert claims.closed_from is None or claims.closed_from > begun
    assert desk.service.calls < len(OF_A_YEAR) / PAGE


def test_where_totals_do_not_add_up_all_is_read() -> None:
    desk = Desk(BEFORE, ClaimQuery())
    desk.service.alters = hides_two
    claims = desk.refresh()
    assert not claims.is_whole
    assert claims.requests > len(BEFORE) / PAGE


def test_of_a_set_that_is_not_certain_all_is_read_or_it_stays(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = desk.claims
    for doubtful in (replace(whole, received=1), replace(whole, reasons=(Sentence("The service failed."),))):
        desk.claims = doubtful
        assert desk.refresh().closed_from is None
    monkeypatch.setattr("warranty.claims.retrieval.update._REPEATS", 0)

    def down(_page: dict[str, Any], _query: ClaimQuery) -> None:
        if desk.service.calls > 5:
            raise NotSent(trace=Trace(operation="claims", attempt_id=""))

    desk.service.alters = down
    with pytest.raises(NotSent):  # the screens say so, beside the set that they show
        desk.refresh()
    assert desk.service.calls > 5
