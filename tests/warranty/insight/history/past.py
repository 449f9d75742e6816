"""Nights as tests write them: a day of November 2026, and the claims that were read in that night."""

from collections.abc import Iterable, Mapping
from datetime import date

import pandas as pd

from warranty.claims.analysis import Period
from warranty.insight.history.lives import History
from warranty.insight.history.runs import Runs

EVER = Period(date(2020, 1, 1), date(2030, 1, 1))
CLOSED = {"RESOLVED", "DENIED"}


def day(number: int) -> date:
    return date(2026, 11, number)


def read(*claims: tuple[str, int, str], product: str = "Arc floor lamp") -> pd.DataFrame:
    return pd.DataFrame(
        {
            "claim_date": pd.Series([pd.Timestamp(2026, 11, made, 15) for _, made, _ in claims], dtype="M8[us]"),
            "description": "It does not start.",
            "order_date": pd.Timestamp("2026-01-02T03:04:05", tz="UTC"),
            "order_id": pd.Series([order for order, _, _ in claims], dtype="str"),
            "product_name": pd.Series([product] * len(claims), dtype="str"),
            "status": pd.Series([status for _, _, status in claims], dtype="str"),
            "warranty_id": "w-1",
            "warranty_start_date": pd.Timestamp("2026-01-04", tz="UTC"),
        }
    )


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
