"""Sets kept for a while: read once for all, by keys that tell nothing, within a bounded memory, in part or whole."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.builders import claim_record
from tests.waiting import until
from tests.warranty.claims.readings.kept_claims import ADA, EVERY, LONG, PATIENCE, Clock, Service, begin, read, stop
from tests.warranty.claims.retrieval.fake_service import columns_of
from warranty.claims.readings import readings as kept_readings
from warranty.claims.readings.readings import KEPT_FOR, ClaimReadings, KeptClaims, Reading
from warranty.claims.retrieval import ClaimSet, Progress, RejectedRecord
from warranty.client.resources import ClaimQuery
from warranty.errors import NotSent, Trace
from warranty.language import Sentence


def let_go(readings: ClaimReadings, service: Service) -> Reading:
    service.let_go.set()
    readings.wait(EVERY, longest=LONG)
    return readings.look(EVERY)


def days(first: object, last: object) -> ClaimQuery:
    ends = (datetime.fromisoformat(f"{first}"), datetime.fromisoformat(f"{last}T23:59:59.999999"))
    return ClaimQuery(claim_dates=ends)


def test_a_set_is_read_once_for_all_who_look(readings: ClaimReadings, service: Service) -> None:
    begin(readings, service, "counter", "office")
    found = readings.look(EVERY)
    assert found.running
    assert found.cached is None
    assert found.progress is not None
    assert found.progress.received == 50
    first, second = let_go(readings, service), readings.look(ClaimQuery())
    assert first.cached is second.cached
    assert first.fresh
    assert not first.running
    assert service.reads == 1


def test_days_within_what_was_read_are_kept(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    service.let_go.set()
    read(readings)
    clock.now += KEPT_FOR - timedelta(minutes=1)
    dates = sorted(service.gives.frame["claim_date"])
    first, last = dates[100].date(), dates[200].date()
    some = readings.look(days(first, last))
    assert not some.wanting
    assert some.cached is not None
    claims = some.cached.claims
    expected = service.gives.table.as_received()
    expected = expected[expected["claim_date"].between(f"{first}", f"{last}T99")]
    assert len(expected) > 50
    assert claims.table.as_received().to_dict("list") == expected.to_dict("list")
    assert claims.seal == f"complete: {len(expected)} of {len(expected)}"
    assert claims.as_of == service.gives.as_of
    assert service.reads == 1
    clock.now += timedelta(minutes=1)
    assert not readings.look(days(first, last)).fresh
    read(readings, days(first, last))
    assert service.reads == 2


def test_a_later_reading_of_more_days_replaces_all_that_it_covers(readings: ClaimReadings, service: Service) -> None:
    service.let_go.set()
    every, later = service.gives, service.gives.as_of + timedelta(minutes=1)
    for query in (ITS_FIRST_WEEK, ADA):
        service.gives = replace(every, query=query)
        read(readings, query)
    service.gives = replace(every, as_of=later)
    read(readings)
    for query, as_of in ((ITS_FIRST_WEEK, later), (ADA, every.as_of)):
        found = readings.look(query)
        assert (found.cached and found.cached.claims.as_of, found.wanting) == (as_of, False)


JANUARY, ITS_FIRST_WEEK = days("2026-01-01", "2026-01-31"), days("2026-01-01", "2026-01-07")


@pytest.mark.parametrize(("was_read", "asked"), [
    (JANUARY, days("2025-12-31", "2026-01-07")), (JANUARY, days("2026-01-25", "2026-02-01")), (JANUARY, EVERY),
    (JANUARY, ITS_FIRST_WEEK.model_copy(update={"customer_email": "ada@example.com"})),
    (JANUARY.model_copy(update={"customer_email": "ada@example.com"}), ITS_FIRST_WEEK),
    (JANUARY, ITS_FIRST_WEEK.model_copy(update={"warranty_start_dates": JANUARY.claim_dates})),
    (EVERY, ClaimQuery(warranty_start_dates=JANUARY.claim_dates)),
])  # fmt: skip
def test_what_was_read_does_not_answer_for_other_days_another_customer_or_another_start(
    readings: ClaimReadings, service: Service, was_read: ClaimQuery, asked: ClaimQuery
) -> None:
    service.gives = replace(service.gives, query=was_read)
    service.let_go.set()
    read(readings, was_read)
    assert readings.look(asked).wanting
    assert not readings.look(was_read).wanting


@pytest.mark.parametrize("doubt", [
    {"total": 612},
    {"total": 612, "reasons": (Sentence("The service failed."),)},
    {"rejected": (RejectedRecord(1, 0, "status", Sentence("is missing"), {}),)},
    {"table": columns_of(*[claim_record("2026-01-05T10:00:00")] * 2).table(), "received": 2, "total": 2},
])  # fmt: skip
def test_a_doubtful_set_proves_none(readings: ClaimReadings, service: Service, doubt: dict[str, Any]) -> None:
    service.gives = replace(service.gives, **doubt)
    service.let_go.set()
    read(readings)
    assert readings.look(ITS_FIRST_WEEK).wanting


def test_the_newest_whole_set_is_of_all_customers(readings: ClaimReadings, service: Service) -> None:
    service.let_go.set()
    every, later = service.gives, service.gives.as_of + timedelta(minutes=1)
    whole = read(readings).cached
    for query, total in ((ADA, 480), (ITS_FIRST_WEEK, 612)):
        service.gives = replace(every, query=query, as_of=later, total=total)
        read(readings, query)
    assert readings.newest_whole() is whole
    service.gives = replace(every, query=JANUARY, as_of=later)
    assert read(readings, JANUARY).cached is readings.newest_whole()
    assert readings.newest_as_of() == later


def test_a_key_tells_neither_the_token_nor_the_customer(readings: ClaimReadings, service: Service) -> None:
    key = readings.key(ADA)
    assert key == readings.key(ClaimQuery(customer_email="ada@example.com"))
    assert key != readings.key(EVERY)
    other = ClaimReadings(read=service, scope="production https://service another-token")
    assert other.key(ADA) != key
    other.close()
    service.let_go.set()
    read(readings, ADA)
    names = " ".join([key, *map(str, vars(readings)["_entries"]), repr(vars(readings)["_scope"])])
    for secret in ("ada@example.com", "token-of-the-account"):
        assert secret not in names


def test_sets_are_fresh_then_to_compare_slow_ones_late(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    service.let_go.set()
    before = read(readings).cached
    assert before is not None
    clock.now += KEPT_FOR
    assert not readings.look(EVERY).fresh
    assert readings.look(EVERY).cached is before
    after = read(readings).cached
    assert after is not None
    assert after.earlier is before.claims
    clock.now += timedelta(hours=25)
    assert readings.look(EVERY).cached is None
    service.gives = replace(service.gives, duration=timedelta(minutes=10))
    read(readings)
    clock.now += timedelta(minutes=99)
    assert readings.look(EVERY).fresh
    clock.now += timedelta(minutes=1)
    assert not readings.look(EVERY).fresh


@pytest.mark.parametrize("brought", [50, 480, 500])
def test_a_refresh_that_was_cut_off_stands_beside_the_whole_set_however_much_it_brought(
    readings: ClaimReadings, service: Service, clock: Clock, brought: int
) -> None:
    service.let_go.set()
    whole = read(readings).cached
    service.let_go.clear()
    clock.now += KEPT_FOR
    service.gives, service.stops_with = replace(service.gives, total=612), brought  # it has more by now
    begin(readings, service)
    found = stop(readings)
    assert found.cached is whole
    assert found.unfinished is not None
    assert found.unfinished.claims.received == brought
    assert not found.wanting  # not tried again at every click: the person decides
    clock.now += 2 * KEPT_FOR
    assert readings.look(EVERY).wanting


def test_a_reading_ends_when_nobody_wants_it_not_before(readings: ClaimReadings, service: Service) -> None:
    begin(readings, service, "counter", "office")
    readings.leave(EVERY, viewer="counter")
    assert readings.look(EVERY).running
    readings.leave(EVERY, viewer="office")
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert not found.running
    assert found.cached is None


def test_a_failure_is_told_beside_the_set(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    service.let_go.set()
    read(readings)
    service.fails = NotSent(trace=Trace(operation="claims", attempt_id="a1"))
    found = read(readings)
    assert found.failure is not None
    assert found.failure.kind == "NotSent"
    assert found.cached is not None
    clock.now += timedelta(minutes=1)
    assert readings.look(EVERY).failure is None


def test_a_fault_of_ours_is_told_for_a_minute_and_does_not_begin_to_read_again_and_again(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    service.fails = RuntimeError("a bug")
    read(readings)
    for _ in range(2):
        found = readings.look(EVERY)
        assert found.fault is service.fails
        assert not found.running
        assert not found.wanting
    clock.now += timedelta(minutes=1)
    assert readings.look(EVERY).fault is None
    assert readings.look(EVERY).wanting


def test_a_set_that_cannot_be_measured_does_not_look_as_if_it_were_still_being_read(
    readings: ClaimReadings, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(_: ClaimSet) -> int:
        raise RuntimeError("no memory for the frame")

    monkeypatch.setattr(kept_readings, "_bytes_of", measured)
    service.let_go.set()
    found = read(readings)
    assert not found.running
    assert isinstance(found.fault, RuntimeError)
    assert found.cached is None


@pytest.mark.parametrize("ends_whole", [False, True])
def test_whoever_comes_back_to_a_reading_that_was_left_gets_the_whole_set_or_no_part_of_it(
    readings: ClaimReadings, service: Service, *, ends_whole: bool
) -> None:
    begin(readings, service)
    service.slow_to_stop.clear()
    readings.leave(EVERY, viewer="counter")
    readings.start(EVERY, viewer="office")
    assert readings.look(EVERY).running
    (service.let_go if ends_whole else service.slow_to_stop).set()
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert (found.fresh, found.cached is not None, found.wanting) == (ends_whole, ends_whole, not ends_whole)
    assert service.reads == 1


def test_whoever_stops_waiting_leaves_another_its_reading(readings: ClaimReadings, service: Service) -> None:
    begin(readings, service, "counter", "office")
    readings.stop(EVERY, viewer="counter")
    left, waiting = readings.look(EVERY, viewer="counter"), readings.look(EVERY, viewer="office")
    assert (left.left, left.running, left.wanting) == (True, False, False)
    assert (waiting.left, waiting.running) == (False, True)
    let_go(readings, service)
    for viewer in ("counter", "office"):
        found = readings.look(EVERY, viewer=viewer)
        assert found.cached is not None
        assert found.cached.claims.is_complete
        assert not found.left
    assert service.reads == 1


@pytest.mark.parametrize(("silent", "goes_on"), [(timedelta(seconds=14), True), (timedelta(seconds=15), False)])
def test_a_tab_that_was_closed_does_not_keep_a_reading_from_being_stopped(
    readings: ClaimReadings, service: Service, clock: Clock, *, silent: timedelta, goes_on: bool
) -> None:
    begin(readings, service, "closed")
    clock.now += silent
    readings.start(EVERY, viewer="counter")
    readings.stop(EVERY, viewer="counter")
    if not goes_on:
        readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert (found.running, found.cached is None) == (goes_on, goes_on)


def test_what_was_read_before_a_stop_is_handed_on_to_the_next_reading_and_only_for_a_while(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    begin(readings, service)
    part = stop(readings).cached
    assert part is not None
    for later, former in ((timedelta(minutes=1), part.claims), (KEPT_FOR, None)):
        clock.now += later
        begin(readings, service, "office")
        stop(readings, "office")
        assert service.formers[-1] is former


def test_a_whole_set_is_handed_on_till_a_fault_or_day(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    service.let_go.set()
    whole = read(readings).cached
    assert whole is not None
    clock.now += timedelta(hours=2)
    service.fails = RuntimeError("a bug")
    read(readings)
    service.fails = None
    read(readings)
    clock.now += timedelta(hours=25)
    readings.look(EVERY)
    read(readings)
    assert service.formers == [None, whole.claims, None, None]


def test_memory_is_bounded_and_the_newest_set_stays(service: Service) -> None:
    service.let_go.set()
    small = ClaimReadings(read=service, scope="", keep_bytes=1)
    queries = [ClaimQuery(customer_email=f"c{number}@example.com") for number in range(3)]
    for query in queries:
        read(small, query)
    assert [small.look(query).cached is not None for query in queries] == [False, False, True]
    small.close()


def test_what_is_worked_out_is_bounded_too(kept: KeptClaims) -> None:
    mine = KeptClaims(kept.claims)
    for number in range(500):
        mine.derived(number, kept.claims.frame["claim_date"].to_numpy)
    assert mine.derived_bytes <= 24 * 1024 * 1024
    assert len(vars(mine)["_derived"]) <= 128
    made: list[int] = []
    for _ in range(2):
        mine.derived("once", lambda: made.append(1))
    assert made == [1]


def test_closing_ends_what_is_under_way(service: Service) -> None:
    readings, others = ClaimReadings(read=service, scope=""), set(threading.enumerate())
    begin(readings, service)
    readings.close()
    ours = set(threading.enumerate()) - others
    assert not [thread for thread in ours if thread.name.startswith("claim-reading")]


def test_what_came_is_handed_on_in_a_twentieth_of_the_time_at_most(service: Service, clock: Clock) -> None:
    made: list[int] = []
    shown: list[KeptClaims | None] = []
    gives = replace(service.gives, still_reading=True)
    costs = timedelta()

    def part() -> ClaimSet:
        made.append(len(shown))
        clock.now += costs
        return gives

    def read_slowly(query: ClaimQuery, *, progress: Callable[[Progress], None] | None, **_: Any) -> ClaimSet:
        assert progress is not None
        shown.clear()
        made.clear()
        for second in range(60):
            clock.now += timedelta(seconds=1)
            progress(Progress(second, 480, second, timedelta(seconds=second), part=part))
            shown.append(readings.look(query).part)
        return service.gives

    readings = ClaimReadings(read=read_slowly, scope="slow", now=clock)
    read(readings, EVERY)
    # None at once: most readings are over by then; and none of no claims.
    assert made == [1, *range(4, 60, 3)]
    assert shown[0] is None
    assert shown[1] is shown[3] is not shown[4]
    assert readings.look(EVERY).part is None
    assert readings.look(EVERY).cached is not None

    costs = timedelta(seconds=0.5)
    read(readings, JANUARY)
    assert made == [*range(1, 60, 10)]

    read(readings, EVERY)  # what was read before stays until all is here
    assert made == []
    readings.close()


def kept_of(readings: ClaimReadings) -> KeptClaims:
    kept = readings.look(EVERY).cached
    assert kept is not None
    return kept


def part(claims: ClaimSet, count: int = 4) -> ClaimSet:
    return replace(claims, received=count, reasons=(Sentence("The service failed while claims were read."),))


def test_only_whole_readings_are_compared(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    first = service.gives
    service.let_go.set()
    read(readings)
    service.gives = part(first)
    read(readings)
    service.gives = second = replace(first, as_of=first.as_of + timedelta(minutes=5))
    read(readings)
    kept = kept_of(readings)
    assert kept.claims is second
    assert kept.earlier is first
    assert readings.look(EVERY).unfinished is None


def test_the_larger_part_stays_and_a_whole_set_replaces_it(readings: ClaimReadings, service: Service) -> None:
    whole = service.gives
    service.let_go.set()
    for count, shown in ((400, 400), (4, 400), (450, 450)):
        service.gives = part(whole, count)
        read(readings)
        assert kept_of(readings).claims.received == shown
        assert kept_of(readings).earlier is None
    service.gives = whole
    read(readings)
    assert kept_of(readings).claims is whole
    assert kept_of(readings).earlier is None


def test_a_whole_set_gives_way_after_a_day(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    service.let_go.set()
    read(readings)
    service.gives = part(service.gives)
    for _ in range(5):
        clock.now += timedelta(hours=6)
        read(readings)
    assert kept_of(readings).claims.received == 4


def test_a_reading_that_waits_for_others_says_so_and_ends_at_once_when_stopped(service: Service) -> None:
    readings = ClaimReadings(read=service, scope="", readings_at_once=1)
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    assert not readings.look(EVERY).waiting
    readings.start(ADA, viewer="office")
    assert readings.look(ADA).waiting
    readings.stop(ADA, viewer="office")
    readings.wait(ADA, longest=LONG)
    found = readings.look(ADA)
    assert (found.running, found.cached, found.stopped, found.wanting) == (False, None, True, False)
    assert readings.look(EVERY).running
    service.let_go.set()
    read(readings, ADA)
    assert readings.look(ADA).cached is not None
    assert not readings.look(ADA).stopped
    readings.close()


def test_what_is_read_beside_leaves_a_thread_for_what_people_look_at(service: Service) -> None:
    readings = ClaimReadings(read=service, scope="", readings_at_once=2)
    beside = [ClaimQuery(customer_email=f"c{number}@example.com") for number in range(3)]
    for query in beside:
        readings.start(query, viewer="trends", behind=True)
    readings.start(EVERY, viewer="counter")
    until(lambda: not readings.look(EVERY).waiting)
    until(lambda: not readings.look(beside[0]).waiting)
    assert [readings.look(query).waiting for query in beside] == [False, True, True]
    # Somebody opens the last of them: it is next, before the one that came first.
    readings.start(beside[2], viewer="office")
    readings.stop(EVERY, viewer="counter")
    until(lambda: not readings.look(beside[2]).waiting)
    assert readings.look(beside[1]).waiting
    service.let_go.set()
    for query in beside:
        readings.wait(query, longest=LONG)
        assert readings.look(query).cached is not None
    readings.close()


def test_stopping_before_the_first_answer_leaves_no_set_and_does_not_begin_again_by_itself(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.gives = replace(service.gives, total=None)
    service.stops_with = 0
    begin(readings, service)
    found = stop(readings)
    assert (found.cached, found.stopped, found.wanting) == (None, True, False)
    clock.now += timedelta(minutes=2)
    assert readings.look(EVERY).wanting
