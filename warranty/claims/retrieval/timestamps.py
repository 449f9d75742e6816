"""Columns of timestamps: read all at once for use, and given back exactly as received for export.

A frame needs moments that compare (`datetime64`), an export needs the text that the service sent, offset and all.
Keeping 90 bytes of text beside 24 bytes of moments would double the memory of a large set, so of a column whose texts
share a usual shape only their *tails* are kept, once per distinct one: what follows the seconds, "." for six digits
and then the offset if there is one. Any other text is its own tail.
"""

from datetime import datetime, timedelta
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

_SECONDS: Final = len("2026-11-21T14:02:00")
_MICROSECONDS: Final = len("2026-11-21T14:02:00.000000")
_OFFSET: Final = len("+00:00")
_DAY: Final = len("2026-11-21")
_YEAR_1: Final = (datetime.min - datetime(1970, 1, 1)) // timedelta(microseconds=1)  # noqa: DTZ001, DTZ901 - a number
_WIDEST_OFFSET: Final = timedelta(days=1) // timedelta(microseconds=1)
_PLAIN: Final = pa.timestamp("us")
_SIX_DIGITS: Final = "."
TAILS: Final = pa.dictionary(pa.int32(), pa.string())


def read_timestamps(texts: pa.Array, kind: pa.DataType) -> tuple[pa.Array, pa.Array]:
    """Read texts as timestamps of `kind`, and give their moments and tails, of which `as_text` makes the texts again.

    With a zone the offset is required and applied, without it is refused. Raises `pyarrow.ArrowInvalid` where one of
    them is odd; `odd_places` finds which.
    """
    moments = _moments(texts, kind)
    tails = _tails(texts, _OFFSET if kind.tz else 0)
    return moments, texts.dictionary_encode() if tails is None else tails


def odd_places(texts: pa.Array, kind: pa.DataType, start: int = 0) -> list[int]:
    """Give the places, counted from `start`, of texts that cannot be read, by halving: they are few."""
    try:
        _moments(texts, kind)
    except pa.ArrowInvalid:
        if len(texts) == 1:
            return [start]
        middle = len(texts) // 2
        return odd_places(texts[:middle], kind, start) + odd_places(texts[middle:], kind, start + middle)
    return []


def as_text(moments: pa.ChunkedArray, tails: pa.ChunkedArray) -> pa.ChunkedArray:
    """Give the texts as received, from the two columns that `read_timestamps` made."""
    tails = pc.cast(tails, pa.string())
    usual = [tail for tail in pc.unique(tails).to_pylist() if len(tail) < _SECONDS]
    kinds = pc.index_in(tails, pa.array(usual, pa.string()))  # null where the tail is all of the text
    offsets = [tail.removeprefix(_SIX_DIGITS) for tail in usual]
    shifts = pa.array([_shift(offset) for offset in offsets], pa.duration("us"))
    local = pc.add(pc.cast(moments, _PLAIN), pc.take(shifts, kinds))
    written = pc.replace_substring(pc.cast(local, pa.string()), " ", "T")
    coarse = pa.array([not tail.startswith(_SIX_DIGITS) for tail in usual], pa.bool_())
    if pc.any(coarse).as_py():
        written = pc.if_else(pc.take(coarse, kinds), pc.utf8_slice_codeunits(written, 0, _SECONDS), written)
    suffixes = pc.take(pa.array(offsets, pa.string()), kinds)
    return pc.coalesce(pc.binary_join_element_wise(written, suffixes, ""), tails)


def _moments(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """Read texts to the second at least; the year 0, which Arrow knows, is in no calendar used here."""
    shortest = pc.min(pc.binary_length(texts)).as_py()
    if shortest is not None and shortest < _SECONDS:
        raise pa.ArrowInvalid("too short for a timestamp to the second")
    moments = pc.cast(texts, kind)
    earliest = pc.min(moments.view(pa.int64())).as_py()
    if earliest is not None and earliest < (_YEAR_1 - _WIDEST_OFFSET if kind.tz else _YEAR_1):
        raise pa.ArrowInvalid("before the year 1")
    return moments


def _tails(texts: pa.Array, offset: int) -> pa.Array | None:
    """Give the tails of readable texts, all of one usual shape that ends with so long an `offset`; else None."""
    lengths = pc.min_max(pc.binary_length(texts)).as_py()
    length = lengths["max"]
    if lengths["min"] != length or length not in {_SECONDS + offset, _MICROSECONDS + offset}:
        return None
    marks = texts.cast(pa.binary())

    def always(place: int, mark: bytes) -> bool:
        return bool(pc.all(pc.equal(pc.binary_slice(marks, place, place + 1), mark)).as_py())

    if not always(_DAY, b"T") or (offset and not always(length - len(":00"), b":")):
        return None
    fraction = _SIX_DIGITS if length > _SECONDS + offset else ""
    offsets = pc.binary_slice(marks, length - offset, length).dictionary_encode()
    names = [fraction + name.decode() for name in offsets.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(offsets.indices, pa.array(names, pa.string()))


def _shift(offset: str) -> timedelta:
    return datetime.fromisoformat(f"2000-01-01T00:00:00{offset}").utcoffset() or timedelta()
