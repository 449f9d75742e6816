"""A set called complete holds every claim that was there all the time, whatever moves, or is odd in the service."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any, Literal

import httpx
import pyarrow as pa
import pytest

from tests.builders import claim_record
from tests.warranty.claims.retrieval.conftest import NoWaiting
from tests.warranty.claims.retrieval.fake_service import DAY, ORDERS, FakeService, Order, Record, as_bag, records_at
from tests.warranty.claims.retrieval.interleaved import Reading, read_interleaved
from tests.warranty.claims.retrieval.readings import EVER, MONTH, ONE_AT_A_TIME, complete, failing, reasons, received
from tests.warranty.client.prepared_service import Service, client
from warranty.claims.retrieval import Bounds, ClaimLimits, ClaimSet, Progress, retrieve_claims
from warranty.claims.retrieval.answers import Answer, to_moment
from warranty.claims.retrieval.ledger import Ledger
from warranty.claims.retrieval.pieces import Pieces
from warranty.claims.retrieval.spans import Ask, Span
from warranty.claims.retrieval.timestamps import odd_places
from warranty.claims.retrieval.walk import Walk
from warranty.client.resources import ClaimQuery
from warranty.client.resources.claims import TimeRange
from warranty.errors import RequestRefused, ServiceFailed, Trace

START, END = DAY, DAY + timedelta(days=30)
LENGTH = (END - START) // timedelta(microseconds=1)
Change = Literal["adds", "removes"]
CHANGES: list[list[Change]] = [["adds"], ["removes"], ["adds", "removes"]]
MOMENT = DAY + timedelta(days=3)
Changes = dict[int, Callable[[list[Record]], object]]


def read(service: FakeService, query: ClaimQuery = MONTH, bounds: Bounds | None = None) -> ClaimSet:
    return retrieve_claims(service, query, limits=ONE_AT_A_TIME, bounds=bounds)


def claim(micros: int, number: int) -> Record:
    # Each claim has a warranty start of its own, so that even one microsecond can be cut apart.
    started = (DAY - timedelta(hours=number)).isoformat() + "+00:00"
    return claim_record(START + timedelta(microseconds=micros), number, warranty_start_date=started)


class Moving:
    """A service whose claims come and go by plan: what is done before which call."""

    def __init__(
        self, moments: list[int], *, order: Order, page_size: int, plan: dict[int, list[Change]], random: Random,
        service: type[FakeService] = FakeService,
    ) -> None:  # fmt: skip
        records = [claim(micros, number) for number, micros in enumerate(moments)]
        self._places, self._plan, self._random = _places_for_new_ones(moments, random), plan, random
        self._gone, self._came, self._before = list[Record](), list[Record](), as_bag(records)
        self.service = service(records, order=order, page_size=page_size, before_call=self._change)

    def _change(self, call: int) -> None:
        records = self.service.records
        for change in self._plan.get(call, []):
            if change == "adds":
                self._came.append(claim(next(self._places), 10_000 + len(self._came)))
                records.append(self._came[-1])
            elif records:
                self._gone.append(records.pop(self._random.randrange(len(records))))

    def judge(self, reading: Reading) -> None:
        """Nothing twice, nothing that never was; and where it is called complete, all that was there throughout."""
        there_throughout = self._before - as_bag(self._gone)
        assert not reading.received - (self._before + as_bag(self._came))
        if reading.is_complete:
            assert not there_throughout - reading.received
        else:
            assert reading.reasons


def _places_for_new_ones(moments: list[int], random: Random) -> Iterator[int]:
    while True:
        yield random.choice([random.randrange(LENGTH), random.choice(moments or [0])])


def spread(random: Random) -> list[int]:
    """Claim dates of a month: loose, or many in few microseconds."""
    moments = [random.randrange(LENGTH) for _ in range(random.randrange(111))]
    return random.choice([moments, [random.choice(moments[: 1 + len(moments) // 4]) for _ in moments]])


class Changing(FakeService):
    def __init__(self, records: list[Record], changes: Changes, **oddities: object) -> None:
        super().__init__(records, before_call=self._act, **oddities)  # type: ignore[arg-type]
        self._changes = changes

    def _act(self, number: int) -> None:
        if number in self._changes:
            self._changes[number](self.records)


@pytest.mark.parametrize("worlds", [range(50), pytest.param(range(50, 600), marks=pytest.mark.long)])
def test_claims_that_come_and_go_while_walkers_read_or_are_stopped_leave_a_complete_set_whole(worlds: range) -> None:
    for seed in worlds:
        random = Random(seed)
        moments, changes = spread(random), random.choice(CHANGES)
        plan = {random.randrange(2, 46): random.choices(changes, k=random.randint(1, 2)) for _ in range(seed % 7)}
        how: dict[str, Any] = {"order": random.choice(ORDERS), "page_size": random.choice([3, 7, 20])}
        moving = Moving(moments, **how, plan=plan, random=random)
        stops = {random.randrange(2, 41) for _ in range(random.randrange(4))}
        query, at_once = random.choice([MONTH, EVER]), random.choice([1, 4])
        reading = read_interleaved(moving.service, query, now=END, concurrency=at_once, random=random, stops=stops)
        moving.judge(reading)
        assert plan or reading.is_complete, reading.reasons


class AlmostByDate(FakeService):
    """Answers with the newest first, but for a few claims that it shows only where there is room for them."""

    def _shown(self, found: list[Record]) -> list[Record]:
        by_date = sorted(found, key=lambda record: str(record["claim_date"]), reverse=True)
        shown = sorted(by_date, key=lambda record: int(record["order_id"], 16) % 9 == 0)[: self._page_size]
        return sorted(shown, key=lambda record: str(record["claim_date"]), reverse=True)


@pytest.mark.parametrize("worlds", [range(6), pytest.param(range(6, 60), marks=pytest.mark.long)])
@pytest.mark.parametrize("service", [FakeService, AlmostByDate])
@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize("order", ["newest", "oldest"])
def test_one_that_goes_hides_no_other(order: Order, at_once: int, service: type[FakeService], worlds: range) -> None:
    whole = 0
    for seed in worlds:
        random = Random(seed)
        moments = [random.randrange(LENGTH) for _ in range(60)]
        plan: dict[int, list[Change]] = {random.randrange(2, 24): ["removes"]}
        moving = Moving(moments, order=order, page_size=3, plan=plan, random=random, service=service)
        reading = read_interleaved(moving.service, MONTH, now=END, concurrency=at_once, random=random)
        moving.judge(reading)
        whole += reading.is_complete
    assert whole >= len(worlds) * 5 / 6


MIDDLE, END_OF_WALK = 500, 999


@pytest.mark.parametrize(("moments", "total", "proved"), [
    ([980, 940, 910], 8, False),  # as many as the two totals say, and it ends amid the stretch
    ([980, 400, 940], 7, False),  # out of order: another may stand behind the page
    ([980, 940, 400], 7, True),  # in order to below the stretch
    ([980, 940], 2, True),  # all that there is, in one answer
])  # fmt: skip
def test_a_last_page_is_not_believed_by_totals_of_two_moments(moments: list[int], total: int, *, proved: bool) -> None:
    """Below the stretch there were five, then one of them vanished: it makes up for one that is missing above."""
    ledger, asked = Ledger(), list[Ask]()
    pieces = Pieces(ledger, lambda task: asked.append(next(task)), None)
    walk = Walk(Span(0, END_OF_WALK), ledger, lambda task: asked.append(next(task)), pieces, newest_first=True)
    [task] = walk.fill([Span(MIDDLE, END_OF_WALK)])
    assert next(task) == Ask(Span(0, MIDDLE - 1))
    assert task.send(Answer(1, [], total=0 if total == len(moments) else 5)) == Ask(Span(0, END_OF_WALK))
    with pytest.raises(StopIteration):
        task.send(Answer(2, [claim_record(to_moment(micros), micros) for micros in moments], total=total))
    assert [part.span for part in ledger.parts] == [Span(MIDDLE, END_OF_WALK)] * proved
    assert asked == [Ask(Span(MIDDLE, END_OF_WALK))] * (not proved)


def test_a_claim_outside_the_ends_or_missed_and_newer_than_all_is_not_hidden_by_one_that_comes() -> None:
    dated = [claim(micros, micros) for micros in range(70)]
    come = {2: lambda records: records.append(claim(5_000, 901))}
    claims = read(Changing([claim_record(DAY, 900) | {"claim_date": None}, *dated], come, order="oldest"), EVER)
    assert complete(claims) == ["Claims without a claim date by which they can be asked for: 1."]
    assert (claims.received, claims.total) == (71, 72)
    # The first page looks like newest first, the others do not; the newest claim stands on the last.
    records = [claim(micros, number) for number, micros in enumerate([940, 887, 601, 872, 836, 134, 631, 990])]
    claims = read(AsEntered(records, {2: lambda found: found.append(claim(600, 901))}, page_size=2), bounds=Bounds())
    assert claims.is_complete
    assert as_bag(records) <= received(claims)


def test_a_tie_behind_a_page_is_not_hidden_by_a_claim_that_comes_below_it_and_one_that_goes_above() -> None:
    # Newest first in threes: 90, 80, 80 | 80, 70 … One comes below while the next page is asked for, then one goes.
    moments = [90, 80, 80, 80, *range(70, 0, -5)]
    came = 0

    def change(number: int) -> None:
        nonlocal came
        newest = service.queries[-1].claim_dates
        assert newest is not None
        if newest[1] < START + timedelta(microseconds=81) and not came:
            came = number
            service.records.append(claim(1, 901))
        elif came and number == came + 3:
            service.records.pop(0)

    records = [claim(micros, number) for number, micros in enumerate(moments)]
    service = FakeService(records, page_size=3, before_call=change)
    claims = read(service)
    assert came
    assert not claims.is_complete or {"w-1", "w-2", "w-3"} <= set(claims.frame["warranty_id"])


class AsEntered(Changing):
    def _shown(self, found: list[Record]) -> list[Record]:
        return found[: self._page_size]


@pytest.mark.parametrize("call", range(2, 8))
@pytest.mark.parametrize("order", ["newest", "oldest"])
def test_a_page_of_one_microsecond_tells_no_order_and_hides_none_beyond_it(order: Order, call: int) -> None:
    tied = [claim(10**9, number) for number in range(50)]
    beyond = claim(2 * 10**9 if order == "oldest" else 10, 900)
    claims = read(Changing([*tied, beyond], {call: lambda records: records.append(claim(10**9, 901))}, order=order))
    assert claims.is_complete
    assert as_bag([*tied, beyond]) <= received(claims)


def hourly(count: int) -> list[Record]:
    return records_at(DAY + timedelta(hours=number) for number in range(count))


def crowded(count: int) -> list[Record]:
    """Claims of one microsecond, each with a warranty start of its own."""
    return [claim((MOMENT - START) // timedelta(microseconds=1), number) for number in range(count)]


def comes(records: list[Record]) -> None:
    records.append(claim_record(MOMENT, 900))


@pytest.mark.parametrize("call", range(2, 12, 3))
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("count", [30, 120])
def test_a_claim_that_vanishes_at_the_ends_is_not_told_outside(count: int, order: Order, call: int) -> None:
    service = Changing(hourly(count), {call: lambda records: records.pop(7)}, order=order)
    claims = read(service, EVER)
    assert claims.is_complete, claims.reasons
    assert as_bag(service.records) <= received(claims)


def test_a_claim_that_vanishes_and_one_that_comes_or_is_there_for_a_moment_are_told_apart() -> None:
    service = Changing(hourly(120), {2: list.pop, 3: comes})
    assert complete(read(service, EVER)) == as_bag(service.records)
    service = Changing(hourly(50), {3: comes, 4: list.pop})
    assert complete(read(service, bounds=Bounds())) == as_bag(hourly(50))


@pytest.mark.parametrize("call", range(2, 7))
@pytest.mark.parametrize("query", [MONTH, EVER])
def test_the_only_claim_that_vanishes_leaves_a_useful_range(query: ClaimQuery, call: int) -> None:
    claims = read(Changing(hourly(1), {call: list.clear}, bounds=Bounds(False, False)), query)
    assert claims.is_complete, claims.reasons


@pytest.mark.parametrize("change", [lambda records: records.pop(11), comes])
@pytest.mark.parametrize("call", range(2, 16, 3))
@pytest.mark.parametrize("order", ORDERS)
def test_a_crowd_that_changes_is_still_whole(order: Order, call: int, change: Callable[[list[Record]], object]) -> None:
    before = [*crowded(120), *hourly(20)]
    service = Changing(before, {call: change}, order=order)
    claims = read(service)
    assert claims.is_complete, claims.reasons
    assert as_bag(before) & as_bag(service.records) <= received(claims)


@pytest.mark.parametrize("bounds", [Bounds(True, False), Bounds(False, True), Bounds(False, False)])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dates", [MONTH.claim_dates, None])
def test_a_claim_on_the_end_of_a_range_of_starts_is_read(order: Order, bounds: Bounds, dates: TimeRange | None) -> None:
    records = [claim(number * 3_600_000_000, number) for number in range(200)]
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
        "Claims of the microsecond 2026-05-04T00:00:00.000000 that no start of a warranty finds: 1."
    ]
    assert (claims.received, claims.total) == (119, 120)


@pytest.mark.parametrize("start", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_start_that_has_no_moment_in_utc_does_not_stop_a_crowded_microsecond(start: str) -> None:
    service = Misprinting([*crowded(60), claim_record(MOMENT, 900)], order="random")
    service.printed = {"w-900": {"warranty_start_date": start}}
    claims = read(service)
    assert claims.is_complete, claims.reasons
    assert claims.received == 61


def test_a_failure_while_a_crowded_microsecond_is_cut_keeps_the_page_in_hand(no_waiting: NoWaiting) -> None:
    def fail(_number: int) -> None:
        if service.queries[-1].warranty_start_dates is not None:
            raise ServiceFailed(trace=Trace(operation="claims", attempt_id="", status=500))

    service = FakeService(crowded(120), before_call=fail)
    claims = retrieve_claims(service, MONTH, cancel=no_waiting, limits=ONE_AT_A_TIME)
    assert (claims.is_complete, claims.received) == (False, 50)


RECORDS = records_at(DAY + timedelta(minutes=37 * number, microseconds=number) for number in range(600))
WIDE = ClaimQuery(claim_dates=(datetime(2000, 1, 1), datetime(2050, 1, 1)))  # noqa: DTZ001 - service time
MISCOUNTED = "An answer of the service did not show as many claims as its own total."


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


ODD_FORMS: dict[str, Callable[[datetime], str]] = {
    "a day": lambda moment: moment.date().isoformat(), "to the minute": lambda moment: iso(moment)[:16],
    "a day of a week": lambda moment: moment.strftime("%G-W%V-%u"), "seven digits": lambda moment: iso(moment) + "5",
    "with a zone": lambda moment: iso(moment) + "Z",
    "no separators": lambda moment: moment.strftime("%Y%m%dT%H%M%S.%f"),
}  # fmt: skip


class Misprinting(FakeService):
    """Keeps good dates, goes by them, and writes some of them oddly."""

    printed: dict[str, Record]

    def _shown(self, found: list[Record]) -> list[Record]:
        return [record | self.printed.get(record["warranty_id"], {}) for record in super()._shown(found)]


@pytest.mark.parametrize(("order", "form", "place"), [
    *((order, "a day", place) for order in ORDERS for place in (0, 25, 49)),
    *(("newest", form, 25) for form in ODD_FORMS),
])  # fmt: skip
def test_one_odd_timestamp_costs_its_record_and_no_other(order: Order, form: str, place: int) -> None:
    service = Misprinting(RECORDS, order=order)
    odd = RECORDS[::-1][place] if order == "newest" else RECORDS[place]
    service.printed = {odd["warranty_id"]: {"claim_date": ODD_FORMS[form](datetime.fromisoformat(odd["claim_date"]))}}
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
    service.printed = {oldest_shown["warranty_id"]: {"claim_date": iso(earlier)}}
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
    assert retrieve_claims(service, MONTH, cancel=no_waiting, limits=ONE_AT_A_TIME).received >= 599


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
    assert len([pause for pause in no_waiting.pauses if pause not in {0.25, 0.5}]) == 4


def test_a_service_that_dies_midway_is_tried_again_for_the_first_call_only(no_waiting: NoWaiting) -> None:
    service = FakeService(RECORDS, order="random", before_call=failing(ServiceFailed, lambda number: number >= 8, 500))
    claims = retrieve_claims(service, MONTH, cancel=no_waiting, limits=ONE_AT_A_TIME)
    assert complete(claims) == ["The service failed while claims were read."]
    assert not received(claims) - as_bag(RECORDS)
    assert len(service.queries) == 7 + 5 + 1 + 1
