"""What was read can be narrowed, and compared with the last reading."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import claim_record
from tests.warranty.claims.retrieval.fake_service import DAY, Record, columns_of
from warranty.claims.analysis import Selection, choices, compare
from warranty.claims.analysis.identity import on_the_same_warranty


def frame(*records: Record) -> pd.DataFrame:
    return columns_of(*records).table(newest_first=True).frame


def ids(rows: pd.DataFrame) -> list[str]:
    return sorted(rows["warranty_id"])


CLAIMS = frame(
    claim_record(DAY, 1, status="RESOLVED", product_name="Lamp", description="Screen cracked at the EDGE (left)"),
    claim_record(DAY, 2, status="resolved", product_name="TV", description="It hums. .*"),
    claim_record(DAY, 3, status="OPEN", product_name="TV", description="Straße, größer, Café"),
)


@pytest.mark.parametrize(("selection", "found"), [
    (Selection(), ["w-1", "w-2", "w-3"]), (Selection(statuses=("OPEN", "RESOLVED")), ["w-1", "w-3"]),
    (Selection(statuses=("OPEN", "RESOLVED"), products=("TV",)), ["w-3"]), (Selection(open_only=True), ["w-2", "w-3"]),
    (Selection(open_only=True, closed=("RESOLVED", "resolved")), ["w-3"]),
])  # fmt: skip
def test_a_selection_joins_its_conditions(selection: Selection, found: list[str]) -> None:
    assert ids(selection.of(CLAIMS)) == found


@pytest.mark.parametrize(("text", "found"), [
    ("edge CRACKED", "w-1"), ("(left)", "w-1"), (".*", "w-2"), ("strasse", "w-3"), ("cafe", "w-3"),
    ("CAFE\u0301", "w-3"), ("w-2", "w-2"), ("open tv", "w-3"),
])  # fmt: skip
def test_words_are_searched_in_all_texts_without_case_and_accents(text: str, found: str) -> None:
    assert ids(Selection(text=text).of(CLAIMS)) == [found]


def test_choices_are_the_values_that_occur_most_frequent_first() -> None:
    assert list(choices(CLAIMS, "product_name").items()) == [("TV", 2), ("Lamp", 1)]
    assert list(choices(Selection(statuses=("OPEN",)).of(CLAIMS), "status")) == ["OPEN"]


def test_new_changed_vanished_and_edited_claims_are_told_apart() -> None:
    before = frame(
        *(claim_record(DAY, number, status="OPEN") for number in (1, 2, 3)),
        claim_record(DAY, 4, status="OPEN", description="first words"),
    )
    now = frame(
        claim_record(DAY, 1, status="OPEN"), claim_record(DAY, 2, status="RESOLVED", description="other words as well"),
        claim_record(DAY, 4, status="OPEN", description="other words"),
        claim_record(DAY + timedelta(days=1), 5, status="OPEN"),
    )  # fmt: skip
    changes = compare(before, now)
    assert [ids(rows) for rows in (changes.new, changes.vanished, changes.changed)] == [["w-5"], ["w-3"], ["w-2"]]
    assert (list(changes.changed["status_before"]), changes.edited, changes.any) == (["OPEN"], 1, True)


def test_duplicates_are_counted_and_not_merged_and_a_claim_moved_to_another_order_is_a_new_one() -> None:
    duplicate = claim_record(DAY, 1, status="OPEN")
    resolved = {**duplicate, "status": "RESOLVED"}
    changes = compare(frame(*[duplicate] * 3), frame(duplicate, resolved, duplicate, duplicate))
    assert (len(changes.new), len(changes.changed)) == (1, 0)
    assert list(changes.new["status"]) == ["RESOLVED"]
    one_left = compare(frame(duplicate, duplicate), frame(resolved))
    assert (len(one_left.vanished), len(one_left.changed)) == (1, 1)
    changes = compare(frame(claim_record(DAY, 1)), frame(claim_record(DAY, 1, order_id="another")))
    assert (len(changes.new), len(changes.vanished)) == (1, 1)


parts = (st.integers(0, 3), st.sampled_from(["OPEN", "RESOLVED"]), st.sampled_from(["a", "b"]))
few = st.lists(
    st.tuples(*parts).map(lambda part: claim_record(DAY, part[0], status=part[1], description=part[2])), max_size=8
)


@pytest.mark.long
@settings(max_examples=60)
@given(before=few, now=few)
def test_every_claim_of_both_readings_is_in_exactly_one_group(before: list[Any], now: list[Any]) -> None:
    changes = compare(frame(*before), frame(*now))
    unchanged = sum((Counter(map(str, before)) & Counter(map(str, now))).values())
    matched = len(changes.changed) + changes.edited + unchanged
    assert matched + len(changes.new) == len(now)
    assert matched + len(changes.vanished) == len(before)
    assert not compare(frame(*now), frame(*now)).any


def on_warranties(*made: tuple[int, str, str]) -> pd.DataFrame:
    """Claims as (day of the month, order, warranty)."""
    return frame(
        *(claim_record(DAY.replace(day=day), order_id=order, warranty_id=warranty) for day, order, warranty in made)
    )


def test_the_claims_on_a_warranty_stand_from_the_oldest() -> None:
    claims = on_warranties((3, "o-1", "w-1"), (9, "o-1", "w-1"), (20, "o-1", "w-1"), (5, "o-2", "w-2"))
    days = claims["claim_date"].dt.day
    assert days.iloc[on_the_same_warranty(claims, days.tolist().index(9))].tolist() == [3, 9, 20]


@pytest.mark.parametrize(
    ("one", "other"), [(("o-1", "w-1"), ("o-2", "w-1")), (("o-1", ""), ("o-1", "")), (("o-1", " "), ("o-1", " "))]
)
def test_a_warranty_is_known_by_its_order_as_well(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert on_the_same_warranty(on_warranties((3, *one), (9, *other)), 1).tolist() == [1]
