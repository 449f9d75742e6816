"""The settings for claims calls hold for the whole process: for all readings together, not for each."""

import threading
import time
from datetime import timedelta
from functools import partial

import pytest

from tests.warranty.claims.retrieval.fake_service import DAY, Counted
from warranty.claims.readings.readings import ClaimReadings
from warranty.claims.retrieval import ClaimLimits, retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.errors import NotSent

LONG = timedelta(seconds=20)
QUERIES = [ClaimQuery(claim_dates=(DAY, DAY + timedelta(days=days))) for days in (30, 31, 32, 33)]


def read_all(service: Counted, limits: ClaimLimits) -> None:
    readings = ClaimReadings(read=partial(retrieve_claims, service, limits=limits), scope="", readings_at_once=4)
    for query in QUERIES:
        readings.start(query, viewer=str(query))
    for query in QUERIES:
        readings.wait(query, longest=LONG)
        kept = readings.look(query).cached
        assert kept is not None
        assert kept.claims.is_complete
    readings.close()


def test_no_more_calls_run_at_once_than_the_setting_says_however_many_read() -> None:
    service = Counted(takes=0.01)
    read_all(service, ClaimLimits(at_once=3, per_second=10_000))
    assert service.most == 3


def test_no_more_calls_begin_in_a_second_than_the_setting_says_however_many_read() -> None:
    service = Counted(takes=0.01)
    before = time.monotonic()
    read_all(service, ClaimLimits(at_once=4, per_second=100))
    assert len(service.began) > 20
    # However late a busy machine begins a call: after so many there have been as many intervals of 10 ms.
    assert all(moment - before >= place * 0.01 for place, moment in enumerate(sorted(service.began)))


def test_a_call_that_nobody_waits_for_any_more_is_not_sent() -> None:
    limits, stopped = ClaimLimits(at_once=1, per_second=1_000), threading.Event()
    with limits.turn(stopped.is_set):
        stopped.set()
        with pytest.raises(NotSent), limits.turn(stopped.is_set):
            pytest.fail("It has its turn.")
    with limits.turn(lambda: False):
        pass
