"""The shift report on paper: the same figures and tables as a PDF of A4, made when it is asked for."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.gate import guarded
from components.shift_report.view import COVERS, NamedTable, counted_words, figures, tables
from warranty.access import Permission
from warranty.journal.shift_report import ShiftReport
from warranty.printing.page import PrintPage
from warranty.settings import Settings

_WIDTHS: Final = {3: (40, 20, 30), 5: (34, 28, 22, 60, 42), 8: (40, 18, 18, 18, 30, 24, 20, 22)}


def print_button(report: ShiftReport, settings: Settings, *, days: str, made: str) -> None:
    """Offer the report; `days` and `made` (when it was made) are in words.

    Its tables are made now: their times are those of the browser's zone, which is not known when the file is made.
    """
    pdf = partial(shift_pdf, report, tables(report), settings, days=days, made=made)
    st.download_button(
        "Print report",
        data=guarded(pdf, Permission.SEE_SHIFT_REPORT),
        file_name="shift-report.pdf",
        mime="application/pdf",
        on_click="ignore",
        key="shift-pdf",
    )


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
        page.table(columns, rows, widths=_WIDTHS[len(columns)], numbers=title.startswith("By"))
    return page.content()
