"""Claims against the plans that were sold: cumulative by age, per 1,000 plans, and products side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from components.claims.charts.colours import MAIN, OTHER
from components.claims.charts.figure import HEIGHT, Chart, ages_axis, band, chart_text, checked_figure, line, names_axis
from components.claims.screen.chart_view import chart_with_file
from components.claims.trends.starts import TAB, ReadStarts, reached_words
from components.ui.frame.table_view import table_view
from warranty.claims.analysis import Base, shown_word
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.side_by_side import Beside, Parts, side_by_side
from warranty.errors import JournalUnavailable
from warranty.insight.plans.plans_sold import KeptPlans, PlansSold, exposed, unmatched
from warranty.insight.statistics.cumulative import Cumulative, mean_cumulative
from warranty.language import N_, _, ngettext
from warranty.language.written import number

_BASES: Final = {"files": N_("Imported files"), "here": N_("Sold at this desk")}
_ROW: Final = 26
_MOST_DRAWN: Final = 15
_FEW: Final = 4
_PLANS: Final = 1000


def chosen_base(stored: KeptPlans) -> PlansSold:
    """Draw the choice of plans sold that claims are counted against, and give them."""
    st.header(_("Claims against plans sold"), anchor=False)
    chosen = st.segmented_control(
        _("Plans sold"),
        list(_BASES),
        default="files",
        format_func=lambda name: _(_BASES[name]),
        key="plans-base",
        required=True,
    )
    return stored.recorded_here() if chosen == "here" else stored.by_files()


def plans_by_files(plans: KeptPlans) -> PlansSold | None:
    """Those of the files imported; None where they cannot be read."""
    try:
        return plans.by_files()
    except JournalUnavailable:
        return None


def rates(read: ReadStarts, sold: PlansSold, *, age: int) -> None:
    """Draw cumulative claims per 1,000 plans, and those up to this age in months by product."""
    if not sold.plans:
        st.info(_("Claims per 1,000 plans need plans sold: import a file of them below, or record sales at this desk."))
        return
    found = exposed(read.table, sold, read.product)
    if not found.plans.any():
        st.info(_("No plans sold are known of this product and these months of start."))
        return
    plans = f"{number(found.plans.sum())} {sold.of_words}, {read.started_words(_of(read, found.plans))}"
    curve = mean_cumulative(found.claims, found.plans, read.table.seen)
    base = _base(read, sold, _("claims on {plans}", plans=plans), int(found.claims.sum()), without_plans=found.left_out)
    chart_with_file(cumulative_chart(curve, base), read.claims, tab=TAB)
    _names_that_do_not_match(read, sold)
    if chart := products_chart(read, sold, age=age):
        chart_with_file(chart, read.claims, tab=TAB)


def products_chart(read: ReadStarts, sold: PlansSold, *, age: int) -> Chart | None:
    """Claims per 1,000 plans up to this age in months by product; None where no plans are known of these starts."""
    reached = read.table.reached(age)
    parts: dict[str, tuple[int, int]] = {}
    for product in sold.by_product:
        own = exposed(read.table, sold, product)
        parts[product] = int(own.claims[reached, : age + 1].sum()), int(own.plans[reached].sum())
    claims, plans = _sums(parts)
    every = exposed(read.table, sold)
    if not plans:
        return None
    of = _(
        "claims on {plans}, every product",
        plans=f"{number(plans)} {sold.of_words}, {reached_words(_of(read, every.plans, reached), age)}",
    )
    # Once for all who look: exact intervals of a hundred products take most of a second.
    rows = read.cached.derived(("side-by-side", tuple(parts.items())), lambda: side_by_side(parts))
    title = _("Claims per 1,000 plans up to age {age} months, by product", age=age)
    return beside_chart(rows, title=title, base=_base(read, sold, of, claims, without_plans=every.left_out))


def _of(read: ReadStarts, plans: Counts, reached: slice = slice(None)) -> Sequence[str]:
    """The first and the last month of start of which plans are known."""
    return [month for month, count in zip(read.table.starts[reached], plans[reached], strict=True) if count]


def _base(read: ReadStarts, sold: PlansSold, of: str, count: int, *, without_plans: int) -> Base:
    without = ngettext(
        "{n} claim on products or months without plans sold",
        "{n} claims on products or months without plans sold",
        without_plans,
        n=number(without_plans),
    )
    left_out = (*([without] if without_plans else []), *sold.leaves_out, *read.base.leaves_out)
    return replace(read.base, of=of, count=count, leaves_out=left_out)


def _names_that_do_not_match(read: ReadStarts, sold: PlansSold) -> None:
    """List the products that only one of the two knows: a name written otherwise is another product."""
    claims, plans = unmatched(read.table, sold)
    if not claims and not plans:
        return
    label = _(
        "Names that do not match: {n} of claims, {plans} of plans sold", n=number(len(claims)), plans=number(len(plans))
    )
    with st.expander(label, key="plans-unmatched", on_change="rerun") as folded:
        if folded.open:
            st.caption(_("Names are compared letter by letter."))
            _named(claims, _("claims"), _("Products of claims without plans sold"))
            _named(plans, _("plans"), _("Products of plans sold without claims"))


def _named(counts: Mapping[str, int], what: str, title: str) -> None:
    if counts:
        frame = pd.DataFrame({_("product"): map(shown_word, counts), what: counts.values()})
        st.text(title)
        table_view(frame.sort_values(what, ascending=False), title)


def _sums(parts: Parts) -> tuple[int, int]:
    return sum(each[0] for each in parts.values()), sum(each[1] for each in parts.values())


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
                line(
                    [row.share * _PLANS for row in drawn],
                    list(range(len(drawn))),
                    [chart_text(name) for name in names],
                    hover=f"%{{customdata}}: %{{x:,.1f}} {unit}",
                    mode="markers",
                    error_x={
                        "type": "data",
                        "symmetric": False,
                        "array": [(row.high - row.share) * _PLANS for row in drawn],
                        "arrayminus": [(row.share - row.low) * _PLANS for row in drawn],
                        "color": OTHER,
                        "thickness": 1.5,
                    },
                    marker={
                        "size": 11,
                        "color": [MAIN if row.differs else OTHER for row in drawn],
                        "symbol": ["diamond" if row.differs else "circle" for row in drawn],
                    },
                )
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
