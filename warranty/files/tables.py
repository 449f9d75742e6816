"""A table out of rows of texts: which of them names the columns, which belong to the list, what each cell means."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import chain, islice
from typing import Final, NamedTuple

from warranty.language import N_, Sentence
from warranty.language.written import number as written

BEGINNING: Final = 25
"""Rows among which the names of the columns are looked for."""
MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 300
LONGEST_CELL: Final = 20_000
QUOTATION_MARK: Final = N_("From row {row} on, a quotation mark is missing or one too many: repair it there. {save_as}")
_TOO_LONG: Final = N_("the row has more cells than there are columns: one may hold the mark that parts cells")
_SPELLED: Final = N_('read without the signs that programs put there, such as ="0045", \'0045 or NULL')
_TOTAL: Final = N_("totals or notes, not read")
ODD_BYTE: Final = "\ue000"
"""Stands before each letter that was decoded in another encoding than the rest."""
LONGER: Final = "\ue001"
"""Stands in a cell whose number has more decimals than it shows."""
_MARKS: Final = {
    ODD_BYTE: N_("a letter that is not of the file's encoding is read as Windows-1252"),
    LONGER: N_("a number is read as its cell shows it, with fewer decimals than it has"),
}
_NO_MARKS: Final = str.maketrans("", "", "".join(_MARKS))
_TOO_MANY: Final = N_("The file has more than {limit} rows. Export fewer orders at a time, or split the file.")
BETWEEN: Final = "\x1f"
"""Stands between the cells of a row."""
_NOTHING: Final = frozenset(["NULL", "null", "nan", "NaN", "None", "undefined", "\\N", "N/A", "n/a", "-", "--"])
"""What programs write where there is nothing."""
_UNSEEN_LETTERS: Final = "\x00-\x08\x0e-\x1e\u00ad\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e"
_MAY_BE_ODD: Final = re.compile(
    f"['=\x0b\u2028\xa0{_UNSEEN_LETTERS}{''.join(_MARKS)}]|_x00|&[a-z#]|<br|"
    rf"(?:^|{BETWEEN})(?:{'|'.join(map(re.escape, _NOTHING))})(?:$|{BETWEEN})",
    re.IGNORECASE,
)
_LOST: Final = {
    re.compile(r"(?is)#(?:N/[AD]|NV|[¡¿]?[^\W]{1,20}(?:/0)?[!?]|#{1,90})|Err:[0-9]{3}|=[^\W\d][\w.]*\(.*"):
        N_("“{text}” is no content: a formula without a result, or a column too narrow"),
    re.compile(r"(?i)[0-9](?:[.,][0-9]+)?E\+[0-9]+|[0-9][.,][0-9]+E[0-9]+"):
        N_("“{text}” has lost digits: make the column a text column, and fill it anew"),
    re.compile(r"(?s).*(?:\ufffd|[\x80-\x9f]|[ÂÃ][\xa1-\xbf–—‘-„†-•…‰‹›€™ŒœŠšŸŽžƒˆ˜]|[ÄÅ][\xa1-\xbf†‡ž]|â[€‚]|[a-zß-ÿ]Ã).*|"
               r"[^/]*[^\W\d_]\?[^\W\d_][^/]*"):
        N_("“{text}” has letters that were lost: save the file anew as CSV UTF-8"),
}  # fmt: skip
"""What a cell cannot have been meant to hold: also UTF-8 that another program read as Windows-1252."""
_MAY_BE_LOST: Final = re.compile("[#+=?]|Err:|[0-9][Ee][0-9]")
_TOTALS: Final = re.compile("(grand|sub|zwischen)?(total|totals|sum|suma|summe|gesamt|somme)(general|total|summe)?")


Rows = Iterable[tuple[int, Sequence[str]]]
"""Rows as a file has them, with their numbers."""


class FileProblem(ValueError):
    """A file that cannot be used as a table; the sentence says what it is and what to do."""

    def __init__(self, text: str, /, **values: object) -> None:
        save_as = Sentence("Save the table as CSV or as an Excel workbook (.xlsx), and choose that file.")
        self.sentence = Sentence(text, save_as=save_as, **values)
        super().__init__(self.sentence)


class TableRow(NamedTuple):
    """A row of a table: its number in the file as a spreadsheet shows it, and its cells, joined: a third of the memory.

    `damage` makes the whole row doubtful.
    """

    number: int
    text: str
    damage: tuple[Sentence, ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """Its texts by column."""
        return tuple(self.text.split(BETWEEN))


@dataclass(frozen=True, slots=True)
class Table:
    """A file's table: column names as written, rows without the empty ones, and how it was read, in words.

    `readings` are the ways in which the file can be read, where these are several, with what tells them apart.
    """

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    read_as: str
    remarks: tuple[Sentence, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """What files of one layout share: a digest of their headers."""
        return hashlib.sha256("\n".join(map(bare, self.columns)).encode()).hexdigest()[:16]


def unreadable(text: str) -> Sentence | None:
    """Why a cell cannot hold what was meant, whatever column it stands in."""
    is_plain = text.isascii() and (text.isalnum() or not _MAY_BE_LOST.search(text))
    words = None if is_plain else next((words for pattern, words in _LOST.items() if pattern.fullmatch(text)), None)
    return Sentence(words, text=text[:40]) if words else None


def made_table(rows: Rows, names: Collection[str], most_rows: int, separator: str = "", is_cut: bool = False) -> Table:
    """The rows below the names of the columns, without what is none of the list, each cell as it is meant."""
    found = defaultdict[str, list[int]](list)
    meant = _meant(rows, most_rows, found)
    first = list(islice(meant, BEGINNING))
    head = _row_of_names([row.cells for row in first], names)
    found[N_("above the names of the columns, not read")] = [row.number for row in first[:head]]
    columns = tuple(first[head].text.rstrip(BETWEEN).split(BETWEEN))
    taken, missing = list[TableRow](), 0
    for row in chain(first[head + 1 :], meant):
        cells = row.cells
        if what := _is_none(cells, columns, names):
            found[what].append(row.number)
            continue
        if len(taken) == most_rows:
            raise FileProblem(_TOO_MANY, limit=written(most_rows))
        if separator and "\n" in row.text and any(_has_rows(cell, separator, len(columns)) for cell in cells):
            raise FileProblem(QUOTATION_MARK, row=row.number)
        missing = len(columns) - len(cells)
        if missing:
            is_long = any(cells[len(columns) :]) or (separator and len(cells) > len(first[head].cells))
            text = BETWEEN.join([*cells, *[""] * missing][: len(columns)])
            row = TableRow(row.number, text, (Sentence(_TOO_LONG),) if is_long else ())  # noqa: PLW2901
        taken.append(row)
    if is_cut and taken and missing > 0:
        taken[-1] = TableRow(taken[-1].number, taken[-1].text, (Sentence("the file ends within this row"),))
    while len(taken) > 1 and len(columns) > 2 and sum(map(bool, taken[-1].cells)) == 1 and not taken[-1].damage:
        found[_TOTAL].append(taken.pop().number)
    if not taken:
        raise FileProblem(N_("The file names its columns and has no row below them."))
    remarks = [at_rows(what, numbers) for what, numbers in found.items() if numbers]
    if twice := [name for name, count in Counter(columns).items() if name and count > 1]:
        words = N_("Of columns with the same name, the first is read: {names}")
        remarks.append(Sentence(words, names=", ".join(twice)[:200]))
    return Table(columns, tuple(taken), "", remarks=tuple(remarks))


def _meant(rows: Rows, most_rows: int, found: dict[str, list[int]]) -> Iterator[TableRow]:
    """The rows that hold something, within the limits, with their cells as they are meant."""
    for number, written_cells in rows:
        if number > most_rows * 3 + 1:
            raise FileProblem(_TOO_MANY, limit=written(most_rows))
        cells = list(map(str.strip, written_cells))
        if not any(cells):
            continue
        if len(cells) > MOST_COLUMNS and any(cells[MOST_COLUMNS:]):
            words = N_("The file has more than {limit} columns: this is not a list of orders.")
            raise FileProblem(words, limit=MOST_COLUMNS)
        if max(map(len, cells)) > LONGEST_CELL:
            words = N_("Row {n} holds a text of more than {limit} characters.")
            raise FileProblem(words, n=number, limit=written(LONGEST_CELL))
        text = BETWEEN.join(cells)
        if _MAY_BE_ODD.search(text) or text.count(BETWEEN) >= len(cells):
            for mark, what in _MARKS.items():
                found[what] += [number] * (mark in text)
            text = BETWEEN.join(_cell(cell, number, found) for cell in cells)
        if text.strip(BETWEEN):  # else it holds letters alone that cannot be seen
            yield TableRow(number, text)


def _cell(cell: str, number: int, found: dict[str, list[int]]) -> str:
    """A cell without what programs put into it, which is noted."""
    text = re.sub("(?i)_x00(0[9AD]|5F)_", lambda code: chr(int(code[1], 16)), cell.translate(_NO_MARKS))
    text = re.sub("[\x0b\u2028\xa0]", " ", text)
    seen = str.strip(re.sub(f"[{_UNSEEN_LETTERS}{BETWEEN}]", "", text))
    meant = "" if seen in _NOTHING else unescape(re.sub("(?i)<br ?/?>", " ", seen))
    if formula := re.fullmatch(r'="(.*)"', seen, re.DOTALL):
        meant = formula[1].replace('""', '"').strip()
    elif re.match(r"'(?:[=+\-@]|[0-9][0-9 .()+/-]*$)", seen):
        meant = seen[1:].strip()
    found[_SPELLED] += [number] * (meant != seen)
    found[N_("read without letters that cannot be seen")] += [number] * (seen != text.strip())
    return meant


def _row_of_names(rows: Sequence[Sequence[str]], names: Collection[str]) -> int:
    """Which of the first rows names the columns: that with most names that are known, else the first full one."""
    known = [_known(cells, names) for cells in rows]
    if max(known, default=0) >= 2:
        return known.index(max(known))
    if any("@" in cell for cells in rows[:1] for cell in cells):
        raise FileProblem(N_("The file has no line that names its columns: put one above the first row."))
    filled = [sum(map(bool, cells)) for cells in rows]
    if max(filled, default=0) < 2:
        raise FileProblem(N_("The first line names fewer than two columns: this is not a table. {save_as}"))
    return next(place for place, count in enumerate(filled) if count >= max(2, max(filled) / 2))


def bare(name: str) -> str:
    """A header for comparing: its letters and digits."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def columns_by_field(names: Sequence[str], spellings: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    """The columns that each field may be in, by the bare spellings of its header, the likeliest first."""
    places = {bare(names[place]): place for place in reversed(range(len(names)))}
    found = {
        field: tuple(places[word] for word in words.split() if word in places) for field, words in spellings.items()
    }
    return {field: columns for field, columns in found.items() if columns}


def likeness(rows: Rows, names: Collection[str]) -> tuple[bool, int]:
    """How much rows are like a list with these names: whether several hold more than a cell, and how many they name."""
    full = [cells for _number, cells in islice(rows, BEGINNING) if sum(map(bool, cells)) > 1]
    return len(full) > 1, max((_known(cells, names) for cells in full), default=0)


def _known(cells: Iterable[str], names: Collection[str]) -> int:
    return sum(bare(cell) in names for cell in cells)


def _is_none(cells: tuple[str, ...], columns: tuple[str, ...], names: Collection[str]) -> str:
    """What a row is that is none of the list: its total, or the names of its columns once more."""
    begins = bare(next(filter(None, cells)))
    if _TOTALS.fullmatch(begins) and sum(map(bool, cells)) * 2 <= len(columns):
        return _TOTAL
    if cells[: len(columns)] == columns:
        return N_("the names of the columns again, not read")
    if begins in names and _known(cells, names) * 2 > max(4, sum(map(bool, cells))):
        raise FileProblem(N_("There are two tables with other columns in this file: make a file of each."))
    return ""


def _has_rows(cell: str, separator: str, columns: int) -> bool:
    """Whether rows of this very file stand in a cell, which then has lost a quotation mark."""
    lines = cell.splitlines() if "\n" in cell else ()
    return any(line.count(separator) >= max(2, columns // 2) for line in lines)


def at_rows(what: str, numbers: Sequence[int]) -> Sentence:
    """What holds of these rows, some of them named."""
    different = list(dict.fromkeys(numbers))
    rows = ", ".join(map(str, different[:5])) + (f" … ({written(len(different))})" if different[5:] else "")
    words = N_("Rows {rows}: {what}") if len(different) > 1 else N_("Row {rows}: {what}")
    return Sentence(words, rows=rows, what=Sentence(what))
