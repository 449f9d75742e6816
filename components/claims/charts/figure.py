"""A chart as a value: what Plotly draws, in words what it shows, and what a click on a bar picks.

And what charts are drawn with: bars, lines, bands; axes of counts, of steps, and of names.
"""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from components.claims.charts.colours import MAIN
from warranty.claims.analysis import Base, ChartPick, Period
from warranty.language import _
from warranty.language.written import number

Drawn = dict[str, Any]
"""A trace, an axis or a part of them, as Plotly takes it."""
HEIGHT: Final = 300  # pixels
PALE: Final = "rgba(47,127,196,0.22)"
FEW: Final = 6
"""Room for so many bars, however few there are: one alone would fill the chart."""
_FEW_COUNTED: Final = 5
"""Counts up to this are drawn with a line for each: between whole numbers Plotly would name one of them twice."""
_MOST_TICKS: Final = 7
_LONGEST_LABEL: Final = 34
_DATES: Final = 42  # pixels
_LEGEND_ROW: Final = 19
_DIRECTIONS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_AXIS: Final = {"fixedrange": True, "automargin": True}
_LAYOUT: Final = {
    "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
    "dragmode": False,
    "hoverlabel": {"namelength": -1},
    "bargap": 0.15,
    # Streamlit's own theme fills it in, light or dark; Plotly's default is 7 kB more.
    "template": {"layout": {}},
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart to draw: its name in keys, its title, in words what it shows, the figure, and its data as a table.

    `base` is what it is told of, beside the title or in its help, where what is `about` it stands, too; both stand in
    the words for who cannot see it.
    `picks` gives for each trace, by its number, what a click on each of its bars picks (None: nothing).
    `nothing` says why there is nothing to draw: it stands in the chart's place. `steps` are the days of each bar, where
    bars stand at 0, 1, … along time: notes on days are drawn on such a chart. `note` is what the drawing leaves to say.
    """

    name: str
    title: str
    words: str
    base: Base
    figure: go.Figure
    table: pd.DataFrame = field(repr=False)
    picks: Mapping[int, tuple[ChartPick | None, ...]] = field(repr=False, default_factory=dict)
    nothing: str = ""
    note: str = ""
    about: str = ""
    steps: tuple[Period, ...] = field(repr=False, default=())

    def marked(self, pick: ChartPick) -> go.Figure:
        """The figure with the bar that was picked standing out; as it is where this chart has no such bar."""
        at = [(trace, bars.index(pick)) for trace, bars in self.picks.items() if pick in bars] if pick else []
        if not at:
            return self.figure
        marked = go.Figure(self.figure)
        for each, trace in enumerate(marked.data):
            trace.selectedpoints = [place for number, place in at if number == each]
        return marked

    def picked(self, selection: Mapping[str, Any]) -> ChartPick | None:
        """What the bar that was clicked stands for; None where nothing was, or it stands for nothing."""
        for point in selection.get("points", ()):
            trace, place = self.picks.get(point.get("curve_number", 0), ()), point.get("point_index", -1)
            if isinstance(place, int) and 0 <= place < len(trace):
                return trace[place]
        return None


def chart_text(text: str) -> str:
    """Text that we did not write, as Plotly shows it letter by letter: it reads tags in labels.

    Marks that turn the direction of writing are left out: they would turn our own numbers beside it as well.
    """
    return html.escape(_DIRECTIONS.sub("", text), quote=False)


def checked_figure(
    data: list[dict[str, Any]],
    *,
    height: int,
    xaxis: Mapping[str, Any] = _AXIS,
    yaxis: Mapping[str, Any] = _AXIS,
    **layout: Any,
) -> go.Figure:
    """Make a figure of traces; axes do not zoom, so that a finger scrolls the page and a click picks a bar."""
    axes = {"xaxis": {**_AXIS, **xaxis}, "yaxis": {**_AXIS, **yaxis}}
    return go.Figure({"data": data, "layout": {**_LAYOUT, "height": height, **axes, **layout}})


def over_legend(height: int, *, most: int, names: int) -> dict[str, Any]:
    """The layout of bars so high in pixels, with counts up to `most` on the left, dates and so many names below.

    Beside the bars a legend would leave a phone no room for them. All is measured here: left to itself Plotly draws,
    measures, and draws once more, which is half of what a chart costs the browser. Two names a row have room anywhere.
    """
    numbers = len(number(most * 5 // 4))  # the last line of the grid may lie above the highest bar
    below = _DATES + _LEGEND_ROW * (-(-names // 2)) + 10
    return {
        "height": 8 + height + below,
        "margin": {"l": 14 + 8 * numbers, "r": 12, "t": 8, "b": below, "autoexpand": False},
        "showlegend": True,
        "legend": {
            "orientation": "h",
            "traceorder": "normal",
            # A click would hide claims of which title and seal still speak.
            "itemclick": False,
            "itemdoubleclick": False,
            "x": 0,
            "y": -_DATES / height,
            "yanchor": "top",
            "font": {"size": 11},
            "entrywidth": 0.49,
            "entrywidthmode": "fraction",
        },
    }


def bars(x: Sequence[float], y: Sequence[float], labels: Sequence[str], *, hover: str, **more: Any) -> Drawn:
    """Bars of one colour; `hover` may use `%{x}`, `%{y}` and, for the label, `%{customdata}`, as everywhere here."""
    on_hover = {"customdata": labels, "hovertemplate": f"{hover}<extra></extra>"}
    return {"type": "bar", "x": x, "y": y, **on_hover, "marker": {"color": MAIN}, **more}


def line(
    x: Sequence[float], y: Sequence[float | None], labels: Sequence[str] = (), *, hover: str, **more: Any
) -> Drawn:
    """A line through points; where there is no value it has a gap."""
    on_hover = {"customdata": labels, "hovertemplate": f"{hover}<extra></extra>", "showlegend": False}
    return {"type": "scatter", "mode": "lines+markers", "x": x, "y": y, **on_hover, "line": {"color": MAIN}} | more


def band(x: Sequence[float], low: Sequence[float], high: Sequence[float], **more: Any) -> list[Drawn]:
    """What lies between two lines, filled; they are not drawn and say nothing unless `more` lets the upper one."""
    edge = {"type": "scatter", "mode": "lines", "x": x, "line": {"width": 0}}
    silent = {"hoverinfo": "skip", "showlegend": False}
    upper = {"y": high, "fill": "tonexty", "fillcolor": PALE, **silent, **more}
    return [{**edge, **silent, "y": low}, {**edge, **upper}]


def count_axis(counts: Sequence[int]) -> Drawn:
    """An axis of numbers of claims, each number on it once."""
    few = max(counts, default=0) <= _FEW_COUNTED
    return {"rangemode": "tozero", "tickformat": ",d"} | ({"dtick": 1} if few else {})


def ages_axis() -> Drawn:
    """An axis of ages in months."""
    return {"title": {"text": _("age in calendar months")}, "nticks": 13}


def steps_axis(labels: Sequence[str]) -> Drawn:
    """An axis of steps in time that stand at 0, 1, …: some are named."""
    named = range(0, len(labels), max(1, -(-len(labels) // _MOST_TICKS)))
    return {
        "range": [-0.5, max(len(labels), FEW) - 0.5],
        "showgrid": False,
        "tickangle": 0,
        "tickvals": list(named),
        "ticktext": [labels[place].replace(" ", "<br>", 1) for place in named],
    }


def names_axis(names: Sequence[str], *, few: int = FEW) -> Drawn:
    """An axis of names that stand at 0, 1, … from the top.

    Two names may be cut to the same letters: rows stand by their place, not by their label.
    """
    return {
        "range": [max(few, len(names)) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": [chart_text(label) for label in short_labels(names)],
        "showgrid": False,
        "zeroline": False,
    }


def short_labels(names: Sequence[str], *, longest: int = _LONGEST_LABEL) -> list[str]:
    """Names for the axis or the legend: long ones lose their middle, and those then equal are numbered."""
    half = longest // 2
    short = [name if len(name) <= longest else f"{name[:half]}…{name[1 - half :]}" for name in names]
    return [
        f"{label} ({short[: place + 1].count(label)})" if short.count(label) > 1 else label
        for place, label in enumerate(short)
    ]
