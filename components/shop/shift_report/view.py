"""The shift report: on the screen what is not sure, the sums in a sentence, charts, tables; the same on paper."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.claims.charts.colours import MAIN
from components.gate import taken_away
from components.navigation import go_to
from components.platform import session
from components.platform.markup import plain
from components.ui.frame.table_view import file_button
from components.words.amounts import money, months_words
from components.words.attempts import ENTRY_COLUMNS, amount_of, entry_row, short_moment
from warranty.claims.analysis import Period
from warranty.claims.analysis.periods import day_words
from warranty.desk.journal import Attempt
from warranty.desk.journal.shift_report import AttachRate, ShiftReport, Sold
from warranty.desk.taking_away import TakenAway
from warranty.files.export import claims_csv
from warranty.files.printing.page import PrintPage
from warranty.language import N_, _, locale, ngettext, speaking
from warranty.language.written import number, price
from warranty.settings import Settings

COVERS: Final = N_(
    "This counts what was recorded at this desk. Plans that customers bought on the customer page, and "
    "what other systems sent, are not in it."
)
Rows = Sequence[tuple[str, ...]]
NamedTable = tuple[str, tuple[str, ...], Rows]
"""A title, the columns, the rows."""
SoldBy = list[tuple[str, Sold]]
"""What was sold, by the name of a day or of an hour."""
_MOST_ROWS: Final = 30
_HOURS_AROUND: Final = 2
_FEW: Final = 4
_FEW_ORDERS: Final = 20
_ENTRY: Final = (30, 24, 20, 52, 38, 22)
_PERSON, _PRODUCT, _NUMBER = 40, 80, 22


def figures(report: ShiftReport, currency: str) -> dict[str, str]:
    """The sums in words by their names, which are said with `_`."""
    return {
        N_("Revenue"): money(report.sold.revenue, currency),
        N_("Plans sold"): number(report.sold.plans),
        N_("Attach rate"): _attached(report.attach_rate),
    }


def _attached(rate: AttachRate) -> str:
    """In percent, or as a count where a percent would claim more than it knows."""
    if not rate.orders:
        return _("no orders")
    few = rate.orders < _FEW_ORDERS
    if not rate.declined:
        return (
            _("{some} of {all}", some=number(rate.with_plan), all=number(rate.orders)) if few else f"{rate.percent} %"
        )
    words = _(
        "{sold} sold, {declined} declined, {rest} not asked",
        sold=number(rate.with_plan),
        declined=number(rate.declined),
        rest=number(rate.orders - rate.with_plan - rate.declined),
    )
    return words if few else f"{rate.percent} %: {words}"


def in_words(report: ShiftReport) -> str:
    """What people count: `3 orders · 2 sales · 0 checkouts`."""
    counts = (
        ngettext("{n} order", "{n} orders", report.orders),
        ngettext("{n} sale", "{n} sales", report.sales),
        ngettext("{n} checkout", "{n} checkouts", report.checkouts),
    )
    return " · ".join(counts)


def shift_view(report: ShiftReport, currency: str, *, now: datetime) -> None:
    """Draw what is not sure, the sums, the tables and the hours or days."""
    _to_check(report, currency, now)
    st.header(in_words(report))
    if report.sold.plans or report.attach_rate.declined:
        _figures(report, currency)
    for title, columns, rows in sums(report):
        st.header(title)
        _table(columns, rows)
    if report.sold.plans:
        _chart(report, currency)
    for title, attempts in trouble(report).items():
        if attempts and attempts is not report.unknown:
            st.header(title)
            _entries(attempts, now)
    with st.expander(_("How this is counted")):
        st.text(_(COVERS))
        st.text(counted_words(report))


def nothing_yet(days: str, *, widest: bool) -> None:
    """Say what will stand here, and offer the days before; `widest` where all days are asked for already."""
    st.info(
        _(
            "Nothing was sent from this desk ({days}). Orders, sales and revenue appear here as soon as something"
            " is sold, with a page to print.",
            days=days,
        )
    )
    if not widest:
        st.button(_("Show all days"), type="primary", key="shift-all", on_click=session.fill, args=("shift", "all"))


def _to_check(report: ShiftReport, currency: str, now: datetime) -> None:
    """First what nobody knows, with the money that may be missing below."""
    if not report.unknown:
        return
    sales = [attempt for attempt in report.unknown if attempt.operation == "record_sale"]
    uncertain = sum((amount_of(sale) or Decimal(0) for sale in sales), Decimal(0))
    n = number(len(report.unknown))
    amount = plain(money(uncertain, currency))
    st.warning(
        _("**{n} to check**: {amount} may have been sold. Not counted below.", n=n, amount=amount)
        if sales
        else _("**{n} to check**. Not counted below.", n=n)
    )
    _entries(report.unknown, now)
    if st.button(_("Check them in Activity"), key="shift-to-activity"):
        go_to("activity")


def _figures(report: ShiftReport, currency: str) -> None:
    grid = st.grid(3, min_column_width=150, gap="small")
    for name, value in figures(report, currency).items():
        with grid.cell(), st.container(border=True, gap=None):
            st.caption(_(name))
            st.markdown(f"**{plain(value)}**")


def counted_words(report: ShiftReport) -> str:
    """How the attach rate is counted, with the numbers."""
    rate = report.attach_rate
    words = [
        ngettext(
            "Attach rate: {some} of {n} counter order with something to offer had a plan sold in the same time.",
            "Attach rate: {some} of {n} counter orders with something to offer had a plan sold in the same time.",
            rate.orders,
            some=number(rate.with_plan),
        )
        if rate.orders
        else _("Attach rate: no counter order with something to offer in this period.")
    ]
    if older := report.on_older_orders:
        words.append(
            ngettext("Left out of it: {n} sale on other orders.", "Left out of it: {n} sales on other orders.", older)
        )
    if unpriced := report.sold.unpriced:
        words.append(
            ngettext(
                "Not in the revenue: {n} plan without a known price.",
                "Not in the revenue: {n} plans without a known price.",
                unpriced,
            )
        )
    return " ".join(words)


def _chart(report: ShiftReport, currency: str) -> None:
    title, bars = charted(report)
    st.header(title)
    st.plotly_chart(
        revenue_bars(bars, currency),
        key="shift-chart",
        config={"displaylogo": False, "displayModeBar": False},
        alt=f"{title}: {'; '.join(', '.join((name, *_sold(sold))) for name, sold in bars if sold.plans)}",
    )


def charted(report: ShiftReport) -> tuple[str, SoldBy]:
    """What the chart is of: the hours of one day, else the days."""
    days: SoldBy = [(day_words(day), sold) for day, sold in report.sold_by_day.items()]
    return (_("Revenue by day"), days) if len(days) > 1 else (_("Revenue by hour"), _by_hour(report))


def revenue_bars(sold_by: SoldBy, currency: str) -> dict[str, Any]:
    """A bar for each, as Plotly takes it.

    A bar needs a number that the browser can draw; what is read is written from the exact Decimal.
    """
    return {
        "data": [
            {
                "type": "bar",
                "x": [each[0] for each in sold_by],
                "y": [float(each[1].revenue) for each in sold_by],
                "text": [price(sold.revenue) if sold.plans else "" for each, sold in sold_by],
                "textposition": "auto",
                "hovertext": [
                    ", ".join((ngettext("{n} plan", "{n} plans", sold.plans), money(sold.revenue, currency)))
                    for _each, sold in sold_by
                ],
                "hoverinfo": "text",
                "marker": {"color": MAIN},
            }
        ],
        "layout": {
            "height": 240,
            "dragmode": False,
            "bargap": 0.15 if len(sold_by) > _FEW else 0.6,
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
            "yaxis": {"title": {"text": currency}, "rangemode": "tozero", "automargin": True, "fixedrange": True},
            "xaxis": {"type": "category", "automargin": True, "fixedrange": True},
        },
    }


def _table(columns: Sequence[str], rows: Rows, numbers: Collection[str] = ()) -> None:
    """Draw a table with numbers, all but the first column unless said, and their headings on the right.

    The platform's own table keeps the headings of numbers on the left.
    """
    right = numbers or columns[1:]
    ruler = ["---:" if name in right else "---" for name in columns]
    lines = [list(columns), ruler, *([plain(cell) for cell in row] for row in rows)]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _entries(attempts: Sequence[Attempt], now: datetime) -> None:
    """Draw entries as narrow as a phone: who wants the order finds it in Activity, and on paper."""
    rows = []
    for attempt in attempts[:_MOST_ROWS]:
        _moment, person, kind, _order, items, amount = entry_row(attempt)
        rows.append((short_moment(attempt.started_at, now), kind, items, amount, person))
    _table((_("Time"), _("Kind"), _("Items"), _("Amount"), _("Person")), rows, numbers={_("Amount")})
    if len(attempts) > _MOST_ROWS:
        more = number(len(attempts) - _MOST_ROWS)
        st.caption(_("and {n} more: see Activity, or print the report.", n=more))


def trouble(report: ShiftReport) -> dict[str, Sequence[Attempt]]:
    """What did not end as asked, by its title: first what nobody knows."""
    return {
        _("Unknown"): report.unknown,
        _("Refused"): report.refused,
        _("Not sent"): report.not_sent,
        _("Not recorded"): report.not_recorded,
        _("Waits for the service"): report.waiting,
    }


def sums(report: ShiftReport) -> list[NamedTable]:
    """The tables of sums with their titles and columns; empty ones are left out."""
    by_product = [
        (product, _("Term not known") if term is None else months_words(term), *_sold(sold))
        for (product, term), sold in report.sold_by_product.items()
    ]
    found: list[NamedTable] = [
        (_("By person"), *_by_person(report)),
        (_("By product"), (_("Product"), _("Term"), _("Plans"), _("Revenue")), by_product),
    ]
    return [entry for entry in found if entry[2]]


def tables(report: ShiftReport) -> list[NamedTable]:
    """All tables, as they are printed: what nobody knows, the sums, and what did not end as asked."""
    columns = tuple(_(name) for name in ENTRY_COLUMNS)
    ended = [(title, columns, list(map(entry_row, those))) for title, those in trouble(report).items()]
    return [entry for entry in (ended[0], *sums(report), *ended[1:]) if entry[2]]


def _by_hour(report: ShiftReport) -> SoldBy:
    """The hours of the sales, and some around them: one bar alone would fill the chart."""
    hours = report.sold_by_hour
    first, last = min(hours) - _HOURS_AROUND, max(hours) + _HOURS_AROUND
    return [(f"{hour}:00", hours.get(hour, Sold())) for hour in range(max(0, first), min(23, last) + 1)]


def _by_person(report: ShiftReport) -> tuple[tuple[str, ...], Rows]:
    """The columns and rows; a column in which nobody has anything is left out."""
    names = (_("Person"), _("Orders"), _("Declined"), _("Sales"), _("Plans"), _("Revenue"), _("Checkouts"),
             _("Refused"), _("Unknown"))  # fmt: skip
    rows = [
        (
            person.name,
            number(person.orders),
            number(person.declined),
            number(person.sales),
            *_sold(person.sold),
            *(number(count) for count in (person.checkouts, person.refused, person.unknown)),
        )
        for person in report.people
    ]
    nothing = {"0", price(0)}
    places = [place for place in range(len(names)) if any(row[place] not in nothing for row in rows)]
    return tuple(names[place] for place in places), [tuple(row[place] for place in places) for row in rows]


def _sold(sold: Sold) -> tuple[str, str]:
    return number(sold.plans), price(sold.revenue)


def download_buttons(report: ShiftReport, settings: Settings, *, days: Period | None, made: str) -> None:
    """Offer the report of these days (None: all) as a PDF of A4 and as CSV; `made` (when it was made) is in words.

    The PDF is made when it is asked for, but its tables now: their times are those of the browser's zone, which is not
    known then.
    """
    words = days.words if days else _("all days")
    with speaking("en"):  # for the record of what was taken away
        subset = days.words if days else "all days"
    printed = tables(report)
    count = sum(len(rows) for title, columns, rows in printed if title not in _titles_of_sums())
    # The platform makes it in a thread that knows no person: in the language of who looks now.
    translated_pdf = speaking(str(locale()))(shift_pdf)
    pdf = partial(translated_pdf, report, printed, settings, days=words, made=made)
    lines = len(report.sold_by_line)
    files = (
        (_("Print report"), TakenAway.SHIFT_REPORT, pdf, count, "pdf"),
        (_("CSV"), TakenAway.SHIFT_CSV, partial(shift_csv, report, settings.currency), lines, "csv"),
    )
    with st.container(horizontal=True):
        for label, what, make, rows, ending in files:
            data = taken_away(what, make, count=rows, subset=subset)
            file_button(label, data, f"{file_name(days)}.{ending}", key=f"shift-{ending}")


def shift_csv(report: ShiftReport, currency: str) -> bytes:
    """What was sold by person, product and term: plans, and their revenue without those whose price is not known.

    Then of each person how many customers declined, and how much was sent that nobody knows of: rows without a product.
    """
    sold_by = report.sold_by_line.items()
    rows = [(*line, sold.plans, sold.revenue, currency, sold.unpriced, 0, 0) for line, sold in sold_by]
    declined = Counter({one.name: one.declined for one in report.people})
    to_check = Counter(one.operator_name for one in report.unknown)
    rows += [
        (name, "", None, 0, Decimal(0), currency, 0, declined[name], to_check[name]) for name in +declined | to_check
    ]
    columns = ["person", "product", "term_months", "plans", "revenue", "currency", "plans_without_price"]
    columns += ["declined", "to_check"]
    return claims_csv(pd.DataFrame(rows, columns=pd.Index(columns)).astype({"term_months": "Int64"}), bom=True)


def _titles_of_sums() -> set[str]:
    return {_("By person"), _("By product")}


def file_name(days: Period | None) -> str:
    """The name of the file without its ending, which tells the days: `shift-report-2026-11-23`."""
    named = sorted({days.first.isoformat(), days.last.isoformat()}) if days else ["all-days"]
    return f"shift-report-{'-to-'.join(named)}"


def shift_pdf(report: ShiftReport, printed: Sequence[NamedTable], settings: Settings, *, days: str, made: str) -> bytes:
    """The report on paper, with these tables."""
    shop, currency = settings.shop_name, settings.currency
    title = _("{shop}: shift report, {days}", shop=shop, days=days)
    page = PrintPage(title=title, size="A4", margin=15, mark=settings.print_mark)
    page.line(shop, 18)
    page.line(_("Shift report, {days}", days=days), 14)
    page.line(_("Made {when}. Amounts in {currency}.", when=made, currency=currency), 9, below=4)
    page.line(in_words(report), 12, below=2)
    for name, value in figures(report, currency).items():
        page.pair(_(name), value, 11)
    page.line("", 6)
    page.line(counted_words(report), 9)
    page.line(_(COVERS), 9, below=4)
    for heading, columns, rows in printed:
        page.line(heading, 13, below=1)
        is_sum = heading in _titles_of_sums()
        first = _PRODUCT if len(columns) == 4 else _PERSON
        widths = (first, *[_NUMBER] * (len(columns) - 1)) if is_sum else _ENTRY
        page.table(columns, rows, widths=widths, numbers=is_sum)
    return page.content()
