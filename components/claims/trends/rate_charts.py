"""The charts of claims a plan: cumulative by age, and products side by side, each with its 95 % interval."""

from collections.abc import Sequence
from typing import Final

import pandas as pd

from components.claims.charts.colours import MAIN, OTHER
from components.claims.charts.figure import Chart, chart_text, checked_figure
from components.claims.charts.traces import HEIGHT, ages_axis, band, interval, line, names_axis
from warranty.claims.analysis import Base, shown_word
from warranty.claims.analysis.side_by_side import Beside
from warranty.insight.statistics.cumulative import Cumulative
from warranty.language import _
from warranty.language.written import number

_ROW: Final = 26
_MOST_DRAWN: Final = 15
_FEW: Final = 4
_PLANS: Final = 1000


def cumulative_chart(curve: Cumulative, base: Base) -> Chart:
    """Mean cumulative claims by age, per 1,000 plans: what a plan brings until it is so old."""
    mean, low, high = (values * 1000 for values in (curve.mean, curve.low, curve.high))
    ages = curve.ages.tolist()
    return Chart(
        name="cumulative-claims",
        title=_("Claims per 1,000 plans, from the start to each age"),
        words=_(
            "A line that rises to {n} at age {age} months (95 % interval {low} to {high})",
            n=number(mean[-1]),
            age=ages[-1],
            low=number(low[-1]),
            high=number(high[-1]),
        ),
        base=base,
        figure=checked_figure(
            [
                *band(ages, low.tolist(), high.tolist()),
                line(
                    ages,
                    mean.tolist(),
                    [
                        _("95 %: {low} to {high}", low=number(one), high=number(other))
                        for one, other in zip(low, high, strict=True)
                    ],
                    hover=_("age %{x} months: %{y:,.0f} (%{customdata})"),
                ),
            ],
            height=HEIGHT,
            xaxis=ages_axis(),
            yaxis={"rangemode": "tozero", "title": {"text": _("claims per 1,000 plans")}},
        ),
        table=pd.DataFrame(
            {
                _("age in months"): ages,
                _("claims per 1,000 plans"): mean.round(1),
                _("95 % from"): low.round(1),
                _("95 % to"): high.round(1),
                _("plans seen at this age"): curve.plans,
            }
        ),
    )


def beside_chart(rows: Sequence[Beside], *, title: str, base: Base) -> Chart:
    """Products side by side, by their claims per 1,000 plans."""
    unit = _("claims per 1,000 plans")
    drawn = rows[:_MOST_DRAWN]
    names = [shown_word(row.product) for row in drawn]
    low, high = [row.low * _PLANS for row in drawn], [row.high * _PLANS for row in drawn]
    at = [row.share * _PLANS for row in drawn]
    everything = sum(row.part for row in rows) / sum(row.whole for row in rows) * _PLANS
    standing_out = [shown_word(row.product) for row in rows if row.differs]
    summary = _("the differences could be chance")
    if standing_out:
        products = ", ".join(standing_out)
        summary = _("unlikely to be chance: {products}", products=products)
    more = ""
    if len(rows) > _MOST_DRAWN:
        more = _("; the first {n} of {every} are drawn", n=_MOST_DRAWN, every=len(rows))
    return Chart(
        name="products-per-1000",
        title=title,
        words=(
            _(
                "Dots, one a product, each with its 95 % interval; all together {n} {unit}; {said}",
                n=f"{everything:,.1f}",
                unit=unit,
                said=summary,
            )
            + more
        ),
        base=base,
        figure=checked_figure(
            [
                {
                    "type": "scatter",
                    "mode": "markers",
                    "x": at,
                    "y": list(range(len(drawn))),
                    "error_x": interval(low, at, high, colour=OTHER),
                    "marker": {
                        "size": 11,
                        "color": [MAIN if row.differs else OTHER for row in drawn],
                        "symbol": ["diamond" if row.differs else "circle" for row in drawn],
                    },
                    "customdata": [chart_text(name) for name in names],
                    "hovertemplate": f"%{{customdata}}: %{{x:,.1f}} {unit}<extra></extra>",
                }
            ],
            height=70 + _ROW * max(_FEW, len(drawn)),
            shapes=[
                {"type": "line", "x0": everything, "x1": everything, "yref": "paper", "y0": 0, "y1": 1}
                | {"line": {"color": OTHER, "dash": "dot"}}
            ],
            xaxis={"rangemode": "tozero", "title": {"text": unit}},
            yaxis=names_axis(names, few=_FEW),
        ),
        table=pd.DataFrame(
            {
                _("product"): [shown_word(row.product) for row in rows],
                _("plans"): [row.whole for row in rows],
                _("claims"): [row.part for row in rows],
                unit: [round(row.share * _PLANS, 1) for row in rows],
                _("95 % from"): [round(row.low * _PLANS, 1) for row in rows],
                _("95 % to"): [round(row.high * _PLANS, 1) for row in rows],
                _("beside the others"): [_verdict(row, everything / _PLANS) for row in rows],
            }
        ),
    )


def _verdict(row: Beside, everything: float) -> str:
    if not row.differs:
        return _("could be chance")
    return _("more, unlikely to be chance") if row.share > everything else _("fewer, unlikely to be chance")
