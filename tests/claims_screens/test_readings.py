"""Sets kept for a while: read once for all, by keys that tell nothing, within a bounded memory."""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from warranty import claim_readings
from warranty.claim_readings import KEPT_FOR, ClaimReadings, KeptClaims
from warranty.client import WarrantyClient
from warranty.errors import NotSent, Trace
from warranty.resources import ClaimQuery
from warranty.retrieval import Bounds, ClaimSet, Progress, retrieve_claims

ADA = ClaimQuery(customer_email="ada@example.com")
EVERY = ClaimQuery()
LONG = timedelta(seconds=20)
PATIENCE = 20


@dataclass
class Service:
    """A reader that waits until it is let go, and counts."""

    gives: ClaimSet
    reads: int = 0
    let_go: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    fails: Exception | None = None
    slow_to_stop: threading.Event = field(default_factory=threading.Event)
    stops_with: int = 50

    def __post_init__(self) -> None:
        self.slow_to_stop.set()

    def __call__(
        self,
        query: ClaimQuery,
        *,
        progress: Callable[[Progress], None] | None,
        cancel: threading.Event | None,
        bounds: Bounds | None,
    ) -> ClaimSet:
        assert progress is not None
        assert cancel is not None
        self.reads += 1
        progress(Progress(50, 480, 1, timedelta(seconds=1)))
        self.begun.set()
        while not self.let_go.wait(0.01):
            if cancel.is_set() and self.slow_to_stop.is_set():
                return replace(self.gives, received=self.stops_with, reasons=("Reading was stopped.",))
        if self.fails:
            raise self.fails
        return self.gives


@dataclass
class Clock:
    now: datetime = datetime(2026, 11, 21, 14, 2, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def service(kept: KeptClaims) -> Service:
    return Service(kept.claims)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def readings(service: Service, clock: Clock) -> Iterator[ClaimReadings]:
    made = ClaimReadings(read=service, scope="sandbox https://service token-of-the-account", now=clock)
    yield made
    made.close()


def test_a_set_is_read_once_for_all_who_look(readings: ClaimReadings, service: Service) -> None:
    for viewer in ("counter", "office"):
        readings.start(EVERY, viewer=viewer)
    assert service.begun.wait(PATIENCE)
    found = readings.look(EVERY)
    assert found.running
    assert found.kept is None
    assert found.progress is not None
    assert found.progress.received == 50
    service.let_go.set()
    readings.wait(EVERY, longest=LONG)
    first, second = readings.look(EVERY), readings.look(ClaimQuery())
    assert first.kept is second.kept
    assert first.fresh
    assert not first.running
    assert service.reads == 1


def test_a_key_tells_neither_the_token_nor_the_customer(readings: ClaimReadings, service: Service) -> None:
    key = readings.key(ADA)
    assert key == readings.key(ClaimQuery(customer_email="ada@example.com"))
    assert key != readings.key(EVERY)
    assert "ada@example.com" not in key
    assert "token-of-the-account" not in key
    other = ClaimReadings(read=service, scope="production https://service another-token")
    assert other.key(ADA) != key
    other.close()
    service.let_go.set()
    readings.start(ADA, viewer="counter")
    readings.wait(ADA, longest=LONG)
    secrets = {"ada@example.com", "token-of-the-account"}
    kept_under = " ".join(str(name) for name in vars(readings)["_entries"])
    assert not [secret for secret in secrets if secret in kept_under + repr(vars(readings)["_scope"])]


def test_sets_are_fresh_for_a_while_and_then_still_there_to_compare_with(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    before = readings.look(EVERY).kept
    assert before is not None
    clock.now += KEPT_FOR
    assert not readings.look(EVERY).fresh
    assert readings.look(EVERY).kept is before
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    after = readings.look(EVERY).kept
    assert after is not None
    assert after.earlier is before.claims
    clock.now += timedelta(hours=25)
    assert readings.look(EVERY).kept is None


def test_a_set_that_took_long_to_read_is_kept_longer(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.gives = replace(service.gives, duration=timedelta(minutes=10))
    service.let_go.set()
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    clock.now += timedelta(minutes=99)
    assert readings.look(EVERY).fresh


def test_cancelling_keeps_what_was_read(readings: ClaimReadings, service: Service) -> None:
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    readings.cancel(EVERY)
    readings.wait(EVERY, longest=LONG)
    kept = readings.look(EVERY).kept
    assert kept is not None
    assert kept.claims.received == 50
    assert not kept.claims.is_complete


def test_cancelling_a_refresh_leaves_the_set_that_was_there(
    readings: ClaimReadings, service: Service
) -> None:
    service.let_go.set()
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    whole = readings.look(EVERY).kept
    service.let_go.clear()
    readings.start(EVERY, viewer="counter")
    readings.cancel(EVERY)
    readings.wait(EVERY, longest=LONG)
    assert readings.look(EVERY).kept is whole


def test_a_reading_ends_when_nobody_wants_it_any_more_and_not_before(
    readings: ClaimReadings, service: Service
) -> None:
    for viewer in ("counter", "office"):
        readings.start(EVERY, viewer=viewer)
    readings.leave(EVERY, viewer="counter")
    assert readings.look(EVERY).running
    readings.leave(EVERY, viewer="office")
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert not found.running
    assert found.kept is None


def test_a_failure_is_told_for_a_minute_beside_what_was_read_before(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    service.fails = NotSent(trace=Trace(operation="claims", attempt_id="a1"))
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert found.failure is not None
    assert found.failure.kind == "NotSent"
    assert found.kept is not None
    clock.now += timedelta(minutes=2)
    assert readings.look(EVERY).failure is None


def test_a_fault_of_ours_is_told_for_a_minute_and_does_not_begin_to_read_again_and_again(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    service.fails = RuntimeError("a bug")
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    for _ in range(2):
        found = readings.look(EVERY)
        assert found.fault is service.fails
        assert not found.running
        assert not found.wanting
    clock.now += timedelta(minutes=2)
    assert readings.look(EVERY).fault is None
    assert readings.look(EVERY).wanting


def test_a_set_that_cannot_be_measured_does_not_look_as_if_it_were_still_being_read(
    readings: ClaimReadings, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(_: ClaimSet) -> int:
        raise RuntimeError("no memory for the frame")

    monkeypatch.setattr(claim_readings, "_bytes_of", measured)
    service.let_go.set()
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert not found.running
    assert isinstance(found.fault, RuntimeError)
    assert found.kept is None


def test_whoever_comes_back_to_a_reading_that_was_let_go_gets_no_part_but_a_new_reading(
    readings: ClaimReadings, service: Service
) -> None:
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    service.slow_to_stop.clear()
    readings.leave(EVERY, viewer="counter")
    readings.start(EVERY, viewer="office")
    assert readings.look(EVERY).running
    service.slow_to_stop.set()
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert found.kept is None
    assert found.wanting


def test_whoever_comes_back_gets_the_whole_set_if_it_was_read_after_all(
    readings: ClaimReadings, service: Service
) -> None:
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    service.slow_to_stop.clear()
    readings.leave(EVERY, viewer="counter")
    readings.start(EVERY, viewer="office")
    service.let_go.set()
    service.slow_to_stop.set()
    readings.wait(EVERY, longest=LONG)
    assert readings.look(EVERY).fresh
    assert service.reads == 1


def test_two_who_wait_for_one_reading_both_get_what_is_left_when_one_of_them_stops_it(
    readings: ClaimReadings, service: Service
) -> None:
    for viewer in ("counter", "office"):
        readings.start(EVERY, viewer=viewer)
    assert service.begun.wait(PATIENCE)
    readings.cancel(EVERY)
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert found.kept is not None
    assert found.kept.claims.received == 50
    assert not found.running
    assert not found.wanting


def test_memory_is_bounded_and_the_newest_set_stays(service: Service) -> None:
    service.let_go.set()
    small = ClaimReadings(read=service, scope="", keep_bytes=1)
    queries = [ClaimQuery(customer_email=f"c{number}@example.com") for number in range(3)]
    for query in queries:
        small.start(query, viewer="counter")
        small.wait(query, longest=LONG)
    assert [small.look(query).kept is not None for query in queries] == [False, False, True]
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
    readings = ClaimReadings(read=service, scope="")
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    readings.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("claim-reading")]
    gc.collect()


def test_the_real_reader_fits(client: WarrantyClient) -> None:
    def read(
        query: ClaimQuery,
        *,
        progress: Callable[[Progress], None] | None,
        cancel: threading.Event | None,
        bounds: Bounds | None,
    ) -> ClaimSet:
        return retrieve_claims(client, query, progress=progress, cancel=cancel, bounds=bounds)

    readings = ClaimReadings(read=read, scope="sandbox")
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    kept = readings.look(EVERY).kept
    assert kept is not None
    assert kept.claims.is_complete
    assert kept.claims.received == 480
    readings.close()


def read(readings: ClaimReadings, query: ClaimQuery = EVERY) -> None:
    readings.start(query, viewer="counter")
    readings.wait(query, longest=LONG)


def part(claims: ClaimSet, count: int = 4) -> ClaimSet:
    return replace(claims, received=count, reasons=("The service failed while claims were read.",))


def test_a_refresh_that_brought_only_a_part_stands_beside_the_whole_set_and_not_in_its_place(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    read(readings)
    whole = readings.look(EVERY).kept
    assert whole is not None
    clock.now += KEPT_FOR
    service.gives = part(whole.claims)
    read(readings)
    found = readings.look(EVERY)
    assert found.kept is whole
    assert found.unfinished is not None
    assert found.unfinished.claims.received == 4
    # Not tried again at every click: the person decides.
    assert not found.wanting
    clock.now += KEPT_FOR
    assert readings.look(EVERY).wanting


def test_only_whole_readings_are_compared(readings: ClaimReadings, service: Service, clock: Clock) -> None:
    first = service.gives
    service.let_go.set()
    read(readings)
    service.gives = part(first)
    read(readings)
    service.gives = second = replace(first, as_of=first.as_of + timedelta(minutes=5))
    read(readings)
    found = readings.look(EVERY)
    assert found.kept is not None
    assert found.kept.claims is second
    assert found.kept.earlier is first
    assert found.unfinished is None


def test_the_part_with_more_claims_stays_and_a_whole_set_takes_the_place_of_any_part(
    readings: ClaimReadings, service: Service
) -> None:
    whole = service.gives
    service.let_go.set()
    for count, shown in ((400, 400), (4, 400), (450, 450)):
        service.gives = part(whole, count)
        read(readings)
        kept = readings.look(EVERY).kept
        assert kept is not None
        assert kept.claims.received == shown
        assert kept.earlier is None
    service.gives = whole
    read(readings)
    kept = readings.look(EVERY).kept
    assert kept is not None
    assert kept.claims is whole
    assert kept.earlier is None


def test_a_whole_set_that_is_a_day_old_gives_way_to_a_part(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    read(readings)
    service.gives = part(service.gives)
    for _ in range(5):
        clock.now += timedelta(hours=6)
        read(readings)
    kept = readings.look(EVERY).kept
    assert kept is not None
    assert kept.claims.received == 4


def test_a_refresh_of_an_old_set_that_somebody_stops_does_not_begin_again_by_itself(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    read(readings)
    clock.now += KEPT_FOR
    service.let_go.clear()
    service.begun.clear()
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    readings.cancel(EVERY)
    readings.wait(EVERY, longest=LONG)
    assert not readings.look(EVERY).wanting


def test_a_reading_that_waits_for_others_says_so_and_ends_at_once_when_it_is_stopped(
    service: Service,
) -> None:
    readings = ClaimReadings(read=service, scope="", readings_at_once=1)
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    assert not readings.look(EVERY).waiting
    readings.start(ADA, viewer="office")
    assert readings.look(ADA).waiting
    readings.cancel(ADA)
    readings.wait(ADA, longest=LONG)
    found = readings.look(ADA)
    assert not found.running
    assert found.kept is None
    assert found.stopped
    assert not found.wanting
    assert readings.look(EVERY).running
    service.let_go.set()
    readings.start(ADA, viewer="office")
    readings.wait(ADA, longest=LONG)
    assert readings.look(ADA).kept is not None
    assert not readings.look(ADA).stopped
    readings.close()


def test_what_is_read_beside_leaves_a_thread_for_what_people_look_at(service: Service) -> None:
    readings = ClaimReadings(read=service, scope="", readings_at_once=2)
    beside = [ClaimQuery(customer_email=f"c{number}@example.com") for number in range(3)]
    for query in beside:
        readings.start(query, viewer="trends", behind=True)
    readings.start(EVERY, viewer="counter")
    begun(readings, EVERY)
    begun(readings, beside[0])
    assert [readings.look(query).waiting for query in beside] == [False, True, True]
    # Somebody opens the last of them: it is next, before the one that came first.
    readings.start(beside[2], viewer="office")
    readings.cancel(EVERY)
    begun(readings, beside[2])
    assert readings.look(beside[1]).waiting
    service.let_go.set()
    for query in beside:
        readings.wait(query, longest=LONG)
        assert readings.look(query).kept is not None
    readings.close()


def begun(readings: ClaimReadings, query: ClaimQuery) -> None:
    """Wait until a thread has taken it up."""
    until = time.monotonic() + PATIENCE
    while readings.look(query).waiting:
        assert time.monotonic() < until


def test_what_is_stopped_before_the_first_answer_claims_to_know_no_total(client: WarrantyClient) -> None:
    stopped = threading.Event()
    stopped.set()
    claims = retrieve_claims(client, EVERY, cancel=stopped)
    assert (claims.received, claims.total, claims.is_complete) == (0, None, False)
    assert claims.count_words == "0 of unknown"


def test_stopping_before_the_first_answer_leaves_no_set_and_does_not_begin_again_by_itself(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.gives = replace(service.gives, total=None)
    service.stops_with = 0
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    readings.cancel(EVERY)
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert found.kept is None
    assert found.stopped
    assert not found.wanting
    clock.now += timedelta(minutes=2)
    assert readings.look(EVERY).wanting
