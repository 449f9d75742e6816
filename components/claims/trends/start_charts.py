"""The charts of claims by start and age. A cell is a number, 0, or empty where it was not seen."""

from collections.abc import Sequence
from typing import Final

import pandas as pd

from components.claims.charts.figure import Chart, checked_figure
from components.claims.charts.traces import FEW, HEIGHT, ages_axis, bars, count_axis, names_axis, squares
from warranty.claims.analysis import Base
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.starts import StartTable, month_words, months_words
from warranty.language import _
from warranty.language.written import number

_ROW: Final = 20  # pixels
_AROUND: Final = 70
_NARROWEST: Final = 600
"""The squares of a chart on a tablet, in pixels, and how many of these a digit takes."""
_DIGIT: Final = 6.5
_NONE: Final = "rgba(124,135,148,0.2)"
_FAINT: Final = "#C9DFF3"
_FULL: Final = "#5A9BD8"
_NUMBER: Final = "#0E1620"
"""From 1 claim to the most, opaque and pale enough for dark numbers: legible in either theme."""


def triangle_chart(table: StartTable, product: str | None, base: Base) -> Chart:
    """Claims by month of start and age, the number in each square where the squares have room for it."""
    counts, seen = table.counts(product), table.seen
    most, size = int(counts.max(initial=0)), len(table.starts)
    rows, ages = [month_words(month) for month in table.starts], list(range(size))
    cells = zip(counts.tolist(), seen.tolist(), strict=True)
    drawn = squares(
        ages,
        ages,
        [[count if is_seen else None for count, is_seen in zip(*row, strict=True)] for row in cells],
        hover=_("started %{customdata}, age %{x} months: %{z:,} claims"),
        customdata=[[row] * size for row in rows],
        colorscale=_scale(most),
        zmin=0,
        zmax=max(1, most),
        colorbar={"thickness": 10, "title": {"text": _("claims")}, "tickformat": ",d", "len": 0.9},
    )
    if len(f"{most}") * _DIGIT <= _NARROWEST / max(1, size):
        drawn["text"] = [[f"{count}" if count else "" for count in row] for row in counts.tolist()]
        drawn |= {"texttemplate": "%{text}", "textfont": {"size": 10, "color": _NUMBER}}
    return Chart(
        name="starts-by-age",
        title=_("Claims by month of start and age"),
        words=_triangle_words(table, counts),
        base=base,
        figure=checked_figure(
            [drawn],
            height=_AROUND + _ROW * max(FEW, size),
            xaxis={**ages_axis(), "showgrid": False, "zeroline": False},
            yaxis=names_axis(rows),
        ),
        table=triangle_table(table, counts),
    )


def triangle_table(table: StartTable, counts: Counts) -> pd.DataFrame:
    """One line a month of start, with the claims at each age, empty where that was not seen."""
    cells = pd.DataFrame(counts, columns=[str(age) for age in range(len(table.starts))], dtype="Int64")
    frame = cells.where(table.seen)
    frame.insert(0, _("plans started"), list(table.starts))
    frame.insert(1, _("claims"), counts.sum(axis=1))
    return frame


def age_chart(table: StartTable, product: str | None, age: int, base: Base) -> Chart:
    """Claims by age of the plans that have all been seen to this age."""
    reached = table.reached(age)
    counts = table.counts(product)[reached, : age + 1].sum(axis=0)
    ages, most = list(range(age + 1)), int(counts.argmax())
    return Chart(
        name="claims-by-age",
        title=_("Claims by age"),
        words=_(
            "Bars, one a month of age; {n} claims, most of them at age {age}: {most}",
            n=number(counts.sum()),
            age=most,
            most=number(counts[most]),
        ),
        base=base,
        figure=checked_figure(
            [bars(ages, counts.tolist(), [], hover=_("age %{x} months: %{y:,} claims"))],
            height=HEIGHT,
            xaxis={**ages_axis(), "range": [-0.5, max(age, FEW) + 0.5]},
            yaxis=count_axis(counts.tolist()),
        ),
        table=pd.DataFrame({_("age in months"): ages, _("claims"): counts}),
    )


def reached_words(months: Sequence[str], age: int) -> str:
    """Which plans have been seen to this age: `plans started Nov 2023 to Oct 2025, ages 0 to 12 months`."""
    return _("plans started {months}, ages 0 to {age} months", months=months_words(months), age=age)


def _triangle_words(table: StartTable, counts: Counts) -> str:
    seen = table.seen
    summary = _(
        "Squares, one a month of start and month of age: {n} with claims, {zero} with 0, {unseen} not seen",
        n=number((counts > 0).sum()),
        zero=number((seen & (counts == 0)).sum()),
        unseen=number((~seen).sum()),
    )
    if not counts.any():
        return summary
    start, age = divmod(int(counts.argmax()), counts.shape[1])
    started = month_words(table.starts[start])
    return summary + _(
        "; most claims: {n} on plans started {month}, at age {age}", n=number(counts.max()), month=started, age=age
    )


def _scale(most: int) -> list[tuple[float, str]]:
    """From 1 claim to the most; 0 has a colour of its own."""
    least = 0.5 / max(1, most)
    return [(0, _NONE), (least, _NONE), (least, _FAINT), (1, _FULL)]
