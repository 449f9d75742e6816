"""The tab Outlook of Trends: products to look at, and the claims to come."""

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from components.claim_trends.outlook_chart import forecast_chart
from components.claim_trends.told import chosen_product, told_chart
from components.claims.chart_view import Notes
from components.claims.reading import claims_reading, reading_head
from components.claims.seal import short_seal
from components.forms.faults import plain
from components.frame.table_view import table_view
from components.wiring import Runtime
from components.words.amounts import counted
from components.words.days import service_today
from warranty.access import Operator
from warranty.analysis import Base, shown_word
from warranty.analysis.starts import StartTable, month_words
from warranty.claims.readings import KeptClaims
from warranty.errors import JournalUnavailable
from warranty.journal import ForecastDiary, Foretold
from warranty.outlook.forecasts import (
    claims_by_month,
    foretell,
    foretold_products,
    keep_diary,
    outlook_days,
    outlook_table,
    why_withdrawn,
)
from warranty.outlook.warnings import Watch, chance_words, watch
from warranty.plans import KeptPlans, PlansSold
from warranty.resources import ClaimQuery
from warranty.statistics.triangle import Forecast, TooFew

_ROLE: Final = "outlook"
_SHOWN_OF_DIARY: Final = 24


def outlook(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    readings, days = runtime.claims.of(operator), outlook_days(service_today())
    query = ClaimQuery(claim_dates=days.times)
    kept = claims_reading(readings, query, role=_ROLE)
    if kept is None:
        return
    claims = kept.claims
    reading_head(readings, query, claims, role=_ROLE, words=f"Every claim dated {days.words}.")
    if not claims.is_complete:
        st.info(
            "**Warnings and forecasts need every claim of these days**, so none is told. Read the rest first."
        )
        return
    if claims.frame.empty:
        st.info("There is no claim in these days, so there is nothing to warn of and nothing to forecast.")
        return
    _warnings(kept, kept.derived(("watch",), lambda: watch(claims.frame, days=days)))
    table = kept.derived(("outlook",), lambda: outlook_table(claims.frame, as_of=days.last))
    plans = _plans(runtime.desk.plans_sold(operator))
    _forecast(kept, table, plans, runtime.desk.forecast_diary(operator), runtime.desk.time_notes(operator))


def _warnings(kept: KeptClaims, told: Watch) -> None:
    st.header("Products to look at", anchor=False)
    if told.why_not:
        st.info(told.why_not)
        return
    if not told.judged:
        st.info("No product has a year of claims yet, so none is watched.")
        return
    warnings = told.warnings
    if not warnings:
        st.text(f"No product had more claims in {told.month:%b %Y} than its own past explains.")
    for warning in warnings:
        st.text(warning.sentence)
    a_year = told.false_alarms_a_year
    st.caption(
        f"{counted(len(told.judged), 'product')} watched, each by up to two years of its own months. Even where "
        f"nothing changes, this rule warns {a_year:.1f} times a year, all of them together. A season that a product's "
        "past has not shown yet makes it warn as well, and so does a sudden rise in sales."
        + (
            f" Not watched, for want of a year of claims: {counted(len(told.too_young), 'product')}."
            if told.too_young
            else ""
        )
    )
    with st.expander("All products that are watched", key="outlook:watched", on_change="rerun") as folded:
        if folded.open:
            _watched(told, sorted(told.judged, key=lambda product: told.judged[product].probability), kept)
            if told.too_young:
                st.caption("Not watched, for want of a year of claims:")
                st.text(", ".join(map(shown_word, told.too_young)))


def _watched(told: Watch, products: Sequence[str], kept: KeptClaims) -> None:
    since = {each.product: f"{each.since:%b %Y}" for each in told.warnings}
    judged = [told.judged[product] for product in products]
    table = pd.DataFrame(
        {
            "Product": [shown_word(product) for product in products],
            f"Claims in {told.month:%b %Y}": [told.came[product] for product in products],
            "Expected": [round(each.expected, 1) for each in judged],
            "So many or more by chance alone": [chance_words(each.probability) for each in judged],
            "Since": [since.get(product, "") for product in products],
            "Would have seen": [f"{told.rise_seen(product):.1f} times as many" for product in products],
        }
    )
    seen_help = "The rise that is found in its first month in 9 of 10 cases; a smaller one may pass unseen."
    table_view(
        table,
        f"Products that are watched, {len(products)}, as a table. {short_seal(kept.claims)}",
        column_config={"Would have seen": st.column_config.TextColumn(help=seen_help)},
    )


def _plans(plans: KeptPlans) -> PlansSold | None:
    """The plans sold by the files imported, which make a forecast surer; None where they cannot be read."""
    try:
        return plans.by_files()
    except JournalUnavailable:
        return None


def _forecast(
    kept: KeptClaims, table: StartTable, plans: PlansSold | None, diary: ForecastDiary, notes: Notes
) -> None:
    st.header("Claims to come", anchor=False)
    product = chosen_product(table.products, key="outlook:product", label="Product to forecast")
    try:
        said: list[Foretold] | None = keep_diary(diary, table, kept.claims.frame, plans=plans)
    except JournalUnavailable:
        said = None
    told = _foretold(kept, table, product, plans)
    why_not = told.why if isinstance(told, TooFew) else why_withdrawn(said or (), product)
    if why_not or isinstance(told, TooFew):
        st.info(plain(why_not))
    else:
        first, last = (month_words(month) for month in (table.starts[0], table.starts[-1]))
        of_product = f", product {shown_word(product)}" if product is not None else ""
        sold = plans.of(product, table.starts) if plans else None
        by_plans = "" if sold is None or plans is None else f", with {sold.sum():,} {plans.of_words}"
        base = Base(
            of=f"claims on plans started {first} to {last}, at ages up to {told.ages - 1} months{of_product}{by_plans}",
            count=int(table.counts(product).sum()),
            as_of=kept.claims.as_of,
            leaves_out=(
                "plans that start later",
                *(f"{count:,} {words}, of any product" for words, count in table.left_out.items()),
            ),
        )
        chart = forecast_chart(claims_by_month(table, product), table.starts, told, base)
        told_chart(chart, kept.claims, tab=_ROLE, notes=notes)
        if product is None:
            _by_product(kept, table, plans)
    _diary(said, product)


def _foretold(
    kept: KeptClaims, table: StartTable, product: str | None, plans: PlansSold | None
) -> Forecast | TooFew:
    """Foretell once for all who look; anew where other plans sold are known by now."""
    sold = plans.of(product, table.starts) if plans else None
    key = ("forecast", product, None if sold is None else sold.tobytes())
    return kept.derived(key, lambda: foretell(table, product, plans=plans))


def _by_product(kept: KeptClaims, table: StartTable, plans: PlansSold | None) -> None:
    with st.expander("By product", key="outlook:by-product", on_change="rerun") as folded:
        if not folded.open:
            return
        rows = []
        for product in foretold_products(table):
            told = _foretold(kept, table, product, plans)
            row: dict[str, str] = {"Product": shown_word(product)}
            if isinstance(told, TooFew):
                row |= {"Next month": "too few to tell", "Twelve months": "too few to tell"}
            else:
                low, high = (float(each[0]) for each in told.interval(0.80))
                row["Next month"] = f"{told.expected[0]:,.0f} ({low:,.0f} to {high:,.0f})"
                expected, low, high = told.total(0.80)
                row["Twelve months"] = f"{expected:,.0f} ({low:,.0f} to {high:,.0f})"
            rows.append(row)
        st.caption("Expected claims on plans already started, and in brackets where 8 of 10 such cases end.")
        table_view(pd.DataFrame(rows), "Forecasts by product, as a table")


def _diary(said: Sequence[Foretold] | None, product: str | None) -> None:
    """Draw what was said of each month beside what came."""
    st.header("What was forecast, and what came", anchor=False)
    if said is None:
        st.caption("The diary cannot be read now: this desk's own records are not available.")
        return
    rows = [each for each in said if each.product == (product or "")][-_SHOWN_OF_DIARY:]
    over = [each for each in rows if each.came is not None]
    held = sum(each.held for each in over)
    st.caption(
        f"What came lay in the 95 % interval in {held} of {counted(len(over), 'month')} that are over. Each month is "
        "forecast once, from claims of the months before it."
        if over
        else "Each month is forecast once, from claims of the months before it; what came stands beside it when it is "
        "over. No month that was forecast is over yet."
    )
    if rows:
        table = pd.DataFrame(
            {
                "Month": [month_words(each.month) for each in rows],
                "Forecast": [round(each.expected, 1) for each in rows],
                "80 %": [f"{each.low_80:,.0f} to {each.high_80:,.0f}" for each in rows],
                "95 %": [f"{each.low_95:,.0f} to {each.high_95:,.0f}" for each in rows],
                "Came": ["not over yet" if each.came is None else f"{each.came:,}" for each in rows],
                "Held": ["" if each.came is None else "yes" if each.held else "no" for each in rows],
            }
        )
        table_view(table, "What was forecast for each month and what came, as a table")
