"""Tables that people hand over as CSV or XLSX files, read as texts: hostile files end in a sentence.

What a file is, is read off its content, never off its name. Every limit is checked before the work that it bounds.
What had to be decided on the way, and what could not be read, stands in the table's remarks, with the rows.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Final

import charset_normalizer

from warranty.client.resources.money import signs_of
from warranty.files import tables
from warranty.files.order_files.source import WORDS
from warranty.files.tables import MOST_ROWS, FileProblem, Table, bare
from warranty.files.workbooks import read_workbook
from warranty.language import N_, Sentence, _
from warranty.language.written import number as written

LARGEST_FILE: Final = 25 * 1024 * 1024
"""Bytes of a file, packed as it comes."""
_MOST_IN_A_LIST: Final = 100_000
"""Rows of a list of the shop's own, which is no file of orders."""
_OTHER_KINDS: Final = {
    re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8"): N_("a picture"), re.compile(rb"MZ|\x7fELF"): N_("a program"),
    re.compile(rb"\x1f\x8b|7z\xbc\xaf|Rar!"): N_("a compressed file"), re.compile(rb"%PDF"): N_("a PDF document"),
    re.compile(rb"\xd0\xcf\x11\xe0"): N_("an old Excel file (.xls), or one with a password"),
    re.compile(rb"\{\\rtf"): N_("a text document"),
    re.compile(rb'(\xef\xbb\xbf)?\s{0,90}(\[\s{0,90}[\[{]|\{\s{0,90}")'): "JSON",
    re.compile(rb"(?i)(\xef\xbb\xbf)?\s{0,90}<(!doctype|html|\?xml)"): N_("a web page or an XML document"),
}  # fmt: skip
_ERRORS: Final = "windows-1252 where odd"
"""Decodes a byte that is none of UTF-8 as Windows-1252, marked; a letter that was cut off is U+FFFD."""
_SEPARATORS: Final = {",": N_("commas"), ";": N_("semicolons"), "\t": N_("tabs"), "|": N_("bars")}
_WESTERN: Final = ["cp1252", "mac-roman", "cp850"]
_SHOWN: Final = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}
_COMMON: Final = frozenset("áéíóúñüöäçèàßêâôîûåøæëïìòùãõœšž")


def read_table(content: bytes, *, names: Collection[str] = (), most_rows: int = MOST_ROWS, reading: str = "") -> Table:
    """Read an XLSX file, or a CSV file in whatever encoding and separator it is.

    `names` are bare names of columns that the caller knows: they tell the row of the names, and the sheet. `reading` is
    the one that was chosen of a table's. Raises `FileProblem` for what is no table, is empty, or is larger than the
    limits above.
    """
    if not content.strip(b"\0 \r\n\t"):
        raise FileProblem(N_("The file is empty. {save_as}"))
    if len(content) > LARGEST_FILE:
        words = N_("The file has {size} MB; at most {limit} MB are read. Export fewer orders at a time.")
        raise FileProblem(words, size=written(len(content) / 2**20), limit=LARGEST_FILE // 2**20)
    if content.startswith(b"PK"):
        return read_workbook(content, names, most_rows, reading)
    if kind := next((kind for start, kind in _OTHER_KINDS.items() if start.match(content)), None):
        raise FileProblem(N_("This is {kind}, not a table. {save_as}"), kind=Sentence(kind))
    return _read_csv(content, names, most_rows, reading)


def _read_csv(content: bytes, names: Collection[str], most_rows: int, wished: str) -> Table:
    """Read a file of text in the encoding that is wished, else the likeliest. Raises `FileProblem`."""
    if not (encodings := _encodings_of(content)):
        raise FileProblem(N_("This is not a table that we can read. {save_as}"))
    encoding = wished if wished in encodings else next(iter(encodings))
    lines = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, errors=_ERRORS, newline="")
    start = lines.read(64 * 1024)  # less than the longest cell that the reader takes
    lines.seek(0)
    separator = _separator_of(start, names)
    if start.startswith("sep="):
        lines.readline()
    numbers, is_cut = count(1), content.rstrip(b"\0 \t")[-1:] not in {b"\n", b"\r"}
    rows = zip(numbers, csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True), strict=False)
    try:
        table = tables.made_table(rows, names, most_rows, separator=separator, is_cut=is_cut)
    except csv.Error:
        raise FileProblem(tables.QUOTATION_MARK, row=next(numbers) - 1) from None
    shown = _SHOWN.get(encoding, encoding.upper())
    read_as = _("CSV, {encoding}, separated by {marks}", encoding=shown, marks=_(_SEPARATORS[separator]))
    if len(encodings) < 2:
        return replace(table, read_as=read_as)
    words = N_("Letters are read as {encoding}. Look whether they are right: {words}")
    remarks = (Sentence(words, encoding=shown, words=encodings[encoding]), *table.remarks)
    readings = {name: f"{_SHOWN.get(name, name.upper())}: {found}" for name, found in encodings.items()}
    return replace(table, read_as=read_as, remarks=remarks, readings=readings)


def _encodings_of(content: bytes) -> dict[str, str]:
    """The encodings that it may have, the likeliest first, with words to compare; none for what is no text.

    UTF-8 and UTF-16 where it can be nothing else; then a person sees which letters are right.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return {"utf-16": ""}
    start = content[:4096]
    in_even, in_odd = zeros = start[::2].count(0), start[1::2].count(0)
    if sum(zeros) > len(start) // 8 and max(zeros) > min(zeros) * 8:
        return {"utf-16-le" if in_odd > in_even else "utf-16-be": ""}
    if b"\0" in content or sum(byte < 9 for byte in start) > len(start) // 100:
        return {}
    odd = len(content) - len(content.decode("utf-8", "ignore").encode())
    if odd * 4 <= len(content.translate(None, bytes(range(128)))):  # of what is no ASCII, most is UTF-8
        return {"utf-8-sig": ""}
    lines = b"\n".join(islice((line for line in content.splitlines() if not line.isascii()), 2_000))
    guessed = charset_normalizer.from_bytes(lines).best()
    texts = {lines.decode(name, "replace"): name for name in ([guessed.encoding] if guessed else []) + _WESTERN[::-1]}
    likely = sorted(texts, key=lambda text: sum(map(_COMMON.__contains__, text)), reverse=True)
    words = (dict.fromkeys(re.findall("\\w{0,30}[^\x00-\x7f]\\w{0,30}", text)[:50]) for text in likely)
    return {texts[text]: ", ".join(some)[:100] for text, some in zip(likely, words, strict=True)}


def _separator_of(start: str, names: Collection[str]) -> str:
    """The mark that parts the most of these names, else the first rows most evenly into most parts."""
    if re.match(r"sep=[,;\t|]\s", start):
        return start[4]

    def likelihood(mark: str) -> tuple[int, int]:
        rows = list(islice(csv.reader(start.splitlines(), delimiter=mark, skipinitialspace=True), tables.BEGINNING))
        known = [sum(bare(name) in names for name in cells) for cells in rows]
        counts = Counter(len(cells) - 1 for cells in rows)
        return max(known, default=0), max((marks * found for marks, found in counts.items()), default=0)

    return max(_SEPARATORS, key=likelihood)


def _decoded(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError) or error.encoding != "utf-8" or "end" in error.reason:
        return "\ufffd", error.end  # type: ignore[attr-defined]
    return tables.ODD_BYTE + error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_ERRORS, _decoded)


Taken = Callable[[int, dict[str, str]], Sentence | None]
"""Takes a row by its number and its cells by column, with the names of its filled columns that are not read as
`not_read`; gives what is wrong with it."""


def read_list(
    content: bytes, spellings: Mapping[str, str], take: Taken, *, needed: Sequence[str], what: Sentence, currency: str
) -> tuple[Table, list[Sentence]]:
    """Take each row of a table, its columns found by the spellings of their headers; gives what is wrong with rows.

    Of columns that order files have, their spellings count as well. Rows in another `currency` are not taken. Raises
    `FileProblem` without the `needed` columns.
    """
    spellings = {name: f"{own} {WORDS['columns'].get(name, '')}" for name, own in spellings.items()}
    table = read_table(content, names=set(" ".join(spellings.values()).split()), most_rows=_MOST_IN_A_LIST)
    columns = {name: places[0] for name, places in tables.columns_by_field(table.columns, spellings).items()}
    if missing := [column for column in needed if column not in columns]:
        raise FileProblem(N_("{what}; this file lacks {columns}."), what=what, columns=", ".join(missing))
    others = {at: name or f"#{at + 1}" for at, name in enumerate(table.columns) if at not in columns.values()}
    faults, not_read = list[Sentence](), dict[str, None]()
    for row in table.rows:
        texts = row.cells
        cells = {name: texts[place] for name, place in columns.items()}
        not_read |= (filled := dict.fromkeys(name for place, name in others.items() if texts[place]))
        wrong = next(filter(None, (*row.damage, *map(tables.unreadable, cells.values()))), None)
        if currency and (other := cells.get("currency", "").upper()) and other not in signs_of(currency):
            wrong = Sentence("its amounts are in {other}, not in {currency}", other=other[:20], currency=currency)
        cells["not_read"] = ", ".join(filled)[:200]
        why = Sentence("Row {n} cannot be read: {why}", n=row.number, why=wrong) if wrong else take(row.number, cells)
        faults += [why] if why else []
    remark = [Sentence("Columns that are not read: {names}", names=", ".join(not_read)[:200])] if not_read else []
    return replace(table, remarks=(*table.remarks, *remark)), faults
