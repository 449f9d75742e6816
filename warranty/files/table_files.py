"""Tables that people hand over as CSV or XLSX files, read as texts: hostile files end in a sentence.

What a file is, is read off its content, never off its name. Every limit is checked before the work that it bounds.
What had to be decided on the way, and what could not be read, stands in the table's remarks, with the rows.
"""

import csv
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice
from pathlib import Path
from typing import Any, Final

from openpyxl import load_workbook

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

__all__ = [
    "LARGEST_FILE",
    "MOST_ROWS",
    "FileProblem",
    "Table",
    "TableRow",
    "read_file",
    "read_table",
    "rows_by_column",
]

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
_TOO_MUCH: Final = Sentence(
    "This workbook holds more than a list of orders does. Keep only the sheet with the orders, split it if it is "
    "long, and save it again."
)
_HIDDEN: Final = N_("hidden, not read")
_FOREIGN: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/|<(\w{1,20}:)?fill\s{0,20}(?:/>|>\s{0,90}</)")
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
_IS_HIDDEN: Final = re.compile(
    rb"<(?:\w{1,20}:)?(row|col)\b([^<>]{0,99}\shidden=[\"'](?:1|true)[^<>]{0,99})>"
)
_WITHOUT_RESULT: Final = re.compile(
    rb"<c\b[^<>]{0,99}\sr=.([A-Z]{1,3}\d{1,7})[^<>]{0,90}><f\b[^<]*(?:</f>)?(?:<v ?/>|<v></v>)?</c>"
)


def read_table(content: bytes, *, names: Collection[str] = (), most_rows: int = MOST_ROWS) -> Table:
    """Read an XLSX file, or a CSV file in whatever encoding and separator it is.

    `names` are bare names of columns that the caller knows: they tell the row of the names, and the sheet. Raises
    `FileProblem` for what is no table, is empty, or is larger than the limits above.
    """
    if not content.strip(b"\0 \r\n\t"):
        raise FileProblem(Sentence("The file is empty. {save_as}", save_as=SAVE_AS))
    if len(content) > LARGEST_FILE:
        raise FileProblem(
            Sentence(
                "The file has {size} MB; at most {limit} MB are read. Export fewer orders at a time.",
                size=written(len(content) / 2**20),
                limit=LARGEST_FILE // 2**20,
            )
        )
    if content.startswith(b"PK"):
        return _xlsx(content, names, most_rows)
    if kind := next((kind for start, kind in _OTHER_KINDS if start.match(content)), None):
        raise FileProblem(
            Sentence("This is {kind}, not a table. {save_as}", kind=Sentence(kind), save_as=SAVE_AS)
        )
    return _csv(content, names, most_rows)


def read_file(path: Path, what: str) -> bytes:
    """Give the bytes of a file that the settings name. Raises `FileProblem` where it cannot be opened."""
    try:
        return path.read_bytes()
    except OSError as error:
        fault = type(error).__name__
        words = N_("The {what} {file} cannot be opened ({fault}).")
        raise FileProblem(Sentence(words, what=Sentence(what), file=path.name, fault=fault)) from None


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
        column: place
        for column, known in spellings.items()
        if (place := next((place for place, name in enumerate(names) if name in known), None)) is not None
    }
    if missing := [column for column in needed if column not in places]:
        without: Sentence | str = missing[0]
        for column in missing[1:]:
            without = Sentence("{columns} and no {column}", columns=without, column=column)
        raise FileProblem(Sentence("{what}; this file has no {columns}.", what=what, columns=without))

    def rows() -> Iterator[tuple[int, dict[str, str]]]:
        for row in table.rows:
            cells = {name: row.cells[place] for name, place in places.items()}
            if wrong := [*row.damage, *filter(None, map(unreadable, cells.values()))]:
                faults.append(Sentence("Row {n} cannot be read: {why}", n=row.number, why=wrong[0]))
            else:
                yield row.number, cells

    return table, rows()


def _csv(content: bytes, names: Collection[str], most_rows: int) -> Table:
    encoding, is_sure = encoding_of(content)
    if not encoding:
        raise FileProblem(Sentence("This is not a table that we can read. {save_as}", save_as=SAVE_AS))
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
            raise FileProblem(Sentence(QUOTATION_MARK, row=number + 1)) from None

    is_cut = content.rstrip(b"\0 \t")[-1:] not in {b"\n", b"\r"}
    table = made_table(rows(), names, most_rows, separator=separator, is_sure=is_sure, is_cut=is_cut)
    shown = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}.get(encoding, encoding.upper())
    read_as = _("CSV, {encoding}, separated by {marks}", encoding=shown, marks=_(_SEPARATORS[separator]))
    if not encoding.startswith("utf"):
        words = N_("Letters are read as {encoding}. Look whether they are right: {words}")
        told = Sentence(words, encoding=shown, words=words_beyond_ascii(content, encoding))
        table = replace(table, remarks=(told, *table.remarks))
    return replace(table, read_as=read_as)


def _xlsx(content: bytes, names: Collection[str], most_rows: int) -> Table:
    try:
        content, inside = _checked_archive(content)
        workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheets = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
        known = [known_names(islice(_sheet_rows(sheet, inside), BEGINNING), names) for sheet in sheets]
        sheet = sheets[known.index(max(known))]
        inside.passed_over.clear()
        table = made_table(_sheet_rows(sheet, inside), names, most_rows)
    except FileProblem:
        raise
    except Exception as error:  # noqa: BLE001 - a broken workbook breaks in countless places of the library
        raise FileProblem(
            Sentence(
                "This workbook cannot be read: it is damaged or has a password ({fault}). Open it in a "
                "spreadsheet program, save it again, and choose that file.",
                fault=type(error).__name__,
            )
        ) from None
    remarks = list(table.remarks)
    if columns := sorted(inside.passed_over[b"col"]):
        words = N_("Hidden columns are not read: {columns}")
        remarks.append(Sentence(words, columns=", ".join(map(str, columns))))
    if rows := sorted(inside.passed_over[b"row"]):
        remarks.append(at_rows(_HIDDEN, rows))
    if others := [other.title for other in workbook.worksheets if other is not sheet]:
        remarks.append(Sentence("Other sheets are not read: {sheets}", sheets=", ".join(others)[:200]))
    read_as = _("Excel workbook, sheet “{sheet}”", sheet=sheet.title)
    return replace(table, read_as=read_as, has_formulas=inside.has_formulas, remarks=tuple(remarks))


class _Inside:
    """What the parts of a workbook say and the library passes over: rows and columns by the part, cells by name."""

    def __init__(self) -> None:
        self.has_formulas = False
        self.is_foreign = False
        self.hidden = defaultdict[tuple[str, bytes], set[int]](set)
        self.passed_over = defaultdict[bytes, set[int]](set)
        self.without_result = defaultdict[str, set[str]](set)

    def look(self, part: str, marks: bytes) -> None:
        """Note what these marks of a part say."""
        self.is_foreign = self.is_foreign or bool(_FOREIGN.search(marks))
        if part.startswith("xl/worksheets/"):
            self.has_formulas = self.has_formulas or bool(re.search(rb"<f[ >/]", marks))
            for kind, attributes in _IS_HIDDEN.findall(marks):
                places = list(map(int, re.findall(rb"\s(?:r|min|max)=.(\d{1,7})", attributes)))
                most = MOST_COLUMNS if kind == b"col" else MOST_ROWS * 4
                self.hidden[part, kind].update(
                    range(min(places, default=0), min(most, max(places, default=0)) + 1)
                )
            self.without_result[part].update(map(bytes.decode, _WITHOUT_RESULT.findall(marks)))


def _checked_archive(content: bytes) -> tuple[bytes, _Inside]:
    """Check what the archive would unpack to, and give it as the library reads it, with what its parts say."""
    inside = _Inside()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if "xl/workbook.xml" not in archive.namelist():
            words = N_("This is an archive or another office document, not a workbook. {save_as}")
            raise FileProblem(Sentence(words, save_as=SAVE_AS))
        if len(entries) > 2_000 or sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
            raise FileProblem(_TOO_MUCH)
        marks = 0
        for entry in entries:
            with archive.open(entry) as part:
                tail = b""
                while block := part.read(1024 * 1024):
                    marks += block.count(b"<")
                    most = max(piece.count(b"=") for piece in (tail + block).split(b"<"))
                    if marks > MOST_MARKS or most > MOST_ATTRIBUTES:
                        raise FileProblem(_TOO_MUCH)
                    inside.look(entry.filename, tail + block)
                    tail = (tail + block)[-MOST_ATTRIBUTES * 8 :]
        if not inside.is_foreign:
            return content, inside
        usual = io.BytesIO()
        with zipfile.ZipFile(usual, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as fresh:
            for entry in entries:
                text = archive.read(entry)
                for foreign, known in _USUAL:
                    text = foreign.sub(known, text)
                fresh.writestr(entry.filename, text)
        return usual.getvalue(), inside


def _sheet_rows(sheet: Any, inside: _Inside) -> Iterator[tuple[int, Sequence[str]]]:
    # platform: habit openpyxl keeps the part that a sheet is read from
    part = vars(sheet)["_worksheet_path"]
    rows, columns = inside.hidden[part, b"row"], inside.hidden[part, b"col"]
    # The size that the file states for its sheet may be anything: the rows themselves say it.
    sheet.reset_dimensions()
    for number, row in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS + 1), start=1):
        cells = [_shown(cell) for cell in row]
        if number in rows:
            inside.passed_over[b"row"].update([number] if any(cells) else ())
            continue
        for place in columns:
            if place <= len(cells) and cells[place - 1]:
                inside.passed_over[b"col"].add(place)
                cells[place - 1] = ""
        if without := inside.without_result[part]:
            named = (getattr(cell, "coordinate", "") in without and cell.value is None for cell in row)
            cells = ["#N/A" if is_lost else text for is_lost, text in zip(named, cells, strict=True)]
        yield number, cells


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
