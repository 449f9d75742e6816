"""The charts of Resolution, from the counts of a history to what Plotly draws."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from components.charts.colours import MAIN
from components.charts.figure import Chart, checked_figure
from components.charts.traces import HEIGHT, band, interval, line, steps_axis
from components.words.amounts import counted
from warranty.analysis import Base, Period, shown_word
from warranty.analysis.periods import day_words
from warranty.history.resolution import ClosedWithin
from warranty.statistics.interval_censored import Curve

_TOLD: Final = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 365)
_PERCENT: Final = {"tickformat": ".0%", "range": [0, 1.02]}


def closed_by_days_chart(curve: Curve | None, base: Base) -> Chart:
    """The share of claims that were closed within so many days."""
    days = [0.0] if curve is None else [0.0, *curve.right[np.isfinite(curve.right)].tolist()]
    shares = [0.0 if curve is None else curve.resolved_by(day) for day in days]
    told = [day for day in _TOLD if day <= days[-1]]
    table = pd.DataFrame(
        {
            "days from claim": told,
            "closed by then": [curve.resolved_by(day) if curve else 0.0 for day in told],
        }
    )
    return Chart(
        name="closed-by-days",
        title="Share closed, by days from the claim",
        words="A line that rises; "
        + "; ".join(f"{_percent(share)} within {counted(day, 'day')}" for day, share in table.to_numpy()),
        base=base,
        figure=checked_figure(
            [
                line(
                    days,
                    shares,
                    hover="closed within %{x:,} days: %{y:.0%}",
                    mode="lines",
                    line={"color": MAIN, "shape": "hv"},
                )
            ],
            height=HEIGHT,
            xaxis={"title": {"text": "days from the claim"}, "rangemode": "tozero"},
            yaxis=_PERCENT,
        ),
        table=table.assign(**{"closed by then": table["closed by then"].map(_percent)}),
        nothing="" if told else "No claim was closed while it was watched, so there is nothing to draw yet.",
    )


def backlog_chart(told: pd.DataFrame, base: Base) -> Chart:
    """Open claims on each day, of which there is one: a line where a night was read, a band where none was."""
    days, least, most = (told[name].tolist() for name in ("day", "at_least", "at_most"))
    known = [low if low == high else None for low, high in zip(least, most, strict=True)]
    labels = [day_words(day) for day in days]
    places = list(range(len(days)))
    highest = int(np.argmax(most))
    words = [
        f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in zip(least, most, strict=True)
    ]
    return Chart(
        name="backlog",
        title="Open claims, by day",
        words="A line; " + ", ".join(f"{words[place]} on {labels[place]}" for place in (0, highest, -1)),
        base=base,
        figure=checked_figure(
            [
                *band(
                    places,
                    least,
                    most,
                    customdata=labels,
                    text=words,
                    hoverinfo="all",
                    hovertemplate="%{customdata}: %{text} open<extra></extra>",
                ),
                line(places, known, hover="", hoverinfo="skip", marker={"size": 3 if len(days) > 1 else 8}),
            ],
            height=HEIGHT,
            xaxis=steps_axis(labels),
            yaxis={"rangemode": "tozero", "tickformat": ",d"},
        ),
        table=told.rename(columns={"at_least": "open, at least", "at_most": "open, at most"}),
        steps=tuple(Period(day, day) for day in days),
    )


def closed_within_chart(told: Sequence[ClosedWithin], days: int, base: Base) -> Chart:
    """The share of each month's claims that were closed within so many days, with its interval."""
    labels = [f"{each.made.first:%b %Y}" for each in told]
    middle = [(each.closed + each.unknown / 2) / each.claims for each in told]
    table = closed_within_table(told)
    return Chart(
        name="closed-within",
        title=f"Closed within {days} days, by month of claim",
        words="Points with intervals; "
        + "; ".join(f"{month}: {share}" for month, share in table[["month", "closed"]].to_numpy()),
        base=base,
        figure=checked_figure(
            [
                {
                    "type": "scatter",
                    "mode": "markers",
                    "x": list(range(len(told))),
                    "y": middle,
                    "error_y": interval(
                        [each.low for each in told], middle, [each.high for each in told], colour=MAIN
                    ),
                    "customdata": labels,
                    "text": [f"{row[1]}, with 95 % {row[2]}" for row in table.to_numpy()],
                    "marker": {"color": MAIN, "size": 9},
                    "hovertemplate": "%{customdata}: %{text}<extra></extra>",
                }
            ],
            height=HEIGHT,
            xaxis=steps_axis(labels),
            yaxis=_PERCENT,
        ),
        table=table,
        nothing=""
        if told
        else f"No month's claims have all been watched for {days} days yet, so there is nothing to compare.",
        steps=tuple(each.made for each in told),
    )


def closed_within_table(told: Sequence[ClosedWithin]) -> pd.DataFrame:
    """The same as a table: `64 % (41 of 64)`, or from one share to another where nights are missing."""
    return pd.DataFrame(
        [
            {
                "month": f"{each.made.first:%b %Y}",
                "closed": _share(each),
                "with 95 %": f"{_percent(each.low)} to {_percent(each.high)}",
                "claims": each.claims,
                "not known": each.unknown,
            }
            for each in told
        ],
        columns=["month", "closed", "with 95 %", "claims", "not known"],
    )


def paths_table(moves: pd.DataFrame) -> pd.DataFrame:
    """Changes of status for people; `half of them after`: days in the former status."""
    spans = [
        "–" if np.isnan(most) else f"{max(least, 0):,.0f} to {most:,.0f} days"
        for least, most in moves[["at_least", "at_most"]].to_numpy()
    ]
    return pd.DataFrame(
        {
            "from": [shown_word(word) for word in moves["before"]],
            "to": [shown_word(word) for word in moves["after"]],
            "times": moves["claims"],
            "half of them after": spans,
        }
    )


def _share(each: ClosedWithin) -> str:
    low, high = each.closed, each.closed + each.unknown
    if low == high:
        return f"{_percent(low / each.claims)} ({low:,})"
    return f"{_percent(low / each.claims)} to {_percent(high / each.claims)} ({low:,} to {high:,})"


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
