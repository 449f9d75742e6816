"""The tab Outlook of Trends: products to look at, and the claims to come."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from components.claims.charts.colours import OTHER
from components.claims.charts.figure import PALE, Chart, bars, checked_figure, line, steps_axis
from components.claims.charts.time_notes import Notes
from components.claims.screen.chart_view import chart_with_file
from components.claims.screen.reading import reading_with_head
from components.claims.screen.seal import short_seal
from components.claims.screen.standing_warnings import watched
from components.claims.trends.rates import plans_by_files
from components.claims.trends.starts import left_out_words
from components.claims.trends.tabs import chosen_product, product_words
from components.platform.markup import plain
from components.ui.frame.table_view import table_view
from components.wiring import Runtime
from components.words.days import service_today
from warranty.access import Operator
from warranty.claims.analysis import Base, Period, shown_word
from warranty.claims.analysis.cube import Counts
from warranty.claims.analysis.periods import DAY
from warranty.claims.analysis.starts import StartTable, month_words, months_words
from warranty.claims.readings.readings import KeptClaims
from warranty.client.resources import ClaimQuery
from warranty.errors import JournalUnavailable
from warranty.insight.outlook.diary import ForecastDiary, Foretold
from warranty.insight.outlook.forecasts import (
    claims_by_month,
    foretell,
    foretold_products,
    keep_diary,
    outlook_days,
    outlook_table,
    spoken_of_by_month,
    why_withdrawn,
)
from warranty.insight.outlook.warnings import Watch, chance_words
from warranty.insight.plans.plans_sold import PlansSold
from warranty.insight.statistics.triangle import Forecast, TooFew
from warranty.language import _, locale, ngettext
from warranty.language.written import MONTH, dated, number

_ROLE: Final = "outlook"
_SHOWN_OF_DIARY: Final = 24
_HEIGHT: Final = 330
_SHOWN: Final = 24
_LATE: Final = 3
_NOT_SPOKEN_OF: Final = {"color": OTHER, "opacity": 0.4}
_STRONG: Final = "rgba(47,127,196,0.4)"


def outlook(runtime: Runtime, operator: Operator) -> None:
    """Draw the tab."""
    readings, days = runtime.claims.of(operator), outlook_days(service_today())
    query = ClaimQuery(claim_dates=days.times)
    words = _("Every claim dated {days}.", days=days.words)
    cached = reading_with_head(readings, query, role=_ROLE, words=words)
    if cached is None:
        return
    claims = cached.claims
    if not claims.is_complete:
        st.info(_("**Warnings and forecasts need every claim of these days**, so none is shown. Read the rest first."))
        return
    if claims.frame.empty:
        st.info(_("There is no claim in these days, so there is nothing to warn of and nothing to forecast."))
        return
    _warnings(cached, watched(cached, days))
    table = cached.derived(("outlook", str(locale())), lambda: outlook_table(claims.frame, as_of=days.last))
    plans = plans_by_files(runtime.insight.plans_sold(operator))
    _coming(cached, table, plans, runtime.insight.forecast_diary(operator), runtime.insight.time_notes(operator))


def _warnings(cached: KeptClaims, watch: Watch) -> None:
    st.header(_("Products to look at"), anchor=False)
    if watch.why_not:
        st.info(watch.why_not)
        return
    if not watch.judged:
        st.info(_("No product has a year of claims yet, so none is watched."))
        return
    warnings = watch.warnings
    if not warnings:
        month = dated(watch.month, MONTH)
        st.text(_("No product had more claims in {month} than its own past explains.", month=month))
    for warning in warnings:
        st.text(warning.sentence)
    a_year = watch.false_alarms_a_year
    st.caption(
        ngettext(
            "{n} product watched, each by up to two years of its own months. Even where nothing changes, this rule "
            "warns {times} times a year, all of them together; a season that two years of the shop have not shown "
            "makes it warn as well, and so does a sudden rise in sales.",
            "{n} products watched, each by up to two years of its own months. Even where nothing changes, this rule "
            "warns {times} times a year, all of them together; a season that two years of the shop have not shown "
            "makes it warn as well, and so does a sudden rise in sales.",
            len(watch.judged),
            n=number(len(watch.judged)),
            times=f"{a_year:.1f}",
        )
    )
    with st.expander(_("All products that are watched"), key="outlook:watched", on_change="rerun") as folded:
        if folded.open:
            _watched(watch, sorted(watch.judged, key=lambda product: watch.judged[product].probability), cached)
            if watch.too_young:
                st.caption(_("Not watched, for want of a year of claims:"))
                st.text(", ".join(map(shown_word, watch.too_young)))


def _watched(watch: Watch, products: Sequence[str], cached: KeptClaims) -> None:
    since = {each.product: dated(each.since, MONTH) for each in watch.warnings}
    judged = [watch.judged[product] for product in products]
    table = pd.DataFrame(
        {
            _("Product"): [shown_word(product) for product in products],
            _("Claims in {month}", month=dated(watch.month, MONTH)): [watch.came[product] for product in products],
            _("Expected"): [round(each.expected, 1) for each in judged],
            _("Chance of this many"): [chance_words(each.probability) for each in judged],
            _("Since"): [since.get(product, "") for product in products],
            _("Smallest rise we would notice"): [
                _("{n}-fold", n=f"{watch.rise_seen(product):.1f}") for product in products
            ],
        }
    )
    seen_help = _("The rise that is found in its first month in 9 of 10 cases; a smaller one may pass unseen.")
    table_view(
        table,
        _("Products that are watched, {n}, as a table. {seal}", n=len(products), seal=short_seal(cached.claims)),
        column_config={_("Smallest rise we would notice"): st.column_config.TextColumn(help=seen_help)},
    )


def _coming(cached: KeptClaims, table: StartTable, plans: PlansSold | None, diary: ForecastDiary, notes: Notes) -> None:
    st.header(_("Claims to come"), anchor=False)
    product = chosen_product(table.products)
    try:
        entries: list[Foretold] | None = keep_diary(diary, table, cached.claims.frame, plans=plans)
    except JournalUnavailable:
        entries = None
    forecast = _foretold(cached, table, product, plans)
    why_not = str(forecast.why) if isinstance(forecast, TooFew) else why_withdrawn(entries or (), product)
    if why_not or isinstance(forecast, TooFew):
        st.info(plain(why_not))
    else:
        spoken_of = spoken_of_by_month(table.counts(product), forecast.ages)
        of = _(
            "claims on plans started {months}, at ages up to {age} months",
            months=months_words(table.starts),
            age=forecast.ages - 1,
        ) + product_words(product)
        sold = plans.of(product, table.starts) if plans else None
        if sold is not None and plans is not None:
            of += _(", with {n} {plans}", n=number(sold.sum()), plans=plans.of_words)
        base = Base(
            of=of,
            count=int(spoken_of.sum()),
            as_of=cached.claims.as_of,
            leaves_out=(_("plans that start later"), *left_out_words(table)),
        )
        came = claims_by_month(cached.claims.frame, table, product)
        chart = forecast_chart(came, spoken_of, table.starts, forecast, base)
        chart_with_file(chart, cached.claims, tab=_ROLE, notes=notes)
        if product is None:
            _by_product(cached, table, plans)
    _diary(entries, product)


def _foretold(cached: KeptClaims, table: StartTable, product: str | None, plans: PlansSold | None) -> Forecast | TooFew:
    """Foretell once for all who look; anew where other plans sold are known by now."""
    sold = plans.of(product, table.starts) if plans else None
    key = ("forecast", product, None if sold is None else sold.tobytes())
    return cached.derived(key, lambda: foretell(table, product, plans=plans))


def _by_product(cached: KeptClaims, table: StartTable, plans: PlansSold | None) -> None:
    with st.expander(_("By product"), key="outlook:by-product", on_change="rerun") as folded:
        if not folded.open:
            return
        rows, next_month, a_year = [], _("Next month"), _("Twelve months")
        every = [(product, _foretold(cached, table, product, plans)) for product in foretold_products(table)]
        for product, forecast in sorted(every, key=lambda each: _expected_next(each[1]), reverse=True):
            row: dict[str, str] = {_("Product"): shown_word(product)}
            if isinstance(forecast, TooFew):
                row |= {next_month: _("too few to tell"), a_year: _("too few to tell")}
            else:
                low, high = (float(each[0]) for each in forecast.interval(0.80))
                row[next_month] = _expected(float(forecast.expected[0]), low, high)
                expected, low, high = forecast.total(0.80)
                row[a_year] = _expected(expected, low, high)
            rows.append(row)
        st.caption(_("Expected claims on plans already started, and in brackets where 8 of 10 such cases end."))
        table_view(pd.DataFrame(rows), _("Forecasts by product, as a table"))


def _expected_next(forecast: Forecast | TooFew) -> float:
    return -1.0 if isinstance(forecast, TooFew) else float(forecast.expected[0])


def _expected(mean: float, low: float, high: float) -> str:
    return f"{number(mean)} ({from_to(low, high)})"


def _diary(entries: Sequence[Foretold] | None, product: str | None) -> None:
    """Draw what was said of each month beside what came, once a month that was forecast is over."""
    if entries is None:
        st.caption(_("The diary cannot be read now: this desk's own records are not available."))
        return
    rows = [each for each in entries if each.product == (product or "")][-_SHOWN_OF_DIARY:]
    over = [each for each in rows if each.came is not None]
    if not over:
        return
    st.header(_("Forecast and actual"), anchor=False)
    held = sum(each.held for each in over)
    st.caption(
        ngettext(
            "What came lay in the 95 % interval in {held} of {n} month that are over. Each month is forecast once, "
            "from claims of the months before it.",
            "What came lay in the 95 % interval in {held} of {n} months that are over. Each month is forecast once, "
            "from claims of the months before it.",
            len(over),
            held=number(held),
            n=number(len(over)),
        )
    )
    table = pd.DataFrame(
        {
            _("Month"): [month_words(each.month) for each in rows],
            _("Forecast"): [round(each.expected, 1) for each in rows],
            "80 %": [from_to(each.low_80, each.high_80) for each in rows],
            "95 %": [from_to(each.low_95, each.high_95) for each in rows],
            _("Actual"): [_("not over yet") if each.came is None else number(each.came) for each in rows],
            _("Within range"): ["" if each.came is None else _("yes") if each.held else _("no") for each in rows],
        }
    )
    table_view(table, _("Forecast and actual for each month, as a table"))


def forecast_chart(came: Counts, spoken_of: Counts, starts: tuple[str, ...], forecast: Forecast, base: Base) -> Chart:
    """Draw all claims of the last 24 months of `starts`, which are over, and what is expected of the months after them.

    The forecast speaks of a part of them.
    """
    shown = starts[-_SHOWN:]
    past, of_these = came[-len(shown) :].tolist(), spoken_of[-len(shown) :].tolist()
    first_ahead = np.datetime64(starts[-1], "M") + np.timedelta64(1, "M")
    ahead = [str(first_ahead + np.timedelta64(place, "M")) for place in range(len(forecast.expected))]
    months = [*shown, *ahead]
    names = [month_words(month) for month in months]
    at, places = list(range(len(shown))), list(range(len(shown), len(months)))
    (low_80, high_80), (low_95, high_95) = forecast.interval(0.80), forecast.interval(0.95)
    expected, low, high = forecast.total(0.80)
    foretold = {_("expected"): forecast.expected, _("80 % from"): low_80, _("80 % to"): high_80}
    foretold |= {_("95 % from"): low_95, _("95 % to"): high_95}
    counted = {_("claims that came"): past, _("of them on these plans"): of_these}
    parts = (
        pd.DataFrame(counted, index=names[: len(shown)], dtype="Int64"),
        pd.DataFrame(foretold, index=names[len(shown) :], dtype="Float64").round(1),
    )
    table = pd.concat(parts).rename_axis(_("month")).reset_index()
    labels = [
        _("{month}: {n} expected, 80 %: {range}", month=name, n=number(mean), range=from_to(least, most))
        for name, mean, least, most in zip(names[len(shown) :], forecast.expected, low_80, high_80, strict=True)
    ]
    return Chart(
        name="forecast",
        title=_("Claims to come on plans already started, by month"),
        words=_(
            "Bars of {first} to {last}, the last {n} claims; then a line that ends with {end}. {next}; in all {months} "
            "months {expected}, 80 %: {range}",
            first=names[0],
            last=names[len(shown) - 1],
            n=number(past[-1]),
            end=names[-1],
            next=labels[0],
            months=len(ahead),
            expected=number(expected),
            range=from_to(low, high),
        ),
        base=base,
        figure=checked_figure(
            [
                bars(at, past, names, hover=_("%{customdata}: %{y:,} claims came"), marker=_NOT_SPOKEN_OF),
                bars(at, of_these, names, hover=_("%{customdata}: %{y:,} on these plans"), marker={"color": OTHER}),
                _between(places, low_95, high_95, PALE),
                _between(places, low_80, high_80, _STRONG),
                line(places, forecast.expected.tolist(), labels, hover="%{customdata}"),
            ],
            height=_HEIGHT,
            barmode="overlay",
            showlegend=False,
            xaxis=steps_axis(names),
            yaxis={"rangemode": "tozero", "tickformat": ",d"},
        ),
        table=table,
        note=_(
            "Bars: claims so far, the dark part on these plans; line: expected on them from {month} on, with "
            "bands of 80 % and 95 %. Claims on other plans come on top, {n} a month lately.",
            month=names[len(shown)],
            n=number(float(np.mean(np.subtract(past, of_these)[-_LATE:]))),
        ),
        steps=tuple(_days(month) for month in months),
    )


def from_to(low: float, high: float) -> str:
    """Two counts: `12 to 34`."""
    return _("{first} to {last}", first=number(low), last=number(high))


def _between(places: list[int], low: Any, high: Any, colour: str) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": places,
        "base": low.tolist(),
        "y": (high - low).tolist(),
        "width": 0.95,
        "marker": {"color": colour},
        "hoverinfo": "skip",
    }


def _days(month: str) -> Period:
    first = np.datetime64(month, "M")
    begin, end = first.astype("M8[D]").item(), (first + np.timedelta64(1, "M")).astype("M8[D]").item()
    return Period(begin, end - DAY)
