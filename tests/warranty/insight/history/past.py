"""Nights as tests write them: a day of November 2026, and the claims that were read in that night."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import pandas as pd

from warranty.claims.analysis import Period
from warranty.claims.retrieval import FIELDS
from warranty.insight.history.lives import History
from warranty.insight.history.runs import Runs

EVER = Period(date(2020, 1, 1), date(2030, 1, 1))
CLOSED = {"RESOLVED", "DENIED"}


def day(number: int) -> date:
    return date(2026, 11, number)


def read(*claims: tuple[str, int, str], product: str = "Arc floor lamp") -> pd.DataFrame:
    texts = {"order_id": [order for order, _, _ in claims], "status": [status for _, _, status in claims]}
    made = pd.Series([pd.Timestamp(2026, 11, made, 15) for _, made, _ in claims], dtype="M8[us]")
    same: dict[str, Any] = {
        "order_date": pd.Timestamp("2026-01-02T03:04:05", tz="UTC"), "description": "It does not start.",
    }  # fmt: skip
    same |= {"warranty_start_date": pd.Timestamp("2026-01-04", tz="UTC"), "warranty_id": "w-1"}
    texts["product_name"] = [product] * len(claims)
    frame = pd.DataFrame({"claim_date": made, **{name: pd.Series(each, dtype="str") for name, each in texts.items()}})
    return frame.assign(**same)[list(FIELDS)]


def runs_of(nights: Mapping[int, pd.DataFrame]) -> Runs:
    kept = Runs()
    for number, frame in nights.items():
        kept.add(day(number), [frame])
    return kept


def lives_of(nights: Mapping[int, pd.DataFrame], *, closed: Iterable[str] = CLOSED) -> History:
    return History.of(runs_of(nights), closed=set(closed))


def one_claim(statuses: Mapping[int, str], *, made: int = 2) -> History:
    """What is known of one claim by its status in each night; an empty one: it was not read."""
    return lives_of({night: read(*[("A", made, status)] if status else []) for night, status in statuses.items()})


def interval(lives: History) -> tuple[float, float]:
    found = lives.intervals(EVER)
    assert found.counts.tolist() == [1]
    return float(found.after[0]), float(found.until[0])
