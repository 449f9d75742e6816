"""The shops made of chance are what they say they are."""

from datetime import date

import numpy as np
import pandas as pd

from tests.worlds import Shop
from warranty.analysis import ClaimCube
from warranty.retrieval.claim_codes import ClaimCodes


def test_a_shop_is_the_same_each_time_and_read_as_claims_are() -> None:
    claims = Shop(seed=3).claims()
    pd.testing.assert_frame_equal(claims, Shop(seed=3).claims())
    assert claims["claim_date"].is_monotonic_decreasing
    assert (claims["warranty_start_date"].dt.tz_localize(None) <= claims["claim_date"]).all()
    assert ClaimCube.of(claims, codes=ClaimCodes.of(claims)) is not None


def test_a_day_is_read_as_it_was_that_evening_claims_and_statuses() -> None:
    shop = Shop(seed=4)
    then, now = shop.claims(date(2026, 11, 1)), shop.claims()
    assert then["claim_date"].max() < pd.Timestamp("2026-11-02")
    assert len(then) < len(now)
    same = now[now["claim_date"] < pd.Timestamp("2026-11-02")].reset_index(drop=True)
    assert (same["warranty_id"] == then["warranty_id"]).all()
    ended = then["status"].isin(["RESOLVED", "DENIED", "CANCELLED", "REPLACED"])
    assert (same["status"][ended].astype(str) == then["status"][ended].astype(str)).all()
    assert (same["status"].astype(str) != then["status"].astype(str)).any()
    assert len(shop.claims(pd.Timestamp("2026-11-01 12:00"))) <= len(then)


def test_sales_that_grow_bring_the_claims_that_were_asked_for() -> None:
    since = pd.Timestamp("2026-10-24")
    for growth in (-0.03, 0.0, 0.06):
        told = [int((Shop(seed, growth=growth).claims()["claim_date"] >= since).sum()) for seed in range(20)]
        assert abs(np.mean(told) - 40) < 5


def test_a_product_that_doubles_does_so_from_its_day_and_the_others_do_not() -> None:
    shops = [
        Shop(seed, claims_a_month=200, products=2, doubles={1: (date(2026, 10, 24), 2)}) for seed in range(20)
    ]
    claims = pd.concat([shop.claims() for shop in shops])
    first, second = (
        [
            int(((claims["product_name"] == name) & (claims["claim_date"] >= day)).sum())
            for day in ("2026-10-24", "2026-09-24")
        ]
        for name in ("Product 1", "Product 2")
    )
    assert 1.9 < first[0] / (first[1] - first[0]) < 2.1
    assert 0.9 < second[0] / (second[1] - second[0]) < 1.1


def test_plans_sold_are_those_that_the_claims_came_from() -> None:
    shop = Shop(seed=5, claims_a_month=200)
    plans = shop.plans_sold()
    assert list(plans.columns) == ["month", "product", "plans"]
    a_plan = len(shop.life) / plans["plans"].sum()
    assert 0.5 * shop.claims_a_plan < a_plan < shop.claims_a_plan
