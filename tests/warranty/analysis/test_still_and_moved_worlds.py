"""What Overview tells of shops in which nothing changes, and of shops in which claims double."""

from collections.abc import Iterator
from datetime import date, timedelta
from math import exp, log

import numpy as np
import pandas as pd
import pytest

from components.words.days import PRESETS
from tests.worlds import Shop
from warranty.analysis import Change, ClaimCube, Period, Trends, Verdict, comparable

TODAY = date(2026, 11, 22)
RANGES = [days for _, days in PRESETS.values() if days]


def still_shop(number: int) -> Shop:
    rng = np.random.default_rng([14, number])
    # Half the shops are drawn evenly from 5 to 500 claims a month, half by their logarithm: most shops are small.
    claims = rng.uniform(5, 500) if number % 2 else exp(rng.uniform(log(5), log(500)))
    return Shop(
        seed=number,
        today=TODAY,
        claims_a_month=claims,
        growth=rng.uniform(-0.03, 0.06),
        resolve_days=rng.uniform(15, 60),
        months=48,
    )


def changes(claims: pd.DataFrame, today: date) -> Iterator[Change]:
    """Every change that Overview tells of a shop on a day: each named range, all products and each."""
    for product in [None, *sorted(set(claims["product_name"]))]:
        chosen = claims if product is None else claims[claims["product_name"] == product]
        counts = Trends(ClaimCube.of(chosen), Period(today - timedelta(days=1500), today))
        for days in RANGES:
            compared = comparable(days(today), today=today)
            if compared is None:
                continue
            now = counts.claims_on(compared.days)
            for against in filter(None, (compared.before, compared.last_year)):
                yield compared.change(now, against, counts.claims_on(against))


def share_told(shops: int) -> dict[str, float]:
    """The share of changes told as more than chance in still shops: of all, and against the days before alone."""
    every: list[bool] = []
    before: list[bool] = []
    for number in range(shops):
        for change in changes(still_shop(number).claims(), TODAY):
            told = change.verdict is Verdict.BEYOND
            every.append(told)
            if not change.named.endswith("last year"):
                before.append(told)
    return {"of all": sum(every) / len(every), "against the days before": sum(before) / len(before)}


def doubling_told(shops: int) -> float:
    """In which share of shops with 30 claims a month, twice as many from 1 October, October tells of it."""
    october = Period(date(2026, 10, 1), date(2026, 10, 31))
    compared = comparable(october, today=TODAY)
    assert compared is not None
    told = 0
    for number in range(shops):
        shop = Shop(
            seed=number,
            today=TODAY,
            claims_a_month=30,
            growth=np.random.default_rng([15, number]).uniform(-0.03, 0.06),
            products=1,
            doubles={1: (october.first, 2.0)},
        )
        counts = Trends(ClaimCube.of(shop.claims()), Period(date(2023, 1, 1), TODAY))
        change = compared.change(
            counts.claims_on(october), compared.before, counts.claims_on(compared.before)
        )
        told += change.verdict is Verdict.BEYOND and change.now > change.before
    return told / shops


def test_in_a_still_world_few_changes_are_told_and_in_a_moved_one_most_doublings() -> None:
    assert max(share_told(25).values()) <= 0.05
    assert doubling_told(60) >= 0.80  # 60 shops say no more; the long test says 90 %


@pytest.mark.soak
def test_in_200_still_shops_at_most_one_change_in_20_is_told_and_nine_doublings_in_ten() -> None:
    shares = share_told(200)
    assert max(shares.values()) <= 0.05, shares
    assert doubling_told(1_000) >= 0.90
