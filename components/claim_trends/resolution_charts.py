"""The charts of Resolution, from the counts of a history to what Plotly draws."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from components.charts.colours import MAIN
from components.charts.figure import Chart, checked_figure
from components.words.amounts import counted
from warranty.analysis import Base, Period, shown_word
from warranty.analysis.periods import day_words
from warranty.history.resolution import ClosedWithin
from warranty.statistics.interval_censored import Curve

_HEIGHT: Final = 300
_BAND: Final = "rgba(47,127,196,0.25)"
_TOLD: Final = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 365)
_MOST_TICKS: Final = 7
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
                {
                    "type": "scatter",
                    "mode": "lines",
                    "x": days,
                    "y": shares,
                    "line": {"color": MAIN, "shape": "hv"},
                    "hovertemplate": "closed within %{x:,} days: %{y:.0%}<extra></extra>",
                }
            ],
            height=_HEIGHT,
            xaxis={"title": {"text": "days from the claim"}, "rangemode": "tozero"},
            yaxis=_PERCENT,
        ),
        table=table.assign(**{"closed by then": table["closed by then"].map(_percent)}),
        picks={},
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
    line: dict[str, Any] = {"type": "scatter", "x": places, "customdata": labels}
    return Chart(
        name="backlog",
        title="Open claims, by day",
        words="A line; " + ", ".join(f"{words[place]} on {labels[place]}" for place in (0, highest, -1)),
        base=base,
        figure=checked_figure(
            [
                {**line, "y": least, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"},
                {
                    **line,
                    "y": most,
                    "mode": "lines",
                    "line": {"width": 0},
                    "fill": "tonexty",
                    "fillcolor": _BAND,
                    "text": words,
                    "hovertemplate": "%{customdata}: %{text} open<extra></extra>",
                },
                {
                    **line,
                    "y": known,
                    "mode": "lines+markers",
                    "line": {"color": MAIN},
                    "marker": {"size": 3 if len(days) > 1 else 8},
                    "hoverinfo": "skip",
                },
            ],
            height=_HEIGHT,
            showlegend=False,
            xaxis=_days_axis([Period(day, day) for day in days], labels),
            yaxis={"rangemode": "tozero", "tickformat": ",d"},
        ),
        table=told.rename(columns={"at_least": "open, at least", "at_most": "open, at most"}),
        picks={},
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
                    "error_y": {
                        "type": "data",
                        "symmetric": False,
                        "array": [each.high - at for each, at in zip(told, middle, strict=True)],
                        "arrayminus": [at - each.low for each, at in zip(told, middle, strict=True)],
                        "color": MAIN,
                    },
                    "customdata": labels,
                    "text": [f"{row[1]}, with 95 % {row[2]}" for row in table.to_numpy()],
                    "marker": {"color": MAIN, "size": 9},
                    "hovertemplate": "%{customdata}: %{text}<extra></extra>",
                }
            ],
            height=_HEIGHT,
            xaxis=_days_axis([each.made for each in told], labels),
            yaxis=_PERCENT,
        ),
        table=table,
        picks={},
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


def _days_axis(steps: Sequence[Period], labels: Sequence[str]) -> dict[str, Any]:
    named = range(0, len(steps), max(1, -(-len(steps) // _MOST_TICKS)))
    return {
        "range": [-0.5, max(len(steps), 6) - 0.5],
        "showgrid": False,
        "tickangle": 0,
        "tickvals": list(named),
        "ticktext": [labels[place].replace(" ", "<br>", 1) for place in named],
    }
