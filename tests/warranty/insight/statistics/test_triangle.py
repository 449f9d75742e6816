"""Claims a plan by age, claims to come, how long claims take: the chain ladder, the curve, and how sure they are."""

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from warranty.insight.statistics.cumulative import mean_cumulative
from warranty.insight.statistics.interval_censored import Curve, resolution_curve
from warranty.insight.statistics.triangle import Forecast, TooFew, developed, forecast

COUNTS = np.array([[10, 20, 10, 4], [12, 24, 12, 0], [8, 16, 0, 0], [11, 0, 0, 0], [9, 99, 99, 99]])
PLANS = np.array([100, 120, 80, 200, 50])
SEEN = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]], dtype=bool)


def foretold(counts: Any = COUNTS, seen: Any = SEEN, *, months_ahead: int = 12, **more: Any) -> Forecast:
    answer = forecast(counts, seen, months_ahead=months_ahead, **more)
    assert isinstance(answer, Forecast), answer
    return answer


def test_the_factors_of_the_months_before_or_the_claims_a_plan_foretell_ages_that_three_starts_reached() -> None:
    """30 claims at age 0 and 60 at age 1: the youngest has 11. Or 60 of 300 plans seen there: it sold 200."""
    answer = foretold()
    assert answer.expected == pytest.approx([22.0]), "the youngest start month reaches its last known age in a month"
    assert foretold(plans=PLANS).expected == pytest.approx([40.0])
    assert answer.ages == 2, "four months were seen at age 0, three at age 1, two at age 2"


def test_what_was_not_seen_is_never_looked_at_and_too_few_to_tell_is_said_in_a_sentence() -> None:
    for plans in (None, PLANS):
        first, second = foretold(plans=plans), foretold(np.where(SEEN, COUNTS, 7), plans=plans)
        assert (first.expected == second.expected).all()
        assert (first.draws == second.draws).all(), "and a forecast is the same each time"
    none = (np.zeros_like(COUNTS), SEEN)
    for counts, seen in ((COUNTS[2:], SEEN[2:]), none, (COUNTS[:3], np.ones((3, 4), bool)), (COUNTS[:0], SEEN[:0])):
        answer = forecast(counts, seen, months_ahead=12)
        assert isinstance(answer, TooFew)
        assert str(answer.why).endswith(".")


def test_the_wider_interval_holds_the_narrower_and_start_months_that_vary_make_it_wider() -> None:
    answer = foretold()
    (low80, high80), (low95, high95) = answer.interval(0.80), answer.interval(0.95)
    assert ((low95 <= low80) & (low80 < answer.expected)).all()
    assert ((answer.expected < high80) & (high80 <= high95)).all()
    expected, low, high = answer.total(0.95)
    assert expected == pytest.approx(22.0)
    assert low < 22 < high
    calm = np.tile([40, 40, 40, 40, 40, 40], (12, 1))
    wild = np.where(np.indices(calm.shape).sum(axis=0) % 2 == 0, 70, 10)
    seen = np.add.outer(np.arange(12), np.arange(6)) < 12
    narrow, wide = (foretold(each, seen, months_ahead=3) for each in (calm, wild))
    assert (narrow.dispersion, wide.dispersion > 5) == (1, True)
    assert wide.total(0.8)[2] - wide.total(0.8)[1] > 1.5 * (narrow.total(0.8)[2] - narrow.total(0.8)[1])


def test_a_start_month_without_a_claim_yet_does_not_stop_the_forecast() -> None:
    counts = np.array([[0, 5, 5], [0, 4, 5], [0, 6, 4], [0, 5, 0], [0, 0, 0]])
    seen = np.add.outer(np.arange(5), np.arange(3)) < 5
    assert np.isfinite(foretold(counts, seen, months_ahead=2).expected).all()
    before, at = developed(counts.astype(float), seen)
    assert list(before) == [0, 0, 15]
    assert list(at) == [0, 20, 14]


def test_what_comes_varies_by_chance_even_where_the_rate_is_known() -> None:
    """A thousand times as many plans were seen as are to come: what is left is Poisson, of 40 give or take 6."""
    plans, counts = np.array([100_000, 120_000, 80_000, 200, 50]), COUNTS * 1_000
    counts[3, 0] = 20
    answer = foretold(counts, plans=plans, months_ahead=1)
    assert answer.expected == pytest.approx([40.0])
    assert float(answer.draws.std()) == pytest.approx(40**0.5, rel=0.15)


CLAIMS = np.array([[2, 4, 6], [3, 3, 99], [0, 99, 99]])
SOLD = np.array([100, 200, 100])
LOOKED_AT = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0]], dtype=bool)


def test_each_age_is_told_of_the_plans_seen_at_it_and_without_a_claim_ends_at_a_chance_of_one_in_forty() -> None:
    curve = mean_cumulative(CLAIMS, SOLD, LOOKED_AT)
    assert list(curve.plans) == [400, 300, 100]
    assert curve.mean == pytest.approx([5 / 400, 5 / 400 + 7 / 300, 5 / 400 + 7 / 300 + 6 / 100])
    variance = np.array([5 / 400**2, 5 / 400**2 + 7 / 300**2, 5 / 400**2 + 7 / 300**2 + 6 / 100**2])
    width = np.exp(NormalDist().inv_cdf(0.975) * np.sqrt(variance) / curve.mean)
    assert curve.low == pytest.approx(curve.mean / width)
    assert curve.high == pytest.approx(curve.mean * width)
    assert list(mean_cumulative(CLAIMS, np.array([0, 200, 100]), LOOKED_AT).ages) == [0, 1]
    curve = mean_cumulative(np.zeros((3, 3), int), SOLD, LOOKED_AT)
    assert ((curve.mean == 0) & (curve.low == 0)).all()
    assert curve.high[0] == pytest.approx(-math.log(0.025) / 400)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    plans, rate = np.full(24, 60), 0.01
    seen = np.add.outer(np.arange(24), np.arange(12)) < 24
    held = []
    for _ in range(400):
        curve = mean_cumulative(rng.poisson(60 * rate, (24, 12)), plans, seen)
        held.append((curve.low[-1] <= 12 * rate) & (12 * rate <= curve.high[-1]))
    assert 0.92 <= np.mean(held) <= 0.98


STILL_OPEN = np.inf


def curve_of(after: object, until: object, **more: object) -> Curve:
    curve = resolution_curve(after, until, **more)  # type: ignore[arg-type]
    assert curve is not None
    return curve


def nights(claims: int, seed: int, *, mean: float = 30, taken: int = 365, gap: float = 0.05) -> tuple[Any, Any]:
    """Claims of a year that take `mean` days, seen in those nights that were taken (a share `gap` was not)."""
    rng = np.random.default_rng(seed)
    day = rng.integers(0, taken, claims)
    read = np.append(np.flatnonzero(rng.random(taken) >= gap), taken)
    night = np.searchsorted(read, day + rng.exponential(mean, claims))
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


def test_no_night_between_makes_an_interval_wider_and_twenty_resolved_do_not_tell_when_nine_of_ten_are() -> None:
    known = curve_of(range(20), range(1, 21)).interval(0.5)
    before = [day // 5 * 5 for day in range(20)]
    blurred = curve_of(before, [day + 5 for day in before]).interval(0.5)
    assert blurred[0] <= known[0]
    assert known[1] <= blurred[1]
    curve = curve_of(range(20), range(1, 21))
    assert (curve.interval(0.9)[1], curve.interval(0.1)[0]) == (np.inf, 0)
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
