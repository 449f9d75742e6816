"""What was read can be narrowed, and compared with the last reading."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import claim_record
from tests.warranty.retrieval.fake_service import DAY, FakeService, Record
from warranty.analysis import Selection, choices, compare
from warranty.resources import ClaimQuery
from warranty.retrieval import retrieve_claims


def frame(*records: Record) -> pd.DataFrame:
    return retrieve_claims(FakeService(list(records)), ClaimQuery()).frame


def ids(rows: pd.DataFrame) -> list[str]:
    return sorted(rows["warranty_id"])


CLAIMS = frame(
    claim_record(
        DAY, 1, status="RESOLVED", product_name="Lamp", description="Screen cracked at the EDGE (left)"
    ),
    claim_record(DAY, 2, status="resolved", product_name="TV", description="It hums. .*"),
    claim_record(DAY, 3, status="OPEN", product_name="TV", description="Straße, größer, Café"),
)


def test_a_selection_joins_its_conditions() -> None:
    assert ids(Selection(statuses=("OPEN", "RESOLVED")).of(CLAIMS)) == ["w-1", "w-3"]
    assert ids(Selection(statuses=("OPEN", "RESOLVED"), products=("TV",)).of(CLAIMS)) == ["w-3"]
    assert ids(Selection().of(CLAIMS)) == ["w-1", "w-2", "w-3"]


def test_words_are_searched_in_all_texts_as_written_and_without_regard_to_case_and_accents() -> None:
    assert ids(Selection(text="edge CRACKED").of(CLAIMS)) == ["w-1"]
    assert ids(Selection(text="(left)").of(CLAIMS)) == ["w-1"]
    assert ids(Selection(text=".*").of(CLAIMS)) == ["w-2"]
    assert ids(Selection(text="strasse").of(CLAIMS)) == ["w-3"]
    assert ids(Selection(text="cafe").of(CLAIMS)) == ["w-3"]
    assert ids(Selection(text="CAFE\u0301").of(CLAIMS)) == ["w-3"]
    assert ids(Selection(text="w-2").of(CLAIMS)) == ["w-2"]
    assert ids(Selection(text="open tv").of(CLAIMS)) == ["w-3"]


def test_choices_are_the_values_that_occur_most_frequent_first() -> None:
    assert list(choices(CLAIMS, "product_name").items()) == [("TV", 2), ("Lamp", 1)]
    narrowed = Selection(statuses=("OPEN",)).of(CLAIMS)
    assert list(choices(narrowed, "status")) == ["OPEN"]


def test_new_changed_vanished_and_edited_claims_are_told_apart() -> None:
    before = frame(
        claim_record(DAY, 1, status="OPEN"),
        claim_record(DAY, 2, status="OPEN"),
        claim_record(DAY, 3, status="OPEN"),
        claim_record(DAY, 4, status="OPEN", description="first words"),
    )
    now = frame(
        claim_record(DAY, 1, status="OPEN"),
        claim_record(DAY, 2, status="RESOLVED"),
        claim_record(DAY, 4, status="OPEN", description="other words"),
        claim_record(DAY + timedelta(days=1), 5, status="OPEN"),
    )

    changes = compare(before, now)

    assert ids(changes.new) == ["w-5"]
    assert ids(changes.vanished) == ["w-3"]
    assert ids(changes.changed) == ["w-2"]
    assert list(changes.changed["status_before"]) == ["OPEN"]
    assert changes.edited == 1
    assert changes.any


def test_duplicates_are_counted_and_not_merged() -> None:
    duplicate = claim_record(DAY, 1, status="OPEN")
    resolved = {**duplicate, "status": "RESOLVED"}

    changes = compare(
        frame(duplicate, duplicate, duplicate), frame(duplicate, resolved, duplicate, duplicate)
    )

    assert (len(changes.new), len(changes.changed)) == (1, 0)
    assert list(changes.new["status"]) == ["RESOLVED"]
    one_left = compare(frame(duplicate, duplicate), frame(resolved))
    assert (len(one_left.vanished), len(one_left.changed)) == (1, 1)


def test_a_claim_moved_to_another_order_is_a_new_one() -> None:
    changes = compare(frame(claim_record(DAY, 1)), frame(claim_record(DAY, 1, order_id="another")))

    assert (len(changes.new), len(changes.vanished)) == (1, 1)


few = st.lists(
    st.builds(
        lambda number, status, words: claim_record(DAY, number, status=status, description=words),
        st.integers(0, 3),
        st.sampled_from(["OPEN", "RESOLVED"]),
        st.sampled_from(["a", "b"]),
    ),
    max_size=8,
)


@settings(max_examples=20)
@given(before=few, now=few)
def test_every_claim_of_both_readings_is_in_exactly_one_group(before: list[Any], now: list[Any]) -> None:
    in_exactly_one_group(before, now)


@pytest.mark.soak
@settings(max_examples=60)
@given(before=few, now=few)
def test_every_claim_of_many_readings_is_in_exactly_one_group(before: list[Any], now: list[Any]) -> None:
    in_exactly_one_group(before, now)


def in_exactly_one_group(before: list[Any], now: list[Any]) -> None:
    changes = compare(frame(*before), frame(*now))

    unchanged = sum((Counter(map(str, before)) & Counter(map(str, now))).values())
    matched = len(changes.changed) + changes.edited + unchanged
    assert matched + len(changes.new) == len(now)
    assert matched + len(changes.vanished) == len(before)
    assert not compare(frame(*now), frame(*now)).any
