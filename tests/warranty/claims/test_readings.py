"""Sets kept for a while: read once for all, by keys that tell nothing, within a bounded memory."""

import gc
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.warranty.claims.waiting_reader import ADA, EVERY, LONG, PATIENCE, Clock, Service
from warranty.claims import readings as kept_readings
from warranty.claims.readings import KEPT_FOR, ClaimReadings, KeptClaims
from warranty.client import WarrantyClient
from warranty.errors import NotSent, Trace
from warranty.language import Sentence
from warranty.resources import ClaimQuery
from warranty.retrieval import Bounds, ClaimSet, Progress, RejectedRecord, retrieve_claims


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


def days(first: str, last: str) -> ClaimQuery:
    return ClaimQuery(
        claim_dates=(datetime.fromisoformat(first), datetime.fromisoformat(f"{last}T23:59:59.999999"))
    )


def read(readings: ClaimReadings, query: ClaimQuery) -> None:
    readings.start(query, viewer="counter")
    readings.wait(query, longest=LONG)


def test_days_among_those_that_were_read_are_not_asked_for_and_are_as_old_as_these(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    service.let_go.set()
    read(readings, EVERY)
    clock.now += KEPT_FOR - timedelta(minutes=1)
    dates = sorted(service.gives.frame["claim_date"])
    first, last = dates[100].date(), dates[200].date()
    some = readings.look(days(f"{first}", f"{last}"))
    assert not some.wanting
    assert some.kept is not None
    claims = some.kept.claims
    expected = service.gives.as_received()
    expected = expected[expected["claim_date"].between(f"{first}", f"{last}T99")]
    assert len(expected) > 50
    assert claims.as_received().to_dict("list") == expected.to_dict("list")
    assert claims.seal == f"complete: {len(expected)} of {len(expected)}"
    assert claims.as_of == service.gives.as_of
    assert service.reads == 1
    clock.now += timedelta(minutes=1)
    assert not readings.look(days(f"{first}", f"{last}")).fresh
    read(readings, days(f"{first}", f"{last}"))
    assert service.reads == 2


JANUARY, ITS_FIRST_WEEK = days("2026-01-01", "2026-01-31"), days("2026-01-01", "2026-01-07")


@pytest.mark.parametrize(
    ("was_read", "asked"),
    [
        (JANUARY, days("2025-12-31", "2026-01-07")),
        (JANUARY, days("2026-01-25", "2026-02-01")),
        (JANUARY, EVERY),
        (JANUARY, ITS_FIRST_WEEK.model_copy(update={"customer_email": "ada@example.com"})),
        (JANUARY.model_copy(update={"customer_email": "ada@example.com"}), ITS_FIRST_WEEK),
        (JANUARY, ITS_FIRST_WEEK.model_copy(update={"warranty_start_dates": JANUARY.claim_dates})),
        (EVERY, ClaimQuery(warranty_start_dates=JANUARY.claim_dates)),
    ],
)
def test_what_was_read_does_not_answer_for_other_days_another_customer_or_another_start(
    readings: ClaimReadings, service: Service, was_read: ClaimQuery, asked: ClaimQuery
) -> None:
    service.gives = replace(service.gives, query=was_read)
    service.let_go.set()
    read(readings, was_read)
    assert readings.look(asked).wanting
    assert not readings.look(was_read).wanting


@pytest.mark.parametrize(
    "doubt",
    [
        {"total": 612},
        {"total": 612, "reasons": (Sentence("The service failed."),)},
        {"rejected": (RejectedRecord(1, 0, "status", Sentence("is missing"), {}),)},
    ],
)
def test_a_set_with_a_doubt_proves_nothing_about_fewer_days(
    readings: ClaimReadings, service: Service, doubt: dict[str, Any]
) -> None:
    service.gives = replace(service.gives, **doubt)
    service.let_go.set()
    read(readings, EVERY)
    assert readings.look(ITS_FIRST_WEEK).wanting


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
    readings.stop(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    kept = readings.look(EVERY).kept
    assert kept is not None
    assert kept.claims.received == 50
    assert not kept.claims.is_complete


@pytest.mark.parametrize("brought", [50, 480, 500])
def test_a_refresh_that_was_cut_off_stands_beside_the_whole_set_however_much_it_brought(
    readings: ClaimReadings, service: Service, brought: int
) -> None:
    service.let_go.set()
    read(readings, EVERY)
    whole = readings.look(EVERY).kept
    service.let_go.clear()
    service.begun.clear()
    service.gives, service.stops_with = replace(service.gives, total=612), brought  # it has more by now
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    readings.stop(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert found.kept is whole
    assert found.unfinished is not None
    assert found.unfinished.claims.received == brought


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

    monkeypatch.setattr(kept_readings, "_bytes_of", measured)
    service.let_go.set()
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    found = readings.look(EVERY)
    assert not found.running
    assert isinstance(found.fault, RuntimeError)
    assert found.kept is None


def test_whoever_comes_back_to_a_reading_that_was_left_gets_no_part_but_a_new_reading(
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


def test_whoever_stops_a_reading_that_another_waits_for_stops_waiting_and_the_other_gets_all(
    readings: ClaimReadings, service: Service
) -> None:
    for viewer in ("counter", "office"):
        readings.start(EVERY, viewer=viewer)
    assert service.begun.wait(PATIENCE)
    readings.stop(EVERY, viewer="counter")
    left, waiting = readings.look(EVERY, viewer="counter"), readings.look(EVERY, viewer="office")
    assert (left.left, left.running, left.wanting) == (True, False, False)
    assert (waiting.left, waiting.running) == (False, True)
    service.let_go.set()
    readings.wait(EVERY, longest=LONG)
    for viewer in ("counter", "office"):
        found = readings.look(EVERY, viewer=viewer)
        assert found.kept is not None
        assert found.kept.claims.is_complete
        assert not found.left
    assert service.reads == 1


def test_a_tab_that_was_closed_does_not_keep_a_reading_from_being_stopped(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    readings.start(EVERY, viewer="closed")
    assert service.begun.wait(PATIENCE)
    clock.now += timedelta(minutes=1)
    readings.start(EVERY, viewer="counter")
    readings.stop(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    assert readings.look(EVERY).kept is not None
    assert not service.let_go.is_set()


def test_what_was_read_before_a_stop_is_handed_on_to_the_next_reading_and_only_for_a_while(
    readings: ClaimReadings, service: Service, clock: Clock
) -> None:
    readings.start(EVERY, viewer="counter")
    assert service.begun.wait(PATIENCE)
    readings.stop(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    part = readings.look(EVERY).kept
    assert part is not None
    for later, former in ((timedelta(minutes=1), part.claims), (KEPT_FOR, None)):
        clock.now += later
        service.begun.clear()
        readings.start(EVERY, viewer="office")
        assert service.begun.wait(PATIENCE)
        readings.stop(EVERY, viewer="office")
        readings.wait(EVERY, longest=LONG)
        assert service.formers[-1] is former


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
        former: ClaimSet | None,
    ) -> ClaimSet:
        return retrieve_claims(client, query, progress=progress, cancel=cancel, bounds=bounds, former=former)

    readings = ClaimReadings(read=read, scope="sandbox")
    readings.start(EVERY, viewer="counter")
    readings.wait(EVERY, longest=LONG)
    kept = readings.look(EVERY).kept
    assert kept is not None
    assert kept.claims.is_complete
    assert kept.claims.received == 480
    readings.close()


def test_what_came_so_far_is_handed_on_every_few_seconds_in_a_twentieth_of_the_time_at_most(
    service: Service, clock: Clock
) -> None:
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
    assert made == [
        1,
        *range(4, 60, 3),
    ]  # none at once: most readings are over by then, and none of no claims
    assert shown[0] is None
    assert shown[1] is shown[3] is not shown[4]
    assert readings.look(EVERY).part is None
    assert readings.look(EVERY).kept is not None

    costs = timedelta(seconds=0.5)
    read(readings, JANUARY)
    assert made == [*range(1, 60, 10)]

    read(readings, EVERY)  # what was read before stays until all is here
    assert made == []
    readings.close()
