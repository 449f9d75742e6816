"""Charts: what a bar says and what a click on it picks are the same claims; axes, words, text of others."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest

from components.claims.charts.colours import CLOSED, OPEN
from components.claims.charts.figure import Chart, count_axis
from components.claims.screen.charts import CountedClaims, by_product_chart, over_time_chart
from components.claims.screen.claims_filter import ClaimsFilter
from components.platform.markup import CHART_BACKGROUND
from components.words.statuses import status_words
from sandbox import CLOSED_STATUSES
from tests.builders import base
from warranty.claims.analysis import ByProduct, ChartPick, ClaimCube, OverTime, Period, Step, Trends
from warranty.claims.readings.readings import KeptClaims

BASE = base()
LAST = date(2026, 11, 21)


def charts(kept: KeptClaims, today: date | None = None) -> dict[str, Chart]:
    today = today or kept.claims.as_of.date()
    return {chart.name: chart for chart in CountedClaims(kept, ClaimsFilter()).every_chart(today=today)}


def counted(
    *claimed: str | date,
    days: tuple[date, date] = (LAST - timedelta(days=6), LAST),
    after: Sequence[int] = (),
    status: str = "OPEN",
    product: str = "TV",
    today: date | None = None,
) -> Trends:
    dates = pd.to_datetime(pd.Series(claimed, dtype="str")).dt.as_unit("us")
    started = dates - pd.to_timedelta(pd.Series([*after] or [30] * len(dates), dtype="float"), unit="D")
    statuses, names = pd.Categorical([status] * len(dates)), pd.array([product] * len(dates), dtype="str")
    of_claims = {"claim_date": dates, "warranty_start_date": started.dt.tz_localize("UTC"), "status": statuses}
    return Trends(ClaimCube.of(pd.DataFrame({**of_claims, "product_name": names})), Period(*days), today=today)


def over_time(*claimed: str | date, **how: Any) -> tuple[Chart, dict[str, Any]]:
    chart = over_time_chart(counted(*claimed, **how).over_time(), BASE)
    return chart, chart.figure.to_dict()


def of_products(*names: str, rest: int = 0, others: int = 0) -> Chart:
    counts = np.arange(len(names), 0, -1) + 3 - len(names)
    return by_product_chart(ByProduct(names, counts, rest=rest, other_products=others), BASE)


def click(chart: Chart, trace: int, place: int) -> ChartPick | None:
    return chart.picked({"points": [{"curve_number": trace, "point_index": place}]})


def lengths(trace: dict[str, Any]) -> list[int]:
    long: list[int] = trace["x"] if trace.get("orientation") == "h" else trace["y"]
    return long


@pytest.mark.parametrize(("chosen", "later", "closed"), [
    (ClaimsFilter(), 0, ("RESOLVED",)), (ClaimsFilter(), 3, CLOSED_STATUSES), (ClaimsFilter(), 40, ("RESOLVED",)),
    (ClaimsFilter(statuses=("RESOLVED", "OPEN")), 3, CLOSED_STATUSES),
])  # fmt: skip
def test_a_bar_opens_its_own_claims(
    kept: KeptClaims, chosen: ClaimsFilter, later: int, closed: tuple[str, ...]
) -> None:
    kept = KeptClaims(kept.claims, closed=closed)
    today = kept.claims.as_of.date() + timedelta(days=later)
    narrowed = chosen.selection(closed=kept.closed).of(kept.claims.frame)
    clicked = 0
    for chart in CountedClaims(kept, chosen).every_chart(today=today):
        for trace, picks in chart.picks.items():
            for length, pick in zip(lengths(chart.figure.to_dict()["data"][trace]), picks, strict=False):
                picked = 0 if pick is None else int(pick.of(narrowed, closed=kept.closed).sum())
                assert picked == length, (chart.name, pick)
                clicked += 1
    assert clicked > 30


def test_every_chart_has_its_words_and_all_claims_and_names_unknown_words_as_open(kept: KeptClaims) -> None:
    made = charts(kept)
    every, is_open = len(kept.claims.frame), int((kept.claims.frame["status"] != "RESOLVED").sum())
    assert all(chart.words for chart in made.values())
    assert {name: chart.table.select_dtypes("number").sum().sum() for name, chart in made.items()} == {
        "over-time": 2 * every,  # each status, and all of them
        "by-product": every,
        "open-by-age": is_open,
    }
    closed, _, named = made["open-by-age"].about.partition(". Counted as open: ")
    assert closed == "Closed: Resolved"
    said = {status_words(word) for word in kept.claims.frame["status"]}
    assert set(named.rstrip(".").split(", ")) == said - {"Resolved"}


@pytest.mark.parametrize("same", [ClaimsFilter(email="a@example.com"), ClaimsFilter(pick=ChartPick(status="OPEN"))])
def test_a_chart_is_made_once_for_all_and_a_pick_narrows_none(kept: KeptClaims, same: ClaimsFilter) -> None:
    assert CountedClaims(kept, same).over_time() is (first := CountedClaims(kept, ClaimsFilter()).over_time())
    assert first is not CountedClaims(kept, ClaimsFilter(statuses=("OPEN",))).over_time()


def test_the_rest_of_the_products_is_told_in_words_and_in_the_table_sets_no_scale_and_picks_nothing() -> None:
    chart = of_products("TV", "Lamp", rest=247, others=28)
    assert chart.note == "28 other products: 247 claims."
    assert chart.figure.to_dict()["data"][0]["x"] == [3, 2]
    assert chart.table["claims"].tolist() == [3, 2, 247]
    assert [click(chart, 0, place) for place in range(3)] == [ChartPick(product="TV"), ChartPick(product="Lamp"), None]
    assert chart.picked({"points": []}) is None
    assert of_products("TV", rest=1, others=1).note == "1 other product: 1 claim."
    assert of_products("TV").note == ""


def test_what_others_wrote_is_shown_letter_by_letter_and_an_empty_word_has_a_name_and_picks_its_claims() -> None:
    _, drawn = over_time(LAST, status="<b>OPEN</b>")
    assert drawn["data"][0]["name"] == "&lt;b&gt;OPEN&lt;/b&gt;"
    of = of_products('<a href="https://example.com">TV</a>', "Radio \u202ereversed").figure.to_dict()
    tag, radio = of["data"][0]["customdata"]
    assert "<" not in tag + of["layout"]["yaxis"]["ticktext"][0]
    assert radio == "Radio reversed"
    assert "\u202e" not in str(of)
    _, drawn = over_time(LAST, status="")
    assert drawn["data"][0]["name"] == "(empty)"
    by_product = of_products("")
    assert by_product.figure.to_dict()["layout"]["yaxis"]["ticktext"] == ["(empty)"]
    assert "most claims: (empty) with 3" in by_product.words
    assert click(by_product, 0, 0) == ChartPick(product="")


def test_some_steps_are_named_by_their_first_day_and_the_year_where_it_changes() -> None:
    axis = over_time(LAST, days=(date(2025, 11, 26), date(2026, 2, 23)))[1]["layout"]["xaxis"]
    assert axis["ticktext"] == [
        "26 Nov 2025<br>part of week", "8 Dec", "22 Dec", "5 Jan<br>2026", "19 Jan", "2 Feb",
        "23 Feb<br>part of week",
    ]  # fmt: skip
    axis = over_time(LAST, days=(date(2025, 10, 5), date(2026, 10, 4)))[1]["layout"]["xaxis"]
    assert axis["ticktext"][:3] == ["Oct 2025<br>from 5 Oct", "Dec", "Feb<br>2026"]
    axis = over_time("2009-03-01", LAST, days=(date(2009, 1, 1), LAST))[1]["layout"]["xaxis"]
    assert axis["ticktext"][:2] == ["2009", "2012"]


@pytest.mark.parametrize(("days", "named"), [(1, 1), (3, 3), (7, 7), (8, 4), (31, 7)])
def test_few_days_are_named_once_each_and_of_many_some(days: int, named: int) -> None:
    axis = over_time(LAST, days=(LAST - timedelta(days=days - 1), LAST))[1]["layout"]["xaxis"]
    assert len(set(axis["ticktext"])) == len(axis["tickvals"]) == named


@pytest.mark.parametrize(("claims", "each"), [(0, True), (1, True), (5, True), (6, False), (400, False)])
def test_few_claims_have_each_number_on_the_axis_and_many_no_line_for_each(claims: int, *, each: bool) -> None:
    axis = count_axis([claims])
    assert axis["tickformat"] == ",d"
    assert (axis.get("dtick") == 1) is each


def test_a_bar_that_was_picked_stands_out_on_its_own_chart_and_nowhere_else(kept: KeptClaims) -> None:
    drawn = charts(kept)
    chart = drawn["over-time"]
    pick = chart.picks[1][3]
    assert pick is not None
    marked = [trace["selectedpoints"] for trace in chart.marked(pick).to_dict()["data"]]
    assert marked == [[], [3], *[[]] * (len(marked) - 2)]
    assert drawn["by-product"].marked(pick) is drawn["by-product"].figure
    assert chart.marked(ChartPick()) is chart.figure


def test_one_product_or_one_day_is_a_bar_and_fills_no_chart() -> None:
    low, high = of_products("Lamp").figure.to_dict()["layout"]["yaxis"]["range"]
    assert low - high == 6
    _, day = over_time(LAST, days=(LAST, LAST))
    assert day["layout"]["xaxis"]["range"] == [-3, 3]
    assert day["layout"]["showlegend"]  # one status has its name as well
    # Outside its box it would lie on the legend.
    assert "%{meta}<extra></extra>" in day["data"][0]["hovertemplate"]


def test_of_many_statuses_the_open_ones_beyond_the_colours_and_the_closed_ones_are_a_part_each() -> None:
    words = ("RESOLVED", "DENIED", "REPLACED", "OPEN", "IN_REVIEW", "AWAITING_PARTS", "RMA")
    counted = OverTime(Step.DAY, (Period(LAST, LAST),), words, np.arange(1, 8)[None, :], ("",))
    chart = over_time_chart(counted, BASE, closed=words[:3])
    drawn = chart.figure.to_dict()["data"]
    names = ["Open", "In review", "2 open statuses", "Resolved", "2 closed statuses"]
    assert [(trace["name"], trace["y"][0]) for trace in drawn] == [*zip(names, (4, 5, 13, 1, 5), strict=True)]
    assert [trace["marker"]["color"] for trace in drawn] == [*OPEN, *CLOSED]
    assert chart.note == "2 open statuses: Awaiting parts, RMA. 2 closed statuses: Denied, Replaced."
    assert [click(chart, place, 0) for place in (2, 4)] == [None, None]
    assert click(chart, 3, 0) == ChartPick(days=Period(LAST, LAST), status="RESOLVED")
    assert set(words) <= set(chart.table)


def test_the_parts_of_a_bar_are_told_apart_without_colour_by_gaps_and_order() -> None:
    days = (Period(LAST, LAST),)
    counted = OverTime(Step.DAY, days, ("DENIED", "OPEN"), np.array([[90, 10]]), ("",))
    chart = over_time_chart(counted, BASE, closed=("DENIED",))
    drawn = chart.figure.to_dict()
    for trace in drawn["data"]:
        assert trace["marker"]["line"] == {"color": CHART_BACKGROUND, "width": 1}
    legend = drawn["layout"]["legend"]
    assert legend["traceorder"] == "normal"
    # A click would hide claims that title and seal speak of.
    assert (legend["itemclick"], legend["itemdoubleclick"]) == (False, False)
    assert "from the bottom up Open, Denied" in chart.words


def test_a_month_of_which_only_a_part_is_counted_is_hatched_and_says_so_wherever_it_stands() -> None:
    chart, drawn = over_time(
        "2026-11-20", "2026-10-03", "2026-05-24", days=(date(2026, 5, 22), date(2027, 5, 1)), today=date(2026, 11, 22)
    )
    (bars, of_legend), axis = drawn["data"], drawn["layout"]["xaxis"]
    assert bars["marker"]["pattern"]["shape"] == ["/", "", "", "", "", "", "/"]
    assert (bars["customdata"][0], bars["customdata"][-1]) == ("May 2026 (from 22 May)", "Nov 2026 (so far)")
    assert (axis["ticktext"][0], axis["ticktext"][-1]) == ("May 2026<br>from 22 May", "Nov<br>so far")
    assert (bars["showlegend"], bars["name"], of_legend["name"]) == (False, "Open", "Open")
    assert "pattern" not in of_legend["marker"]
    assert list(chart.table["counted"]) == ["from 22 May", *["whole"] * 5, "so far"]
    assert chart.words.endswith("; only in part: May 2026 (from 22 May), Nov 2026 (so far)")


def test_the_figures_of_claims_are_those_of_its_table_by_one_rule_when_narrowed(kept: KeptClaims) -> None:
    product = str(kept.claims.frame["product_name"].iloc[0])
    picked = ClaimsFilter(products=(product,), pick=ChartPick(status="RESOLVED"))
    words, by_product = ClaimsFilter(words="the"), ClaimsFilter(pick=ChartPick(product=product))
    for chosen in (ClaimsFilter(statuses=("RESOLVED",)), words, ClaimsFilter(open_only=True), by_product, picked):
        table = chosen.selection(closed=kept.closed).of(kept.claims.frame)
        told = CountedClaims(kept, chosen, picked=True)
        assert told.claims().value == len(table) == told.claims().base.count
        assert told.open_claims().value == (~table["status"].isin(kept.closed)).sum()
    assert f"product {product}, status Resolved" in told.claims().base.words
