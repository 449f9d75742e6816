"""The charts of claims a plan: cumulative by age, and products side by side, each with its 95 % interval."""

from collections.abc import Sequence
from typing import Final

import pandas as pd

from components.charts.colours import MAIN, OTHER
from components.charts.figure import Chart, chart_text, checked_figure
from components.claims.charts import short_labels
from warranty.analysis import Base, shown_word
from warranty.analysis.side_by_side import Beside
from warranty.statistics.cumulative import Cumulative

_HEIGHT: Final = 300
_ROW: Final = 26
_MOST_DRAWN: Final = 15
_BAND: Final = "rgba(47,127,196,0.2)"


def cumulative_chart(curve: Cumulative, base: Base) -> Chart:
    """Mean cumulative claims by age, per 1,000 plans: what a plan brings until it is so old."""
    mean, low, high = (line * 1000 for line in (curve.mean, curve.low, curve.high))
    ages = curve.ages.tolist()
    at_last = f"{mean[-1]:,.0f} at age {ages[-1]} months (95 % interval {low[-1]:,.0f} to {high[-1]:,.0f})"
    return Chart(
        name="cumulative-claims",
        title="Claims per 1,000 plans, from the start to each age",
        words=f"A line that rises to {at_last}",
        base=base,
        figure=checked_figure(
            [
                {
                    "type": "scatter",
                    "mode": "lines",
                    "x": [*ages, *reversed(ages)],
                    "y": [*high.tolist(), *reversed(low.tolist())],
                    "fill": "toself",
                    "fillcolor": _BAND,
                    "line": {"width": 0},
                    "hoverinfo": "skip",
                    "showlegend": False,
                },
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "x": ages,
                    "y": mean.tolist(),
                    "customdata": [
                        f"95 %: {one:,.0f} to {other:,.0f}" for one, other in zip(low, high, strict=True)
                    ],
                    "line": {"color": MAIN},
                    "marker": {"size": 5},
                    "hovertemplate": "age %{x} months: %{y:,.0f} (%{customdata})<extra></extra>",
                    "showlegend": False,
                },
            ],
            height=_HEIGHT,
            xaxis={"title": {"text": "age in calendar months"}, "nticks": 13},
            yaxis={"rangemode": "tozero", "title": {"text": "claims per 1,000 plans"}},
        ),
        table=pd.DataFrame(
            {
                "age in months": ages,
                "claims per 1,000 plans": mean.round(1),
                "95 % from": low.round(1),
                "95 % to": high.round(1),
                "plans seen at this age": curve.plans,
            }
        ),
        picks={},
    )


def beside_chart(
    rows: Sequence[Beside], *, name: str, title: str, unit: str, times: int, of: str, base: Base
) -> Chart:
    """Products side by side; `times` turns a part of one into the `unit`, and `of` names the whole (plans, claims)."""
    drawn = rows[:_MOST_DRAWN]
    everything = sum(row.part for row in rows) / sum(row.whole for row in rows) * times
    standing_out = [shown_word(row.product) for row in rows if row.differs]
    said = "none differs from the others by more than chance"
    if standing_out:
        said = f"by more than chance these differ from the others: {', '.join(standing_out)}"
    more = f"; the first {_MOST_DRAWN} of {len(rows)} are drawn" if len(rows) > _MOST_DRAWN else ""
    return Chart(
        name=name,
        title=title,
        words=(
            f"Dots, one a product, each with its 95 % interval; all together {everything:,.1f} {unit}; {said}{more}"
        ),
        base=base,
        figure=checked_figure(
            [
                {
                    "type": "scatter",
                    "mode": "markers",
                    "x": [row.share * times for row in drawn],
                    "y": list(range(len(drawn))),
                    "error_x": {
                        "type": "data",
                        "symmetric": False,
                        "array": [(row.high - row.share) * times for row in drawn],
                        "arrayminus": [(row.share - row.low) * times for row in drawn],
                        "color": OTHER,
                        "thickness": 1.5,
                    },
                    "marker": {
                        "size": 11,
                        "color": [MAIN if row.differs else OTHER for row in drawn],
                        "symbol": ["diamond" if row.differs else "circle" for row in drawn],
                    },
                    "customdata": [chart_text(shown_word(row.product)) for row in drawn],
                    "hovertemplate": f"%{{customdata}}: %{{x:,.1f}} {unit}<extra></extra>",
                }
            ],
            height=70 + _ROW * max(4, len(drawn)),
            shapes=[
                {"type": "line", "x0": everything, "x1": everything, "yref": "paper", "y0": 0, "y1": 1}
                | {"line": {"color": OTHER, "dash": "dot"}}
            ],
            xaxis={"rangemode": "tozero", "title": {"text": unit}},
            yaxis={
                "range": [max(4, len(drawn)) - 0.5, -0.5],
                "tickvals": list(range(len(drawn))),
                "ticktext": [
                    chart_text(label) for label in short_labels([shown_word(row.product) for row in drawn])
                ],
                "showgrid": False,
                "zeroline": False,
            },
        ),
        table=pd.DataFrame(
            {
                "product": [shown_word(row.product) for row in rows],
                of: [row.whole for row in rows],
                "of them" if times == 100 else "claims": [row.part for row in rows],
                unit: [round(row.share * times, 1) for row in rows],
                "95 % from": [round(row.low * times, 1) for row in rows],
                "95 % to": [round(row.high * times, 1) for row in rows],
                "beside the others": [_verdict(row, everything / times) for row in rows],
            }
        ),
        picks={},
    )


def _verdict(row: Beside, everything: float) -> str:
    if not row.differs:
        return "within chance"
    return f"{'more' if row.share > everything else 'fewer'}, beyond chance"
