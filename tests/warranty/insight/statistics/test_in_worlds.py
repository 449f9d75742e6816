"""What is foretold and warned of, held against shops whose truth is known: some here, hundreds in `make test-all`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from warranty.claims.analysis.chance import poisson_at_least
from warranty.insight.statistics.triangle import Forecast, forecast
from warranty.insight.statistics.warning import EarlyWarning, growth_of, rings, season_of

AHEAD, TERM, A_PLAN = 36, 36, 0.3
some_and_many = pytest.mark.parametrize("worlds", [40, pytest.param(500, marks=pytest.mark.long)])


@dataclass(frozen=True)
class Foretold:
    said: Forecast
    came: "np.ndarray[Any, Any]"
    """Claims of each month ahead, of the ages and start months that the forecast is of."""

    @property
    def error(self) -> float:
        """Of the total over all months ahead, in proportion to what came."""
        return float(self.said.expected.sum() / self.came.sum() - 1)

    def held(self, level: float) -> bool:
        _, low, high = self.said.total(level)
        return low <= float(self.came.sum()) <= high


def foretold(
    seed: int, *, plans_a_month: float, months: int, growth: float = 0.0, with_plans: bool = False
) -> Foretold:
    """A shop with plans of three years, 0.3 claims a plan, a tenth of them early, sales with a season of 15 %."""
    rng = np.random.default_rng([seed, 7])
    month = np.arange(months)
    season = 1 + 0.15 * np.sin(2 * np.pi * (month + rng.uniform(0, 12)) / 12)
    plans = rng.poisson(plans_a_month * (1 + growth) ** (month - months + 1) * season)
    reached = np.clip((np.arange(months + AHEAD + 2) - 0.5) / TERM, 0, 1)
    pattern = A_PLAN * np.diff(0.1 * np.clip(10 * reached, 0, 1) + 0.9 * reached)
    claims = rng.poisson(plans[:, None] * pattern)
    ages = np.arange(claims.shape[1])
    seen = month[:, None] + ages < months
    known, sold = np.where(seen, claims, 0)[:, :months], plans if with_plans else None
    said = forecast(known, seen[:, :months], plans=sold, months_ahead=AHEAD, draws=199, seed=seed)
    assert isinstance(said, Forecast)
    told = np.where(ages < said.ages, claims, 0)
    return Foretold(said, np.array([told[month, months - month + ahead].sum() for ahead in range(len(said.expected))]))


def of_all_kinds(worlds: int, *, with_plans: bool) -> Iterator[Foretold]:
    """30 to 60 months, 60 to 400 plans a month, sales that grow by -3 to 6 % a month."""
    for seed in range(worlds):
        rng = np.random.default_rng([seed, 8])
        months, plans, growth = int(rng.integers(30, 61)), rng.uniform(60, 400), rng.uniform(-0.03, 0.06)
        yield foretold(seed, plans_a_month=plans, months=months, growth=growth, with_plans=with_plans)


@some_and_many
@pytest.mark.parametrize("with_plans", [False, True], ids=["claims alone", "plans sold"])
def test_the_interval_of_nine_in_ten_holds_in_about_nine_of_ten_shops(worlds: int, with_plans: bool) -> None:
    shops = list(of_all_kinds(worlds, with_plans=with_plans))
    held = np.mean([shop.held(0.90) for shop in shops])
    chance = 1.65 * (0.09 / worlds) ** 0.5 if worlds < 500 else 0
    assert 0.85 - chance <= held <= 0.95 + chance
    print(f"90 % held in {held:.1%}, 80 % in {np.mean([shop.held(0.80) for shop in shops]):.1%}")  # noqa: T201


@some_and_many
@pytest.mark.parametrize("with_plans", [False, True], ids=["claims alone", "plans sold"])
def test_the_error_of_a_large_shop_after_five_years_is_small(worlds: int, with_plans: bool) -> None:
    """Error: of the total over the months ahead; its mean is near none, and its standard deviation at most this."""
    most = 0.035 if with_plans else 0.06
    shops = (foretold(seed, plans_a_month=400, months=60, with_plans=with_plans) for seed in range(worlds))
    errors = [shop.error for shop in shops]
    print(f"{np.mean(errors):+.2%} ± {np.std(errors):.2%}")  # noqa: T201
    assert abs(np.mean(errors)) < (0.02 if worlds == 500 else 0.04)
    assert np.std(errors) <= most * (1 if worlds == 500 else 1.2)


def warned(
    products: int, months: int, *, least: int = 0, of: int = 20, season: float = 0.0, at: int | None = None
) -> Iterator[tuple[float, EarlyWarning]]:
    """Steady products, `of` to a shop whose sales grow by -3 to 6 % a month: of 3 to 100 claims, the last of 30.

    Those from number `least` on are judged, by two years of their own. `season`: how far the year's wave goes, `at`
    which month of it the judged one is (None: any).
    """
    for shop in range(products // of):
        rng = np.random.default_rng([shop, 9])
        means = np.append(np.exp(rng.uniform(np.log(3), np.log(100), of - 1)), 30)
        months_ago = np.arange(months + 1) - months
        wave = 1 + season * np.sin(2 * np.pi * (months_ago + (rng.integers(12) if at is None else at)) / 12)
        counts = rng.poisson(means[:, None] * (1 + rng.uniform(-0.03, 0.06)) ** months_ago * wave / wave[-1])
        for mean, (*past, now) in zip(means[least:], counts[least:].tolist(), strict=True):
            others = (counts.sum(axis=0)[:-1] - past).tolist()
            of_year = season_of(others)
            warning = rings(past[-24:], now, growth=growth_of(others[-24:], of_year), season=of_year)
            assert warning is not None
            yield float(mean), warning


def false_alarms_a_quarter(products: int, months: int, season: float) -> float:
    """Over 200 of them: not counted (they are too rare) but added up from each rule that was made of each past."""
    judged = list(warned(products, months, season=season))
    rung = 600 * np.mean([poisson_at_least(each.threshold, mean) for mean, each in judged])
    print(f"{rung:.2f} a quarter, {sum(each.rings for _, each in judged)} of {len(judged)} rang")  # noqa: T201
    return float(rung)


def found_in_month(shops: int, month: int) -> tuple[float, float]:
    """The share of doublings that is found in the first month, and how far off what is expected is."""
    judged = list(warned(shops * 3, 35, least=2, of=3, season=0.3, at=month))
    found = np.mean([poisson_at_least(each.threshold, 60) for _, each in judged])
    off = np.mean([each.expected for _, each in judged]) / 30 - 1
    print(f"month {month}: {found:.1%}, expected {off:+.1%}")  # noqa: T201
    return float(found), float(off)


@pytest.mark.parametrize("products", [200, pytest.param(1_000, marks=pytest.mark.long)])
@pytest.mark.parametrize(("months", "season"), [(12, 0.0), (24, 0.0), (35, 0.3)])
def test_two_hundred_steady_products_ring_at_most_once_a_quarter(products: int, months: int, season: float) -> None:
    assert false_alarms_a_quarter(products, months, season) <= 1


@pytest.mark.parametrize("products", [1_000, pytest.param(6_000, marks=pytest.mark.long)])
def test_a_doubling_of_thirty_a_month_is_found_in_its_first_month_in_nine_of_ten(products: int) -> None:
    for months in (12, 24):
        found = np.mean([poisson_at_least(each.threshold, 60) for _, each in warned(products, months, least=19)])
        print(f"{months} months: {found:.1%}")  # noqa: T201
        assert found >= 0.90


@pytest.mark.parametrize("month", range(12))
@pytest.mark.parametrize("shops", [20, pytest.param(400, marks=pytest.mark.long)])
def test_it_is_found_in_every_month_of_a_year_whose_season_the_past_has_shown(shops: int, month: int) -> None:
    """Of a shop with three products alone, whose claims swing by 30 % up and down in a year."""
    found, off = found_in_month(shops, month)
    assert found >= 0.85
    assert abs(off) < 0.1
