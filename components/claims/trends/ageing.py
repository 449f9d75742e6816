"""The tab Ageing of Trends: how soon and how often plans are claimed on after their start.

A cell of its chart is a number, 0, or empty where it was not seen.
"""

from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from components.claims.charts.figure import FEW, HEIGHT, Chart, ages_axis, bars, checked_figure, count_axis, names_axis
from components.claims.screen.chart_view import chart_with_file
from components.claims.trends.plans_import import plans_import
from components.claims.trends.rates import chosen_base, rates
from components.claims.trends.starts import TAB, ReadStarts, reached_words, read_starts
from components.claims.trends.tabs import product_words
from components.platform.markup import plain
from components.wiring import Runtime
from components.words.days import service_today
from warranty.access import Operator
from warranty.claims.analysis import Base
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.starts import StartTable, month_words, months_words
from warranty.insight.plans.plans_sold import KeptPlans
from warranty.language import _, ngettext
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


def ageing(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    read = read_starts(runtime.claims.of(operator), today=service_today())
    if read is None:
        return
    plans, today = runtime.insight.plans_sold(operator), service_today()
    if read.base.count:
        _triangle(read)
        age = _by_age(read)
        _against_plans(read, plans, age)
    else:
        st.info(plain(_words_without_claims(read)))
    plans_import(plans, today=today)


def _against_plans(read: ReadStarts, plans: KeptPlans, age: int) -> None:
    """What compares, and so needs all claims."""
    if not read.claims.is_whole:
        st.info(_("Claims per 1,000 plans and products side by side need all claims: choose Refresh to read the rest."))
        return
    sold = chosen_base(plans)
    read = read.on_orders(sold.orders)
    rates(read, sold, age=age)


def _triangle(read: ReadStarts) -> None:
    st.caption(
        _(
            "Rows: months in which plans began; columns: calendar months until the claim. Pale means no claims, "
            "blank not seen yet."
        )
    )
    chart_with_file(triangle_chart(read.table, read.product, read.base), read.claims, tab=TAB)


def _by_age(read: ReadStarts) -> int:
    """Draw claims by age, of starts that were all seen to it, and give it; younger ones pull the later ages down."""
    table = read.table
    oldest = len(read.seen_from_start) - 1
    ages, first = range(oldest + 1), min(12, oldest // 2)  # a slider's thumb is too small for a finger
    age = st.selectbox(
        _("Ages from 0 to … months"), ages, index=first, key="ageing:age", filter_mode="contains", width=240
    )
    reached = table.reached(age)
    counts = table.counts(read.product)
    claimed = counts[reached, : age + 1].sum()
    older, younger = table.starts[: reached.start], table.starts[reached.stop :]
    later = int(counts[reached, age + 1 :].sum())
    left_out = [ngettext("{n} claim at a later age", "{n} claims at a later age", later, n=number(later))]
    for months, rows, why in (
        (younger, slice(reached.stop, None), _("have not reached age {age} months", age=age)),
        (older, slice(reached.start), _("were not seen from their start")),
    ):
        if months:
            count = int(counts[rows].sum())
            left_out.append(
                ngettext(
                    "plans started {months}, which {why} ({n} claim)",
                    "plans started {months}, which {why} ({n} claims)",
                    count,
                    months=months_words(months),
                    why=why,
                    n=number(count),
                )
            )
    base = replace(
        read.base,
        of=_("claims on {plans}", plans=reached_words(table.starts[reached], age)) + product_words(read.product),
        count=int(claimed),
        leaves_out=(*left_out, *read.base.leaves_out),
    )
    chart_with_file(age_chart(table, read.product, age, base), read.claims, tab=TAB)
    return age


def _words_without_claims(read: ReadStarts) -> str:
    """What it means that there is nothing to count."""
    if not read.claims.is_complete:
        return _("Nothing that was read can be counted here, and not all was read. Choose Refresh to read again.")
    left_out = "".join(f" {words}." for words in read.base.leaves_out)
    return _("There are no {claims}, in months that are over.", claims=read.base.of) + left_out


def triangle_chart(table: StartTable, product: str | None, base: Base) -> Chart:
    """Claims by month of start and age, the number in each square where the squares have room for it."""
    counts, seen = table.counts(product), table.seen
    most, size = int(counts.max(initial=0)), len(table.starts)
    rows, ages = [month_words(month) for month in table.starts], list(range(size))
    cells, least = counts.astype(object), 0.5 / max(1, most)
    cells[~seen] = None  # no square, where a 0 has a pale one
    ticks = min(6, most + 1)  # each number once
    drawn = {
        "type": "heatmap",
        "x": ages,
        "y": ages,
        "z": cells.tolist(),
        "xgap": 1,
        "ygap": 1,
        "hoverongaps": False,
        "hovertemplate": _("started %{customdata}, age %{x} months: %{z:,} claims") + "<extra></extra>",
        "customdata": [[row] * size for row in rows],
        "colorscale": [(0, _NONE), (least, _NONE), (least, _FAINT), (1, _FULL)],
        "zmin": 0,
        "zmax": max(1, most),
        "colorbar": {"thickness": 10, "title": {"text": _("claims")}, "tickformat": ",d", "len": 0.9, "nticks": ticks},
    }
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
