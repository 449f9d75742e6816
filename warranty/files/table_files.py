"""Tables that people hand over as CSV or XLSX files, read as texts: hostile files end in a sentence.

What a file is, is read off its content, never off its name. Every limit is checked before the work that it bounds.
What had to be decided on the way, and what could not be read, stands in the table's remarks, with the rows.
"""

import csv
import io
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice
from typing import Any, Final

from openpyxl import load_workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

from warranty.files.encodings import BEGINNING, ERRORS, bare, encoding_of, separator_of, words_beyond_ascii
from warranty.files.tables import (
    LONGER,
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    QUOTATION_MARK,
    SAVE_AS,
    FileProblem,
    Table,
    TableRow,
    at_rows,
    known_names,
    made_table,
    unreadable,
)
from warranty.language import N_, _
from warranty.language.sentence import Sentence
from warranty.language.written import number as written

__all__ = ["LARGEST_FILE", "MOST_ROWS", "FileProblem", "Table", "TableRow", "read_table", "rows_by_column"]

LARGEST_FILE: Final = 25 * 1024 * 1024
"""Bytes of a file, packed as it comes."""
LARGEST_UNPACKED: Final = 64 * 1024 * 1024
"""Bytes of everything in an XLSX file, unpacked."""
MOST_MARKS: Final = 3_000_000
"""Marks in everything in an XLSX file, of which a cell takes four and a text three: 700,000 cells or so."""
MOST_ATTRIBUTES: Final = 2_000
"""Equals signs between two marks: the parser reads a tag that has not ended again with each block."""
_SEPARATORS: Final = {",": N_("commas"), ";": N_("semicolons"), "\t": N_("tabs"), "|": N_("bars")}
_OTHER_KINDS: Final = (
    (re.compile(rb"%PDF"), N_("a PDF document")),
    (re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8"), N_("a picture")),
    (re.compile(rb"\xd0\xcf\x11\xe0"), N_("an old Excel file (.xls), or one with a password")),
    (re.compile(rb"\x1f\x8b|7z\xbc\xaf|Rar!"), N_("a compressed file")),
    (re.compile(rb"MZ|\x7fELF"), N_("a program")),
    (re.compile(rb"\{\\rtf"), N_("a text document")),
    (re.compile(rb'(\xef\xbb\xbf)?\s{0,90}(\[\s{0,90}[\[{]|\{\s{0,90}")'), "JSON"),
    (re.compile(rb"(?i)(\xef\xbb\xbf)?\s{0,90}<(!doctype|html|\?xml)"), N_("a web page or an XML document")),
)
_USUAL: Final = (
    (
        re.compile(rb"http://purl\.oclc\.org/ooxml/(\w{1,40})/"),
        rb"http://schemas.openxmlformats.org/\1/2006/",
    ),
    (
        re.compile(rb"<(\w{1,20}:)?fill\s{0,20}(?:/>|>\s{0,90}</(?:\w{1,20}:)?fill>)"),
        rb"<\1fill><\1patternFill/></\1fill>",
    ),
)
"""What the library does not read, and what it reads as the same."""


def read_table(
    content: bytes, *, names: Collection[str] = (), most_rows: int = MOST_ROWS, sheet: str = ""
) -> Table:
    """Read an XLSX file, or a CSV file in whatever encoding and separator it is.

    `names` are bare names of columns that the caller knows: they tell the row of the names, and the sheet, unless
    `sheet` names it. Raises `FileProblem` for what is no table, is empty, or is larger than the limits above.
    """
    if not content.strip(b"\0 \r\n\t"):
        raise FileProblem(N_("The file is empty. {save_as}"), save_as=SAVE_AS)
    if len(content) > LARGEST_FILE:
        words = N_("The file has {size} MB; at most {limit} MB are read. Export fewer orders at a time.")
        raise FileProblem(words, size=written(len(content) / 2**20), limit=LARGEST_FILE // 2**20)
    if content.startswith(b"PK"):
        return _xlsx(content, names, most_rows, sheet)
    if kind := next((kind for start, kind in _OTHER_KINDS if start.match(content)), None):
        raise FileProblem(N_("This is {kind}, not a table. {save_as}"), kind=Sentence(kind), save_as=SAVE_AS)
    return _csv(content, names, most_rows)


def rows_by_column(
    content: bytes,
    spellings: Mapping[str, Collection[str]],
    *,
    needed: Sequence[str],
    what: Sentence,
    most_rows: int,
    faults: list[Sentence],
) -> tuple[Table, Iterator[tuple[int, dict[str, str]]]]:
    """A table, the number of each of its rows and their cells by column, found by the spellings of the headers.

    A row that cannot be read becomes one of `faults`. Raises `FileProblem` without the `needed` columns.
    """
    table = read_table(content, names=frozenset().union(*spellings.values()), most_rows=most_rows)
    names = [bare(name) for name in table.columns]
    places = {
        column: next(place for place, name in enumerate(names) if name in known)
        for column, known in spellings.items()
        if set(known) & set(names)
    }
    if missing := [column for column in needed if column not in places]:
        without: Sentence | str = missing[0]
        for column in missing[1:]:
            without = Sentence("{columns} and no {column}", columns=without, column=column)
        raise FileProblem(N_("{what}; this file has no {columns}."), what=what, columns=without)

    def rows() -> Iterator[tuple[int, dict[str, str]]]:
        for row in table.rows:
            texts = row.cells
            cells = {name: texts[place] for name, place in places.items()}
            if wrong := [*row.damage, *filter(None, map(unreadable, cells.values()))]:
                faults.append(Sentence("Row {n} cannot be read: {why}", n=row.number, why=wrong[0]))
            else:
                yield row.number, cells

    return table, rows()


def _csv(content: bytes, names: Collection[str], most_rows: int) -> Table:
    encoding, is_sure = encoding_of(content)
    if not encoding:
        raise FileProblem(N_("This is not a table that we can read. {save_as}"), save_as=SAVE_AS)
    lines = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, errors=ERRORS, newline="")
    start = lines.read(256 * 1024)
    lines.seek(0)
    separator = separator_of(start, names)
    if start.startswith("sep="):
        lines.readline()
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL * 10))

    def rows() -> Iterator[tuple[int, Sequence[str]]]:
        number = 0
        try:
            for number, cells in enumerate(reader, start=1):
                yield number, cells
        except csv.Error:
            raise FileProblem(QUOTATION_MARK, row=number + 1) from None

    is_cut = content.rstrip(b"\0 \t")[-1:] not in {b"\n", b"\r"}
    table = made_table(rows(), names, most_rows, separator=separator, is_sure=is_sure, is_cut=is_cut)
    shown = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}.get(encoding, encoding.upper())
    read_as = _("CSV, {encoding}, separated by {marks}", encoding=shown, marks=_(_SEPARATORS[separator]))
    remarks = table.remarks
    if not encoding.startswith("utf"):
        words = N_("Letters are read as {encoding}. Look whether they are right: {words}")
        remarks = (Sentence(words, encoding=shown, words=words_beyond_ascii(content, encoding)), *remarks)
    return replace(table, read_as=read_as, remarks=remarks)


def _xlsx(content: bytes, names: Collection[str], most_rows: int, wished: str) -> Table:
    try:
        book = load_workbook(io.BytesIO(_checked(content)), read_only=True, data_only=True, keep_links=False)
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        begins = {sheet.title: [row for _n, row in islice(_Rows(sheet), BEGINNING)] for sheet in visible}
        full = [sheet.title for sheet in visible if sum(map(_is_full, begins[sheet.title])) > 1]
        likely = sorted(
            visible, key=lambda sheet: (sheet.title not in full, -known_names(begins[sheet.title], names))
        )
        sheet = next((sheet for sheet in visible if sheet.title == wished), likely[0])
        rows = _Rows(sheet)
        table = made_table(rows, names, most_rows)
    except FileProblem:
        raise
    except Exception as error:  # noqa: BLE001 - a broken workbook breaks in countless places of the library
        words = N_(
            "This workbook cannot be read: it is damaged or has a password ({fault}). Open it in a "
            "spreadsheet program, save it again, and choose that file."
        )
        raise FileProblem(words, fault=type(error).__name__) from None
    remarks = list(table.remarks)
    if columns := sorted(rows.hidden_columns):
        words = N_("Hidden columns are not read: {columns}")
        remarks.append(Sentence(words, columns=", ".join(map(str, columns))))
    if rows.hidden_rows:
        remarks.append(at_rows(N_("hidden, not read"), rows.hidden_rows))
    if others := [other.title for other in book.worksheets if other is not sheet]:
        words = N_("Sheet “{sheet}” is read. Other sheets are not read: {sheets}")
        remarks.append(Sentence(words, sheet=sheet.title, sheets=", ".join(others)[:200]))
    return replace(
        table,
        read_as=_("Excel workbook, sheet “{sheet}”", sheet=sheet.title),
        has_formulas=rows.has_formulas,
        remarks=tuple(remarks),
        sheets=tuple(each.title for each in likely if each.title in full),
    )


def _is_full(cells: Sequence[str]) -> bool:
    return sum(map(bool, cells)) > 1


def _checked(content: bytes) -> bytes:
    """The archive as the library reads it, once it is sure that it does not unpack to more than it may."""
    words = N_(
        "This workbook holds more than a list of orders does. Keep only the sheet with the orders, split it if it is "
        "long, and save it again."
    )
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if "xl/workbook.xml" not in archive.namelist():
            other = N_("This is an archive or another office document, not a workbook. {save_as}")
            raise FileProblem(other, save_as=SAVE_AS)
        if len(entries) > 2_000 or sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
            raise FileProblem(words)
        marks, is_foreign = 0, False
        for entry in entries:
            with archive.open(entry) as part:
                tail = b""
                while block := part.read(1024 * 1024):
                    marks += block.count(b"<")
                    most = max(piece.count(b"=") for piece in (tail + block).split(b"<"))
                    if marks > MOST_MARKS or most > MOST_ATTRIBUTES:
                        raise FileProblem(words)
                    is_foreign = is_foreign or any(foreign.search(tail + block) for foreign, _usual in _USUAL)
                    tail = (tail + block)[-MOST_ATTRIBUTES * 8 :]
        if not is_foreign:
            return content
        usual = io.BytesIO()
        with zipfile.ZipFile(usual, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as fresh:
            for entry in entries:
                text = archive.read(entry)
                for foreign, known in _USUAL:
                    text = foreign.sub(known, text)
                fresh.writestr(entry.filename, text)
        return usual.getvalue()


class _Parser(WorkSheetParser):
    """The library's parser of a sheet, which passes over formulas."""

    has_formulas = False

    def parse_cell(self, element: Any) -> dict[str, Any]:
        """A cell; one whose formula has no result shows an error."""
        cell: dict[str, Any] = super().parse_cell(element)
        if element.find(FORMULA_TAG) is not None:
            self.has_formulas = True
            if cell["value"] is None:
                cell["value"] = "#N/A"
        return cell


class _Rows:
    """The rows of a sheet as a person sees them, with their numbers, and what is hidden among them."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self.has_formulas = False
        self.hidden_rows: list[int] = []
        self.hidden_columns: set[int] = set()

    def __iter__(self) -> Iterator[tuple[int, Sequence[str]]]:
        # platform: habit the library's rows say nothing of what is hidden, and its parser does
        book = self._sheet.parent
        with self._sheet._get_source() as source:
            parser = _Parser(
                source,
                self._sheet._shared_strings,
                data_only=True,
                epoch=book.epoch,
                date_formats=book._date_formats,
                timedelta_formats=book._timedelta_formats,
            )
            for number, found in parser.parse():
                places = [min(cell["column"], MOST_COLUMNS + 1) for cell in found]
                cells = [""] * max(places, default=0)
                for place, cell in zip(places, found, strict=True):
                    cells[place - 1] = _shown(ReadOnlyCell(self._sheet, **cell))
                self.has_formulas = parser.has_formulas
                if _is_hidden(parser.row_dimensions.get(str(number), {})):
                    self.hidden_rows += [number] * any(cells)
                    continue
                for columns in filter(_is_hidden, parser.column_dimensions.values()):
                    for place in range(int(columns["min"]), min(len(cells), int(columns["max"])) + 1):
                        self.hidden_columns |= {place} if cells[place - 1] else set()
                        cells[place - 1] = ""
                yield number, cells


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    return attributes.get("hidden") in {"1", "true"}


def _shown(cell: Any) -> str:
    """A cell as the person sees it: with the zeros that its format puts in front, and the decimals that it shows."""
    value, text = cell.value, _text(cell.value)
    if type(value) not in {int, float}:
        return text
    if abs(value) >= 10**15:
        return f"{value:.14E}"  # a spreadsheet keeps fifteen digits
    if cell.number_format == "General":
        return text
    form = cell.number_format.partition(";")[0]
    zeros = form.replace("\\", "").replace('"', "")
    if type(value) is int and value >= 0 and zeros.startswith("0") and set(zeros) <= set("0- "):
        digits = iter(text.zfill(zeros.count("0"))[::-1])
        shown = "".join(next(digits) if mark == "0" else mark for mark in zeros[::-1]) + "".join(digits)
        return shown[::-1]
    decimals = re.search(
        r"[0#?](?:\.([0#?]{0,30}))?(%?)", re.sub(r'\[[^\]]{0,90}\]|"[^"]{0,90}"|[\\_*].', "", form)
    )
    if decimals is None or "E" in form:
        return text
    amount = Decimal(text) * (100 if decimals[2] else 1)
    fewer = amount.quantize(Decimal(1).scaleb(-len(decimals[1] or "")), ROUND_HALF_UP)
    return (f"{amount.normalize():f}" if fewer == amount else f"{LONGER}{fewer:f}") + decimals[2]


def _text(cell: Any) -> str:
    """A value as the person sees it: whole numbers without a point, floats without the noise of their last digit."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return f"{Decimal(format(cell, '.15g')):f}"
    if isinstance(cell, datetime) and cell.time() != datetime.min.time():
        return cell.isoformat(" ", "seconds")
    return f"{cell:%Y-%m-%d}" if isinstance(cell, date) else str(cell)
