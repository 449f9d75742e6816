"""Claims are asked for as fast as the service shows that it can, and no faster."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple

import pytest

from warranty.claims.retrieval.pace import AdaptivePace

AT_ONCE = 16
Service = Callable[[float], float | None]
"""Given the moment of a call: the seconds that its answer takes, None for a 429."""


class Played(NamedTuple):
    began: float
    seconds: float | None


def play(service: Service, *, calls: int, ceiling: float = 40) -> list[Played]:
    """So many calls by one pace, in a time of our own."""
    now = 0.0
    pace = AdaptivePace(ceiling, clock=lambda: now)
    played, on_their_way = list[Played](), list[tuple[float, float | None]]()
    next_start = 0.0
    while len(played) < calls:
        is_full = len(on_their_way) >= min(AT_ONCE, pace.at_once)
        if on_their_way and (is_full or on_their_way[0][0] <= next_start):
            ends, seconds = heappop(on_their_way)
            now = max(now, ends)
            if seconds is None:
                pace.refused()
            else:
                pace.answered(seconds)
            continue
        now = max(now, next_start)
        next_start = now + 1 / pace.per_second
        played.append(Played(now, service(now)))
        heappush(on_their_way, (now + (played[-1].seconds or 0.01), played[-1].seconds))
    return played


@pytest.mark.parametrize("calls", [430, 560], ids=["in the order of dates", "in any order"])
def test_twenty_thousand_claims_of_a_quick_service_take_less_than_15_seconds(calls: int) -> None:
    began = [each.began for each in play(lambda _now: 0.05, calls=calls)]
    assert began[-1] < 15
    assert max(sum(moment <= each < moment + 1 for each in began) for moment in began) <= 41


def test_a_service_that_allows_ten_a_second_refuses_at_most_one_in_twenty_after_two_seconds() -> None:
    taken: list[float] = []

    def service(now: float) -> float | None:
        if sum(now - 1 < each for each in taken) >= 10:
            return None
        taken.append(now)
        return 0.05

    later = [each for each in play(service, calls=1_000) if each.began > 2]
    assert 0 < sum(each.seconds is None for each in later) <= 0.05 * len(later)
    assert len(later) / (later[-1].began - later[0].began) > 7


@pytest.mark.parametrize(
    ("workers", "quiet"), [(1, 0.05), (2, 0.05), (1, 0.2), (1, 1.0), (2, 0.1), (3, 0.2), (2, 0.4), (8, 0.3)]
)
def test_a_service_that_slows_under_load_is_never_driven_above_twice_its_quiet_time(workers: int, quiet: float) -> None:
    free_at = [0.0] * workers

    def service(now: float) -> float:
        ends = max(now, heappop(free_at)) + quiet
        heappush(free_at, ends)
        return ends - now

    played = play(service, calls=600)
    assert max(each.seconds or 0 for each in played) <= 2 * quiet + 0.001
    assert 600 / played[-1].began > 0.6 * min(40, workers / quiet)


def test_neither_what_this_machine_loses_itself_nor_a_slower_day_slows_a_reading_down() -> None:
    played = play(lambda now: 0.003 if int(now * 7) % 3 else 0.012, calls=430)
    assert played[-1].began < 15
    calls = iter(range(3_000))
    played = play(lambda _now: 0.03 if next(calls) < 200 else 0.3, calls=3_000)
    assert played[-1].began - played[-400].began < 20
