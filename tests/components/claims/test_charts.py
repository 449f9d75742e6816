"""Charts: what a bar says and what a click on it picks are the same claims; colours, words, text of others."""

from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest

from components.charts.colours import BACKGROUND, COLOURS, OTHER
from components.charts.figure import Chart, checked_figure
from components.claims.charts import CountedClaims, by_product_chart, over_time_chart
from components.claims.claims_filter import ClaimsFilter
from components.words.statuses import status_words
from tests.builders import base
from warranty.analysis import Bars, ByProduct, ChartPick, ClaimCube, OverTime, Period, Step, Trends
from warranty.claims.readings import KeptClaims

BASE = base()


def charts(kept: KeptClaims, chosen: ClaimsFilter, today: date) -> dict[str, Chart]:
    return {chart.name: chart for chart in CountedClaims(kept, chosen).every_chart(today=today)}


def lengths(trace: dict[str, Any]) -> list[int]:
    """How long the bars of a trace are."""
    long: list[int] = trace["x"] if trace.get("orientation") == "h" else trace["y"]
    return long


@pytest.mark.parametrize("chosen", [ClaimsFilter(), ClaimsFilter(statuses=("RESOLVED", "OPEN"))])
@pytest.mark.parametrize("later", [0, 3, 40])
def test_a_click_on_a_bar_picks_exactly_the_claims_that_it_counts(
    kept: KeptClaims, chosen: ClaimsFilter, later: int
) -> None:
    today = kept.claims.as_of.date() + timedelta(days=later)
    narrowed = chosen.selection(closed=kept.closed).of(kept.claims.frame)
    clicked = 0
    for chart in charts(kept, chosen, today).values():
        for trace, picks in chart.picks.items():
            for length, pick in zip(lengths(chart.figure.to_dict()["data"][trace]), picks, strict=False):
                if pick is None:
                    assert length == 0
                else:
                    assert int(pick.of(narrowed, closed=kept.closed).sum()) == length, (chart.name, pick)
                clicked += 1
    assert clicked > 60


def test_every_chart_has_its_words_and_its_data_and_all_claims_are_in_it(kept: KeptClaims) -> None:
    every = len(kept.claims.frame)
    made = charts(kept, ClaimsFilter(), kept.claims.as_of.date())
    assert len(made) == 5
    for chart in made.values():
        assert chart.words
        assert len(chart.table)
    numbers = {name: chart.table.select_dtypes("number").sum().sum() for name, chart in made.items()}
    assert numbers["over-time"] == 2 * every  # each status, and all of them
    assert numbers["by-product"] == every
    assert numbers["days-to-claim"] == every
    assert numbers["weekday-by-hour"] == every
    open_claims = int((kept.claims.frame["status"] != "RESOLVED").sum())
    assert numbers["open-by-age"] == open_claims


def test_a_chart_is_made_once_for_all_who_look(kept: KeptClaims) -> None:
    first = CountedClaims(kept, ClaimsFilter()).over_time()
    assert CountedClaims(kept, ClaimsFilter(email="somebody@example.com")).over_time() is first


def test_a_picked_bar_narrows_the_table_and_no_chart(kept: KeptClaims) -> None:
    all_around = CountedClaims(kept, ClaimsFilter()).over_time()
    assert CountedClaims(kept, ClaimsFilter(pick=ChartPick(status="OPEN"))).over_time() is all_around


def test_the_rest_of_the_products_is_told_in_words_and_in_the_table_and_sets_no_scale() -> None:
    top = Bars("product", ("TV",), np.array([3], dtype=np.int64))
    chart = by_product_chart(ByProduct(top, rest=247, other_products=28), BASE)
    assert chart.note == "28 other products: 247 claims."
    assert chart.figure.to_dict()["data"][0]["x"] == [3]
    assert chart.table["claims"].tolist() == [3, 247]
    alone = by_product_chart(ByProduct(top, rest=1, other_products=1), BASE)
    assert alone.note == "1 other product: 1 claim."
    assert by_product_chart(ByProduct(top, rest=0, other_products=0), BASE).note == ""


def test_a_click_beside_the_bars_picks_nothing() -> None:
    top = Bars("product", ("TV",), np.array([3], dtype=np.int64))
    chart = by_product_chart(ByProduct(top, rest=5, other_products=2), BASE)
    assert chart.picked({"points": [{"curve_number": 0, "point_index": 0}]}) == ChartPick(product="TV")
    assert chart.picked({"points": [{"curve_number": 0, "point_index": 1}]}) is None
    assert chart.picked({"points": []}) is None


def test_tags_in_a_name_are_shown_letter_by_letter() -> None:
    frame = pd.DataFrame(
        {
            "claim_date": pd.to_datetime(["2026-11-21T10:00:00"]),
            "warranty_start_date": pd.to_datetime(["2026-10-21T10:00:00"], utc=True),
            "status": pd.Categorical(["<b>OPEN</b>"]),
            "product_name": pd.array(['<a href="https://example.com">TV</a>'], dtype="str"),
        }
    )
    period = Period(date(2026, 11, 1), date(2026, 11, 21))
    counts = Trends(ClaimCube.of(frame), period)
    over_time = over_time_chart(counts.over_time(), BASE).figure.to_dict()
    products = by_product_chart(counts.by_product(), BASE).figure.to_dict()
    assert over_time["data"][0]["name"] == "<b>A</b> &lt;b&gt;OPEN&lt;/b&gt;"
    assert "<" not in products["data"][0]["customdata"][0]
    assert "<" not in products["layout"]["yaxis"]["ticktext"][0]


def stacked(first: date, last: date, *days: str) -> tuple[Chart, dict[str, Any]]:
    """The chart of claims of these days, and its figure."""
    frame = pd.DataFrame(
        {
            "claim_date": pd.to_datetime(days).as_unit("us"),
            "warranty_start_date": pd.to_datetime([days[0]] * len(days), utc=True).as_unit("us"),
            "status": pd.Categorical(["OPEN"] * len(days)),
            "product_name": pd.array(["TV"] * len(days), dtype="str"),
        }
    )
    chart = over_time_chart(Trends(ClaimCube.of(frame), Period(first, last)).over_time(), BASE)
    return chart, chart.figure.to_dict()


@pytest.mark.parametrize(("first", "last"), [("2026-05-22", "2027-11-21"), ("2026-05-21", "2026-11-21")])
def test_a_first_step_that_is_cut_stands_beside_the_others_and_narrows_no_bar(first: str, last: str) -> None:
    _, drawn = stacked(date.fromisoformat(first), date.fromisoformat(last), first, "2026-11-21")
    places = drawn["data"][0]["x"]
    assert places == list(range(len(places)))


def test_some_steps_are_named_by_their_first_day_and_the_year_where_it_changes() -> None:
    _, drawn = stacked(date(2025, 11, 26), date(2026, 2, 23), "2025-12-10", "2026-02-18")
    axis = drawn["layout"]["xaxis"]
    assert len(axis["tickvals"]) <= 7
    assert axis["ticktext"] == [
        "26 Nov 2025<br>part of week",
        "8 Dec",
        "22 Dec",
        "5 Jan<br>2026",
        "19 Jan",
        "2 Feb",
        "23 Feb<br>part of week",
    ]
    _, drawn = stacked(date(2025, 10, 5), date(2026, 10, 4), "2025-12-10", "2026-02-18")
    assert drawn["layout"]["xaxis"]["ticktext"][:3] == ["Oct 2025<br>from 5 Oct", "Dec", "Feb<br>2026"]


def test_a_figure_is_checked_when_it_is_made() -> None:
    with pytest.raises(ValueError, match="bra"):
        checked_figure([{"type": "bra", "x": [1], "y": [1]}], height=100)


def test_ranges_of_more_than_ten_years_are_drawn_by_year_and_no_claim_is_left_out() -> None:
    days = ("2009-03-01", "2026-11-20", "2026-11-21")
    chart, drawn = stacked(date(2009, 1, 1), date(2026, 11, 22), *days)
    assert drawn["data"][0]["customdata"] == [*map(str, range(2009, 2026)), "2026 (to 22 Nov)"]
    assert drawn["data"][0]["y"] == [1, *[0] * 16, 2]
    assert drawn["layout"]["xaxis"]["ticktext"][:2] == ["2009", "2012"]
    picked = chart.picked({"points": [{"curve_number": 0, "point_index": 17}]})
    assert picked is not None
    frame = pd.DataFrame({"claim_date": pd.to_datetime(days), "status": ["OPEN"] * 3})
    assert picked.of(frame, closed=("RESOLVED",)).tolist() == [False, True, True]


def test_a_bar_that_was_picked_stands_out_on_its_own_chart_and_nowhere_else(kept: KeptClaims) -> None:
    drawn = charts(kept, ClaimsFilter(), kept.claims.as_of.date())
    chart = drawn["over-time"]
    pick = chart.picks[1][3]
    assert pick is not None
    marked = [trace["selectedpoints"] for trace in chart.marked(pick).to_dict()["data"]]
    assert marked == [[], [3], *[[]] * (len(marked) - 2)]
    assert drawn["by-product"].marked(pick) is drawn["by-product"].figure
    assert chart.marked(ChartPick()) is chart.figure


def test_long_names_are_told_apart_on_the_axis() -> None:
    names = ["Extraordinarily long product name, " * 2 + tail for tail in ("black", "white", "white")]
    names[2] = names[1].replace("name", "size", 1)
    bars = Bars("product", tuple(names), np.array([3, 2, 1]))
    counted = ByProduct(bars, other_products=0, rest=0)
    labels = by_product_chart(counted, BASE).figure.to_dict()["layout"]["yaxis"]["ticktext"]
    assert len(set(labels)) == 3
    assert labels[0].startswith("Extraordinarily")
    assert labels[0].endswith("black")
    assert labels[2].endswith("white (2)")


def test_marks_that_turn_the_direction_of_writing_turn_none_of_our_numbers() -> None:
    bars = Bars("product", ("Radio \u202ereversed",), np.array([32]))
    drawn = by_product_chart(ByProduct(bars, other_products=0, rest=0), BASE).figure.to_dict()
    assert drawn["data"][0]["customdata"] == ["Radio reversed"]
    assert "\u202e" not in str(drawn)


def test_one_product_or_one_day_is_a_bar_and_fills_no_chart() -> None:
    one = by_product_chart(
        ByProduct(Bars("product", ("Lamp",), np.array([3])), other_products=0, rest=0), BASE
    )
    low, high = one.figure.to_dict()["layout"]["yaxis"]["range"]
    assert low - high == 6
    saturday = Period(date(2026, 11, 21), date(2026, 11, 21))
    counted = OverTime(Step.DAY, (saturday,), ("OPEN",), np.array([[3]]), ("",))
    day = over_time_chart(counted, BASE).figure.to_dict()
    assert day["layout"]["xaxis"]["range"] == [-3, 3]
    assert day["layout"]["showlegend"]  # one status has its name as well
    assert (
        "%{meta}<extra></extra>" in day["data"][0]["hovertemplate"]
    )  # outside its box it would lie on the legend


def test_no_click_on_the_legend_hides_claims_that_title_and_seal_speak_of(kept: KeptClaims) -> None:
    legend = CountedClaims(kept, ClaimsFilter()).over_time().figure.to_dict()["layout"]["legend"]
    assert (legend["itemclick"], legend["itemdoubleclick"]) == (False, False)


def many_statuses(count: int) -> Chart:
    """Claims of one day: one with the last status, two with the one before, and so on."""
    counts = np.arange(count, 0, -1)[None, :]
    words = tuple(f"STATUS_{number:02}" for number in range(count))
    return over_time_chart(
        OverTime(Step.DAY, (Period(*[date(2026, 11, 21)] * 2),), words, counts, ("",)), BASE
    )


def test_of_45_statuses_the_most_frequent_have_a_colour_each_and_the_others_are_one_grey_part() -> None:
    chart = many_statuses(45)
    drawn = chart.figure.to_dict()["data"]
    assert [
        trace["name"].removeprefix(f"<b>{letter}</b> ")
        for letter, trace in zip("ABCDEFGHI", drawn, strict=True)
    ] == [
        *(f"Status {n:02}" for n in range(8)),
        "37 other statuses",
    ]
    assert {trace["marker"]["color"] for trace in drawn[:-1]} == set(COLOURS)
    assert drawn[-1]["marker"]["color"] == OTHER
    assert sum(trace["y"][0] for trace in drawn[:9]) == sum(range(46))
    assert chart.note == "37 other statuses are one grey part; the table names them."
    assert chart.picked({"points": [{"curve_number": 8, "point_index": 0}]}) is None
    assert {f"STATUS_{n:02}" for n in range(45)} <= set(chart.table)
    assert chart.figure.to_dict()["layout"]["height"] < 400


def test_parts_with_room_for_a_letter_have_that_of_the_legend_so_that_no_colour_is_needed() -> None:
    days = (Period(date(2026, 11, 20), date(2026, 11, 20)), Period(date(2026, 11, 21), date(2026, 11, 21)))
    counts = np.array([[10, 90], [3, 12]])
    chart = over_time_chart(OverTime(Step.DAY, days, ("DENIED", "OPEN"), counts, ("", "so far")), BASE)
    opened, denied = chart.figure.to_dict()["data"]
    assert [bar["name"] for bar in (opened, denied)] == ["<b>A</b> Open", "<b>B</b> Denied"]
    assert opened["text"] == ["A", ""]  # the second day is hatched: in part
    assert denied["text"] == ["", ""]  # too low for a letter


def test_one_status_more_than_colours_has_its_own_name_and_its_own_click() -> None:
    chart = many_statuses(9)
    assert chart.figure.to_dict()["data"][8]["name"] == "<b>I</b> Status 08"
    picked = chart.picked({"points": [{"curve_number": 8, "point_index": 0}]})
    assert picked is not None
    assert picked.status == "STATUS_08"


def test_the_parts_of_a_bar_are_told_apart_without_colour_by_gaps_and_by_the_order_that_is_told() -> None:
    chart = many_statuses(3)
    for trace in chart.figure.to_dict()["data"]:
        assert trace["marker"]["line"] == {"color": BACKGROUND, "width": 1}
    assert chart.figure.to_dict()["layout"]["legend"]["traceorder"] == "normal"
    assert "from the bottom up Status 00, Status 01, Status 02" in chart.words


def test_bars_of_ages_are_of_30_days_each_however_many_there_are(kept: KeptClaims) -> None:
    drawn = charts(kept, ClaimsFilter(), kept.claims.as_of.date())
    days = [pick.age or (0, 0) for pick in drawn["days-to-claim"].picks[0] if pick]
    whole = [(low, high) for low, high in days if high is not None and high != -1]
    assert {high - low for low, high in whole} == {29}
    assert [low for low, _ in whole] == list(range(0, 30 * len(whole), 30))
    for name in ("days-to-claim", "open-by-age"):
        assert drawn[name].figure.to_dict()["layout"]["xaxis"]["title"]["text"] == "days, 30 a bar"


def test_unknown_words_are_named_where_they_are_counted_as_open(kept: KeptClaims) -> None:
    note = charts(kept, ClaimsFilter(), kept.claims.as_of.date())["open-by-age"].note
    closed, _, counted_open = note.partition("Closed: ")[2].partition(". Counted as open: ")
    assert closed == "Resolved"
    said = {status_words(word) for word in kept.claims.frame["status"]}
    assert set(counted_open.rstrip(".").split(", ")) == said - {"Resolved"}


def test_a_month_of_which_only_a_part_is_counted_is_hatched_and_says_so_wherever_it_stands() -> None:
    claimed = pd.to_datetime(["2026-11-20 10:00", "2026-10-03 10:00", "2026-05-24 10:00"])
    frame = pd.DataFrame(
        {
            "claim_date": claimed,
            "warranty_start_date": claimed.tz_localize("UTC"),
            "status": pd.Categorical(["OPEN"] * 3),
            "product_name": pd.array(["TV"] * 3, dtype="str"),
        }
    )
    period = Period(date(2026, 5, 22), date(2027, 5, 1))
    counted = Trends(ClaimCube.of(frame), period, today=date(2026, 11, 22)).over_time()

    chart = over_time_chart(counted, BASE)

    drawn = chart.figure.to_dict()
    bars, axis = drawn["data"][0], drawn["layout"]["xaxis"]
    assert bars["marker"]["pattern"]["shape"] == ["/", "", "", "", "", "", "/"]
    assert bars["customdata"][0] == "May 2026 (from 22 May)"
    assert bars["customdata"][-1] == "Nov 2026 (so far)"
    assert (axis["ticktext"][0], axis["ticktext"][-1]) == ("May 2026<br>from 22 May", "Nov<br>so far")
    assert [trace["showlegend"] for trace in drawn["data"][:1]] == [False]
    assert [trace["name"] for trace in drawn["data"]] == [
        "<b>A</b> Open",
        "<b>A</b> Open",
    ]  # the second is for the legend: not hatched
    assert "pattern" not in drawn["data"][1]["marker"]
    assert list(chart.table["counted"]) == ["from 22 May", *["whole"] * 5, "so far"]
    assert chart.words.endswith("; only in part: May 2026 (from 22 May), Nov 2026 (so far)")


def test_the_figures_of_claims_are_those_of_its_table_by_one_rule_for_every_narrowing(
    kept: KeptClaims,
) -> None:
    product = str(kept.claims.frame["product_name"].iloc[0])
    for chosen in (
        ClaimsFilter(statuses=("RESOLVED",)),
        ClaimsFilter(words="the"),
        ClaimsFilter(pick=ChartPick(product=product)),
        ClaimsFilter(products=(product,), pick=ChartPick(status="RESOLVED")),
    ):
        table = chosen.selection(closed=kept.closed).of(kept.claims.frame)
        told = CountedClaims(kept, chosen, picked=True).figures()
        assert told.claims.value == len(table) == told.claims.base.count
        assert told.open_claims.value == (~table["status"].isin(kept.closed)).sum()
    assert f"product {product}, status RESOLVED" in told.claims.base.words
