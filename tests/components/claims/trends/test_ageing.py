"""The tab Ageing: claims by start of their plan, read to today; plans sold as their base; what its files say."""

import csv
import io
import json
import re
from datetime import UTC, date, datetime
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

from components.claims.screen.chart_view import table_csv
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.trends.rates import beside_chart
from components.claims.trends.starts import ReadStarts
from components.words.days import service_today
from tests.builders import MANAGER, claim_record
from tests.components.claims.screen.screen import folded_out, in_part, read, read_by
from tests.components.stage import Stage, pick_lists, says, shown, words
from tests.warranty.claims.retrieval.fake_service import FakeService
from warranty.claims.analysis import Base
from warranty.claims.analysis.side_by_side import side_by_side
from warranty.claims.analysis.starts import StartTable, month_words, starts_back
from warranty.claims.readings.readings import KeptClaims
from warranty.claims.retrieval import retrieve_claims
from warranty.client.resources import ClaimQuery
from warranty.language import speaking


def opened(stage: Stage, *, months: int = 36, **query: str) -> AppTest:
    address = {"view": "Ageing", "months": str(months), **query}
    return read(stage, stage.screen("claim_trends", MANAGER, query=address), plans_of(months))


def plans_of(months: int) -> ClaimsFilter:
    return ClaimsFilter(period="all", started=starts_back(service_today(), months))


def test_claims_are_read_by_start_whatever_the_period_and_a_cell_is_a_number_or_0_or_not_seen(stage: Stage) -> None:
    test = opened(stage, months=12, period="7-days")
    started = starts_back(service_today(), 12).words
    says(test, f"Claims of any date on plans that started {started}.", "complete: ")
    chart = test.get("plotly_chart")[0]
    assert re.search(r"\d+ with claims, \d+ with 0, 66 not seen; most claims: ", chart.proto.alt)
    drawn = json.loads(chart.proto.spec)["data"][0]["z"]
    assert sum(cell is None for row in drawn for cell in row) == 66
    folded_out(test, "ageing:starts-by-age:table")
    table = test.dataframe[0].value
    assert table.iloc[:, 2:].isna().sum().sum() == 66
    assert table.iloc[:, 2:].sum().sum() == table["claims"].sum()


def test_ages_are_cut_where_all_shown_starts_have_been(stage: Stage) -> None:
    test = opened(stage)
    shown(next(box for box in test.selectbox if box.label.startswith("Ages")).set_value(14).run())
    said = words(test)
    assert re.search(r"Claims on plans started (\w+ \d+) to (\w+ \d+), ages 0 to 14 months: \d+", said)
    assert re.search(r"plans started \w+ \d+ to \w+ \d+, which have not reached age 14 months \(\d+ claims\)", said)
    shown(test.segmented_control[0].set_value("12").run())
    read(stage, test, plans_of(12))
    assert "ages 0 to 5 months" in words(test), "a year of starts has no age of 14 months"


def test_what_came_before_all_claims_is_not_seen(stage: Stage) -> None:
    test = opened(stage, months=36)
    kept = stage.runtime.claims.newest_whole()
    assert kept is not None
    first = pd.Period(kept.claims.frame["claim_date"].min(), "M")
    table = folded_out(test, "ageing:starts-by-age:table").dataframe[0].value
    assert table.iloc[:, 2:].isna().sum().sum() > 630, "also of those before it"
    said = words(test)
    assert "anything before the first of these claims, of " in said
    assert re.search(rf"Claims on plans started {(first + 1).strftime('%b %Y')} to \w+ \d+, ages 0 to 8 months: ", said)
    assert re.search(r"plans started \w+ \d+ to \w+ \d+, which were not seen from their start \(\d+ claims\)", said)
    assert "anything before the first of these claims" not in words(opened(stage, months=12))


def test_one_product_is_looked_at_and_stays_in_the_address_and_without_claims_a_sentence_says_so(stage: Stage) -> None:
    test = opened(stage)
    (products,) = pick_lists(test)
    product = products.options[0]
    products.set_value(product)
    assert f", product {product}: " in words(shown(test.run()))
    assert test.query_params["of-product"] == product
    pick_lists(test)[0].set_value("nothing of ours")
    assert f", product {product}: " not in words(shown(test.run())), "what is none of them chooses none"
    assert "of-product" not in test.query_params
    nothing: dict[str, Any] = {"of-product": "nothing of ours"}
    test = opened(stage, **nothing)
    assert "There are no claims on plans started " in words(test)
    assert not test.get("plotly_chart")


def test_products_are_not_compared_without_plans_sold_and_an_incomplete_reading_is_sealed_as_such(stage: Stage) -> None:
    assert "Claims per 1,000 plans need plans sold: import a file of them below" in words(opened(stage))
    read_by(stage, in_part(stage))
    test = opened(stage)
    assert "Not all claims are here." in words(test)
    assert "incomplete: " in test.get("plotly_chart")[0].proto.alt
    assert "products side by side need all claims" in words(test)
    assert len(test.get("plotly_chart")) == 2


def months_of(months: int) -> list[str]:
    started = starts_back(service_today(), months)
    return list(pd.period_range(started.first, started.last, freq="M").astype("str"))


def test_with_plans_sold_claims_are_told_per_1000_plans_with_base_and_interval(stage: Stage) -> None:
    test = opened(stage)
    product = pick_lists(test)[0].options[0]
    months = months_of(36)[24:]
    plans = {(month, product): 100 for month in months} | {(months[0], "a kettle"): 7}
    stage.runtime.insight.plans_sold(MANAGER).replace(plans, file_name="plans.csv")
    said = words(shown(test.run()))
    of_plans = f"started {month_words(months[0])} to {month_words(months[-1])}"
    assert f"Claims on 1,207 plans sold by the files imported, {of_plans}: " in said, "of which plans are known"
    charts = {chart.proto.alt.partition(".")[0]: chart.proto.alt for chart in test.get("plotly_chart")}
    assert re.search(r"rises to \d+ at age \d+ months \(95 % interval \d+ to \d+\)", " ".join(charts.values()))
    assert "Claims per 1,000 plans up to age 8 months, by product" in charts
    assert re.search(r"Not in it: [\d,]+ claims on products or months without plans sold", said)
    folded_out(test, "plans-unmatched")
    claims, sold = (frame.value for frame in test.dataframe)
    assert product not in set(claims["product"])
    assert sold.to_dict("list") == {"product": ["a kettle"], "plans": [7]}
    shown(test.segmented_control(key="plans-base").set_value("Sold at this desk").run())
    assert "need plans sold" in words(test), "nothing was recorded here"


def upload(test: AppTest, text: str) -> AppTest:
    folded_out(test, "plans-sold")
    test.file_uploader[0].upload("plans.csv", text.encode(), "text/csv")
    return shown(test.run())


def test_a_file_is_refused_whole_with_each_rows_rule_or_says_what_it_replaces(stage: Stage) -> None:
    test = upload(opened(stage), "month,product,plans\n2026-01,Kettle,3\nJan 26,Kettle,3\n2026-02,Kettle,x\n")
    says(test, "2 rows are not right, so nothing was imported.", "Row 3 has no month: write YYYY-MM")
    assert "Row 4 has no number of plans" in words(test)
    assert not stage.runtime.insight.plans_sold(MANAGER).rows()
    test = upload(test, "month,product,plans\n2026-01,Kettle,1\n2026-01,Iron,2\n")
    assert "No file of plans sold was imported yet." in words(test)
    shown(test.button(key="plans-take").click().run())
    assert len(test.dataframe[-1].value) == 1, "one line a file"
    assert "plans.csv was imported: 3 plans, Jan 2026." in words(test)
    row, _ = stage.runtime.insight.plans_sold(MANAGER).rows()
    assert (row.plans, row.file_name, row.username) == (2, "plans.csv", MANAGER.username)
    test = upload(test, "month,product,plans\n2026-01,Kettle,4\n")
    assert "This replaces what is kept of the same months, from plans.csv: 3 plans, Jan 2026" in words(test)
    shown(test.button(key="plans-take").click().run())
    (row,) = stage.runtime.insight.plans_sold(MANAGER).rows()
    assert row.plans == 4


LEFT_OUT = ("2 dated in Nov 2026, which is not over", "1 dated before the start of their plan")
AS_OF = datetime(2026, 11, 22, 14, 2, tzinfo=UTC)
BASE = Base(of="claims on plans started Nov 2025 to Oct 2026", count=1_204, as_of=AS_OF, leaves_out=LEFT_OUT)


def test_each_row_of_a_file_says_what_it_is_told_of() -> None:
    table = pd.DataFrame({"product": ["=1+1", "Kettle"], "12": ["0", "not seen yet"]})
    rows = list(csv.DictReader(io.StringIO(table_csv(BASE, table, separator=";").decode("utf-8-sig")), delimiter=";"))
    assert [row["product"] for row in rows] == ["'=1+1", "Kettle"]
    assert [row["12"] for row in rows] == ["0", "not seen yet"]
    assert {row["told of"] for row in rows} == {"Claims on plans started Nov 2025 to Oct 2026: 1,204"}
    assert {row["as of"] for row in rows} == {"2026-11-22T14:02:00Z"}
    assert {row["not in it"] for row in rows} == {"; ".join(LEFT_OUT)}
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
    dates = {"claim_date": "2026-09-01T10:00:00.000000", "warranty_start_date": "2026-08-01T00:00:00+00:00"}
    records = [claim_record(number=n, order_id=f"o-{n}", **dates) for n in range(4)]
    claims = retrieve_claims(FakeService(records), ClaimQuery())
    table = StartTable.of(claims.frame, as_of=date(2026, 11, 22), first=date(2026, 6, 1))
    read = ReadStarts(KeptClaims(claims), table)
    here = read.on_orders(frozenset({"o-1", "o-3", "o-9"}))
    assert (int(read.table.counts().sum()), int(here.table.counts().sum())) == (4, 2)
    assert here.table.starts == table.starts
    assert here.base.count == 2
    assert read.on_orders(None).table.counts().sum() == 4
