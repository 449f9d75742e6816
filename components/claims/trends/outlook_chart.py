"""Claims to come, as a chart: what came as bars, what is expected as a line over its intervals, a month a step."""

from typing import Any, Final

import numpy as np
import pandas as pd

from components.claims.charts.colours import OTHER
from components.claims.charts.figure import Chart, checked_figure
from components.claims.charts.traces import PALE, bars, line, steps_axis
from warranty.claims.analysis import Base, Period
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.periods import DAY
from warranty.claims.analysis.starts import month_words
from warranty.insight.statistics.triangle import Forecast
from warranty.language import _
from warranty.language.written import number

_HEIGHT: Final = 330
_SHOWN: Final = 24
_LATE: Final = 3
_NOT_SPOKEN_OF: Final = {"color": OTHER, "opacity": 0.4}
_STRONG: Final = "rgba(47,127,196,0.4)"


def forecast_chart(came: Counts, spoken_of: Counts, starts: tuple[str, ...], forecast: Forecast, base: Base) -> Chart:
    """Draw all claims of the last 24 months of `starts`, which are over, and what is expected of the months after them.

    The forecast speaks of a part of them.
    """
    shown = starts[-_SHOWN:]
    past, of_these = came[-len(shown) :].tolist(), spoken_of[-len(shown) :].tolist()
    first_ahead = np.datetime64(starts[-1], "M") + np.timedelta64(1, "M")
    ahead = [str(first_ahead + np.timedelta64(place, "M")) for place in range(len(forecast.expected))]
    months = [*shown, *ahead]
    names = [month_words(month) for month in months]
    at, places = list(range(len(shown))), list(range(len(shown), len(months)))
    (low_80, high_80), (low_95, high_95) = forecast.interval(0.80), forecast.interval(0.95)
    expected, low, high = forecast.total(0.80)
    table = pd.DataFrame(
        {
            _("month"): names,
            _("claims that came"): pd.array([*past, *[None] * len(ahead)], dtype="Int64"),
            _("of them on these plans"): pd.array([*of_these, *[None] * len(ahead)], dtype="Int64"),
        }
    )
    values = {_("expected"): forecast.expected, _("80 % from"): low_80, _("80 % to"): high_80}
    for name, column in {**values, _("95 % from"): low_95, _("95 % to"): high_95}.items():
        table[name] = pd.array([*[None] * len(shown), *np.round(column, 1).tolist()], dtype="Float64")
    labels = [
        _("{month}: {n} expected, 80 %: {range}", month=name, n=number(mean), range=from_to(least, most))
        for name, mean, least, most in zip(names[len(shown) :], forecast.expected, low_80, high_80, strict=True)
    ]
    return Chart(
        name="forecast",
        title=_("Claims to come on plans already started, by month"),
        words=_(
            "Bars of {first} to {last}, the last {n} claims; then a line that ends with {end}. {next}; in all {months} "
            "months {expected}, 80 %: {range}",
            first=names[0],
            last=names[len(shown) - 1],
            n=number(past[-1]),
            end=names[-1],
            next=labels[0],
            months=len(ahead),
            expected=number(expected),
            range=from_to(low, high),
        ),
        base=base,
        figure=checked_figure(
            [
                bars(at, past, names, hover=_("%{customdata}: %{y:,} claims came"), marker=_NOT_SPOKEN_OF),
                bars(at, of_these, names, hover=_("%{customdata}: %{y:,} on these plans"), marker={"color": OTHER}),
                _between(places, low_95, high_95, PALE),
                _between(places, low_80, high_80, _STRONG),
                line(places, forecast.expected.tolist(), labels, hover="%{customdata}"),
            ],
            height=_HEIGHT,
            barmode="overlay",
            showlegend=False,
            xaxis=steps_axis(names),
            yaxis={"rangemode": "tozero", "tickformat": ",d"},
        ),
        table=table,
        note=_(
            "Bars: claims so far, the dark part on these plans; line: expected on them from {month} on, with "
            "bands of 80 % and 95 %. Claims on other plans come on top, {n} a month lately.",
            month=names[len(shown)],
            n=number(float(np.mean(np.subtract(past, of_these)[-_LATE:]))),
        ),
        steps=tuple(_days(month) for month in months),
    )


def from_to(low: float, high: float) -> str:
    """Two counts: `12 to 34`."""
    return _("{first} to {last}", first=number(low), last=number(high))


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
    begin, end = first.astype("M8[D]").item(), (first + np.timedelta64(1, "M")).astype("M8[D]").item()
    return Period(begin, end - DAY)
