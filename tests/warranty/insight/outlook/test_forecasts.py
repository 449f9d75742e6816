"""Forecasts of claims on started plans, and their diary: said once, held against what came, withdrawn where wrong."""

from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest

from tests.worlds import Shop
from warranty.claims.analysis.starts import StartTable
from warranty.desk.journal import Journal
from warranty.insight.outlook import forecasts
from warranty.insight.outlook.diary import ForecastDiary, Foretold
from warranty.insight.outlook.forecasts import claims_by_month, outlook_days, outlook_table, spoken_of_by_month
from warranty.insight.plans.plans_sold import PlansSold
from warranty.insight.statistics.triangle import Forecast, TooFew

SHOP = Shop(seed=5, today=date(2026, 12, 9), claims_a_month=60, months=60, products=2)
NOVEMBER, DECEMBER = date(2026, 11, 22), date(2026, 12, 9)


def read(day: date) -> pd.DataFrame:
    claims = SHOP.claims(day)
    return claims[claims["claim_date"] >= pd.Timestamp(outlook_days(day).first)]


def kept(journal: Journal, day: date, frame: pd.DataFrame | None = None) -> list[Foretold]:
    frame = read(day) if frame is None else frame
    return forecasts.keep_diary(ForecastDiary(journal.database, "sandbox"), outlook_table(frame, as_of=day), frame)


def known(table: StartTable, plans: PlansSold | None = None) -> Forecast:
    told = forecasts.foretell(table, plans=plans)
    assert isinstance(told, Forecast)
    return told


def test_what_is_expected_next_month_is_near_what_came_the_months_before() -> None:
    table = outlook_table(read(NOVEMBER), as_of=NOVEMBER)
    told = known(table)
    recent = spoken_of_by_month(table.counts(), told.ages)[-3:].mean()
    assert 0.7 * recent < told.expected[0] < 1.3 * recent
    assert len(told.expected) == 12
    assert (np.diff(told.expected) < 0).all(), "plans that start later are not in it"
    products = [claims_by_month(read(NOVEMBER), table, product) for product in table.products]
    assert (claims_by_month(read(NOVEMBER), table) == sum(products)).all()


def test_plans_sold_make_it_surer_where_every_month_of_start_is_known() -> None:
    table = outlook_table(read(NOVEMBER), as_of=NOVEMBER)
    rows = SHOP.plans_sold()
    sold_in = zip(rows["month"].dt.strftime("%Y-%m"), rows["product"], rows["plans"], strict=True)
    plans = {(month, product): int(count) for month, product, count in sold_in}
    months = frozenset(month for month, _ in plans)
    sold = (None, *(PlansSold(plans, those, "plans sold") for those in (months, months - {table.starts[0]})))
    totals = [known(table, plans=each).total(0.95) for each in sold]
    widths = [high - low for _, low, high in totals]
    assert widths[1] < widths[0] == widths[2]


def test_plans_older_than_the_first_claim_do_not_make_the_claims_to_come_rise(journal: Journal) -> None:
    """A service that began to write claims down 18 months ago, of plans that were sold for years."""
    frames = [frame[frame["claim_date"] >= pd.Timestamp(2025, 5, 25)] for frame in (read(NOVEMBER), read(DECEMBER))]
    table = outlook_table(frames[0], as_of=NOVEMBER)
    told = known(table)
    assert (table.starts[0], told.ages) == ("2025-06", 15)
    of_these, all_claims = spoken_of_by_month(table.counts(), told.ages), claims_by_month(frames[0], table)
    assert told.expected[0] < 1.3 * of_these[-3:].mean()
    claimed = frames[0]["claim_date"].dt.to_period("M").value_counts()
    assert all_claims.tolist() == [claimed[month] for month in table.starts], "not only those on these plans"
    assert of_these.sum() < table.counts().sum(), "nor at ages that the forecast does not speak of"
    kept(journal, NOVEMBER, frames[0])
    (all_products,) = (each for each in kept(journal, DECEMBER, frames[1]) if not each.product and each.came)
    started = frames[1]["warranty_start_date"].dt.tz_localize(None)
    month = frames[1][frames[1]["claim_date"].between("2026-11-01", "2026-12-01", inclusive="left")]
    assert all_products.came == len(month[started[month.index].between("2025-09-01", "2026-11-01", inclusive="left")])


def test_few_claims_are_too_few_to_tell() -> None:
    told = forecasts.foretell(outlook_table(read(NOVEMBER).iloc[:12], as_of=NOVEMBER))
    assert isinstance(told, TooFew)
    assert str(told.why).startswith("Too few to tell: ")


def test_what_was_said_of_a_month_stands_beside_what_came(journal: Journal) -> None:
    said = kept(journal, NOVEMBER)
    assert {(each.as_of, each.month, each.came) for each in said} == {("2026-10", "2026-11", None)}
    assert [each.product for each in said] == ["", "Product 1", "Product 2"]
    assert all(each.low_95 <= each.low_80 < each.expected < each.high_80 <= each.high_95 for each in said)
    later = kept(journal, DECEMBER)
    assert [replace(each, came=None) for each in later[:3]] == said, "what was said stays as it was said"
    claims = SHOP.claims(DECEMBER)
    months = claims[["claim_date"]].assign(start=claims["warranty_start_date"].dt.tz_localize(None))
    claimed, started = (months[name].dt.to_period("M") for name in ("claim_date", "start"))
    of_plans = (claimed == "2026-11") & (started >= "2023-11") & (started <= "2026-10")
    ages = claimed.astype("int64") - started.astype("int64")
    assert later[0].came == (of_plans & (ages <= 33)).sum() == (later[1].came or 0) + (later[2].came or 0) > 20
    assert {(each.as_of, each.month, each.came) for each in later[3:]} == {("2026-11", "2026-12", None)}


def test_claims_older_than_was_foretold_are_not_counted_as_what_came(journal: Journal) -> None:
    """A forecast is of ages that three starts have reached: in 36 months up to 33."""
    shop = Shop(seed=5, today=DECEMBER, claims_a_month=200, months=60, term=48, products=1)
    claims = shop.claims()
    kept(journal, NOVEMBER, shop.claims(NOVEMBER))
    names = ("claim_date", "warranty_start_date")
    claimed, started = (claims[name].dt.tz_localize(None).dt.to_period("M").astype("int64") for name in names)
    november, ages = claimed == pd.Period("2026-11", "M").ordinal, claimed - started
    assert kept(journal, DECEMBER, claims)[0].came == (november & (ages >= 1) & (ages <= 33)).sum()
    assert (november & (ages > 33) & (ages <= 36)).sum() > 5, "there are older ones"


def test_neither_is_written_a_second_time(journal: Journal) -> None:
    first = kept(journal, NOVEMBER)
    assert kept(journal, NOVEMBER, read(NOVEMBER).iloc[::2]) == first
    came = kept(journal, DECEMBER)
    assert kept(journal, DECEMBER, read(DECEMBER).iloc[::2]) == came
    assert ForecastDiary(journal.database, "production").all() == []


def judged(*came: int, product: str = "") -> list[Foretold]:
    """Months of which 40 to 60 was said, at 95 %."""
    told = Foretold(
        as_of="2026-01", product=product, month="2026-02", expected=50, low_80=45, high_80=55, low_95=40, high_95=60
    )  # fmt: skip
    return [replace(told, came=each) for each in came]


@pytest.mark.parametrize(("came", "withdrawn"), [
    ((40, 60, 45, 50, 55, 59, 41, 61), False), ((40, 60, 45, 50, 55, 59, 39, 61), True), ((0,) * 7, False),
])  # fmt: skip
def test_a_forecast_that_held_too_seldom_withdraws_itself(came: tuple[int, ...], withdrawn: bool) -> None:
    assert bool(forecasts.why_withdrawn(judged(*came), None)) is withdrawn
    assert forecasts.why_withdrawn(judged(*came, product="Lamp"), None) == ""
    if withdrawn:
        assert "in its 95 % interval in 6 of 8 months only" in forecasts.why_withdrawn(judged(*came), None)
