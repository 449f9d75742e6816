"""What chance does to a count, which days are held against which, and what a difference is called."""

import math
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.builders import base
from warranty.claims.analysis import Figure, Period, Verdict, comparable, why_not_comparable
from warranty.claims.analysis.against import Compared
from warranty.claims.analysis.chance import count_interval, differs, poisson_at_least
from warranty.claims.analysis.side_by_side import side_by_side


@pytest.mark.parametrize(("one", "other", "is_more_than_chance"), [
    (48, 42, False), (60, 30, True), (0, 0, False), (5, 0, True), (4, 0, False),
])  # fmt: skip
def test_two_counts_differ_by_more_than_chance(one: int, other: int, is_more_than_chance: bool) -> None:
    """All of five fall on one side by chance in 2 * 1/32 of cases, all of four in 2 * 1/16."""
    assert differs(one, other) is differs(other, one) is is_more_than_chance


def differ_in(now: float, before: float, **level: float) -> float:
    def chances(mean: float) -> list[float]:
        return [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(int(2 * mean) + 20)]

    return sum(
        a * b
        for one, a in enumerate(chances(now))
        for other, b in enumerate(chances(before))
        if a * b > 1e-7 and differs(one, other, **level)
    )


def test_steady_counts_differ_no_oftener_than_the_level_allows_and_windows_are_compared_by_the_day() -> None:
    for mean in (5, 50):
        for level in (0.90, 0.95):
            assert differ_in(mean, mean, level=level) <= 1 - level
    assert differ_in(60, 30) >= 0.90, "at the level that the screens use"
    assert [differs(90, 30, days_now=now, days_before=30) for now in (90, 30)] == [False, True]


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


def days(first: str, last: str) -> Period:
    return Period(date.fromisoformat(first), date.fromisoformat(last))


OCTOBER = comparable(days("2026-10-01", "2026-10-31"))


@pytest.mark.parametrize(("month", "before", "last_year"), [
    (OCTOBER.month, days("2026-09-01", "2026-09-30"), days("2025-10-01", "2025-10-31")),
    (days("2024-02-01", "2024-02-29"), days("2024-01-01", "2024-01-31"), days("2023-02-01", "2023-02-28")),
    (days("2026-01-01", "2026-01-31"), days("2025-12-01", "2025-12-31"), days("2025-01-01", "2025-01-31")),
])  # fmt: skip
def test_a_month_is_held_against_the_last_and_last_years(month: Period, before: Period, last_year: Period) -> None:
    assert comparable(month) == (month, before, last_year)


@pytest.mark.parametrize(("now", "before", "words"), [
    (42, 36, "42 · 36 in Sep 2026 · could be chance"), (36, 36, "36 · 36 in Sep 2026 · could be chance"),
    (60, 30, "60 · 30 in Sep 2026 · unlikely to be chance"), (30, 60, "30 · 60 in Sep 2026 · unlikely to be chance"),
    (1_090, 960, f"1,090 · 960 in Sep 2026 · {Verdict.USUAL}"),
    (960, 1_040, f"960 · 1,040 in Sep 2026 · {Verdict.USUAL}"), (0, 0, "0 · 0 in Sep 2026 · could be chance"),
    (5, 0, "5 · 0 in Sep 2026 · unlikely to be chance"),
])  # fmt: skip
def test_a_change_has_both_counts_and_what_it_is_worth(now: int, before: int, words: str) -> None:
    assert OCTOBER.change(now, OCTOBER.before, before).words == words


IN_MAY = comparable(days("2026-05-01", "2026-05-31"))


@pytest.mark.parametrize(("month", "now", "against", "then", "verdict"), [
    (OCTOBER, 180, "last_year", 100, Verdict.USUAL), (OCTOBER, 180, "before", 100, Verdict.BEYOND),
    (OCTOBER, 300, "last_year", 100, Verdict.BEYOND), (IN_MAY, 1_230, "before", 1_000, Verdict.USUAL),
    (IN_MAY, 800, "before", 1_000, Verdict.USUAL), (IN_MAY, 1_400, "before", 1_000, Verdict.BEYOND),
    (IN_MAY, 620, "last_year", 1_000, Verdict.BEYOND),
])  # fmt: skip
def test_growth_and_season_are_weighed(month: Compared, now: int, against: str, then: int, verdict: Verdict) -> None:
    assert month.change(now, getattr(month, against), then).verdict is verdict


@pytest.mark.parametrize(("first_claim", "sentence"), [
    (date(2025, 10, 1), ""), (date(2025, 10, 2), "No comparison with Oct 2025: the first claim is of 2 Oct 2025"),
    (date(2025, 11, 1), "No comparison with Oct 2025: there were no claims yet"),
])  # fmt: skip
def test_no_change_is_said_against_days_before_the_first_claim(first_claim: date, sentence: str) -> None:
    assert why_not_comparable(OCTOBER.last_year, first_claim) == sentence


def test_how_many_is_said_with_both_counts_and_nothing_is_concluded_from_the_first_year_of_a_shop() -> None:
    changes = OCTOBER.change(42, OCTOBER.before, 36), OCTOBER.change(42, OCTOBER.last_year, 24)
    figure = Figure(name="Claims", value=42, base=base(f"claims dated {OCTOBER.month.words}"), changes=changes)
    assert figure.how_it_changed == (
        "42 · 36 in Sep 2026 · could be chance; 42 · 24 in Oct 2025 · could be sales or season."
    )
    assert replace(figure, changes=()).how_it_changed == ""
    young = OCTOBER.change(300, OCTOBER.last_year, 100, since=date(2024, 10, 2))
    assert young.words == "300 · 100 in Oct 2025 · too early to tell"
    assert OCTOBER.change(300, OCTOBER.last_year, 100, since=date(2024, 10, 1)).verdict is Verdict.BEYOND
    assert OCTOBER.change(46, OCTOBER.before, 35).counts == "46 · 35 before"
