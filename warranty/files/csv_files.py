"""CSV files: their encoding and the mark that parts their cells are decided by what cannot be otherwise first."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import charset_normalizer

from warranty.files.tables import BEGINNING, ODD_BYTE, QUOTATION_MARK, SAVE_AS, FileProblem, Table, bare, made_table
from warranty.language import N_, Sentence, _

_ERRORS: Final = "windows-1252 where odd"
"""Decodes a byte that is none of UTF-8 as Windows-1252, marked; a letter that was cut off is U+FFFD."""
_SEPARATORS: Final = {",": N_("commas"), ";": N_("semicolons"), "\t": N_("tabs"), "|": N_("bars")}
_WESTERN: Final = ["cp1252", "mac-roman", "cp850"]
_SHOWN: Final = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}
_COMMON: Final = frozenset("áéíóúñüöäçèàßêâôîûåøæëïìòùãõœšž")


def read_csv(content: bytes, names: Collection[str], most_rows: int, wished: str) -> Table:
    """Read a file of text in the encoding that is wished, else the likeliest. Raises `FileProblem`."""
    encodings = _encodings_of(content)
    if not encodings:
        raise FileProblem(N_("This is not a table that we can read. {save_as}"), save_as=SAVE_AS)
    encoding = wished if wished in encodings else next(iter(encodings))
    lines = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, errors=_ERRORS, newline="")
    start = lines.read(256 * 1024)
    lines.seek(0)
    separator = _separator_of(start, names)
    if start.startswith("sep="):
        lines.readline()
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)

    def rows() -> Iterator[tuple[int, Sequence[str]]]:
        number = 0
        try:
            for number, cells in enumerate(reader, start=1):
                yield number, cells
        except csv.Error:
            raise FileProblem(QUOTATION_MARK, row=number + 1) from None

    is_cut = content.rstrip(b"\0 \t")[-1:] not in {b"\n", b"\r"}
    table = made_table(rows(), names, most_rows, separator=separator, is_cut=is_cut)
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
    """The mark that parts the most of these names, else the first lines most evenly into most parts."""
    # What stands in quotation marks does not count, where the rest of a line is looked at.
    outside = "".join(start.split('"')[::2]).splitlines()
    lines = [line for line in outside if line.strip(" ")][:BEGINNING] or [""]
    if re.fullmatch(r"sep=[,;\t|]", lines[0]):
        return lines[0][4]

    def likelihood(mark: str) -> tuple[int, int]:
        cells = (line.split(mark) for line in start.splitlines()[:BEGINNING])
        known = [sum(bare(name) in names for name in line) for line in cells]
        counts = Counter(line.count(mark) for line in lines)
        return max(known, default=0), max(marks * found for marks, found in counts.items())

    return max(_SEPARATORS, key=likelihood)


def _decoded(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError) or error.encoding != "utf-8" or "end" in error.reason:
        return "\ufffd", error.end  # type: ignore[attr-defined]
    return ODD_BYTE + error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_ERRORS, _decoded)
