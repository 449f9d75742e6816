"""Tables that people hand over as CSV or XLSX files, read as texts: hostile files end in a sentence.

What a file is, is read off its content, never off its name. Every limit is checked before the work that it bounds.
What had to be decided on the way, and what could not be read, stands in the table's remarks, with the rows.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from warranty.files.csv_files import read_csv
from warranty.files.tables import MOST_ROWS, SAVE_AS, FileProblem, Table, columns_by_field, unreadable
from warranty.files.workbooks import read_workbook
from warranty.language import N_, Sentence
from warranty.language.written import number as written

LARGEST_FILE: Final = 25 * 1024 * 1024
"""Bytes of a file, packed as it comes."""
_MOST_IN_A_LIST: Final = 100_000
"""Rows of a list of the shop's own, which is no file of orders."""
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


def read_table(content: bytes, *, names: Collection[str] = (), most_rows: int = MOST_ROWS, reading: str = "") -> Table:
    """Read an XLSX file, or a CSV file in whatever encoding and separator it is.

    `names` are bare names of columns that the caller knows: they tell the row of the names, and the sheet. `reading` is
    the one that was chosen of a table's. Raises `FileProblem` for what is no table, is empty, or is larger than the
    limits above.
    """
    if not content.strip(b"\0 \r\n\t"):
        raise FileProblem(N_("The file is empty. {save_as}"), save_as=SAVE_AS)
    if len(content) > LARGEST_FILE:
        words = N_("The file has {size} MB; at most {limit} MB are read. Export fewer orders at a time.")
        raise FileProblem(words, size=written(len(content) / 2**20), limit=LARGEST_FILE // 2**20)
    if content.startswith(b"PK"):
        return read_workbook(content, names, most_rows, reading)
    if kind := next((kind for start, kind in _OTHER_KINDS if start.match(content)), None):
        raise FileProblem(N_("This is {kind}, not a table. {save_as}"), kind=Sentence(kind), save_as=SAVE_AS)
    return read_csv(content, names, most_rows, reading)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a shop's own list holds; `faults` says which rows were not taken, and why, to whoever reads it."""

    faults: tuple[Sentence, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """The same in words."""
        return tuple(map(str, self.faults))


Taken = Callable[[int, dict[str, str]], Sentence | None]
"""Takes a row by its number and its cells by column; gives what is wrong with it."""


def read_list(
    content: bytes, spellings: Mapping[str, str], take: Taken, *, needed: Sequence[str], what: Sentence
) -> tuple[Table, list[Sentence]]:
    """Take each row of a table, its columns found by the spellings of their headers; gives what is wrong with rows.

    Raises `FileProblem` without the `needed` columns.
    """
    table = read_table(content, names=set(" ".join(spellings.values()).split()), most_rows=_MOST_IN_A_LIST)
    columns = columns_by_field(table.columns, spellings)
    if missing := [column for column in needed if column not in columns]:
        without: Sentence | str = missing[0]
        for column in missing[1:]:
            without = Sentence("{columns} and no {column}", columns=without, column=column)
        raise FileProblem(N_("{what}; this file has no {columns}."), what=what, columns=without)
    faults = []
    for row in table.rows:
        texts = row.cells
        cells = {name: texts[places[0]] for name, places in columns.items()}
        wrong = next(filter(None, (*row.damage, *map(unreadable, cells.values()))), None)
        why = Sentence("Row {n} cannot be read: {why}", n=row.number, why=wrong) if wrong else take(row.number, cells)
        faults += [why] if why else []
    return table, faults
