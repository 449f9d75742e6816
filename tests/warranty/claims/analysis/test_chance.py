"""What chance does to a count: told exactly, from none to a million."""

import math

import numpy as np
import pytest

from warranty.claims.analysis.chance import count_interval, differs, poisson_at_least
from warranty.claims.analysis.side_by_side import side_by_side


@pytest.mark.parametrize(("one", "other", "is_more_than_chance"), [
    (48, 42, False), (60, 30, True), (0, 0, False), (5, 0, True), (4, 0, False),
])  # fmt: skip
def test_two_counts_differ_by_more_than_chance(one: int, other: int, is_more_than_chance: bool) -> None:
    """All of five fall on one side by chance in 2 * 1/32 of cases, all of four in 2 * 1/16."""
    assert differs(one, other) is differs(other, one) is is_more_than_chance


def test_windows_of_unequal_length_are_compared_by_the_day() -> None:
    assert [differs(90, 30, days_now=now, days_before=30) for now in (90, 30)] == [False, True]


def differ_in(now: float, before: float, **level: float) -> float:
    def chances(mean: float) -> list[float]:
        return [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(int(2 * mean) + 20)]

    return sum(
        a * b
        for one, a in enumerate(chances(now))
        for other, b in enumerate(chances(before))
        if a * b > 1e-7 and differs(one, other, **level)
    )


def test_steady_counts_differ_no_oftener_than_the_level_allows_and_a_doubling_of_thirty_does() -> None:
    for mean in (5, 50):
        for level in (0.90, 0.95):
            assert differ_in(mean, mean, level=level) <= 1 - level
    assert differ_in(60, 30) >= 0.90, "at the level that the screens use"


@pytest.mark.parametrize("count", [0, 1, 37, 10_000, 1_000_000])
def test_both_ends_of_an_interval_explain_the_count_in_one_of_forty(count: int) -> None:
    low, high = count_interval(count, 0.95)
    assert poisson_at_least(count, low) == pytest.approx(0.025 if count else 1, abs=1e-9)  # of none it begins at none
    assert poisson_at_least(count + 1, high) == pytest.approx(0.975, abs=1e-9)


def test_what_differs_more_than_chance_stands_on_top_and_rates_may_be_over_1() -> None:
    rows = side_by_side({"A": (10, 100), "B": (12, 110), "Lemon": (40, 100), "C": (11, 300), "None": (0, 0)})
    assert [row.product for row in rows if row.differs] == ["Lemon", "C"]
    assert [row.product for row in rows] == ["Lemon", "C", "B", "A"]
    assert rows[0].low < 0.4 < rows[0].high
    assert side_by_side({"Alone": (3, 10)})[0].differs is False
    (row,) = side_by_side({"Kettle": (12, 10)})
    assert (row.share, round(row.low, 4), round(row.high, 4)) == (1.2, 0.6201, 2.0962)


def test_of_tables_of_products_that_are_alike_at_most_5_in_100_tell_that_one_differs() -> None:
    rng, told = np.random.default_rng(14), 0
    for _ in range(200):
        wholes = rng.integers(20, 200, 12)
        both = zip(rng.poisson(wholes * 0.3).tolist(), wholes.tolist(), strict=True)
        told += any(row.differs for row in side_by_side({str(place): each for place, each in enumerate(both)}))
    assert told <= 10
