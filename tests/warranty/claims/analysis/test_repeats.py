"""Claims on one warranty stand from the oldest; what has no warranty's id repeats nothing."""

from datetime import datetime

import pandas as pd
import pytest

from tests.builders import claim_record
from tests.warranty.claims.retrieval.fake_service import columns_of
from warranty.claims.analysis.identity import on_the_same_warranty


def claims(*made: tuple[int, str, str]) -> pd.DataFrame:
    """Claims as (day of November, order, warranty), as a reading gives them: the newest first."""
    records = [
        claim_record(datetime(2026, 11, day, 9), order_id=order, warranty_id=warranty)  # noqa: DTZ001
        for day, order, warranty in made
    ]
    return columns_of(*records).table(newest_first=True).frame


def test_the_claims_on_a_warranty_stand_from_the_oldest() -> None:
    frame = claims((3, "o-1", "w-1"), (9, "o-1", "w-1"), (20, "o-1", "w-1"), (5, "o-2", "w-2"))
    place = frame["claim_date"].dt.day.tolist().index(9)
    same = frame["claim_date"].dt.day.iloc[on_the_same_warranty(frame, place)]
    assert same.tolist() == [3, 9, 20]


@pytest.mark.parametrize(
    ("one", "other"), [(("o-1", "w-1"), ("o-2", "w-1")), (("o-1", ""), ("o-1", "")), (("o-1", " "), ("o-1", " "))]
)
def test_a_warranty_is_known_by_its_order_as_well(one: tuple[str, str], other: tuple[str, str]) -> None:
    frame = claims((3, *one), (9, *other))
    assert on_the_same_warranty(frame, 1).tolist() == [1]
