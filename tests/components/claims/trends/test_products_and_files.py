"""A file of Ageing says in each row what it is told of, and runs nothing in a spreadsheet."""

import csv
import io
from datetime import UTC, date, datetime

import pandas as pd

from components.claims.screen.chart_view import table_csv
from components.claims.trends.rates import beside_chart
from components.claims.trends.starts import ReadStarts
from tests.builders import claim_record
from tests.warranty.claims.retrieval.fake_service import FakeService
from warranty.claims.analysis import Base
from warranty.claims.analysis.side_by_side import side_by_side
from warranty.claims.analysis.starts import StartTable
from warranty.claims.readings.readings import KeptClaims
from warranty.claims.retrieval import retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.language import speaking

BASE = Base(
    of="claims on plans started Nov 2025 to Oct 2026",
    count=1_204,
    as_of=datetime(2026, 11, 22, 14, 2, tzinfo=UTC),
    leaves_out=("2 dated in Nov 2026, which is not over", "1 dated before the start of their plan"),
)


def test_each_row_of_a_file_says_what_it_is_told_of() -> None:
    table = pd.DataFrame({"product": ["=1+1", "Kettle"], "12": ["0", "not seen yet"]})
    content = table_csv(BASE, table, separator=";").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content), delimiter=";"))
    assert [row["product"] for row in rows] == ["'=1+1", "Kettle"]
    assert [row["12"] for row in rows] == ["0", "not seen yet"]
    assert {row["told of"] for row in rows} == {"Claims on plans started Nov 2025 to Oct 2026: 1,204"}
    assert {row["as of"] for row in rows} == {"2026-11-22T14:02:00Z"}
    assert {row["not in it"] for row in rows} == {"; ".join(BASE.leaves_out)}
    assert "incomplete" not in rows[0]
    with speaking("es"):
        assert '"se refiere a";"al";"no incluye"' in table_csv(BASE, table, separator=";").decode()


def test_products_whose_names_are_cut_to_the_same_letters_are_told_apart_on_the_chart() -> None:
    names = [f"Washing machine with a very long name {letter * 80} in white" for letter in "ab"]
    rows = side_by_side({names[0]: (10, 400), names[1]: (90, 400), "Kettle": (12, 400)})
    chart = beside_chart(rows, title="By product", base=BASE)
    labels = chart.figure.to_dict()["layout"]["yaxis"]["ticktext"]
    assert len(set(labels)) == 3
    assert max(map(len, labels)) < 40
    more, *fewer = chart.table["beside the others"]
    assert (more, set(fewer)) == ("more, unlikely to be chance", {"fewer, unlikely to be chance"})
    assert names[1] in chart.words
    assert chart.figure.to_dict()["data"][0]["marker"]["symbol"] == ["diamond"] * 3


def test_against_plans_recorded_here_only_claims_on_their_orders_count() -> None:
    records = [
        claim_record(
            "2026-09-01T10:00:00.000000", n, order_id=f"o-{n}", warranty_start_date="2026-08-01T00:00:00+00:00"
        )
        for n in range(4)
    ]
    claims = retrieve_claims(FakeService(records), ClaimQuery())
    table = StartTable.of(claims.frame, as_of=date(2026, 11, 22), first=date(2026, 6, 1))
    read = ReadStarts(KeptClaims(claims), table)
    here = read.on_orders(frozenset({"o-1", "o-3", "o-9"}))
    assert (int(read.table.counts().sum()), int(here.table.counts().sum())) == (4, 2)
    assert here.table.starts == table.starts
    assert here.base.count == 2
    assert read.on_orders(None).table.counts().sum() == 4
