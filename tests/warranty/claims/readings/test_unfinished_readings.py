"""Readings that brought a part, wait for others, or were stopped: what is shown then, and what is not thrown away."""

from dataclasses import replace
from datetime import timedelta

from tests.waiting import until
from tests.warranty.claims.readings.waiting_reader import ADA, EVERY, LONG, PATIENCE, Clock, Service, begin, read, stop
from warranty.claims.readings.readings import ClaimReadings, KeptClaims
from warranty.claims.retrieval import ClaimSet
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence


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
