"""Tables that people hand over as CSV or XLSX files, read as texts: hostile files end in a sentence.

What a file is, is read off its content, never off its name. Every limit is checked before the work that it bounds.
"""

import csv
import io
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from openpyxl import load_workbook

from warranty.language import N_, _
from warranty.language.sentence import Sentence
from warranty.language.written import number as written

LARGEST_FILE: Final = 25 * 1024 * 1024
"""Bytes of a file, packed as it comes."""
LARGEST_UNPACKED: Final = 64 * 1024 * 1024
"""Bytes of everything in an XLSX file, unpacked."""
MOST_MARKS: Final = 3_000_000
"""Marks in everything in an XLSX file, of which a cell takes four and a text three: 700,000 cells or so."""
MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 300
LONGEST_CELL: Final = 20_000

_SEPARATORS: Final = {",": N_("commas"), ";": N_("semicolons"), "\t": N_("tabs"), "|": N_("bars")}
_OTHER_KINDS: Final = (
    (b"%PDF", N_("a PDF document")),
    ((b"\x89PNG", b"\xff\xd8\xff", b"GIF8"), N_("a picture")),
    (b"\xd0\xcf\x11\xe0", N_("an old Excel file (.xls), or one with a password")),
    ((b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!"), N_("a compressed file")),
    ((b"MZ", b"\x7fELF"), N_("a program")),
    (b"{\\rtf", N_("a text document")),
)
_TOO_MUCH: Final = Sentence(
    "This workbook holds more than a list of orders does. Keep only the sheet with the orders, split it if it is "
    "long, and save it again."
)
_SAVE_AS: Final = Sentence("Save the table as CSV or as an Excel workbook (.xlsx), and choose that file.")


class FileProblem(ValueError):
    """A file that cannot be used as a table; the sentence says what it is and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its number in the file as a spreadsheet shows it, and its cells as texts."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A file's table: column names as written, rows without the empty ones, and how it was read, in words."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    read_as: str
    has_formulas: bool = False


def read_table(content: bytes, *, most_rows: int = MOST_ROWS) -> Table:
    """Read the first sheet of an XLSX file, or a CSV file in whatever encoding and separator it is.

    Encodings: UTF-8 with and without a byte order mark, UTF-16 with or without one, else Windows-1252. Raises
    `FileProblem` for what is no table, is empty, or is larger than the limits above.
    """
    if not content.strip(b"\0 \r\n\t"):
        raise FileProblem(Sentence("The file is empty. {save_as}", save_as=_SAVE_AS))
    if len(content) > LARGEST_FILE:
        raise FileProblem(
            Sentence(
                "The file has {size} MB; at most {limit} MB are read. Export fewer orders at a time.",
                size=written(len(content) / 2**20),
                limit=LARGEST_FILE // 2**20,
            )
        )
    if content.startswith(b"PK"):
        return _xlsx(content, most_rows)
    for start, kind in _OTHER_KINDS:
        if content.startswith(start):
            raise FileProblem(
                Sentence("This is {kind}, not a table. {save_as}", kind=Sentence(kind), save_as=_SAVE_AS)
            )
    return _csv(content, most_rows)


def read_file(path: Path, what: str) -> bytes:
    """Give the bytes of a file that the settings name. Raises `FileProblem` where it cannot be opened."""
    try:
        return path.read_bytes()
    except OSError as error:
        fault = type(error).__name__
        raise FileProblem(
            Sentence(
                "The {what} {file} cannot be opened ({fault}).",
                what=Sentence(what),
                file=path.name,
                fault=fault,
            )
        ) from None


def bare(name: str) -> str:
    """A header for comparing: its letters and digits."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def rows_by_column(
    table: Table, spellings: Mapping[str, Collection[str]], *, needed: Sequence[str], what: Sentence
) -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each row and its cells by column, found by the spellings of the headers.

    Raises `FileProblem` without the `needed` columns.
    """
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
    return ((row.number, {name: row.cells[place] for name, place in places.items()}) for row in table.rows)


def _csv(content: bytes, most_rows: int) -> Table:
    encoding = _encoding(content)
    start = content[: 256 * 1024].decode(encoding, "replace")
    if start.lstrip("\ufeff").lstrip()[:9].lower().startswith(("<!doctype", "<html", "<?xml")):
        raise FileProblem(
            Sentence("This is a web page or an XML document, not a table. {save_as}", save_as=_SAVE_AS)
        )
    separator = _separator(start)
    lines = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, errors="replace", newline="")
    if start.startswith("sep=") or start.startswith("\ufeffsep="):
        lines.readline()
    reader = csv.reader(lines, delimiter=separator)
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL * 10))

    def rows() -> Iterator[tuple[int, Sequence[str]]]:
        try:
            yield from enumerate(reader, start=1)
        except csv.Error:
            raise FileProblem(
                Sentence(
                    "The file cannot be read as a table from line {line} on: a quotation mark is missing there, "
                    "or this is not a table. {save_as}",
                    line=reader.line_num,
                    save_as=_SAVE_AS,
                )
            ) from None

    columns, body = _table(rows(), most_rows)
    name = _(_SEPARATORS[separator])
    words = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}.get(encoding, encoding.upper())
    return Table(columns, body, _("CSV, {encoding}, separated by {marks}", encoding=words, marks=name))


def _encoding(content: bytes) -> str:
    """Decide by what cannot be otherwise; a guess by likelihood (charset-normalizer) takes “½ ¾ € £” for UTF-16."""
    if content.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = content[:4096]
    zeros_even, zeros_odd = start[::2].count(0), start[1::2].count(0)
    if zeros_even + zeros_odd > len(start) // 8:
        if zeros_odd > zeros_even * 8:
            return "utf-16-le"
        if zeros_even > zeros_odd * 8:
            return "utf-16-be"
    if b"\0" in content or sum(byte < 9 for byte in start) > len(start) // 100:
        raise FileProblem(Sentence("This is not a table that we can read. {save_as}", save_as=_SAVE_AS))
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _separator(start: str) -> str:
    """The mark that splits the first lines most evenly into most parts, counted outside quotation marks."""
    bare = "".join(start.split('"')[::2])
    lines = [line for line in bare.splitlines()[:20] if line.strip(" ")] or [""]
    if lines[0].startswith("sep=") and len(lines[0]) == 5 and lines[0][4] in _SEPARATORS:
        return lines[0][4]
    return max(_SEPARATORS, key=lambda mark: (lines[0].count(mark) > 0, lines[0].count(mark)))


def _xlsx(content: bytes, most_rows: int) -> Table:
    try:
        formulas = _checked_archive(content)
        workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheet = workbook.worksheets[0]
        # The size that the file states for its sheet may be anything: the rows themselves say it.
        sheet.reset_dimensions()
        found: Iterator[Sequence[Any]] = sheet.iter_rows(max_col=MOST_COLUMNS + 1)
        rows = ((number, [_shown(cell) for cell in row]) for number, row in enumerate(found, start=1))
        columns, body = _table(rows, most_rows)
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
    return Table(columns, body, _("Excel workbook, first sheet"), has_formulas=formulas)


def _checked_archive(content: bytes) -> bool:
    """Check what the archive would unpack to, and say whether its sheets hold formulas."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if "xl/workbook.xml" not in archive.namelist():
            raise FileProblem(
                Sentence(
                    "This is an archive or another office document, not a workbook. {save_as}",
                    save_as=_SAVE_AS,
                )
            )
        if len(entries) > 2_000 or sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
            raise FileProblem(_TOO_MUCH)
        marks, has_formulas = 0, False
        for entry in entries:
            is_sheet = entry.filename.startswith("xl/worksheets/") and entry.filename.endswith(".xml")
            with archive.open(entry) as part:
                tail = b""
                while block := part.read(1024 * 1024):
                    marks += block.count(b"<")
                    if marks > MOST_MARKS:
                        raise FileProblem(_TOO_MUCH)
                    has_formulas = has_formulas or (is_sheet and bool(re.search(rb"<f[ >/]", tail + block)))
                    tail = block[-4:]
        return has_formulas


def _shown(cell: Any) -> str:
    """A cell as the person sees it, with the zeros that its format puts in front of a postal code or an id."""
    text = _text(cell.value)
    if type(cell.value) is not int or cell.value < 0:
        return text
    zeros = cell.number_format.partition(";")[0].replace("\\", "").replace('"', "")
    if not zeros.startswith("0") or not set(zeros) <= set("0- "):
        return text
    digits = iter(text.zfill(zeros.count("0"))[::-1])
    return ("".join(next(digits) if mark == "0" else mark for mark in zeros[::-1]) + "".join(digits))[::-1]


def _text(cell: Any) -> str:
    """A value as the person sees it: whole numbers without a point, floats without the noise of their last digit."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return f"{Decimal(format(cell, '.15g')):f}"
    if isinstance(cell, datetime):
        at_midnight = cell.time() == datetime.min.time()
        return cell.date().isoformat() if at_midnight else cell.isoformat(" ", "seconds")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)


def _table(
    rows: Iterator[tuple[int, Sequence[str]]], most_rows: int
) -> tuple[tuple[str, ...], tuple[TableRow, ...]]:
    columns: tuple[str, ...] | None = None
    kept: list[TableRow] = []
    for number, row in rows:
        cells = tuple(cell.strip() for cell in row)
        if number > most_rows * 3 + 1 or (len(kept) == most_rows and any(cells)):
            raise FileProblem(
                Sentence(
                    "The file has more than {limit} rows. Export fewer orders at a time, or split the file.",
                    limit=written(most_rows),
                )
            )
        if not any(cells):
            continue
        if len(cells) > MOST_COLUMNS and any(cells[MOST_COLUMNS:]):
            raise FileProblem(
                Sentence(
                    "The file has more than {limit} columns: this is not a list of orders.",
                    limit=MOST_COLUMNS,
                )
            )
        if any(len(cell) > LONGEST_CELL for cell in cells):
            raise FileProblem(
                Sentence(
                    "Row {n} holds a text of more than {limit} characters.",
                    n=number,
                    limit=written(LONGEST_CELL),
                )
            )
        if columns is None:
            last = max(place for place, cell in enumerate(cells, start=1) if cell)
            columns = cells[:last]
            if len(columns) < 2:
                raise FileProblem(
                    Sentence(
                        "The first line names fewer than two columns: this is not a table. {save_as}",
                        save_as=_SAVE_AS,
                    )
                )
            continue
        kept.append(TableRow(number, (cells + ("",) * len(columns))[: len(columns)]))
    if columns is None:
        raise FileProblem(Sentence("The file is empty. {save_as}", save_as=_SAVE_AS))
    if not kept:
        raise FileProblem(Sentence("The file names its columns and has no row below them."))
    return columns, tuple(kept)
