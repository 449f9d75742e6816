"""Records become typed columns; what cannot be read costs only itself and is named; texts come back as received."""

import json
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import claim_record
from tests.warranty.claims.retrieval.fake_service import DAY
from tests.warranty.claims.retrieval.fake_service import columns_of as read
from warranty.claims.retrieval import FIELDS
from warranty.claims.retrieval.answers import AnswerUnreadable, read_answer
from warranty.claims.retrieval.columns import CHUNK, ClaimColumns


def test_columns_are_typed_and_times_keep_their_microseconds_and_their_offset() -> None:
    record = claim_record("2026-05-01T10:00:00.000001", order_date="2026-05-01T10:00:00.000002-05:00")
    frame = read(record).table().frame
    assert list(frame.columns) == list(FIELDS)
    assert frame["claim_date"].dtype == "datetime64[us]"
    assert frame["order_date"].dtype == pd.DatetimeTZDtype("us", "UTC")
    assert frame["warranty_start_date"].dtype == pd.DatetimeTZDtype("us", "UTC")
    assert isinstance(frame["status"].dtype, pd.CategoricalDtype)
    assert {str(frame[name].dtype) for name in ("description", "order_id", "product_name", "warranty_id")} == {"str"}
    assert frame["claim_date"][0] == pd.Timestamp("2026-05-01T10:00:00.000001")
    assert frame["order_date"][0] == pd.Timestamp("2026-05-01T15:00:00.000002Z")


def test_an_empty_set_and_fields_that_the_interface_does_not_show_change_no_column() -> None:
    empty, full = (columns.table().frame for columns in (ClaimColumns(), read(claim_record(DAY))))
    assert list(empty.dtypes.astype(str)) == list(full.dtypes.astype(str))
    claims = read(claim_record(DAY, loyalty={"points": 7}, amount=12.5), claim_record(DAY, 2))
    assert list(claims.table().frame.columns) == list(FIELDS)
    assert claims.rejected == ()


NO_MOMENT = "is not a timestamp without a zone, to the microsecond at most"
NO_OFFSET = "is not a timestamp with a UTC offset"
BAD: list[tuple[Any, str, str]] = [
    ({name: value for name, value in claim_record(DAY).items() if name != "order_id"}, "order_id", "is missing"),
    (claim_record(DAY, warranty_id=12345, description="5 Elm Street"), "warranty_id", "is a number, not text"),
    (claim_record(DAY, warranty_id=1.5), "warranty_id", "is a number, not text"),
    (claim_record(DAY, status=None), "status", "is null, not text"),
    (claim_record(DAY, status=True), "status", "is true or false, not text"),
    (claim_record(DAY, description=["a"]), "description", "is a list, not text"),
    (claim_record(DAY, description={}), "description", "is an object, not text"),
    (claim_record("yesterday"), "claim_date", NO_MOMENT), (claim_record("2026-05-01"), "claim_date", NO_MOMENT),
    (claim_record("2026-05-01T10:00:00+00:00"), "claim_date", NO_MOMENT),
    (claim_record("2026-05-01T10:00:00.1234567"), "claim_date", NO_MOMENT),
    (claim_record("2026-02-30T10:00:00.000000"), "claim_date", NO_MOMENT),
    (claim_record(DAY, order_date="2026-05-01T10:00:00"), "order_date", NO_OFFSET),
    (claim_record(DAY, order_date=""), "order_date", NO_OFFSET),
    (claim_record(DAY, product_name="\ud800"), "product_name", "is not valid Unicode text"),
    ("a claim", "", "is text, not an object"), (None, "", "is null, not an object"),
    (True, "", "is true or false, not an object"), (1.5, "", "is a number, not an object"),
    ({"status": {"OPEN": [1]}}, "claim_date", "is missing"), ([], "", "is a list, not an object"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "field", "reason"), BAD, ids=lambda value: str(value)[:40])
def test_an_unreadable_record_is_kept_aside_with_its_reason(bad: Any, field: str, reason: str) -> None:
    claims = read(claim_record(DAY, 1), bad, claim_record(DAY, 2), number=17)
    assert list(claims.table().frame["warranty_id"]) == ["w-1", "w-2"]
    (rejected,) = claims.rejected
    assert (rejected.answer, rejected.record, rejected.field) == (17, 1, field)
    assert str(rejected.reason).startswith(reason)
    assert rejected.content == bad
    assert "Elm" not in repr(claims.rejected), "what customers wrote"


def test_every_kind_of_bad_record_at_once_loses_no_good_one() -> None:
    columns = ClaimColumns()
    kinds = [bad for bad, _, _ in BAD]
    for number in range(1, 2 * CHUNK // 50 + 2):
        records: list[Any] = [claim_record(DAY, number * 100 + place) for place in range(49)]
        records.insert(number % 50, kinds[number % len(kinds)])
        columns.add(read_answer(json.dumps({"data": records, "total_count": 9}).encode(), number=number))
    frame = columns.table().frame
    answers = 2 * CHUNK // 50 + 1
    assert len(frame) == frame["warranty_id"].nunique() == 49 * answers
    places = [(number, number % 50) for number in range(1, answers + 1)]
    assert [(bad.answer, bad.record) for bad in columns.rejected] == places


def test_bytes_that_are_no_utf_8_cost_one_record() -> None:
    body = json.dumps({"data": [claim_record(DAY, 1), claim_record(DAY, 2)], "total_count": 2}).encode()
    columns = ClaimColumns()
    columns.add(read_answer(body.replace(b"w-2", b"w-\xff"), number=1))
    assert list(columns.table().frame["warranty_id"]) == ["w-1"]
    assert columns.rejected[0].field == "warranty_id"


@pytest.mark.parametrize("body", [
    b"", b"[]", b"nonsense", b'{"data": {}, "total_count": 1}', b'{"data": [], "total_count": "1"}',
    b'{"data": [], "total_count": true}', b'{"data": [], "total_count": -1}', b'{"total_count": 1}',
])  # fmt: skip
def test_an_answer_without_claims_or_total_is_unreadable(body: bytes) -> None:
    with pytest.raises(AnswerUnreadable):
        read_answer(body, number=1)


moments = st.datetimes(min_value=DAY.replace(year=1), max_value=DAY.replace(year=9998))
fractions = st.sampled_from(["", ".5", ".123", ".000000", ".123456"])
separators = st.sampled_from(["T", "T", "T", " "])
offsets = st.sampled_from(["+00:00", "-00:00", "Z", "+05:30", "-08:00", "+14:00", "+0200", "-03"])


@settings(max_examples=20)
@given(st.lists(st.tuples(moments, *[separators, fractions, offsets] * 2), min_size=1, max_size=30))
def test_timestamps_of_any_shape_come_back_as_received(shapes: list[tuple[Any, str, str, str, str, str, str]]) -> None:
    records = [
        claim_record(
            f"{moment:%Y-%m-%d}".zfill(10) + f"{first}{moment:%H:%M:%S}{fraction}",
            order_date=f"2026-01-02{first}03:04:05{fraction}{offset}",
            warranty_start_date=f"2026-01-02{second}03:04:05{other}{last}",
        )
        for moment, first, fraction, offset, second, other, last in shapes
    ]
    claims = read(*records)
    table = claims.table()
    assert claims.rejected == ()
    assert table.as_received().to_dict("records") == records
    order_dates = pd.Series([pd.Timestamp(record["order_date"]) for record in records])
    assert (table.frame["order_date"] == pd.to_datetime(order_dates, utc=True)).all()


def test_newest_claims_stand_first_and_a_selection_comes_back_as_received_in_its_own_order() -> None:
    offsets = ["+01:00", "-08:00", "Z", "+05:30"]
    records = [claim_record(DAY, n, order_date=f"2026-01-02T03:04:0{n}{offset}") for n, offset in enumerate(offsets)]
    table = read(*records).table()
    assert table.as_received(table.frame.iloc[[3, 1, 1]]).to_dict("records") == [records[3], records[1], records[1]]
    for frame in (table.frame.set_index("warranty_id"), pd.concat([table.frame, table.frame], ignore_index=True)):
        with pytest.raises(KeyError):
            table.as_received(frame)
    one, other = "2026-05-01T10:00:00.000000", "2026-05-02T10:00:00.000000"
    claims = read(claim_record(one, 2), claim_record(other, 9), claim_record(one, 1))
    assert list(claims.table(newest_first=True).frame["warranty_id"]) == ["w-9", "w-1", "w-2"]


def test_texts_are_shared_with_the_frame_and_not_held_twice() -> None:
    before = pa.total_allocated_bytes()
    table = read(*[claim_record(DAY, number, description="x" * 1_000) for number in range(2_000)]).table()
    assert pa.total_allocated_bytes() - before < 2_900_000
    assert len(table.frame) == 2_000
