"""Whether what is told of time to close holds: nights of shops whose truth is known, with nights that are missing."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from tests.warranty.insight.history.past import EVER
from tests.worlds import DAY, ENDS, Shop
from warranty.insight.history.lives import History, backlog, time_to_close
from warranty.insight.history.runs import Runs

READ_AT = 2 * DAY // 24
"""A night is read at two."""


def nights_of(shop: Shop, *, nights: int, missing: float) -> tuple[Runs, list[int]]:
    """The history of a shop, and how many were open in every night, those that nobody read among them."""
    life, kept, standing = shop.life.iloc[::-1], Runs(), []
    rng = np.random.default_rng([shop.seed, 9])
    frame = pd.DataFrame({"claim_date": life["claim_date"].to_numpy()})
    frame = frame.assign(order_id="o-" + life["plan"].astype(str).to_numpy(), warranty_id="w", product_name="L")
    for back in range(nights - 1, -1, -1):
        day = shop.today - timedelta(days=back)
        moment = np.datetime64(day, "us") + np.timedelta64(READ_AT, "us")
        here = int(np.searchsorted(frame["claim_date"], moment))
        closed = life["ended_at"].to_numpy()[:here] <= moment
        standing.append(int((~closed).sum()))
        if back in (0, nights - 1) or rng.random() >= missing:
            told = np.where(closed, life["end"].to_numpy()[:here], "OPEN")
            kept.add(day, [frame[:here].assign(status=told)])
    return kept, standing


def true_days(shop: Shop) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Of many claims of such a shop: days from the claim to the first night in which it is closed."""
    rng = np.random.default_rng(99)
    within = shop.life["claim_date"].to_numpy().astype("M8[us]").view(np.int64) % DAY
    ended = rng.choice(within, 200_000) + rng.exponential(shop.resolve_days * DAY, 200_000) - READ_AT
    days: np.ndarray[tuple[int], np.dtype[np.int64]] = np.ceil(ended / DAY).astype(np.int64)
    return days


def held(shops: int, *, nights: int) -> dict[str, float]:
    """In which share of shops an interval of 95 % holds the truth, and the share of all days told wrong."""
    hits: dict[str, list[bool]] = {"quartile": [], "median": [], "backlog": []}
    for seed in range(shops):
        claims, days = (10, 25, 60)[seed % 3], (8, 20, 35)[seed // 3 % 3]
        shop = Shop(seed=seed, claims_a_month=claims, resolve_days=days, months=20, products=1)
        kept, standing = nights_of(shop, nights=nights, missing=(0.05, 0.2, 0.5)[seed % 3])
        lives, truth = History.of(kept, closed=set(ENDS)), true_days(shop)
        curve = time_to_close(lives.intervals(EVER))
        assert curve is not None
        for name, share in (("quartile", 0.25), ("median", 0.5)):
            low, high = curve.interval(share)
            hits[name].append(bool(low <= np.quantile(truth, share, method="inverted_cdf") <= high))
        told = backlog(lives)
        hits["backlog"].append(bool(((told["at_least"] <= standing) & (np.array(standing) <= told["at_most"])).all()))
    return {name: float(np.mean(each)) for name, each in hits.items()}


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("shops", "nights", "least"),
    [(4, 60, 0.75), pytest.param(45, 365, 0.95, marks=pytest.mark.long)],
    ids=["some", "many, over a year"],
)
def test_intervals_hold_the_truth_over_nights_with_gaps(shops: int, nights: int, least: float) -> None:
    found = held(shops, nights=nights)
    assert found["backlog"] == 1
    assert min(found.values()) >= least, found
