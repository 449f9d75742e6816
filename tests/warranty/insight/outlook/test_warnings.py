"""Products whose claims are more than their past explains: the one that goes wrong is named, the busy one is not."""

import json
from datetime import date, timedelta
from random import Random

import numpy as np
import pandas as pd
import pytest

from sandbox.seeds.lemon import LEMON, STEADY, lemon_claims
from warranty.claims.analysis import Period
from warranty.claims.analysis.chance import poisson_at_least
from warranty.insight.outlook.forecasts import outlook_days
from warranty.insight.outlook.warnings import chance_words, product_warnings, watch
from warranty.insight.statistics.warning import EarlyWarning, false_alarms_a_year, growth_of, rings, rise_it_would_see


def lemon(today: date) -> pd.DataFrame:
    """What `python -m sandbox --seed lemon` holds on a day: the columns of `ClaimSet.frame` that are counted."""
    records = [json.loads(claim.record) for claim in lemon_claims(Random("1|lemon"), today)]
    frame = pd.DataFrame(records)[["claim_date", "warranty_start_date", "product_name"]]
    frame["claim_date"] = pd.to_datetime(frame["claim_date"]).astype("datetime64[us]")
    frame["warranty_start_date"] = pd.to_datetime(frame["warranty_start_date"], utc=True).astype("datetime64[us, UTC]")
    return frame.sort_values("claim_date", ascending=False, ignore_index=True)


TODAY = date(2026, 11, 22)
DAYS = outlook_days(TODAY)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return lemon(TODAY)


def more(frame: pd.DataFrame, product: str, day: date, claims: int) -> pd.DataFrame:
    rows = frame.iloc[[0] * claims].assign(claim_date=pd.Timestamp(day), product_name=product)
    return pd.concat([frame, rows.astype(frame.dtypes)], ignore_index=True)


def test_the_product_that_goes_wrong_is_named_not_the_busier_one_and_the_surer_first(frame: pd.DataFrame) -> None:
    (warning,) = product_warnings(frame, days=DAYS)
    october = frame["claim_date"].dt.strftime("%Y-%m") == "2026-10"
    came = (october & (frame["product_name"] == LEMON)).sum()
    assert (warning.product, warning.since) == (LEMON, date(2026, 8, 1))
    told = watch(frame, days=DAYS)
    judged = told.judged[LEMON]
    assert (told.month, told.came[LEMON]) == (date(2026, 10, 1), came)
    assert 50 < judged.expected < 70
    assert judged.probability < 1 / 600
    assert warning.sentence == (
        f"{LEMON}: {came} claims in Oct 2026, where its own past expects {judged.expected:.0f}. Chance alone "
        f"brings so many in {chance_words(judged.probability)} such months. More than expected since Aug 2026."
    )
    assert told.came[STEADY] > 60
    assert 1 < told.rise_seen(STEADY) < 2 < told.rise_seen("Arc floor lamp"), "few claims hide a large rise"
    assert 0 < told.false_alarms_a_year < 1
    two = more(frame, STEADY, date(2026, 10, 5), 400)
    assert [each.product for each in product_warnings(two, days=DAYS)] == [STEADY, LEMON]


@pytest.mark.parametrize("today", [TODAY + timedelta(days=days) for days in (30, 100, 220, 330)])
def test_it_is_named_on_whatever_day_the_sandbox_is_started(today: date) -> None:
    assert [each.product for each in product_warnings(lemon(today), days=outlook_days(today))] == [LEMON]


def test_neither_a_shop_that_begins_with_the_judged_month_nor_the_running_one_is_judged(frame: pd.DataFrame) -> None:
    told = watch(frame[frame["claim_date"] >= "2026-10-05"], days=DAYS)
    assert (told.judged, told.warnings) == ({}, ())
    assert product_warnings(more(frame, STEADY, TODAY, 900), days=DAYS) == product_warnings(frame, days=DAYS)


def test_in_the_low_month_of_a_year_a_doubling_is_named_by_the_season_that_other_products_show() -> None:
    months = pd.period_range("2023-11", "2026-10", freq="M")
    usual = [round(40 * (1 + 0.3 * np.cos(2 * np.pi * (month.month - 4) / 12))) for month in months]
    rows = [
        (month.to_timestamp(), product)
        for product, counts in {"Lamp": [*usual[:-1], 2 * usual[-1]], "Kettle": usual, "Iron": usual}.items()
        for month, count in zip(months, counts, strict=True)
        for _ in range(count)
    ]
    told = watch(pd.DataFrame(rows, columns=["claim_date", "product_name"]), days=DAYS)
    assert [(each.product, told.came[each.product]) for each in told.warnings] == [("Lamp", 56)]
    assert told.judged["Lamp"].expected == pytest.approx(28, abs=2)


def test_a_product_without_a_year_of_past_is_not_judged_nor_is_a_shop_which_says_why(frame: pd.DataFrame) -> None:
    young = frame
    for month in range(2, 11):
        young = more(young, "New robot", date(2026, month, 5), 4 * month**2)
    told = watch(young, days=DAYS)
    assert (told.too_young, "New robot" in told.judged) == (("New robot",), False)
    told = watch(frame, days=Period(date(2025, 10, 2), TODAY))
    assert (told.warnings, told.judged) == ((), {})
    assert told.why_not == "A year and a month of claims is needed, and 12 whole months were read."
    assert watch(frame, days=Period(date(2025, 10, 1), TODAY)).why_not == ""


def test_without_a_claim_nothing_rings_and_small_chances_are_told_in_words(frame: pd.DataFrame) -> None:
    told = watch(frame.iloc[:0], days=DAYS)
    assert (told.warnings, told.too_young, told.false_alarms_a_year) == ((), (), 0)
    assert chance_words(1 / 4_321) == "1 in 4,000"
    assert chance_words(1e-9) == "fewer than 1 in a million"


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


def test_claims_that_grow_with_the_sales_do_not_ring_nor_without_a_year_and_a_past_that_jumps_rings_later() -> None:
    growing = [round(20 * 1.06**month) for month in range(25)]
    assert not judged(growing[:-1], growing[-1]).rings
    assert judged(growing[:-1], growing[-1]).expected == pytest.approx(growing[-1], rel=0.1)
    assert rings([30] * 11, 60) is None
    assert rings([0] * 12, 5) is None
    assert judged([10, 50] * 12, 60).threshold > judged([30] * 24, 60).threshold + 10


@pytest.mark.parametrize("months", [1, 2, 3])
def test_it_says_since_when(months: int) -> None:
    assert judged([30] * 24 + [70] * (months - 1), 75).since == months
    assert judged([30] * 24, 31).since == 0


def test_the_rise_it_would_see_shows_in_nine_of_ten_months_and_growth_is_told_with_how_sure_it_is() -> None:
    warning = judged([30] * 24, 30)
    rise = rise_it_would_see(warning)
    assert 1.5 < rise < 2.1
    assert poisson_at_least(warning.threshold, rise * warning.expected) == pytest.approx(0.90, abs=1e-6)
    assert rise_it_would_see(judged([2] * 24, 2)) > 3
    assert false_alarms_a_year([warning] * 200) == pytest.approx(200 * 12 * warning.by_chance)
    assert false_alarms_a_year([warning] * 200) <= 4, "of all products together"
    growth, sure = growth_of([round(400 * 1.04**month) for month in range(24)])
    assert growth == pytest.approx(np.log(1.04), abs=0.002)
    assert 0 < sure < 0.005
    assert growth_of([0] * 12)[1] > sure
