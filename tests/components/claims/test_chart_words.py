"""What charts and figures say of few claims, of claims before their warranty's start, and of words that are empty."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest

from components.charts.colours import COLOURS, OTHER, SHADES, ink_on, pale
from components.charts.figure import Chart
from components.claims.charts import (
    by_product_chart,
    days_to_claim_chart,
    open_by_age_chart,
    over_time_chart,
    weekday_by_hour_chart,
)
from components.claims.headline import headline_figures, headline_line
from tests.colours import contrast
from tests.components.charts.test_colours import DARK, WHITE
from tests.components.claims.test_charts import BASE
from warranty.analysis import ChartPick, ClaimCube, OpenByAge, Period, Trends

LAST = date(2026, 11, 21)
WEEK = Period(LAST - timedelta(days=6), LAST)


def counts(
    days_after: list[int], *, status: str = "OPEN", product: str = "TV", period: Period = WEEK
) -> Trends:
    """Claims of today, so many days after the start of their warranties."""
    size = len(days_after)
    claimed = pd.to_datetime([LAST.isoformat()] * size)
    frame = pd.DataFrame(
        {
            "claim_date": claimed,
            "warranty_start_date": (claimed - pd.to_timedelta(days_after, unit="D")).tz_localize("UTC"),
            "status": pd.Categorical([status] * size),
            "product_name": pd.array([product] * size, dtype="str"),
        }
    )
    return Trends(ClaimCube.of(frame), period)


def charts(counted: Trends) -> list[Chart]:
    return [
        over_time_chart(counted.over_time(), BASE),
        by_product_chart(counted.by_product(), BASE),
        days_to_claim_chart(counted.days_to_claim(), BASE),
        open_by_age_chart(counted.open_by_age(today=LAST), BASE, today=LAST),
    ]


def count_axis(chart: Chart) -> dict[str, Any]:
    name = "xaxis" if chart.name == "by-product" else "yaxis"
    axis: dict[str, Any] = chart.figure.to_dict()["layout"][name]
    return axis


@pytest.mark.parametrize("claims", [1, 2, 5])
def test_few_claims_have_each_number_on_the_axis_once(claims: int) -> None:
    for chart in charts(counts([10] * claims)):
        assert count_axis(chart)["dtick"] == 1, chart.name


@pytest.mark.parametrize(("days", "named"), [(1, 1), (3, 3), (7, 7), (8, 4), (31, 7)])
def test_few_days_are_named_once_each_and_of_many_some(days: int, named: int) -> None:
    period = Period(LAST - timedelta(days=days - 1), LAST)
    axis = over_time_chart(counts([10], period=period).over_time(), BASE).figure.to_dict()["layout"]["xaxis"]
    assert len(set(axis["ticktext"])) == len(axis["tickvals"]) == named


def test_many_claims_have_no_line_for_each() -> None:
    for chart in charts(counts([10] * 400)):
        assert "dtick" not in count_axis(chart), chart.name


def test_no_claims_make_charts_all_the_same() -> None:
    for chart in charts(counts([])):
        assert count_axis(chart)["tickformat"] == ",d"


@pytest.mark.parametrize("days", [[-3, -40, -1, 9], [-3, 0]])
def test_a_median_before_the_start_is_told_in_words(days: list[int]) -> None:
    counted = counts(days)
    figures = headline_figures(counted.headline(), BASE, closed=("RESOLVED",))
    assert headline_line(figures, every=4).endswith(" · half of them before the warranty began")
    assert "half of them before the start" in days_to_claim_chart(counted.days_to_claim(), BASE).words
    assert figures.median.said == "below 0"


def test_where_no_claim_is_open_a_sentence_stands_in_place_of_empty_axes() -> None:
    none_open = OpenByAge(
        "age", ("0 to 7 days", "over 7 days"), np.array([0, 0]), (WEEK, None), ("RESOLVED",), ()
    )
    one_open = replace(none_open, counts=np.array([1, 0]))

    assert open_by_age_chart(none_open, BASE, today=LAST).nothing.startswith("No claim here is open")
    assert open_by_age_chart(one_open, BASE, today=LAST).nothing == ""


def test_squares_are_told_by_what_holds_on_light_and_dark_and_the_faintest_is_seen() -> None:
    grid = counts([3, 60]).weekday_by_hour()
    words = weekday_by_hour_chart(grid, BASE).words
    assert words.startswith("Squares, the stronger their colour the more claims")
    faintest = [float(part) for part in SHADES[0][1].removeprefix("rgba(").rstrip(")").split(",")]
    for background in (WHITE, DARK):
        assert contrast(_over(faintest, background), background) >= 1.5


def test_an_empty_status_or_product_has_a_name_on_the_charts_and_picks_its_claims() -> None:
    over_time, by_product, *_ = charts(counts([10], status="", product=""))
    assert over_time.figure.to_dict()["data"][0]["name"] == "<b>A</b> (empty)"
    assert by_product.figure.to_dict()["layout"]["yaxis"]["ticktext"] == ["(empty)"]
    assert "most claims: (empty) with 1" in by_product.words
    assert by_product.picks[0] == (ChartPick(product=""),)


@pytest.mark.parametrize("colour", [*COLOURS, OTHER])
def test_a_letter_on_a_bar_and_a_word_on_its_pale_chip_can_be_read(colour: str) -> None:
    assert contrast(ink_on(colour), colour) >= 4.5
    assert contrast("#000000", pale(colour)) >= 7


def _over(colour: list[float], background: str) -> str:
    """A colour with some transparency as it looks on a background."""
    red, green, blue, alpha = colour
    below = np.array([int(background[place : place + 2], 16) for place in (1, 3, 5)])
    seen = alpha * np.array([red, green, blue]) + (1 - alpha) * below
    return "#" + "".join(f"{round(part):02X}" for part in seen)
