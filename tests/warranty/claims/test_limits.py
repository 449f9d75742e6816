"""The settings for claims calls hold for the whole process: for all readings together, not for each."""

import threading
import time
from datetime import timedelta
from functools import partial

import pytest

from tests.warranty.retrieval.fake_service import DAY, FakeService, records_at
from warranty.claims.readings import ClaimReadings
from warranty.errors import NotSent
from warranty.resources import ClaimQuery
from warranty.retrieval import ClaimLimits, retrieve_claims

LONG = timedelta(seconds=20)
QUERIES = [
    ClaimQuery(claim_dates=(DAY, DAY + timedelta(days=days, microseconds=-1))) for days in (30, 31, 32, 33)
]


class Counted(FakeService):
    """Counts how many calls are with it at once, and when each began."""

    def __init__(self) -> None:
        super().__init__(records_at(DAY + timedelta(minutes=20 * number) for number in range(400)))
        self.most, self.began, self._now = 0, list[float](), 0
        self._counting = threading.Lock()

    def claims_body(self, query: ClaimQuery) -> bytes:
        with self._counting:
            self._now += 1
            self.most = max(self.most, self._now)
            self.began.append(time.monotonic())
        try:
            threading.Event().wait(0.01)  # long enough for calls to meet
            return super().claims_body(query)
        finally:
            with self._counting:
                self._now -= 1


def read_all(service: Counted, limits: ClaimLimits) -> None:
    readings = ClaimReadings(
        read=partial(retrieve_claims, service, limits=limits), scope="", readings_at_once=4
    )
    for query in QUERIES:
        readings.start(query, viewer=str(query))
    for query in QUERIES:
        readings.wait(query, longest=LONG)
        kept = readings.look(query).kept
        assert kept is not None
        assert kept.claims.is_complete
    readings.close()


def test_no_more_calls_run_at_once_than_the_setting_says_however_many_read() -> None:
    service = Counted()
    read_all(service, ClaimLimits(at_once=3, per_second=10_000))
    assert service.most == 3


def test_no_more_calls_begin_in_a_second_than_the_setting_says_however_many_read() -> None:
    service = Counted()
    before = time.monotonic()
    read_all(service, ClaimLimits(at_once=4, per_second=100))
    assert len(service.began) > 20
    # However late a busy machine begins a call: after so many there have been as many intervals of 10 ms.
    assert all(moment - before >= place * 0.01 for place, moment in enumerate(sorted(service.began)))


def test_a_call_that_nobody_waits_for_any_more_is_not_sent() -> None:
    limits = ClaimLimits(at_once=1, per_second=1_000)
    stopped = threading.Event()
    with limits.turn(stopped.is_set):
        stopped.set()
        with pytest.raises(NotSent), limits.turn(stopped.is_set):
            pytest.fail("It has its turn.")
    with limits.turn(lambda: False):
        pass
