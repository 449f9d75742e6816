"""What chance does to a count: told exactly, from none to a million."""

import math

import pytest

from warranty.statistics.chance import (
    binomial_at_least,
    count_interval,
    differs,
    poisson_at_least,
    share_interval,
)


def test_six_more_than_forty_two_is_within_what_chance_does() -> None:
    assert not differs(48, 42)
    assert not differs(42, 48)


def test_a_doubling_of_thirty_is_more_than_chance_does_and_so_is_a_halving() -> None:
    assert differs(60, 30)
    assert differs(30, 60)


def test_nothing_beside_nothing_does_not_differ() -> None:
    assert not differs(0, 0)


@pytest.mark.parametrize(("now", "before", "told"), [(5, 0, True), (4, 0, False)])
def test_five_where_none_was_are_told_and_four_are_not(now: int, before: int, told: bool) -> None:
    """All of five fall on one side by chance in 2 * 1/32 of cases, all of four in 2 * 1/16."""
    assert differs(now, before) is told


def test_windows_of_unequal_length_are_compared_by_the_day() -> None:
    assert not differs(90, 30, days_now=90, days_before=30)
    assert differs(90, 30, days_now=30, days_before=30)


@pytest.mark.parametrize("mean", [5, 30, 100])
def test_steady_counts_are_told_as_different_no_oftener_than_the_level_allows(mean: int) -> None:
    chances = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(3 * mean + 20)]
    told = sum(
        a * b
        for now, a in enumerate(chances)
        for before, b in enumerate(chances)
        if a * b > 1e-9 and differs(now, before, level=0.90)
    )
    assert told <= 0.10


def test_a_true_doubling_of_thirty_is_told_in_nine_of_ten_months_at_the_level_that_the_screens_use() -> None:
    def chance_of(count: int, mean: float) -> float:
        return math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))

    told = sum(
        chance_of(now, 60) * chance_of(before, 30)
        for now in range(20, 110)
        for before in range(5, 65)
        if differs(now, before)
    )
    assert told >= 0.90


def test_the_interval_of_a_count_of_none_starts_at_none_and_ends_where_none_is_a_chance_of_one_in_forty() -> (
    None
):
    low, high = count_interval(0, 0.95)
    assert low == 0
    assert high == pytest.approx(-math.log(0.025), abs=1e-9)


def test_the_interval_of_a_share_of_none_or_all_is_that_of_the_rule_of_three() -> None:
    assert share_interval(0, 100, 0.95) == pytest.approx((0, 1 - 0.025**0.01), abs=1e-9)
    assert share_interval(100, 100, 0.95) == pytest.approx((0.025**0.01, 1), abs=1e-9)
    assert share_interval(0, 0, 0.95) == (0, 1)


@pytest.mark.parametrize("count", [1, 37, 10_000, 1_000_000])
def test_both_ends_of_an_interval_explain_the_count_in_one_of_forty(count: int) -> None:
    low, high = count_interval(count, 0.95)
    assert poisson_at_least(count, low) == pytest.approx(0.025, abs=1e-9)
    assert poisson_at_least(count + 1, high) == pytest.approx(0.975, abs=1e-9)
    low, high = share_interval(count, 3 * count, 0.95)
    assert binomial_at_least(count, 3 * count, low) == pytest.approx(0.025, abs=1e-9)
    assert binomial_at_least(count + 1, 3 * count, high) == pytest.approx(0.975, abs=1e-9)
