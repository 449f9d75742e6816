"""A file of Ageing says in each row what it is told of, and runs nothing in a spreadsheet."""

import csv
import io
from datetime import UTC, datetime

import pandas as pd

from components.claim_trends.told import table_csv
from tests.builders import claim_record
from tests.warranty.retrieval.fake_service import FakeService
from warranty.analysis import Base
from warranty.resources import ClaimQuery
from warranty.retrieval import retrieve_claims

BASE = Base(
    of="claims on plans started Nov 2025 to Oct 2026",
    count=1_204,
    as_of=datetime(2026, 11, 22, 14, 2, tzinfo=UTC),
    leaves_out=("2 dated in Nov 2026, which is not over", "1 dated before the start of their plan"),
)


def test_each_row_of_a_file_says_what_it_is_told_of() -> None:
    claims = retrieve_claims(FakeService([claim_record("2026-05-01T10:00:00.000000", 1)]), ClaimQuery())
    table = pd.DataFrame({"product": ["=1+1", "Kettle"], "12": ["0", "not seen yet"]})
    content = table_csv(BASE, table, claims, separator=";").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content), delimiter=";"))
    assert [row["product"] for row in rows] == ["'=1+1", "Kettle"]
    assert [row["12"] for row in rows] == ["0", "not seen yet"]
    assert {row["told of"] for row in rows} == {"Claims on plans started Nov 2025 to Oct 2026: 1,204"}
    assert {row["as of"] for row in rows} == {"2026-11-22T14:02:00Z"}
    assert {row["not in it"] for row in rows} == {"; ".join(BASE.leaves_out)}
    assert "incomplete" not in rows[0]
