"""How long claims take, where only the nights before and after are known."""

from typing import Any

import numpy as np
import pytest

from warranty.insight.statistics.interval_censored import Curve, resolution_curve

STILL_OPEN = np.inf


def curve_of(after: object, until: object, **more: object) -> Curve:
    curve = resolution_curve(after, until, **more)  # type: ignore[arg-type]
    assert curve is not None
    return curve


def nights(claims: int, seed: int, *, mean: float = 30, taken: int = 365, gap: float = 0.05) -> tuple[Any, Any]:
    """Claims of a year that take `mean` days, seen in those nights that were taken (a share `gap` was not)."""
    rng = np.random.default_rng(seed)
    day = rng.integers(0, taken, claims)
    ended = day + rng.exponential(mean, claims)
    read = np.append(np.flatnonzero(rng.random(taken) >= gap), taken)
    night = np.searchsorted(read, ended)
    until = np.where(night < len(read), read[np.minimum(night, len(read) - 1)] - day, STILL_OPEN)
    return np.maximum(read[np.maximum(night - 1, 0)] - day, 0), until


def test_days_known_exactly_are_counted_and_claims_all_open_tell_that_it_takes_longer() -> None:
    curve = curve_of([1, 2, 3, 4], [1, 2, 3, 4])
    assert [curve.resolved_by(day) for day in range(6)] == pytest.approx([0, 0.25, 0.5, 0.75, 1, 1])
    assert curve.quantile(0.5) == 2
    opened = curve_of([3, 5], [STILL_OPEN, STILL_OPEN])
    assert opened.quantile(0.5) == opened.interval(0.5)[1] == np.inf
    assert resolution_curve([], []) is None


def test_a_claim_that_is_open_still_counts_for_as_long_as_it_was_seen() -> None:
    """Kaplan-Meier: one of four after a day, then one of two that were seen for longer than two."""
    curve = curve_of([1, 2, 3, 4], [1, STILL_OPEN, 3, STILL_OPEN])
    assert curve.resolved_by(1) == pytest.approx(1 / 4)
    assert curve.resolved_by(3) == pytest.approx(1 / 4 + 3 / 4 / 2)
    assert curve.quantile(0.9) == np.inf


def test_what_happened_is_taken_to_have_happened_where_claims_meet() -> None:
    """(0, 2], (1, 3] and (2, 4] meet in (1, 2] and (2, 3]: all that happened is taken to have happened there."""
    curve = curve_of([0, 1, 2], [2, 3, 4])
    told = {right: mass for right, mass in zip(curve.right, curve.mass, strict=True) if mass > 1e-9}
    assert told == pytest.approx({2: 0.5, 3: 0.5})


def test_claims_told_as_counts_are_as_each_by_itself_and_hours_widen_to_days() -> None:
    each = curve_of([0, 0, 1, 1, 1], [2, 2, 3, 3, STILL_OPEN])
    counted = curve_of([0, 1, 1], [2, 3, STILL_OPEN], counts=[2, 2, 1])
    assert (counted.claims, counted.interval(0.5)) == (5, each.interval(0.5))
    assert counted.mass == pytest.approx(each.mass)
    hours, days = curve_of([0.9, 1.2], [1.1, 1.3]), curve_of([0, 1], [2, 2])
    assert list(hours.right) == list(days.right)
    assert hours.mass == pytest.approx(days.mass)


def test_no_night_between_makes_an_interval_wider_and_does_not_move_it() -> None:
    known = curve_of(range(20), range(1, 21)).interval(0.5)
    before = [day // 5 * 5 for day in range(20)]
    blurred = curve_of(before, [day + 5 for day in before]).interval(0.5)
    assert blurred[0] <= known[0]
    assert known[1] <= blurred[1]


def test_twenty_claims_all_resolved_do_not_tell_when_nine_of_ten_are() -> None:
    """All of 20 below the day of which 90 % are below: a chance of one in eight, so no end is known."""
    curve = curve_of(range(20), range(1, 21))
    assert curve.interval(0.9)[1] == np.inf
    assert curve.interval(0.1)[0] == 0
    low, high = curve.interval(0.5)
    assert 0 < low < 10 < high < 20


@pytest.mark.parametrize(
    ("seeds", "claims"), [(40, 60), pytest.param(365, 300, marks=pytest.mark.long)], ids=["some", "a year of seeds"]
)
def test_the_interval_of_the_days_holds_the_truth_in_95_of_100_and_more(seeds: int, claims: int) -> None:
    held = dict.fromkeys((0.25, 0.5, 0.9), 0)
    for seed in range(seeds):
        curve = curve_of(*nights(claims, seed, gap=0.1))
        for share in held:
            low, high = curve.interval(share)
            held[share] += low <= -30 * np.log(1 - share) <= high
    assert all(count >= 0.95 * seeds for count in held.values()), held
