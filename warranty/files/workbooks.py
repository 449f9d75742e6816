"""Workbooks: the sheet that is read, and its rows as a person sees them; every limit is checked before the library."""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from openpyxl import load_workbook
from openpyxl.cell.read_only import ReadOnlyCell

# platform: name openpyxl.worksheet._reader.FORMULA_TAG openpyxl.worksheet._reader.WorkSheetParser
from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

from warranty.files.tables import LONGER, MOST_COLUMNS, FileProblem, Table, at_rows, likeness, made_table
from warranty.language import N_, Sentence, _

_TOO_BIG: Final = N_("This workbook holds more than a list of orders does: keep only that list, or split it. {save_as}")
LARGEST_UNPACKED: Final = 64 * 1024 * 1024
"""Bytes of everything in an XLSX file, unpacked."""
MOST_MARKS: Final = 3_000_000
"""Marks in everything in an XLSX file, of which a cell takes four and a text three: 700,000 cells or so."""
_READ_AGAIN: Final = re.compile(rb"<[^<]{%d}|<(?:[^<=]*+=){2000}+" % (96 * 1024))
"""A tag with its text that is too long, or has too many attributes: the parser reads it anew with each block."""
_COMMENT: Final = re.compile(rb"<(?:(!--)|\?)(?:.{0,16384}?(?(1)--|\?)>)?", re.DOTALL)
"""One as long as it may be, or its beginning alone where it is longer."""
_USUAL: Final = (
    (re.compile(rb"http://purl\.oclc\.org/ooxml/(\w{1,40})/"), rb"http://schemas.openxmlformats.org/\1/2006/"),
    (re.compile(rb"<(\w{1,20}:)?fill\s{0,20}(?:/>|>\s{0,90}</(?:\w{1,20}:)?fill>)"),
     rb"<\1fill><\1patternFill/></\1fill>"),
)  # fmt: skip
"""What the library does not read, and what it reads as the same."""
_CURRENCY: Final = re.compile(r'\[\$([^\]-]{1,9})|"\s{0,9}([A-Z]{3}|[$£€¥])\s{0,9}"|([$£€¥])(?![^\[]*\])')
"""The sign of a currency in a cell's format."""


def read_workbook(content: bytes, names: Collection[str], most_rows: int, wished: str) -> Table:
    """Read the sheet that is wished, else the one with most of these names. Raises `FileProblem`."""
    try:
        book = load_workbook(_checked(content), read_only=True, data_only=True, keep_links=False)
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        alike = {sheet.title: likeness(_Rows(sheet), names) for sheet in visible}
        likely = sorted(visible, key=lambda sheet: alike[sheet.title], reverse=True)
        sheet = next((sheet for sheet in visible if sheet.title == wished), likely[0])
        rows = _Rows(sheet)
        table = made_table(rows, names, most_rows)
    except FileProblem:
        raise
    except Exception as error:  # noqa: BLE001 - a broken workbook breaks in countless places of the library
        words = N_("This workbook cannot be read: it is damaged or has a password ({fault}). {save_as}")
        raise FileProblem(words, fault=type(error).__name__) from None
    remarks = [*table.remarks, *(at_rows(what, numbers) for what, numbers in rows.found.items() if numbers)]
    if columns := sorted(rows.hidden_columns):
        remarks.append(Sentence("Hidden columns are not read: {columns}", columns=", ".join(map(str, columns))))
    if others := [other.title for other in book.worksheets if other is not sheet]:
        words = N_("Sheet “{sheet}” is read. Other sheets are not read: {sheets}")
        remarks.append(Sentence(words, sheet=sheet.title, sheets=", ".join(others)[:200]))
    read_as = _("Excel workbook, sheet “{sheet}”", sheet=sheet.title)
    readings = {each.title: each.title for each in likely if alike[each.title][0]}
    return replace(table, read_as=read_as, remarks=tuple(remarks), readings=readings)


def _checked(content: bytes) -> io.BytesIO:
    """The archive as the library reads it, once it is sure that it does not unpack to more than it may."""
    usual = io.BytesIO()
    archive = zipfile.ZipFile(io.BytesIO(content))
    entries, marks = archive.infolist(), 0
    if "xl/workbook.xml" not in archive.namelist():
        raise FileProblem(N_("This is an archive or another office document, not a workbook. {save_as}"))
    if len(entries) > 2_000 or sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
        raise FileProblem(_TOO_BIG)
    with zipfile.ZipFile(usual, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as fresh:
        for entry in entries:
            with archive.open(entry) as part:
                text = part.read(entry.file_size)  # never more than it says
            marks += text.count(b"<")
            if marks > MOST_MARKS or _is_read_again(text):
                raise FileProblem(_TOO_BIG)
            for foreign, known in _USUAL:
                text = foreign.sub(known, text)
            fresh.writestr(entry.filename, text)
    return usual


def _is_read_again(text: bytes) -> bool:
    """Whether the parser would read some of a part with each block anew, as its end does not come."""
    if text.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1] != b"<":
        return False  # a picture, which it gives up at once
    is_not_utf8 = b"\0" in text[:64]  # in which all this is looked for
    has_no_end = any(found[0] in {b"<!--", b"<?"} for found in _COMMENT.finditer(text))
    return is_not_utf8 or has_no_end or _READ_AGAIN.search(text) is not None


class _Rows(WorkSheetParser):
    """The rows of a sheet as a person sees them, with their numbers, and what is hidden among them."""

    def __init__(self, sheet: Any) -> None:
        # platform: habit openpyxl tells what is hidden where it parses a sheet
        inside, book = vars(sheet), vars(sheet.parent)
        formats = {name: book[f"_{name}"] for name in ("date_formats", "timedelta_formats")}
        source = book["_archive"].open(inside["_worksheet_path"])
        super().__init__(source, inside["_shared_strings"], data_only=True, epoch=sheet.parent.epoch, **formats)
        self._sheet = sheet
        self.found = defaultdict[str, list[int]](list)
        self.hidden_columns: set[int] = set()

    def parse_cell(self, element: Any) -> dict[str, Any]:
        """A cell, with the result of its formula; one whose formula has no result shows an error."""
        cell: dict[str, Any] = super().parse_cell(element)
        if element.find(FORMULA_TAG) is not None:
            self.found[N_("a formula, read as its result was last saved")].append(cell["row"])
            if cell["value"] is None:
                cell["value"] = "#N/A"
        return cell

    def __iter__(self) -> Iterator[tuple[int, Sequence[str]]]:
        for number, found in self.parse():
            places = [min(cell["column"], MOST_COLUMNS + 1) for cell in found]
            cells = [""] * max(places, default=0)
            for place, cell in zip(places, found, strict=True):
                cells[place - 1] = _shown(ReadOnlyCell(self._sheet, **cell))
            if _is_hidden(self.row_dimensions.get(str(number), {})):
                self.found[N_("hidden, not read")] += [number] * any(cells)
                continue
            for columns in filter(_is_hidden, self.column_dimensions.values()):
                for place in range(int(columns["min"]), min(len(cells), int(columns["max"])) + 1):
                    self.hidden_columns |= {place} if cells[place - 1] else set()
                    cells[place - 1] = ""
            yield number, cells


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    return attributes.get("hidden") in {"1", "true"}


def _shown(cell: Any) -> str:
    """A cell as the person sees it: with the zeros that its format puts in front, and the decimals that it shows."""
    value = cell.value
    if type(value) not in {int, float}:
        return value if isinstance(value, str) else "" if value is None else str(value).removesuffix(" 00:00:00")
    text = str(value) if isinstance(value, int) else f"{Decimal(format(value, '.15g')):f}"  # without a float's noise
    if abs(value) >= 10**15:
        return f"{value:.14E}"  # a spreadsheet keeps fifteen digits
    if cell.number_format == "General":
        return text
    form = cell.number_format.partition(";")[0]
    zeros = re.sub(r'["\\]', "", form)
    is_padded = re.fullmatch(r'(?:[0 -]|"[^"0]{0,90}"|\\[^0])+', form) and "00" in zeros
    if type(value) is int and value >= 0 and is_padded:
        digits = list(text.zfill(zeros.count("0")))
        shown = [digits.pop() if mark == "0" else mark for mark in zeros[::-1]]
        return zeros[: zeros.index("0")] + "".join([*digits, *shown[::-1][zeros.index("0") :]])
    sign = next(map("".join, _CURRENCY.findall(form)), "")
    digits_alone = re.sub(r'\[[^\]]{0,90}\]|"[^"]{0,90}"|[\\_*].', "", form)
    decimals = re.search(r"[0#?][0#?,]*(?:\.([0#?]{0,30}))?(%?)", digits_alone)
    if decimals is None or not {"E", "/"}.isdisjoint(form):
        return text
    amount = Decimal(text) * (100 if decimals[2] else 1)
    fewer = amount.quantize(Decimal(1).scaleb(-len(decimals[1] or "")), ROUND_HALF_UP)
    return f"{f'{amount.normalize():f}' if fewer == amount else f'{LONGER}{fewer:f}'}{decimals[2]}{sign}"
