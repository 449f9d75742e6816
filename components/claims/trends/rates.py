"""Claims against the plans that were sold: cumulative by age, per 1,000 plans, and products side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from components.claims.charts.figure import Chart
from components.claims.trends.rate_charts import beside_chart, cumulative_chart
from components.claims.trends.start_charts import reached_words
from components.claims.trends.starts import TAB, ReadStarts
from components.claims.trends.told import told_chart
from components.ui.frame.table_view import table_view
from warranty.claims.analysis import Base, shown_word
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.side_by_side import (
    Beside,
    Interval,
    Parts,
    claimed_plans,
    of_rates,
    of_shares,
    side_by_side,
)
from warranty.insight.plans.exposure import exposed, unmatched
from warranty.insight.plans.plans_sold import KeptPlans, PlansSold
from warranty.insight.statistics.cumulative import mean_cumulative
from warranty.language import N_, _, ngettext
from warranty.language.written import number

_BASES: Final = {"files": N_("By the files imported"), "here": N_("Recorded at this desk")}
_DAYS: Final = (30, 90, 365)


def chosen_base(kept: KeptPlans) -> PlansSold:
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
    return kept.recorded_here() if chosen == "here" else kept.by_files()


def rates(read: ReadStarts, sold: PlansSold, *, age: int) -> None:
    """Draw cumulative claims per 1,000 plans, and those up to this age in months by product."""
    if not sold.plans:
        st.info(_("Claims per 1,000 plans need plans sold: import a file of them below, or record sales at this desk."))
        return
    found = exposed(read.table, sold, read.product)
    if not found.plans.any():
        st.info(_("No plans sold are known of this product and these months of start."))
        return
    told = f"{number(found.plans.sum())} {sold.of_words}, {read.started_words(_of(read, found.plans))}"
    curve = mean_cumulative(found.claims, found.plans, read.table.seen)
    base = _base(read, sold, _("claims on {plans}", plans=told), int(found.claims.sum()), without_plans=found.left_out)
    told_chart(cumulative_chart(curve, base), read.claims, tab=TAB)
    _names_that_do_not_match(read, sold)
    if chart := products_chart(read, sold, age=age):
        told_chart(chart, read.claims, tab=TAB)


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
    return beside_chart(
        _beside(read, parts, of_rates),
        name="products-per-1000",
        title=_("Claims per 1,000 plans up to age {age} months, by product", age=age),
        unit=_("claims per 1,000 plans"),
        times=1000,
        of=_("plans"),
        base=_base(read, sold, of, claims, without_plans=every.left_out),
    )


def early(read: ReadStarts, sold: PlansSold) -> None:
    """Draw products side by side by how many of their plans are claimed on how early; nothing without plans sold."""
    if not sold.plans:
        return
    st.header(_("Products side by side"), anchor=False)
    days = st.segmented_control(
        _("Claimed within … days of start"), _DAYS, default=_DAYS[0], key="early", required=True
    )
    days = days or _DAYS[0]
    parts, left_out = _early_parts(read, sold, days)
    if not _sums(parts)[1]:
        st.info(_("No start among these has been seen for {n} days: choose more years above.", n=days))
        return
    named = _(
        "plans claimed on within {days} days of start, of {n} {plans}, every product",
        days=days,
        n=number(_sums(parts)[1]),
        plans=sold.of_words,
    )
    chart = beside_chart(
        _beside(read, parts, of_shares),
        name=f"within-{days}-days",
        title=_("Plans claimed on within {days} days of start, by product", days=days),
        unit=_("% of plans"),
        times=100,
        of=_("plans"),
        base=replace(
            read.base,
            of=named,
            count=_sums(parts)[0],
            leaves_out=(*left_out, *sold.leaves_out, *read.leaves_out),  # by days, not by months
        ),
    )
    told_chart(chart, read.claims, tab=TAB)


def _beside(read: ReadStarts, parts: Parts, interval: Interval) -> tuple[Beside, ...]:
    """Put side by side, once for all who look: exact intervals of a hundred products take most of a second."""
    key = ("side-by-side", interval, tuple(parts.items()))
    return read.kept.derived(key, lambda: side_by_side(parts, interval))


def _early_parts(read: ReadStarts, sold: PlansSold, days: int) -> tuple[Parts, tuple[str, ...]]:
    """The parts of each product, and what is not in them."""
    months = set(read.seen_from_start)
    plans = {
        name: {month: count for month, count in by_month.items() if month in months}
        for name, by_month in sold.by_product.items()
    }
    parts = claimed_plans(read.frame, as_of=read.table.as_of, days=days, plans=plans)
    more = sorted(product for product, (part, whole) in parts.items() if part > whole)
    known = {product: both for product, both in parts.items() if product not in more}
    products = ", ".join(map(shown_word, more))
    said = _("products with more plans claimed on than sold: {products}", products=products)
    return known, (said,) if more else ()


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
