"""The shift report on paper: the same figures and tables as a PDF of A4, made when it is asked for."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.gate import taken_away
from components.shift_report.view import COVERS, NamedTable, counted_words, figures, tables
from warranty.analysis import Period
from warranty.desk.taking_away import TakenAway
from warranty.journal.shift_report import ShiftReport
from warranty.printing.page import PrintPage
from warranty.settings import Settings

_ENTRY: Final = (30, 24, 20, 52, 38, 22)
_PERSON, _NUMBER = 40, 22


def print_button(report: ShiftReport, settings: Settings, *, days: Period | None, made: str) -> None:
    """Offer the report of these days, None for all; `made` (when it was made) is in words.

    Its tables are made now: their times are those of the browser's zone, which is not known when the file is made.
    """
    words = days.words if days else "all days"
    printed = tables(report)
    count = sum(len(rows) for title, _, rows in printed if not title.startswith("By"))
    pdf = partial(shift_pdf, report, printed, settings, days=words, made=made)
    st.download_button(
        "Print report",
        data=taken_away(TakenAway.SHIFT_REPORT, pdf, count=count, told_of=words),
        file_name=file_name(days),
        mime="application/pdf",
        on_click="ignore",
        key="shift-pdf",
    )


def file_name(days: Period | None) -> str:
    """The name of the file, which tells the days: `shift-report-2026-11-23.pdf`."""
    named = sorted({days.first.isoformat(), days.last.isoformat()}) if days else ["all-days"]
    return f"shift-report-{'-to-'.join(named)}.pdf"


def shift_pdf(
    report: ShiftReport, printed: Sequence[NamedTable], settings: Settings, *, days: str, made: str
) -> bytes:
    """The report on paper, with these tables."""
    shop, currency = settings.shop_name, settings.currency
    page = PrintPage(title=f"{shop}: shift report, {days}", size="A4", margin=15, mark=settings.print_mark)
    page.line(shop, 18)
    page.line(f"Shift report, {days}", 14)
    page.line(f"Made {made}. Amounts in {currency}.", 9, below=4)
    for name, value in figures(report, currency).items():
        page.pair(name, value, 11)
    page.line("", 6)
    page.line(counted_words(report), 9)
    page.line(COVERS, 9, below=4)
    for title, columns, rows in printed:
        page.line(title, 13, below=1)
        is_sum = title.startswith("By")
        widths = (_PERSON, *[_NUMBER] * (len(columns) - 1)) if is_sum else _ENTRY
        page.table(columns, rows, widths=widths, numbers=is_sum)
    return page.content()
