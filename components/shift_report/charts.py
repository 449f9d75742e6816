"""The shift report's charts as plain specifications: no Plotly objects are made, nothing is drawn. Pure.

A chart needs numbers that the browser can draw, so amounts are turned into floats here, at the very end and for the
bars alone; every amount that is read is written from its exact Decimal.
"""

from collections.abc import Sequence
from typing import Any, Final

from components.words.terms import months_words
from warranty.analysis.periods import day_words
from warranty.journal.shift_report import ShiftReport, Sold

HEIGHT: Final = 260
_COLOUR: Final = "#2F7FC4"  # at least 3:1 against the white and against the dark background


def revenue_by_term(report: ShiftReport, currency: str) -> dict[str, Any]:
    """A bar for each term."""
    names = [term_name(term) for term in report.sold_by_term]
    return _bars(names, list(report.sold_by_term.values()), currency)


def revenue_by_person(report: ShiftReport, currency: str) -> dict[str, Any]:
    """A bar for each person who sold something."""
    people = [person for person in report.people if person.sold.plans]
    return _bars([person.name for person in people], [person.sold for person in people], currency)


def revenue_by_day(report: ShiftReport, currency: str) -> dict[str, Any]:
    """A bar for each day with a sale."""
    return _bars([day_words(day) for day in report.sold_by_day], list(report.sold_by_day.values()), currency)


def term_name(term: int | None) -> str:
    """A term in words, also where it is not known."""
    return "Term not known" if term is None else months_words(term)


def _bars(names: Sequence[str], sold: Sequence[Sold], currency: str) -> dict[str, Any]:
    amounts = [f"{one.revenue:,.2f}" for one in sold]
    return {
        "data": [
            {
                "type": "bar",
                "x": list(names),
                "y": [float(one.revenue) for one in sold],
                "text": amounts,
                "textposition": "auto",
                "hovertext": [
                    f"{one.plans} plans, {amount} {currency}"
                    for one, amount in zip(sold, amounts, strict=True)
                ],
                "hoverinfo": "text",
                "marker": {"color": _COLOUR},
            }
        ],
        "layout": {
            "height": HEIGHT,
            "margin": {"l": 50, "r": 10, "t": 10, "b": 40},
            "yaxis": {"title": {"text": currency}, "rangemode": "tozero"},
            "xaxis": {"type": "category"},
        },
    }
