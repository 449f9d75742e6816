"""A file of plans sold: `month, product, plans`, as CSV or XLSX. Taken whole, or not at all with the faults by row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from warranty.files.table_files import read_list
from warranty.language import N_, Sentence

_COLUMNS: Final = {
    "month": "month startmonth monthofstart date",
    "product": "product productname producttitle title",
    "plans": "plans planssold sold quantity",
}
_MONTH: Final = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])(?:-[0-9]{2}(?:[ T].*)?)?", re.DOTALL)
"""A month, or a day, as a spreadsheet may hold it with a time behind it."""
_MOST_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class PlansFile:
    """Plans by month (`YYYY-MM`) and product as the file spells it, and what is wrong, by row: then nothing counts."""

    plans: Mapping[tuple[str, str], int]
    faults: tuple[str, ...]
    read_as: str


def read_plans(content: bytes, *, today: date) -> PlansFile:
    """Read a file; months to come are faults. Raises `FileProblem` where it is no such table."""
    plans: dict[tuple[str, str], int] = {}
    first_row: dict[tuple[str, str], int] = {}

    def take(number: int, cells: dict[str, str]) -> Sentence | None:
        key = cells["month"][:7], cells["product"]
        wrong = _fault(number, cells["month"], cells["product"], cells["plans"], today)
        if not wrong and (first := first_row.setdefault(key, number)) != number:
            words = N_("Row {n} repeats the month and the product of row {first}: add them up in one row.")
            return Sentence(words, n=number, first=first)
        if not wrong:
            plans[key] = int(cells["plans"])
        return wrong

    what = Sentence("A file of plans sold needs the columns month, product, plans")
    table, faults = read_list(content, _COLUMNS, take, needed=tuple(_COLUMNS), what=what, currency="")
    read_as = ". ".join([table.read_as, *map(str, table.remarks)])
    return PlansFile(MappingProxyType(plans), tuple(map(str, faults)), read_as)


def _fault(number: int, month: str, product: str, count: str, today: date) -> Sentence | None:
    if not _MONTH.fullmatch(month):
        words = N_("Row {n} has no month: write YYYY-MM or a date such as 2026-10-01, not “{text}”.")
        return Sentence(words, n=number, text=month[:20])
    if month[:7] > f"{today:%Y-%m}":
        words = N_("Row {n} is of a month to come ({month}): plans sold are of months up to this one.")
        return Sentence(words, n=number, month=month[:7])
    if not product:
        return Sentence("Row {n} names no product: write it as in the claims, letter by letter.", n=number)
    if not (count.isascii() and count.isdigit() and len(count) <= _MOST_DIGITS):
        words = N_("Row {n} has no number of plans: write a whole number, 0 or more, in digits alone, not “{text}”.")
        return Sentence(words, n=number, text=count[:20])
    return None
