"""DuckDB counts a history as numpy does."""

from datetime import timedelta
from functools import cache

import numpy as np
import pandas as pd
import pytest

from tests.warranty.insight.history.past import CLOSED, EVER, day, read
from warranty.claims.analysis import Period
from warranty.insight.history.lives import History, Lives
from warranty.insight.history.queried import QueriedLives
from warranty.insight.history.runs import Runs

pytest.importorskip("duckdb")
STATUSES = ["OPEN", "IN_REVIEW", "RESOLVED", "DENIED"]


@cache
def any_history(seed: int, *, nights: int = 25, claims: int = 120) -> Runs:
    """Claims that come, go, change at will and are read or not, in nights of which some are missing."""
    rng, kept = np.random.default_rng(seed), Runs()
    made = rng.integers(1, nights, claims)
    product, status, read_on = rng.integers(0, 3, claims), rng.integers(0, 4, claims), np.zeros(claims, int)
    for number in range(1, nights):
        if rng.random() < 0.2:
            continue
        seen = (rng.random(claims) < 0.4) | (made == number)
        status = np.where(seen & (rng.random(claims) < 0.5), rng.integers(0, 4, claims), status)
        read_on = np.where(seen, number, read_on)
        here = np.flatnonzero((made <= number) & (rng.random(claims) < 0.97))
        frame = read(*[(f"{each}", int(made[each]), STATUSES[status[each]]) for each in here])
        told = frame.assign(
            product_name=[f"P {each}" for each in product[here]],
            read_at=[pd.Timestamp(2026, 11, 1) + timedelta(days=int(each)) for each in read_on[here]],
        )
        kept.add(day(number), [told], as_of=pd.Timestamp(2026, 11, 1) + timedelta(days=number))
    return kept


def told(history: History, made: Period) -> dict[str, object]:
    found, opened = history.intervals(made), history.opened()
    parts = ("came", "left", "passed", "perhaps_closed", "perhaps_open")
    return {
        "nights": (history.nights, history.products),
        "intervals": sorted(zip(found.after, found.until, found.counts, strict=True)),
        "moves": history.moves(made).fillna(-9).to_dict("records"),
        "opened": [getattr(opened, part).tolist() for part in parts],
    }


@pytest.mark.parametrize("seed", [0, 1, 2], ids=["of no night", "one", "other"])
@pytest.mark.parametrize("product", [None, "P 1", "P 9"])
def test_it_tells_the_same_of_any_history(seed: int, product: str | None) -> None:
    kept = any_history(seed) if seed else Runs()
    queried = QueriedLives.of(kept, closed=CLOSED).of_product(product)
    for made in (EVER, Period(day(5), day(9)), Period(day(28), day(29))):
        assert told(queried, made) == told(Lives.of(kept, closed=CLOSED, product=product), made)
