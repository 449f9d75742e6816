"""The shops made of chance are what they say they are."""

from datetime import date

import numpy as np
import pandas as pd

from tests.worlds import Shop


def test_a_day_is_read_as_it_was_that_evening_claims_and_statuses() -> None:
    shop = Shop(seed=4)
    then, now = shop.claims(date(2026, 11, 1)), shop.claims()
    pd.testing.assert_frame_equal(now, Shop(seed=4).claims())
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
    for name, times in (("Product 1", 2), ("Product 2", 1)):
        dates = claims.loc[claims["product_name"] == name, "claim_date"]
        after, before = (dates >= "2026-10-24").sum(), dates.between("2026-09-24", "2026-10-24").sum()
        assert times - 0.1 < after / before < times + 0.1


def test_plans_sold_are_those_that_the_claims_came_from() -> None:
    shop = Shop(seed=5, claims_a_month=200)
    plans = shop.plans_sold()
    assert list(plans.columns) == ["month", "product", "plans"]
    a_plan = len(shop.life) / plans["plans"].sum()
    assert 0.5 * shop.claims_a_plan < a_plan < shop.claims_a_plan
