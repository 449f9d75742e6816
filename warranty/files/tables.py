"""A table out of rows of texts: which of them names the columns, which belong to the list, what each cell means."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from warranty.files.encodings import BEGINNING, ODD_BYTE, bare
from warranty.language import N_
from warranty.language.sentence import Sentence
from warranty.language.written import number as written

MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 300
LONGEST_CELL: Final = 20_000
SAVE_AS: Final = Sentence("Save the table as CSV or as an Excel workbook (.xlsx), and choose that file.")
_NO_TABLE: Final = N_("The first line names fewer than two columns: this is not a table. {save_as}")
_TOO_MANY: Final = N_(
    "The file has more than {limit} rows. Export fewer orders at a time, or split the file."
)
QUOTATION_MARK: Final = N_(
    "From row {row} on, a quotation mark is missing or one too many, so that rows run into each other. Repair "
    "that row in the file, or save the table anew as CSV."
)
_TOO_LONG: Final = Sentence(
    "the row has more cells than there are columns: an amount or a text may hold the mark that parts cells"
)
_CUT: Final = Sentence("the file ends within this row")
READ_AS_WINDOWS: Final = N_("a letter that is not of the file's encoding is read as Windows-1252")
ROUNDED: Final = N_("a number is read as its cell shows it, with fewer decimals than it has")
LETTERS: Final = N_("letters may be others than those that were meant")
_SPELLED: Final = N_('read without the signs that programs put around a text, such as ="0045" or \'0045')
_UNSEEN: Final = N_("read without letters that cannot be seen")
_ABOVE: Final = N_("above the names of the columns, not read")
_TOTAL: Final = N_("totals or notes below the list, not read")
_NAMES: Final = N_("the names of the columns again, not read")
LONGER: Final = "\ue001"
"""Stands in a cell whose number has more decimals than it shows."""
_MARKS: Final = {ODD_BYTE: READ_AS_WINDOWS, LONGER: ROUNDED}
_NO_MARKS: Final = str.maketrans("", "", "".join(_MARKS))
_INVISIBLE: Final = re.compile("[\x00-\x08\x0e-\x1e\u00ad\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e]")
_ESCAPED: Final = re.compile("_x00(0[9AD]|5F)_", re.IGNORECASE)
_ODD: Final = re.compile(
    f"(?:^|\x1f)\\s{{0,20}}['=]|{_ESCAPED.pattern}|{_INVISIBLE.pattern}|[\ue000\ue001]", re.IGNORECASE
)
_NO_RESULT: Final = re.compile(r"#(?:N/[AD]|NV|[¡¿]?[A-ZÁÉÍÓÚ0_/]{1,20}[!?]|#{1,90})", re.IGNORECASE)
_DIGITS_LOST: Final = re.compile(r"[0-9](?:[.,][0-9]+)?E\+[0-9]+", re.IGNORECASE)
_TOTALS: Final = re.compile(
    "(grand|sub|zwischen)?(total|totals|sum|suma|summe|gesamt|somme)(general|total|summe)?"
)


class FileProblem(ValueError):
    """A file that cannot be used as a table; the sentence says what it is and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its number in the file as a spreadsheet shows it, and its cells as texts.

    `damage` makes the whole row doubtful; `remarks` say what was decided when it was read.
    """

    number: int
    cells: tuple[str, ...]
    damage: tuple[Sentence, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A file's table: column names as written, rows without the empty ones, and how it was read, in words."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    read_as: str
    has_formulas: bool = False
    remarks: tuple[Sentence, ...] = ()


def unreadable(text: str) -> Sentence | None:
    """Why a cell cannot hold what was meant, whatever column it stands in."""
    if text.isascii() and "#" not in text and "+" not in text:
        return None
    if _NO_RESULT.fullmatch(text):
        return Sentence(
            "“{text}” is no content: a formula without a result, or a column too narrow", text=text[:40]
        )
    if _DIGITS_LOST.fullmatch(text):
        return Sentence(
            "“{text}” has lost digits: make the column a text column, and fill it anew", text=text[:40]
        )
    if "\ufffd" in text or ("Ã" in text and _is_garbled(text)):
        return Sentence(
            "“{text}” has letters that were lost: save the file anew as CSV UTF-8", text=text[:40]
        )
    return None


def _is_garbled(text: str) -> bool:
    """Whether it was UTF-8 that another program read as Windows-1252."""
    try:
        return text.encode("cp1252").decode() != text
    except UnicodeError:
        return False


def made_table(
    rows: Iterable[tuple[int, Sequence[str]]],
    names: Collection[str],
    most_rows: int,
    *,
    separator: str = "",
    is_sure: bool = True,
    is_cut: bool = False,
) -> Table:
    """The rows below the names of the columns, without what is none of the list, each cell as it is meant."""
    found = defaultdict[str, list[int]](list)
    filled = (_as_meant(number, cells, found, is_sure) for number, cells in _filled(rows, most_rows))
    first = list(islice(filled, BEGINNING))
    head = _row_of_names(first, names)
    found[_ABOVE] = [row.number for row in first[:head]]
    width = len(first[head].cells)
    columns = first[head].cells[: max(place for place, cell in enumerate(first[head].cells, 1) if cell)]
    known, taken = dict[str, str](), list[TableRow]()
    for row in chain(first[head + 1 :], filled):
        if what := _is_none(row.cells, columns, names):
            found[what].append(row.number)
            continue
        if len(taken) == most_rows:
            raise FileProblem(Sentence(_TOO_MANY, limit=written(most_rows)))
        _refuse_rows_in_a_cell(row, separator, len(columns))
        is_long = any(row.cells[len(columns) :]) or (separator and len(row.cells) > width)
        is_short = len(row.cells) < len(columns)
        cells = tuple(known.setdefault(cell, cell) for cell in row.cells[: len(columns)])
        damage = (_TOO_LONG,) if is_long else ()
        taken.append(TableRow(row.number, cells + ("",) * (len(columns) - len(cells)), damage, row.remarks))
    if is_cut and taken and is_short:
        taken[-1] = replace(taken[-1], damage=(_CUT,))
    while (
        len(taken) > 1 and len(columns) > 2 and sum(map(bool, taken[-1].cells)) == 1 and not taken[-1].damage
    ):
        found[_TOTAL].append(taken.pop().number)
    if not taken:
        raise FileProblem(Sentence("The file names its columns and has no row below them."))
    remarks = [at_rows(what, numbers) for what, numbers in found.items() if numbers]
    if twice := [name for name, count in Counter(columns).items() if name and count > 1]:
        words = N_("Of columns with the same name, the first is read: {names}")
        remarks.append(Sentence(words, names=", ".join(twice)[:200]))
    return Table(columns, tuple(taken), "", remarks=tuple(remarks))


def _filled(rows: Iterable[tuple[int, Sequence[str]]], most_rows: int) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows that hold something, within the limits."""
    for number, cells in rows:
        if number > most_rows * 3 + 1:
            raise FileProblem(Sentence(_TOO_MANY, limit=written(most_rows)))
        if len(cells) > MOST_COLUMNS and any(map(str.strip, cells[MOST_COLUMNS:])):
            words = N_("The file has more than {limit} columns: this is not a list of orders.")
            raise FileProblem(Sentence(words, limit=MOST_COLUMNS))
        if any(len(cell) > LONGEST_CELL for cell in cells):
            words = N_("Row {n} holds a text of more than {limit} characters.")
            raise FileProblem(Sentence(words, n=number, limit=written(LONGEST_CELL)))
        if any(map(str.strip, cells)):
            yield number, cells


def _as_meant(number: int, cells: Sequence[str], found: dict[str, list[int]], is_sure: bool) -> TableRow:
    """A row with its cells as they are meant, and what was decided that its order should tell."""
    joined = "\x1f".join(cells)
    remarks: tuple[str, ...] = () if is_sure or joined.isascii() else (LETTERS,)
    if not _ODD.search(joined):
        return TableRow(number, tuple(map(str.strip, cells)), (), remarks)
    remarks += tuple(what for mark, what in _MARKS.items() if mark in joined)
    texts = []
    for cell in cells:
        text = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), cell.translate(_NO_MARKS))
        seen = _INVISIBLE.sub("", text).strip()
        meant = seen
        if formula := re.fullmatch(r'="(.*)"', seen, re.DOTALL):
            meant = formula[1].replace('""', '"').strip()
        elif re.match(r"'(?:[=+\-@]|[0-9][0-9 .()+/-]*$)", seen):
            meant = seen[1:].strip()
        texts.append(meant)
        found[_SPELLED] += [number] * (meant != seen)
        found[_UNSEEN] += [number] * (seen != text.strip())
    for what in remarks:
        found[what].append(number)
    return TableRow(number, tuple(texts), (), remarks)


def _row_of_names(rows: Sequence[TableRow], names: Collection[str]) -> int:
    """Which of the first rows names the columns: that with most names that are known, else the first full one."""
    known = [known_names([(row.number, row.cells)], names) for row in rows]
    if known and max(known) >= 2:
        return known.index(max(known))
    filled = [sum(map(bool, row.cells)) for row in rows]
    if not filled or max(filled) < 2:
        raise FileProblem(Sentence(_NO_TABLE, save_as=SAVE_AS))
    return next(place for place, count in enumerate(filled) if count >= max(2, max(filled) / 2))


def known_names(rows: Iterable[tuple[int, Sequence[str]]], names: Collection[str]) -> int:
    """How many names that are known the best of these rows has."""
    return max((sum(bare(cell) in names for cell in cells) for _number, cells in rows), default=0)


def _is_none(cells: tuple[str, ...], columns: tuple[str, ...], names: Collection[str]) -> str:
    """What a row is that is none of the list: its total, or the names of its columns once more."""
    begins = bare(next(filter(None, cells)))
    if _TOTALS.fullmatch(begins) and sum(map(bool, cells)) * 2 <= len(columns):
        return _TOTAL
    if cells[: len(columns)] == columns:
        return _NAMES
    if begins in names and known_names([(0, cells)], names) * 2 > max(4, sum(map(bool, cells))):
        raise FileProblem(
            Sentence("There are two tables with other columns in this file: make a file of each.")
        )
    return ""


def _refuse_rows_in_a_cell(row: TableRow, separator: str, columns: int) -> None:
    """A cell in which rows of this very file stand has lost a quotation mark."""
    for cell in row.cells if separator else ():
        if "\n" in cell and any(line.count(separator) >= max(2, columns // 2) for line in cell.splitlines()):
            raise FileProblem(Sentence(QUOTATION_MARK, row=row.number))


def at_rows(what: str, numbers: Sequence[int]) -> Sentence:
    """What holds of these rows, some of them named."""
    different = list(dict.fromkeys(numbers))
    rows = ", ".join(map(str, different[:5])) + (
        f" … ({written(len(different))})" if len(different) > 5 else ""
    )
    words = N_("Rows {rows}: {what}") if len(different) > 1 else N_("Row {rows}: {what}")
    return Sentence(words, rows=rows, what=Sentence(what))
