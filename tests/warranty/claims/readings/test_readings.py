"""Sets kept for a while: read once for all, by keys that tell nothing, within a bounded memory, in part or whole."""

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest

from tests.builders import claim_record
from tests.waiting import until
from tests.warranty.claims.readings.kept_claims import ADA, EVERY, LONG, Clock, Service, begin, read, stop
from tests.warranty.claims.retrieval.fake_service import DAY, Counted, columns_of
from warranty.claims.readings import readings as kept_readings
from warranty.claims.readings.readings import KEPT_FOR, ClaimReadings, KeptClaims, Reading
from warranty.claims.retrieval import ClaimLimits, ClaimSet, Progress, RejectedRecord, retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.errors import NotSent, Trace
from warranty.language import Sentence


def let_go(readings: ClaimReadings, service: Service) -> Reading:
    service.let_go.set()
    readings.wait(EVERY, longest=LONG)
    return readings.look(EVERY)


def kept_of(found: Reading) -> KeptClaims:
    assert found.cached is not None
    return found.cached


def days(first: object, last: object) -> ClaimQuery:
    ends = (datetime.fromisoformat(f"{first}"), datetime.fromisoformat(f"{last}T23:59:59.999999"))
    return ClaimQuery(claim_dates=ends)


def test_a_set_is_read_once_for_all_who_look(readings: ClaimReadings, service: Service) -> None:
    begin(readings, service, "counter", "office")
    found = readings.look(EVERY)
    assert (found.running, found.cached, found.progress and found.progress.received) == (True, None, 50)
    first, second = let_go(readings, service), readings.look(ClaimQuery())
    assert first.cached is second.cached
    assert (first.fresh, first.running, service.reads) == (True, False, 1)


def test_days_within_what_was_read_are_kept(readings: ClaimReadings, quick: Service, clock: Clock) -> None:
    read(readings)
    clock.now += KEPT_FOR - timedelta(minutes=1)
    dates = sorted(quick.gives.frame["claim_date"])
    first, last = dates[100].date(), dates[200].date()
    some = readings.look(days(first, last))
    claims, expected = kept_of(some).claims, quick.gives.table.as_received()
    expected = expected[expected["claim_date"].between(f"{first}", f"{last}T99")]
    assert len(expected) > 50
    assert claims.table.as_received().to_dict("list") == expected.to_dict("list")
    assert (claims.seal, claims.as_of) == (f"complete: {len(expected)} of {len(expected)}", quick.gives.as_of)
    assert (some.wanting, quick.reads) == (False, 1)
    clock.now += timedelta(minutes=1)
    assert not readings.look(days(first, last)).fresh
    read(readings, days(first, last))
    assert quick.reads == 2


def test_a_later_reading_of_more_days_replaces_all_that_it_covers(readings: ClaimReadings, quick: Service) -> None:
    every, later = quick.gives, quick.gives.as_of + timedelta(minutes=1)
    for query in (ITS_FIRST_WEEK, ADA):
        quick.gives = replace(every, query=query)
        read(readings, query)
    quick.gives = replace(every, as_of=later)
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
    readings: ClaimReadings, quick: Service, was_read: ClaimQuery, asked: ClaimQuery
) -> None:
    quick.gives = replace(quick.gives, query=was_read)
    read(readings, was_read)
    assert (readings.look(asked).wanting, readings.look(was_read).wanting) == (True, False)


@pytest.mark.parametrize("doubt", [
    {"total": 612}, {"total": 612, "reasons": (Sentence("The service failed."),)},
    {"rejected": (RejectedRecord(1, 0, "status", Sentence("is missing"), {}),)},
    {"table": columns_of(*[claim_record("2026-01-05T10:00:00")] * 2).table(), "received": 2, "total": 2},
])  # fmt: skip
def test_a_doubtful_set_proves_none(readings: ClaimReadings, quick: Service, doubt: dict[str, Any]) -> None:
    quick.gives = replace(quick.gives, **doubt)
    read(readings)
    assert readings.look(ITS_FIRST_WEEK).wanting


def test_the_newest_whole_set_is_of_all_customers(readings: ClaimReadings, quick: Service) -> None:
    every, later = quick.gives, quick.gives.as_of + timedelta(minutes=1)
    whole = read(readings).cached
    for query, total in ((ADA, 480), (ITS_FIRST_WEEK, 612)):
        quick.gives = replace(every, query=query, as_of=later, total=total)
        read(readings, query)
    assert readings.newest_whole() is whole
    quick.gives = replace(every, query=JANUARY, as_of=later)
    assert read(readings, JANUARY).cached is readings.newest_whole()
    assert readings.newest_as_of() == later


def test_a_key_tells_neither_the_token_nor_the_customer(readings: ClaimReadings, quick: Service) -> None:
    key = readings.key(ADA)
    assert key == readings.key(ClaimQuery(customer_email="ada@example.com"))
    with closing(ClaimReadings(read=quick, scope="production https://service another-token")) as other:
        assert key not in {readings.key(EVERY), other.key(ADA)}
    read(readings, ADA)
    names = " ".join([key, *map(str, vars(readings)["_entries"]), repr(vars(readings)["_scope"])])
    assert [secret for secret in ("ada@example.com", "token-of-the-account") if secret in names] == []


def test_sets_are_fresh_then_to_compare_slow_ones_late(readings: ClaimReadings, quick: Service, clock: Clock) -> None:
    before = kept_of(read(readings))
    clock.now += KEPT_FOR
    assert (readings.look(EVERY).fresh, readings.look(EVERY).cached) == (False, before)
    assert kept_of(read(readings)).earlier is before.claims
    clock.now += timedelta(hours=25)
    assert readings.look(EVERY).cached is None
    quick.gives = replace(quick.gives, duration=timedelta(minutes=10))
    read(readings)
    for minutes, fresh in ((99, True), (1, False)):
        clock.now += timedelta(minutes=minutes)
        assert readings.look(EVERY).fresh is fresh


@pytest.mark.parametrize("brought", [50, 480, 500])
def test_a_cut_off_refresh_stands_beside(readings: ClaimReadings, service: Service, clock: Clock, brought: int) -> None:
    service.let_go.set()
    whole = read(readings).cached
    service.let_go.clear()
    clock.now += KEPT_FOR
    service.gives, service.stops_with = replace(service.gives, total=612), brought  # it has more by now
    begin(readings, service)
    found = stop(readings)
    assert found.cached is whole
    assert (found.unfinished and found.unfinished.claims.received) == brought
    assert not found.wanting  # not tried again at every click: the person decides
    clock.now += 2 * KEPT_FOR
    assert readings.look(EVERY).wanting


def test_a_reading_ends_when_nobody_wants_it_not_before(readings: ClaimReadings, service: Service) -> None:
    begin(readings, service, "counter", "office")
    readings.leave(EVERY, viewer="counter")
    assert readings.look(EVERY).running
    readings.leave(EVERY, viewer="office")
    readings.wait(EVERY, longest=LONG)
    assert (readings.look(EVERY).running, readings.look(EVERY).cached) == (False, None)


def test_a_failure_is_told_beside_the_set(readings: ClaimReadings, quick: Service, clock: Clock) -> None:
    read(readings)
    quick.fails = NotSent(trace=Trace(operation="claims", attempt_id="a1"))
    found = read(readings)
    assert (found.failure and found.failure.kind, found.cached is not None) == ("NotSent", True)
    clock.now += timedelta(minutes=1)
    assert readings.look(EVERY).failure is None


def test_a_fault_is_told_for_a_minute_and_not_read_again(readings: ClaimReadings, quick: Service, clock: Clock) -> None:
    quick.fails = RuntimeError("a bug")
    read(readings)
    for _ in range(2):
        found = readings.look(EVERY)
        assert (found.fault, found.running, found.wanting) == (quick.fails, False, False)
    clock.now += timedelta(minutes=1)
    assert (readings.look(EVERY).fault, readings.look(EVERY).wanting) == (None, True)


def test_what_cannot_be_measured_ends(readings: ClaimReadings, quick: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = RuntimeError("no memory for the frame")
    monkeypatch.setattr(kept_readings, "_bytes_of", Mock(side_effect=fault))
    found = read(readings)
    assert (found.running, found.fault, found.cached) == (False, fault, None)


@pytest.mark.parametrize("ends_whole", [False, True])
def test_who_comes_back_gets_all_or_no_part(readings: ClaimReadings, service: Service, ends_whole: bool) -> None:
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
        assert (found.cached and found.cached.claims.is_complete, found.left) == (True, False)
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


def test_what_came_before_a_stop_is_kept_for_a_while(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    begin(readings, service)
    part = kept_of(stop(readings))
    for later, former in ((timedelta(minutes=1), part.claims), (KEPT_FOR, None)):
        clock.now += later
        begin(readings, service, "office")
        stop(readings, "office")
        assert service.formers[-1] is former


def test_a_whole_set_is_handed_on_till_a_fault_or_day(readings: ClaimReadings, quick: Service, clock: Clock) -> None:
    whole = kept_of(read(readings))
    clock.now += timedelta(hours=2)
    quick.fails = RuntimeError("a bug")
    read(readings)
    quick.fails = None
    read(readings)
    clock.now += timedelta(hours=25)
    readings.look(EVERY)
    read(readings)
    assert quick.formers == [None, whole.claims, None, None]


def test_memory_of_sets_and_of_what_is_worked_out_is_bounded_the_newest_stays(quick: Service, kept: KeptClaims) -> None:
    queries = [ClaimQuery(customer_email=f"c{number}@example.com") for number in range(3)]
    with closing(ClaimReadings(read=quick, scope="", keep_bytes=1)) as small:
        for query in queries:
            read(small, query)
        assert [small.look(query).cached is not None for query in queries] == [False, False, True]
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
    assert not [thread for thread in set(threading.enumerate()) - others if thread.name.startswith("claim-reading")]


def test_what_came_is_handed_on_in_a_twentieth_of_the_time_at_most(service: Service, clock: Clock) -> None:
    made: list[int] = []
    shown: list[KeptClaims | None] = []
    costs = timedelta()

    def part() -> ClaimSet:
        made.append(len(shown))
        clock.now += costs
        return replace(service.gives, still_reading=True)

    def read_slowly(query: ClaimQuery, *, progress: Callable[[Progress], None] | None, **_: Any) -> ClaimSet:
        assert progress is not None
        shown.clear()
        made.clear()
        for second in range(60):
            clock.now += timedelta(seconds=1)
            progress(Progress(second, 480, second, timedelta(seconds=second), part=part))
            shown.append(readings.look(query).part)
        return service.gives

    with closing(ClaimReadings(read=read_slowly, scope="slow", now=clock)) as readings:
        read(readings, EVERY)
        # None at once: most readings are over by then; and none of no claims.
        assert (made, shown[0]) == ([1, *range(4, 60, 3)], None)
        assert shown[1] is shown[3] is not shown[4]
        assert (readings.look(EVERY).part, readings.look(EVERY).cached is not None) == (None, True)
        costs = timedelta(seconds=0.5)
        read(readings, JANUARY)
        assert made == [*range(1, 60, 10)]
        read(readings, EVERY)  # what was read before stays until all is here
        assert made == []


def part(claims: ClaimSet, count: int = 4) -> ClaimSet:
    return replace(claims, received=count, reasons=(Sentence("The service failed while claims were read."),))


def test_only_whole_readings_are_compared(readings: ClaimReadings, quick: Service) -> None:
    first = quick.gives
    second = replace(first, as_of=first.as_of + timedelta(minutes=5))
    for quick.gives in (first, part(first), second):
        read(readings)
    kept = kept_of(readings.look(EVERY))
    assert kept.claims is second
    assert kept.earlier is first
    assert readings.look(EVERY).unfinished is None


def test_the_larger_part_stays_and_a_whole_set_replaces_it(readings: ClaimReadings, quick: Service) -> None:
    whole = quick.gives
    for count, shown in ((400, 400), (4, 400), (450, 450)):
        quick.gives = part(whole, count)
        kept = kept_of(read(readings))
        assert (kept.claims.received, kept.earlier) == (shown, None)
    quick.gives = whole
    kept = kept_of(read(readings))
    assert kept.claims is whole
    assert kept.earlier is None


def test_a_whole_set_gives_way_after_a_day(readings: ClaimReadings, quick: Service, clock: Clock) -> None:
    read(readings)
    quick.gives = part(quick.gives)
    for _ in range(5):
        clock.now += timedelta(hours=6)
        read(readings)
    assert kept_of(readings.look(EVERY)).claims.received == 4


def test_a_reading_that_waits_for_others_says_so_and_ends_at_once_when_stopped(service: Service) -> None:
    with closing(ClaimReadings(read=service, scope="", readings_at_once=1)) as readings:
        begin(readings, service)
        readings.start(ADA, viewer="office")
        assert (readings.look(EVERY).waiting, readings.look(ADA).waiting) == (False, True)
        readings.stop(ADA, viewer="office")
        readings.wait(ADA, longest=LONG)
        found = readings.look(ADA)
        assert (found.running, found.cached, found.stopped, found.wanting) == (False, None, True, False)
        assert readings.look(EVERY).running
        service.let_go.set()
        read(readings, ADA)
        assert (readings.look(ADA).cached is not None, readings.look(ADA).stopped) == (True, False)


def test_what_is_read_beside_leaves_a_thread_for_what_people_look_at(service: Service) -> None:
    beside = [ClaimQuery(customer_email=f"c{number}@example.com") for number in range(3)]
    with closing(ClaimReadings(read=service, scope="", readings_at_once=2)) as readings:
        for query in beside:
            readings.start(query, viewer="trends", behind=True)
        readings.start(EVERY, viewer="counter")
        until(lambda: not (readings.look(EVERY).waiting or readings.look(beside[0]).waiting))
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


def test_a_stop_before_the_first_answer_is_a_stop(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    service.gives, service.stops_with = replace(service.gives, total=None), 0
    begin(readings, service)
    found = stop(readings)
    assert (found.cached, found.stopped, found.wanting) == (None, True, False)
    clock.now += timedelta(minutes=2)
    assert readings.look(EVERY).wanting


QUERIES = [ClaimQuery(claim_dates=(DAY, DAY + timedelta(days=days))) for days in (30, 31, 32, 33)]


def read_all(service: Counted, limits: ClaimLimits) -> None:
    readings = ClaimReadings(read=partial(retrieve_claims, service, limits=limits), scope="", readings_at_once=4)
    for query in QUERIES:
        readings.start(query, viewer=str(query))
    for query in QUERIES:
        readings.wait(query, longest=LONG)
        assert kept_of(readings.look(query)).claims.is_complete
    readings.close()


def test_no_more_calls_begin_in_a_second_or_run_at_once_than_the_settings_say_however_many_read() -> None:
    service = Counted(takes=0.01)
    before = time.monotonic()
    read_all(service, ClaimLimits(at_once=4, per_second=100))
    assert len(service.began) > 20
    # However late a busy machine begins a call: after so many there have been as many intervals of 10 ms.
    assert all(moment - before >= place * 0.01 for place, moment in enumerate(sorted(service.began)))
    service = Counted(takes=0.01)
    read_all(service, ClaimLimits(at_once=3, per_second=10_000))
    assert service.most == 3


def test_a_call_that_nobody_waits_for_any_more_is_not_sent() -> None:
    limits, stopped = ClaimLimits(at_once=1, per_second=1_000), threading.Event()
    with limits.turn(stopped.is_set):
        stopped.set()
        with pytest.raises(NotSent), limits.turn(stopped.is_set):
            pytest.fail("It has its turn.")
    with limits.turn(lambda: False):
        pass
