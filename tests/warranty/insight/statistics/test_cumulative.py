"""Claims a plan by age."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from warranty.insight.statistics.cumulative import mean_cumulative

CLAIMS = np.array([[2, 4, 6], [3, 3, 99], [0, 99, 99]])
PLANS = np.array([100, 200, 100])
SEEN = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0]], dtype=bool)


def test_each_age_is_told_of_the_plans_that_were_seen_at_it() -> None:
    curve = mean_cumulative(CLAIMS, PLANS, SEEN)
    assert list(curve.plans) == [400, 300, 100]
    assert curve.mean == pytest.approx([5 / 400, 5 / 400 + 7 / 300, 5 / 400 + 7 / 300 + 6 / 100])
    variance = np.array([5 / 400**2, 5 / 400**2 + 7 / 300**2, 5 / 400**2 + 7 / 300**2 + 6 / 100**2])
    width = np.exp(NormalDist().inv_cdf(0.975) * np.sqrt(variance) / curve.mean)
    assert curve.low == pytest.approx(curve.mean / width)
    assert curve.high == pytest.approx(curve.mean * width)
    assert list(mean_cumulative(CLAIMS, np.array([0, 200, 100]), SEEN).ages) == [0, 1]


def test_without_a_claim_the_interval_ends_where_none_would_be_a_chance_of_one_in_forty() -> None:
    curve = mean_cumulative(np.zeros((3, 3), int), PLANS, SEEN)
    assert (curve.mean == 0).all()
    assert (curve.low == 0).all()
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
