"""A chart made once: Streamlit draws it on every rerun without Plotly checking and copying it anew."""

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from components.charts.pick import ChartPick

_LEGEND_SYMBOL: Final = 56  # pixels, with the space around it
_DIRECTIONS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_AXIS: Final = {"fixedrange": True, "automargin": True}
_LAYOUT: Final = {
    "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
    "dragmode": False,
    "hoverlabel": {"namelength": -1},
    "bargap": 0.15,
    "template": {
        "layout": {}
    },  # Streamlit's own theme fills it in, light or dark; Plotly's default is 7 kB more
}


class CheckedFigure(go.Figure):  # type: ignore[misc]  # Plotly has no types
    """A figure that is not changed any more.

    Streamlit asks a figure for its dict on every rerun; Plotly would check (from a dict, 3 ms) or copy (from a
    figure, 1 ms) each value again under the interpreter's lock. This one was checked when it was made.
    """

    def __init__(self, specification: Mapping[str, Any]) -> None:
        super().__init__(specification)
        object.__setattr__(self, "_checked", super().to_dict())

    def to_dict(self) -> dict[str, Any]:  # platform: habit plotly asks a figure for its dict
        """Give the same dict each time."""
        checked: dict[str, Any] = object.__getattribute__(self, "_checked")
        return checked


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart to draw: its name in keys, its title, in words what it shows, the figure, and its data as a table.

    `picks` gives for each trace, by its number, what a click on each of its bars picks (None: nothing).
    `nothing` says why there is nothing to draw: it stands in the chart's place.
    """

    name: str
    title: str
    words: str
    figure: CheckedFigure
    table: pd.DataFrame = field(repr=False)
    picks: Mapping[int, tuple[ChartPick | None, ...]] = field(repr=False)
    nothing: str = ""

    def marked(self, pick: ChartPick) -> CheckedFigure:
        """The figure with the bar that was picked standing out; as it is where this chart has no such bar."""
        at = [(trace, bars.index(pick)) for trace, bars in self.picks.items() if pick in bars] if pick else []
        if not at:
            return self.figure
        drawn = self.figure.to_dict()
        data = [
            {**trace, "selectedpoints": [place for number, place in at if number == each]}
            for each, trace in enumerate(drawn["data"])
        ]
        return CheckedFigure({**drawn, "data": data})

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


def checked_figure(data: list[dict[str, Any]], *, height: int, **layout: Any) -> CheckedFigure:
    """Make a figure of traces; axes do not zoom, so that a finger scrolls the page and a click picks a bar."""
    x_axis, y_axis = layout.pop("xaxis", {}), layout.pop("yaxis", {})
    return CheckedFigure(
        {
            "data": data,
            "layout": {
                **_LAYOUT,
                "height": height,
                "xaxis": {**_AXIS, **x_axis},
                "yaxis": {**_AXIS, **y_axis},
                **layout,
            },
        }
    )


def fixed_margins(most: int, names: Sequence[str]) -> dict[str, Any]:
    """Margins in pixels for counts up to `most` on the left, dates below, and a legend of these names on the right.

    Left to itself Plotly draws, measures, and draws once more: that is half of what a chart costs the browser.
    """
    numbers = len(f"{most * 5 // 4:,}")  # the last line of the grid may lie above the highest bar
    legend = _LEGEND_SYMBOL + max(map(_width, names), default=0)
    return {"l": 14 + 8 * numbers, "r": round(legend), "t": 8, "b": 42, "autoexpand": False}


def _width(text: str) -> float:
    """How wide a legend's text is at most, in pixels: its letters are 12 pixels high."""
    return sum(13 if unicodedata.east_asian_width(letter) in "WF" else 7.6 for letter in text)
