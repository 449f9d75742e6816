"""What charts are drawn with: bars, lines, bands, squares, intervals; and axes of counts, of steps, and of names."""

from collections.abc import Sequence
from typing import Any, Final

from components.claims.charts.colours import MAIN
from components.claims.charts.figure import chart_text
from warranty.language import _

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


def squares(x: Sequence[Any], y: Sequence[Any], z: Sequence[Sequence[int | None]], *, hover: str, **more: Any) -> Drawn:
    """A square for each number, the stronger its colour the more; no square where there is no number (None)."""
    apart = {"hoverongaps": False, "xgap": 1, "ygap": 1, "hovertemplate": f"{hover}<extra></extra>"}
    return {"type": "heatmap", "x": x, "y": y, "z": z, **apart, **more}


def interval(low: Sequence[float], at: Sequence[float], high: Sequence[float], *, colour: str) -> Drawn:
    """The bar of error of points `at` a value, from one value to another."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [most - value for most, value in zip(high, at, strict=True)],
        "arrayminus": [value - least for least, value in zip(low, at, strict=True)],
        "color": colour,
        "thickness": 1.5,
    }


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
