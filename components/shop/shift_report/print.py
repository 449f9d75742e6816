"""The shift report on paper: the same figures and tables as a PDF of A4, made when it is asked for."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.gate import taken_away
from components.shop.shift_report.view import COVERS, NamedTable, counted_words, figures, tables
from warranty.claims.analysis import Period
from warranty.desk.journal.shift_report import ShiftReport
from warranty.desk.taking_away import TakenAway
from warranty.files.printing.page import PrintPage
from warranty.language import _, locale, speaking
from warranty.settings import Settings

_ENTRY: Final = (30, 24, 20, 52, 38, 22)
_PERSON, _NUMBER = 40, 22


def print_button(report: ShiftReport, settings: Settings, *, days: Period | None, made: str) -> None:
    """Offer the report of these days, None for all; `made` (when it was made) is in words.

    Its tables are made now: their times are those of the browser's zone, which is not known when the file is made.
    """
    words = days.words if days else _("all days")
    with speaking("en"):  # for the record of what was taken away
        told_of = days.words if days else "all days"
    printed = tables(report)
    count = sum(len(rows) for title, columns, rows in printed if title not in _titles_of_sums())
    # The platform makes it in a thread that knows no person: in the language of who looks now.
    told = speaking(str(locale()))(shift_pdf)
    pdf = partial(told, report, printed, settings, days=words, made=made)
    st.download_button(
        _("Print report"),
        data=taken_away(TakenAway.SHIFT_REPORT, pdf, count=count, told_of=told_of),
        file_name=file_name(days),
        mime="application/pdf",
        on_click="ignore",
        key="shift-pdf",
    )


def _titles_of_sums() -> set[str]:
    return {_("By person"), _("By term")}


def file_name(days: Period | None) -> str:
    """The name of the file, which tells the days: `shift-report-2026-11-23.pdf`."""
    named = sorted({days.first.isoformat(), days.last.isoformat()}) if days else ["all-days"]
    return f"shift-report-{'-to-'.join(named)}.pdf"


def shift_pdf(report: ShiftReport, printed: Sequence[NamedTable], settings: Settings, *, days: str, made: str) -> bytes:
    """The report on paper, with these tables."""
    shop, currency = settings.shop_name, settings.currency
    page = PrintPage(
        title=_("{shop}: shift report, {days}", shop=shop, days=days), size="A4", margin=15, mark=settings.print_mark
    )
    page.line(shop, 18)
    page.line(_("Shift report, {days}", days=days), 14)
    page.line(_("Made {when}. Amounts in {currency}.", when=made, currency=currency), 9, below=4)
    for name, value in figures(report, currency).items():
        page.pair(_(name), value, 11)
    page.line("", 6)
    page.line(counted_words(report), 9)
    page.line(_(COVERS), 9, below=4)
    for heading, columns, rows in printed:
        page.line(heading, 13, below=1)
        is_sum = heading in _titles_of_sums()
        widths = (_PERSON, *[_NUMBER] * (len(columns) - 1)) if is_sum else _ENTRY
        page.table(columns, rows, widths=widths, numbers=is_sum)
    return page.content()
