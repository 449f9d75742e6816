"""The shift report on the screen: figures, charts and tables."""

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.forms.faults import plain
from components.shift_report.charts import revenue_by_day, revenue_by_person, revenue_by_term, term_name
from components.words.attempts import KINDS, items_words, moment
from components.words.money import counted
from warranty.journal import Attempt
from warranty.journal.shift_report import ShiftReport, Sold

COVERS: Final = (
    "This covers what was recorded at this desk. Plans that customers bought on the landing page themselves, and what "
    "other systems told the service, are not in it."
)
_TROUBLE: Final = ("Time", "Person", "Kind", "Order", "Items")
Rows = list[tuple[str, ...]]
NamedTable = tuple[str, tuple[str, ...], Rows]
"""A title, the columns, the rows."""


def figures(report: ShiftReport, currency: str) -> dict[str, str]:
    """The sums by their names, in words."""
    rate = report.attach_rate.percent
    return {
        "New orders": f"{report.orders:,}",
        "Links shown": f"{report.links:,}",
        "Sales": f"{report.sales:,}",
        "Plans sold": f"{report.sold.plans:,}",
        "Checkouts": f"{report.checkouts:,}",
        "Attach rate": "no orders" if rate is None else f"{rate} %",
        "Revenue": f"{report.sold.revenue:,.2f} {currency}",
    }


def shift_figures(report: ShiftReport, currency: str) -> None:
    """Draw the sums, six in a row: checkouts stand in the table by person alone."""
    grid = st.grid(6, min_column_width=170, gap="small")
    for name, value in figures(report, currency).items():
        if name != "Checkouts":
            with grid.cell(), st.container(border=True):
                st.caption(name)
                st.markdown(f"**{plain(value)}**")
    st.caption(counted_words(report))


def counted_words(report: ShiftReport) -> str:
    """How links and the attach rate are counted, with the numbers."""
    rate = report.attach_rate
    words = (
        "Links shown: orders whose link stood on a screen here in this time, also orders of earlier; the links in an "
        "import's result file are not counted. Attach rate: "
        + (
            f"{rate.with_plan} of {counted(rate.orders, 'new order')} with something to offer had a plan sold here in "
            "the same time."
            if rate.orders
            else "no new order with something to offer was sent here in this time."
        )
    )
    if report.on_older_orders:
        words += f" Left out of it: {counted(report.on_older_orders, 'sale')} on other orders."
    if report.sold.unpriced:
        words += f" Not in the revenue: {counted(report.sold.unpriced, 'plan')} without a known price."
    return words


def shift_charts(report: ShiftReport, currency: str) -> None:
    """Draw the charts, two a row; draws nothing where nothing was sold."""
    if not report.sold.plans:
        return
    grid = st.grid(2, min_column_width=335, gap="medium")
    charts = [
        ("Revenue by term", revenue_by_term(report, currency), table_words(_by_term(report))),
        ("Revenue by person", revenue_by_person(report, currency), table_words(_by_person(report))),
    ]
    if len(report.sold_by_day) > 1:
        charts.append(("Revenue by day", revenue_by_day(report, currency), table_words(_by_day(report))))
    for name, figure, words in charts:
        with grid.cell():
            st.header(name)
            _chart(figure, name, words)


def _chart(figure: dict[str, Any], name: str, words: str) -> None:
    st.plotly_chart(
        figure,
        key=f"shift-{name}",
        config={"displaylogo": False, "displayModeBar": False},
        alt=f"{name}: {words}",
    )


def shift_tables(report: ShiftReport) -> None:
    """Draw the tables: by term, by person, and what was refused or is not known."""
    for title, columns, rows in tables(report):
        st.header(title)
        st.dataframe(
            pd.DataFrame(rows, columns=list(columns), dtype="str"),
            hide_index=True,
            lazy=False,
            alt=f"{title}: {table_words(rows)}",
            key=f"shift-table-{title}",
            column_config={name: st.column_config.TextColumn(alignment="right") for name in columns[1:]}
            if title.startswith("By")
            else None,
        )


def tables(report: ShiftReport) -> list[NamedTable]:
    """The tables with their titles and columns; empty ones are left out."""
    found: list[NamedTable] = [
        ("By term", ("Term", "Plans", "Revenue"), _by_term(report)),
        (
            "By person",
            ("Person", "Orders", "Sales", "Plans", "Revenue", "Checkouts", "Refused", "Unknown"),
            _by_person(report),
        ),
        ("Refused", _TROUBLE, _trouble(report.refused)),
        ("Not sent", _TROUBLE, _trouble(report.not_sent)),
        ("Not recorded", _TROUBLE, _trouble(report.not_recorded)),
        ("Unknown", _TROUBLE, _trouble(report.unknown)),
    ]
    return [entry for entry in found if entry[2]]


def _by_term(report: ShiftReport) -> Rows:
    return [(term_name(term), *_sold(sold)) for term, sold in report.sold_by_term.items()]


def _by_day(report: ShiftReport) -> Rows:
    return [(day.isoformat(), *_sold(sold)) for day, sold in report.sold_by_day.items()]


def _sold(sold: Sold) -> tuple[str, str]:
    return f"{sold.plans:,}", f"{sold.revenue:,.2f}"


def _by_person(report: ShiftReport) -> Rows:
    return [
        (
            person.name,
            *(f"{count:,}" for count in (person.orders, person.sales)),
            *_sold(person.sold),
            *(f"{count:,}" for count in (person.checkouts, person.refused, person.unknown)),
        )
        for person in report.people
    ]


def _trouble(attempts: Sequence[Attempt]) -> Rows:
    return [
        (
            moment(attempt.started_at),
            attempt.operator_name,
            KINDS[attempt.operation],
            attempt.order_id,
            items_words(attempt.items),
        )
        for attempt in attempts
    ]


def table_words(rows: Rows) -> str:
    """The rows of a table as a sentence, for those who do not see it."""
    return "; ".join(", ".join(row) for row in rows[:12])
