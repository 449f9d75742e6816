"""Early warning: rings where a month is more than the product's own past explains, and seldom where it is not."""

import numpy as np
import pytest

from warranty.claims.analysis.chance import poisson_at_least
from warranty.insight.statistics.warning import EarlyWarning, false_alarms_a_year, growth_of, rings, rise_it_would_see


def judged(history: list[int], now: int, **more: object) -> EarlyWarning:
    warning = rings(history, now, **more)  # type: ignore[arg-type]
    assert warning is not None
    return warning


def test_a_doubling_of_thirty_rings_and_says_what_was_expected_and_how_rare_it_is() -> None:
    assert [judged([30] * 12, now).rings for now in (60, 40, 5)] == [True, False, False]
    warning = judged([30] * 24, 60)
    assert warning.expected == pytest.approx(30, abs=3)
    assert warning.probability < 1 / 600
    assert warning.by_chance <= 1 / 600
    assert not judged([30] * 24, warning.threshold - 1).rings
    assert judged([30] * 24, warning.threshold).rings


def test_claims_that_grow_with_the_sales_do_not_ring() -> None:
    growing = [round(20 * 1.06**month) for month in range(25)]
    assert not judged(growing[:-1], growing[-1]).rings
    assert judged(growing[:-1], growing[-1]).expected == pytest.approx(growing[-1], rel=0.1)


def test_a_year_with_a_claim_is_needed_and_a_past_that_jumps_makes_it_slower_to_ring() -> None:
    assert rings([30] * 11, 60) is None
    assert rings([0] * 12, 5) is None
    assert judged([10, 50] * 12, 60).threshold > judged([30] * 24, 60).threshold + 10


@pytest.mark.parametrize("months", [1, 2, 3])
def test_it_says_since_when(months: int) -> None:
    assert judged([30] * 24 + [70] * (months - 1), 75).since == months
    assert judged([30] * 24, 31).since == 0


def test_how_large_a_rise_it_would_see_is_the_rise_that_nine_of_ten_months_would_show() -> None:
    warning = judged([30] * 24, 30)
    rise = rise_it_would_see(warning)
    assert 1.5 < rise < 2.1
    assert poisson_at_least(warning.threshold, rise * warning.expected) == pytest.approx(0.90, abs=1e-6)
    assert rise_it_would_see(judged([2] * 24, 2)) > 3
    assert false_alarms_a_year([warning] * 200) == pytest.approx(200 * 12 * warning.by_chance)
    assert false_alarms_a_year([warning] * 200) <= 4, "of all products together"


def test_how_fast_a_shop_grows_is_told_with_how_sure_that_is() -> None:
    growth, sure = growth_of([round(400 * 1.04**month) for month in range(24)])
    assert growth == pytest.approx(np.log(1.04), abs=0.002)
    assert 0 < sure < 0.005
    assert growth_of([0] * 12)[1] > sure
