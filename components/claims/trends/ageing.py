"""The tab Ageing of Trends: how soon and how often plans are claimed on after their start."""

from dataclasses import replace

import streamlit as st

from components.claims.screen.chart_view import chart_with_file
from components.claims.trends.plans_import import plans_import
from components.claims.trends.rates import chosen_base, rates
from components.claims.trends.start_charts import age_chart, reached_words, triangle_chart
from components.claims.trends.starts import TAB, ReadStarts, read_starts
from components.claims.trends.tabs import product_words
from components.platform.markup import plain
from components.wiring import Runtime
from components.words.days import service_today
from warranty.access import Operator
from warranty.claims.analysis.starts import months_words
from warranty.insight.plans.plans_sold import KeptPlans
from warranty.language import _, ngettext
from warranty.language.written import number


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
    if younger:
        claims = int(counts[reached.stop :].sum())
        left_out.append(
            ngettext(
                "plans started {months}, which have not reached age {age} months ({n} claim)",
                "plans started {months}, which have not reached age {age} months ({n} claims)",
                claims,
                months=months_words(younger),
                age=age,
                n=number(claims),
            )
        )
    if older:
        claims = int(counts[: reached.start].sum())
        left_out.append(
            ngettext(
                "plans started {months}, which were not seen from their start ({n} claim)",
                "plans started {months}, which were not seen from their start ({n} claims)",
                claims,
                months=months_words(older),
                n=number(claims),
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
