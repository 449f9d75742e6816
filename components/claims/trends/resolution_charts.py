"""The charts of Resolution, from the counts of a history to what Plotly draws."""

from typing import Any, Final

import numpy as np
import pandas as pd

from components.claims.charts.colours import MAIN
from components.claims.charts.figure import Chart, checked_figure
from components.claims.charts.traces import HEIGHT, band, line, steps_axis
from components.words.statuses import status_words
from warranty.claims.analysis import Base, Period
from warranty.claims.analysis.periods import day_words
from warranty.insight.statistics.interval_censored import Curve
from warranty.language import _, ngettext
from warranty.language.written import number, percent

_TOLD: Final = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 365)
_QUARTERS: Final = (0, 0.25, 0.5, 0.75, 1)


def closed_by_days_chart(curve: Curve | None, base: Base) -> Chart:
    """The share of claims that were closed within so many days."""
    days = [0.0] if curve is None else [0.0, *curve.right[np.isfinite(curve.right)].tolist()]
    shares = [0.0 if curve is None else curve.resolved_by(day) for day in days]
    milestones = [day for day in _TOLD if day <= days[-1]]
    return Chart(
        name="closed-by-days",
        title=_("Share closed, by days from the claim"),
        words=_("A line that rises; ")
        + "; ".join(
            _("{share} within {days}", share=percent(curve.resolved_by(day)), days=days_words(day))
            for day in milestones
            if curve
        ),
        base=base,
        figure=checked_figure(
            [
                line(
                    days,
                    shares,
                    [*map(percent, shares)],
                    hover=_("closed within %{x:,} days: %{customdata}"),
                    mode="lines",
                    line={"color": MAIN, "shape": "hv"},
                )
            ],
            height=HEIGHT,
            xaxis={"title": {"text": _("days from the claim")}, "rangemode": "tozero"},
            yaxis=_share_axis(),
        ),
        table=pd.DataFrame({_("days from claim"): days, _("closed by then, %"): [_percent(share) for share in shares]}),
        nothing="" if milestones else _("No claim was closed while it was watched, so there is nothing to draw yet."),
    )


def backlog_chart(backlog: pd.DataFrame, base: Base) -> Chart:
    """Open claims on each day, of which there is one: a line where a night was read, a band where none was."""
    days, least, most = (backlog[name].tolist() for name in ("day", "at_least", "at_most"))
    known = [low if low == high else None for low, high in zip(least, most, strict=True)]
    labels = [day_words(day) for day in days]
    places = list(range(len(days)))
    highest = int(np.argmax(most))
    words = [_range(low, high) for low, high in zip(least, most, strict=True)]
    return Chart(
        name="backlog",
        title=_("Open claims, by day"),
        words=_("A line; ")
        + ", ".join(_("{n} on {day}", n=words[place], day=labels[place]) for place in (0, highest, -1)),
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
                    hovertemplate=_("%{customdata}: %{text} open") + "<extra></extra>",
                ),
                line(places, known, hover="", hoverinfo="skip", marker={"size": 3 if len(days) > 1 else 8}),
            ],
            height=HEIGHT,
            xaxis=steps_axis(labels),
            yaxis={"rangemode": "tozero", "tickformat": ",d"},
        ),
        table=backlog.rename(columns={"day": _("day"), "at_least": _("open, at least"), "at_most": _("open, at most")}),
        steps=tuple(Period(day, day) for day in days),
    )


def paths_table(moves: pd.DataFrame) -> pd.DataFrame:
    """Changes of status for people; `half of them after`: days in the former status."""
    spans = [
        "–" if np.isnan(most) else _("{first} to {last} days", first=number(max(least, 0)), last=number(most))
        for least, most in moves[["at_least", "at_most"]].to_numpy()
    ]
    return pd.DataFrame(
        {
            _("from"): [*map(status_words, moves["before"])],
            _("to"): [*map(status_words, moves["after"])],
            _("times"): moves["claims"],
            _("half of them after"): spans,
        }
    )


def _percent(share: float) -> float:
    """A share for a table: in percent, as its heading says."""
    return round(100 * share, 1)


def _share_axis() -> dict[str, Any]:
    """An axis of shares, from none to all."""
    return {"range": [0, 1.02], "tickvals": _QUARTERS, "ticktext": [*map(percent, _QUARTERS)]}


def days_words(days: float) -> str:
    """So many days: `1 day`."""
    return ngettext("{n} day", "{n} days", days, n=number(days))


def _range(low: float, high: float) -> str:
    if low == high:
        return number(low)
    return _("{first} to {last}", first=number(low), last=number(high))
