"""Claims to come, as a chart: what came as bars, what is expected as a line over its intervals, a month a step."""

from typing import Any, Final

import numpy as np
import pandas as pd

from components.charts.colours import OTHER
from components.charts.figure import Chart, checked_figure
from components.charts.traces import PALE, bars, line, steps_axis
from warranty.analysis import Base, Period
from warranty.analysis.cube import Counts
from warranty.analysis.periods import DAY
from warranty.analysis.starts import month_words
from warranty.statistics.triangle import Forecast

_HEIGHT: Final = 330
_SHOWN: Final = 24
_STRONG: Final = "rgba(47,127,196,0.4)"


def forecast_chart(came: Counts, starts: tuple[str, ...], told: Forecast, base: Base) -> Chart:
    """Draw the claims of the last 24 months of `starts`, all over, and what is expected of the months after them."""
    shown = starts[-_SHOWN:]
    past = came[-len(shown) :].tolist()
    first_ahead = np.datetime64(starts[-1], "M") + 1
    ahead = [str(first_ahead + place) for place in range(len(told.expected))]
    months = [*shown, *ahead]
    names = [month_words(month) for month in months]
    places = list(range(len(shown), len(months)))
    (low_80, high_80), (low_95, high_95) = told.interval(0.80), told.interval(0.95)
    expected, low, high = told.total(0.80)
    table = pd.DataFrame(
        {
            "month": names,
            "claims that came": pd.array([*past, *[None] * len(ahead)], dtype="Int64"),
        }
    )
    values = {"expected": told.expected, "80 % from": low_80, "80 % to": high_80}
    for name, column in {**values, "95 % from": low_95, "95 % to": high_95}.items():
        table[name] = pd.array([*[None] * len(shown), *np.round(column, 1).tolist()], dtype="Float64")
    said = [
        f"{name}: {mean:,.0f} expected, 80 %: {from_:,.0f} to {to:,.0f}"
        for name, mean, from_, to in zip(names[len(shown) :], told.expected, low_80, high_80, strict=True)
    ]
    return Chart(
        name="forecast",
        title="Claims to come on plans already started, by month",
        words=f"Bars of {names[0]} to {names[len(shown) - 1]}, the last {past[-1]:,} claims; then a line that ends "
        f"with {names[-1]}. {said[0]}; in all {len(ahead)} months {expected:,.0f}, 80 %: {low:,.0f} to {high:,.0f}",
        base=base,
        figure=checked_figure(
            [
                bars(
                    list(range(len(shown))),
                    past,
                    names[: len(shown)],
                    hover="%{customdata}: %{y:,} claims came",
                    marker={"color": OTHER},
                ),
                _between(places, low_95, high_95, PALE),
                _between(places, low_80, high_80, _STRONG),
                line(places, told.expected.tolist(), said, hover="%{customdata}"),
            ],
            height=_HEIGHT,
            barmode="overlay",
            showlegend=False,
            xaxis=steps_axis(names),
            yaxis={"rangemode": "tozero", "tickformat": ",d"},
        ),
        table=table,
        note=f"Bars: claims that came, in months that are over. Line: expected, from {names[len(shown)]} on; of 10 "
        "such months 8 are to end within the narrow band, of 20 such months 19 within the wide one. Claims on plans "
        "that start later come on top: a line that falls does not mean fewer claims. It ends where nothing older was "
        "seen.",
        steps=tuple(_days(month) for month in months),
    )


def _between(places: list[int], low: Any, high: Any, colour: str) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": places,
        "base": low.tolist(),
        "y": (high - low).tolist(),
        "width": 0.95,
        "marker": {"color": colour},
        "hoverinfo": "skip",
    }


def _days(month: str) -> Period:
    first = np.datetime64(month, "M")
    begin, end = first.astype("M8[D]").item(), (first + 1).astype("M8[D]").item()
    return Period(begin, end - DAY)
