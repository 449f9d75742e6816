"""The shift report on the screen: figures, charts and tables."""

from typing import Any, Final

import pandas as pd
import streamlit as st

from components.charts.colours import MAIN
from components.forms.faults import plain
from components.frame.table_view import table_view
from components.words.amounts import counted, months_words
from components.words.attempts import ENTRY_COLUMNS, entry_row
from warranty.analysis.periods import day_words
from warranty.journal.shift_report import ShiftReport, Sold

COVERS: Final = (
    "This covers what was recorded at this desk. Plans that customers bought on the landing page themselves, and what "
    "other systems told the service, are not in it."
)
Rows = list[tuple[str, ...]]
NamedTable = tuple[str, tuple[str, ...], Rows]
"""A title, the columns, the rows."""
SoldBy = list[tuple[str, Sold]]
"""What was sold, by the name of a term, of a person, or of a day."""


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


def shift_view(report: ShiftReport, currency: str) -> None:
    """Draw the figures, the charts and the tables."""
    _figures(report, currency)
    _charts(report, currency)
    _tables(report)


def _figures(report: ShiftReport, currency: str) -> None:
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


def _charts(report: ShiftReport, currency: str) -> None:
    """Draw the charts, two a row; draws nothing where nothing was sold."""
    if not report.sold.plans:
        return
    grid = st.grid(2, min_column_width=335, gap="medium")
    for name, sold_by in charted(report).items():
        with grid.cell():
            st.header(name)
            st.plotly_chart(
                revenue_bars(sold_by, currency),
                key=f"shift-{name}",
                config={"displaylogo": False, "displayModeBar": False},
                alt=f"{name}: {_table_words([(each, *_sold(sold)) for each, sold in sold_by])}",
            )


def charted(report: ShiftReport) -> dict[str, SoldBy]:
    """What there is a chart of, by its title: days only where there are several."""
    charts = {
        "Revenue by term": _by_term(report),
        "Revenue by person": [(person.name, person.sold) for person in report.people if person.sold.plans],
        "Revenue by day": [(day_words(day), sold) for day, sold in report.sold_by_day.items()],
    }
    return {
        title: sold_by for title, sold_by in charts.items() if title != "Revenue by day" or len(sold_by) > 1
    }


def revenue_bars(sold_by: SoldBy, currency: str) -> dict[str, Any]:
    """A bar for each, as Plotly takes it.

    A bar needs a number that the browser can draw; what is read is written from the exact Decimal.
    """
    return {
        "data": [
            {
                "type": "bar",
                "x": [name for name, _ in sold_by],
                "y": [float(sold.revenue) for _, sold in sold_by],
                "text": [f"{sold.revenue:,.2f}" for _, sold in sold_by],
                "textposition": "auto",
                "hovertext": [f"{sold.plans} plans, {sold.revenue:,.2f} {currency}" for _, sold in sold_by],
                "hoverinfo": "text",
                "marker": {"color": MAIN},
            }
        ],
        "layout": {
            "height": 260,
            "margin": {"l": 50, "r": 10, "t": 10, "b": 40},
            "yaxis": {"title": {"text": currency}, "rangemode": "tozero"},
            "xaxis": {"type": "category"},
        },
    }


def _tables(report: ShiftReport) -> None:
    """Draw the tables: by term, by person, and what was refused or is not known."""
    for title, columns, rows in tables(report):
        st.header(title)
        table_view(
            pd.DataFrame(rows, columns=list(columns), dtype="str"),
            f"{title}: {_table_words(rows)}",
            key=f"shift-table-{title}",
            column_config={name: st.column_config.TextColumn(alignment="right") for name in columns[1:]}
            if title.startswith("By")
            else None,
        )


def tables(report: ShiftReport) -> list[NamedTable]:
    """The tables with their titles and columns; empty ones are left out."""
    people = ("Person", "Orders", "Sales", "Plans", "Revenue", "Checkouts", "Refused", "Unknown")
    trouble = {
        "Refused": report.refused,
        "Not sent": report.not_sent,
        "Not recorded": report.not_recorded,
        "Unknown": report.unknown,
        "Waits for the service": report.waiting,
    }
    found: list[NamedTable] = [
        ("By term", ("Term", "Plans", "Revenue"), [(name, *_sold(sold)) for name, sold in _by_term(report)]),
        ("By person", people, _by_person(report)),
        *((name, ENTRY_COLUMNS, list(map(entry_row, those))) for name, those in trouble.items()),
    ]
    return [entry for entry in found if entry[2]]


def _by_term(report: ShiftReport) -> SoldBy:
    return [
        ("Term not known" if term is None else months_words(term), sold)
        for term, sold in report.sold_by_term.items()
    ]


def _by_person(report: ShiftReport) -> Rows:
    return [
        (
            person.name,
            f"{person.orders:,}",
            f"{person.sales:,}",
            *_sold(person.sold),
            *(f"{count:,}" for count in (person.checkouts, person.refused, person.unknown)),
        )
        for person in report.people
    ]


def _sold(sold: Sold) -> tuple[str, str]:
    return f"{sold.plans:,}", f"{sold.revenue:,.2f}"


def _table_words(rows: Rows) -> str:
    """The rows of a table as a sentence, for those who do not see it."""
    return "; ".join(", ".join(row) for row in rows[:12])
