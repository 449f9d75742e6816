"""CSV and XLSX: exact for programs, harmless in a spreadsheet, honest about what is missing."""

import csv
import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import product
from typing import Any, Literal

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import claim_record
from tests.warranty.claims.retrieval.fake_service import DAY, FakeService, Record, records_at, service_time
from warranty.claims.analysis import Selection
from warranty.claims.retrieval import FIELDS, Bounds, ClaimSet, retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.files.export import ClaimsFile, claims_csv, claims_file, claims_xlsx, file_stem, seal

MAY = ClaimQuery(claim_dates=(service_time("2026-05-01"), service_time("2026-05-31T23:59:59.999999")))


def rows(content: bytes, separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=separator))


def cells(values: Sequence[Any], dtype: Any = object) -> list[str]:
    written = rows(claims_csv(pd.DataFrame({"a": pd.Series(list(values), dtype=dtype), "b": "x"})))
    assert written[0] == ["a", "b"]
    return [row[0] for row in written[1:]]


def read(records: Sequence[Record], query: ClaimQuery = MAY) -> ClaimSet:
    now = datetime(2026, 11, 21, 14, 2, tzinfo=UTC)
    return retrieve_claims(FakeService(list(records)), query, now=lambda: now)


TIMES = (
    "2026-01-02T03:04:05-08:00", "2026-01-02T03:04:05.000006+05:30", "2026-01-02T03:04:05Z",
    "2026-01-02 03:04:05.5+00:00",
)  # fmt: skip
ZONED = [
    claim_record(DAY + timedelta(hours=n), n, order_date=text, warranty_start_date=text) for n, text in enumerate(TIMES)
]


def workbook(content: bytes) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(content))


def manifest(file: ClaimsFile) -> Any:
    return json.loads(file.manifest)


def test_a_file_of_a_complete_set_says_so_and_is_the_services_own_records_text_for_text() -> None:
    claims = read(ZONED)
    file = claims_file(claims)
    assert seal(claims) == "complete: 4 of 4, read 2026-11-21T14:02:00Z"
    assert file.name == "claims_2026-05-01_to_2026-05-31_4-of-4_complete.csv"
    header, *lines = rows(file.content)
    assert header == list(FIELDS)
    assert sorted(lines) == sorted([record[name] for name in FIELDS] for record in ZONED)


MOMENT = datetime(2026, 3, 8, 1, 2, 3, 4)  # noqa: DTZ001 - service time
ISO = "2026-03-08T01:02:03.000004"


@pytest.mark.parametrize(("values", "dtype", "expected"), [
    (["2026-01-02T03:04:05.6-08:00", None], "str", ["2026-01-02T03:04:05.6-08:00", ""]),
    (["a", None, np.nan, pd.NA, pd.NaT], object, ["a", "", "", "", ""]), (["a", None], "string", ["a", ""]),
    (["a", "b", None, "a"], "category", ["a", "b", "", "a"]), (["=a", "b"], "category", ["'=a", "b"]),
    ([MOMENT, None], "datetime64[us]", [ISO, ""]), ([MOMENT, None], "datetime64[ns]", [ISO, ""]),
    ([MOMENT.replace(microsecond=0)], "datetime64[s]", ["2026-03-08T01:02:03.000000"]),
    ([pd.Timestamp("2026-03-08T01:02:03.000000004")], "datetime64[ns]", ["2026-03-08T01:02:03.000000004"]),
    ([MOMENT, None], "datetime64[us, UTC]", [ISO + "+00:00", ""]),
    ([MOMENT], "datetime64[us, UTC+05:30]", [ISO + "+05:30"]),
    ([MOMENT, MOMENT + timedelta(hours=2), None], "datetime64[us, America/New_York]",
     [ISO + "-05:00", "2026-03-08T03:02:03.000004-04:00", ""]),
    ([MOMENT, MOMENT.replace(tzinfo=timezone(timedelta(hours=-8))), date(2026, 1, 2), None], object,
     [ISO, ISO + "-08:00", "2026-01-02", ""]),
    ([pd.Timestamp(MOMENT, tz="Asia/Kolkata"), np.datetime64(MOMENT), np.datetime64("NaT", "us")], object,
     [ISO + "+05:30", ISO, ""]),
    ([12345678901234567890123], object, ["12345678901234567890123"]),
    ([1234567890123456789, 7], "int64", ["1234567890123456789", "7"]),
    ([1234567890123.0, np.nan, 0.5], "float64", ["1234567890123", "", "0.5"]),
    (["0012345678901", 12345678901234], object, ["0012345678901", "12345678901234"]),
    ([-5, 3], "int64", ["-5", "3"]), ([True, False, None], object, ["True", "False", ""]),
    ([Decimal("10.50")], object, ["10.50"]), ([b"caf\xc3\xa9", "\ud800"], object, ["café", "?"]),
    ([["a list"], {"an": "object"}], object, ["['a list']", "{'an': 'object'}"]),
])  # fmt: skip
def test_any_dtype_is_written_exactly(values: list[Any], dtype: Any, expected: list[str]) -> None:
    assert cells(values, dtype) == expected


@pytest.mark.parametrize("text", [
    "=1+1", "+49 30 1", "-2+3", "@SUM(A1)", " =1", "\u00a0=1", "\u200b@x", "\ufeff=1", "\x00=1", "\x0b=1", "\x1f@x",
    "\u00ad=1", "\u2003=1", "\u202e-1", "\u2028+1", "＝1", "＋1", "－1", "＠x", "\tx", "\rx",
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["str", "category", object])
def test_a_text_that_a_spreadsheet_would_run_is_neutralised(text: str, dtype: Any) -> None:
    assert cells([text, "b"], dtype)[0] == "'" + text


@pytest.mark.parametrize(("separator", "other"), [(",", ";"), (";", ","), (",", "\t")])
def test_a_spreadsheet_that_parts_cells_otherwise_makes_none_run(separator: Literal[",", ";"], other: str) -> None:
    marks, between, signs = (",", ";", "\t", "\r\n", "\n"), ("", " ", "\u200b", '"', '" "'), "=+-@＝＠"
    texts = [f"x{''.join(made)}1+cmd|A1;y" for made in product(marks, between, signs)]
    content = claims_csv(pd.DataFrame({"a": "b", "b": texts}), separator=separator)
    made = [cell.strip(' "\u200b') for row in rows(content, other) for cell in row]
    assert len(made) > len(texts)
    assert [cell for cell in made if cell.startswith(tuple(signs))] == []
    assert [row[1].replace("'", "") for row in rows(content, separator)[1:]] == texts


@pytest.mark.parametrize("text", ["a=b", "1-2", "x@example.com", "'=1", "ok", " x", "", "*", "#N/A", "−1", "a, b;c=1"])
def test_other_texts_are_not_touched(text: str) -> None:
    assert cells([text, "b"]) == [text, "b"]


def test_a_heading_is_neutralised_too_and_says_that_a_file_without_a_row_is_partial() -> None:
    assert rows(claims_csv(pd.DataFrame({"=x": ["a"], "b": ["c"]})))[0] == ["'=x", "b"]
    file = claims_file(read(SAME_MOMENT), selection=Selection(text="no claim has these words"))
    assert rows(file.content) == [[*FIELDS, "incomplete: 50 of 60, read 2026-11-21T14:02:00Z"]]


HARD = ['"', ",", ";", "\r\n", "=", ""]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(HARD)


@given(
    table=st.lists(st.tuples(texts, texts, texts), max_size=12),
    separator=st.sampled_from([",", ";"]),
    bom=st.booleans(),
)
def test_any_text_survives_quoting(table: list[tuple[str, str, str]], separator: Literal[",", ";"], bom: bool) -> None:
    frame = pd.DataFrame(table, columns=["a", "b", "c"], dtype=object)
    content = claims_csv(frame, separator=separator, bom=bom)
    assert content.startswith(b"\xef\xbb\xbf") == bom
    back = rows(content if bom else b"\xef\xbb\xbf" + content, separator)
    assert back[0] == ["a", "b", "c"]
    assert len(back) == len(table) + 1
    for written, original in zip(back[1:], table, strict=True):
        assert [cell.replace("'", "") for cell in written] == [text.replace("'", "") for text in original]
        assert not any(cell.startswith(tuple("=+-@\t\r")) for cell in written)


def test_rows_end_in_carriage_return_and_line_feed_and_only_a_comma_or_a_semicolon_separates() -> None:
    content = claims_csv(pd.DataFrame({"a": ["x", "y\nz"], "b": ["1", "2"]}))
    assert content.endswith(b"\r\n")
    assert content.count(b"\r\n") == 3
    assert b'"y\nz"' in content
    with pytest.raises(ValueError, match="comma or a semicolon"):
        claims_csv(pd.DataFrame(), separator="\t")  # type: ignore[arg-type]


@pytest.mark.parametrize("frame", [
    read(ZONED).frame.iloc[:0], pd.DataFrame(columns=list(FIELDS)), pd.DataFrame({name: [] for name in FIELDS}),
])  # fmt: skip
def test_no_claims_make_a_file_with_its_heading(frame: pd.DataFrame) -> None:
    assert rows(claims_csv(frame)) == [list(FIELDS)]
    assert list(workbook(claims_xlsx(frame))["Claims"].iter_rows(values_only=True)) == [FIELDS]


def test_odd_indices_arrow_backed_missing_or_further_columns_do_not_matter() -> None:
    frame = read(ZONED).frame
    doubled = pd.concat([frame, frame]).set_index(pd.Index(["x"] * 8))
    assert len(rows(claims_csv(doubled))) == 9
    assert rows(claims_csv(frame[["order_id", "status"]].assign(more=1)))[0] == ["order_id", "status", "more"]
    twice = pd.DataFrame([["a", "b"]], columns=["x", "x"])
    assert rows(claims_csv(twice)) == [["x", "x"], ["a", "b"]]
    assert claims_csv(pd.DataFrame()) == b""
    assert rows(claims_csv(pd.DataFrame({"a": ["x", None, ""]}))) == [["a"], ["x"], [""], [""]]
    frame = read(ZONED).frame
    assert claims_csv(frame.convert_dtypes(dtype_backend="pyarrow")) == claims_csv(frame)


SAME_MOMENT = [claim_record(DAY, number) for number in range(60)]


def test_a_partial_set_and_one_with_an_unreadable_claim_say_so_in_name_rows_and_manifest() -> None:
    claims = read(SAME_MOMENT)
    file = claims_file(claims)
    assert file.name == "claims_2026-05-01_to_2026-05-31_50-of-60_INCOMPLETE.csv"
    header, *lines = rows(file.content)
    assert header == [*FIELDS, "incomplete"]
    assert {line[-1] for line in lines} == {"INCOMPLETE: 50 of 60, read 2026-11-21T14:02:00Z"}
    about = manifest(file)["claims"]
    assert (about["complete"], about["received"], about["total"]) == (False, 50, 60)
    assert about["reasons"] == [*map(str, claims.reasons)]
    book = workbook(claims_file(claims, "xlsx").content)
    assert book["About"]["B1"].value == "INCOMPLETE: 50 of 60, read 2026-11-21T14:02:00Z"
    file = claims_file(read([*records_at([DAY]), claim_record(DAY, 2, status=None)]))
    assert file.rows == 1
    last_column = [row[-1].partition(", read")[0] for row in rows(file.content)]
    assert last_column == ["incomplete", "INCOMPLETE: 1 of 2, 1 unreadable"]
    assert file.name.endswith("1-of-2_INCOMPLETE_1-unreadable.csv")
    assert manifest(file)["claims"]["unreadable"] == 1


def test_the_manifest_tells_filter_counts_and_fingerprint_but_not_the_customer() -> None:
    query = ClaimQuery(claim_dates=(DAY, DAY + timedelta(hours=2)), customer_email="ada@example.com")
    selection = Selection(statuses=("RESOLVED",), text="ada@example.com")
    service = FakeService(ZONED)
    file = claims_file(retrieve_claims(service, query), selection=selection, separator=";", bom=True)
    about = manifest(file)
    assert about["sha256"] == hashlib.sha256(file.content).hexdigest()
    assert (about["rows"], about["file"]) == (0, file.name)
    assert about["filter"]["claim_dates"] == {
        "startDate": "2026-05-01T00:00:00.000000", "endDate": "2026-05-01T02:00:00.000000",
    }  # fmt: skip
    assert (about["filter"]["customer_email"], about["format"]["separator"]) == ("one customer, not named here", ";")
    assert file.name == (
        "claims_2026-05-01T000000_to_2026-05-01T020000_one-customer_RESOLVED_searched_0-rows-of_3-of-3_complete.csv"
    )


@pytest.mark.parametrize(("bounds", "noted"), [
    (Bounds(), "start included, end included"), (Bounds(True, False), "start included, end not included"),
    (Bounds(False, True), "start not included, end included"), (None, None),
])  # fmt: skip
def test_the_manifest_notes_how_the_ends_of_a_range_count(bounds: Bounds | None, noted: str | None) -> None:
    assert manifest(claims_file(replace(read(ZONED), bounds=bounds)))["claims"]["range_ends"] == noted


@pytest.mark.parametrize(("query", "selection", "part"), [
    (ClaimQuery(), Selection(), "claims_all_4"),
    (ClaimQuery(claim_dates=(DAY, DAY.replace(hour=23, minute=59, second=59, microsecond=999_999))),
     Selection(), "claims_2026-05-01_4"),
    (ClaimQuery(warranty_start_dates=MAY.claim_dates), Selection(),
     "claims_all_warranty-from_2026-05-01_to_2026-05-31_"),
    (ClaimQuery(), Selection(products=("../../TV: 55\" <b>",)), "TV-55-b_"),
    (ClaimQuery(), Selection(products=("電視",)), "claims_all_selected_"), (MAY, Selection(statuses=("",)), "_empty_"),
    (MAY, Selection(statuses=("", "OPEN")), "_empty+OPEN_"), (MAY, Selection(products=("",)), "_empty_"),
])  # fmt: skip
def test_file_names_hold_the_filter_and_are_safe(query: ClaimQuery, selection: Selection, part: str) -> None:
    stem = file_stem(read(ZONED, query), selection)
    assert stem.startswith("claims_")
    assert part in stem
    assert stem.isascii()
    assert "/" not in stem
    assert len(stem) < 200


def test_a_selection_is_exported_whole_and_alone() -> None:
    records = [claim_record(DAY + timedelta(minutes=n), n, status="OPEN" if n % 3 else "RESOLVED") for n in range(300)]
    file = claims_file(read(records), selection=Selection(statuses=("OPEN",)))
    assert file.rows == 200
    assert [row[FIELDS.index("status")] for row in rows(file.content)[1:]] == ["OPEN"] * 200
    assert "_200-rows-of_300-of-300_complete" in file.name


def test_xlsx_cells_are_all_text_and_as_received() -> None:
    odd = claim_record(DAY, 5, order_id="0012345678901234", description="=HYPERLINK(1)\x01 _x41_", status="-1")
    book = workbook(claims_file(read([*ZONED, odd]), "xlsx").content)
    heading, *lines = book["Claims"].iter_rows(values_only=True)
    assert heading == FIELDS
    assert len(lines) == 5
    found = {line[3]: dict(zip(FIELDS, line, strict=True)) for line in lines}
    for record in ZONED:
        assert found[record["order_id"]] == record
    assert found["0012345678901234"]["status"] == "-1"
    assert str(found["0012345678901234"]["description"]).startswith("=HYPERLINK(1)")
    assert {cell.data_type for row in book["Claims"].iter_rows() for cell in row} == {"s"}
    assert book["About"]["A2"].value == "Rows in this file"


def test_a_line_end_is_one_for_every_reader_of_a_sheet_and_a_text_too_long_for_a_cell_is_cut_and_told() -> None:
    text = "It broke.\r\nThen\rit burned.\nNow it is out."
    claims = read([claim_record(DAY, 1, description=text)])
    book = workbook(claims_file(claims, "xlsx").content)
    parquet = pd.read_parquet(io.BytesIO(claims_file(claims, "parquet").content))
    column = FIELDS.index("description") + 1
    assert book["Claims"].cell(2, column).value == "It broke.\nThen\nit burned.\nNow it is out."
    assert [row[column - 1] for row in rows(claims_file(claims).content)[1:]] == [text]
    assert parquet["description"].tolist() == [text]
    texts = ["x" * 40_000, None, "short", "y" * 32_767]
    book = workbook(claims_xlsx(pd.DataFrame({"a": texts})))
    written = [cell.value for cell in book["Claims"]["A"][1:]]
    assert written == ["x" * 32_766 + "…", None, "short", "y" * 32_767]
    assert book["About"]["B1"].value == "1 were longer than a cell may be, and end in …"


def test_claims_that_repeat_another_are_told_by_the_file_in_its_name_manifest_and_second_sheet() -> None:
    twice = claim_record(DAY, 7)
    claims = read([*records_at([DAY, DAY]), twice, twice, twice, {**twice, "status": "OPEN"}])
    assert (claims.is_complete, claims.table.repeated) == (True, 2)
    file = claims_file(claims, "xlsx")
    assert file.name.endswith("_6-of-6_2-repeated.xlsx")
    assert manifest(file)["claims"]["repeated"] == 2
    about = [tuple(map(str, row)) for row in workbook(file.content)["About"].iter_rows(values_only=True)]
    assert about[0][1].startswith("6 of 6, 2 of them repeat another, read ")
    assert ("Claims that repeat another in all eight fields", "2") in about
