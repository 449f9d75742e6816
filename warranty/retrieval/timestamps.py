"""Columns of timestamps: read all at once for use, and given back exactly as received for export.

A frame needs moments that compare (`datetime64`), an export needs the text that the service sent, offset and all.
Keeping 90 bytes of text beside 24 bytes of moments would double the memory of a large set, so a column whose texts
share a usual shape keeps only the offset, once per distinct one; anything else is kept word for word.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt
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


@dataclass(frozen=True, slots=True)
class Timestamps:
    """A column: `moments` for use, and `tails` and `verbatim`, from which `as_text` gives the texts back.

    A tail is what follows the seconds: "." for six digits, then the offset if there is one. Where `verbatim` is
    not null it is the text; else the text follows from the moment and the tail.
    """

    moments: pa.Array
    tails: pa.Array
    verbatim: pa.Array


def read_timestamps(texts: pa.Array, kind: pa.DataType) -> Timestamps:
    """Read texts as timestamps of `kind`: with a zone the offset is required and applied, without it is refused.

    Raises `pyarrow.ArrowInvalid` where one of them is odd; `odd_places` finds which.
    """
    count = len(texts)
    lengths = np.diff(_ends(texts))
    shortest, longest = (int(lengths.min()), int(lengths.max())) if count else (_SECONDS, 0)
    if shortest < _SECONDS:
        raise pa.ArrowInvalid("too short for a timestamp to the second")
    moments = _moments(texts, kind)
    tails = _tails(texts, longest, _OFFSET if kind.tz else 0) if shortest == longest else None
    if tails is None:
        return Timestamps(moments, pa.nulls(count, TAILS), texts)
    return Timestamps(moments, tails, pa.nulls(count, pa.string()))


def odd_places(texts: pa.Array, kind: pa.DataType) -> list[int]:
    """Give the places of the texts that cannot be read, by halving: they are few. Nulls are not odd."""
    short = np.flatnonzero(
        (np.diff(_ends(texts)) < _SECONDS) & texts.is_valid().to_numpy(zero_copy_only=False)
    )
    keep = np.ones(len(texts), np.bool_)
    keep[short] = False
    long_enough = pc.if_else(pa.array(keep), texts, pa.scalar(None, pa.string())) if len(short) else texts
    return sorted([*short.tolist(), *_unreadable(long_enough, kind, 0)])


def as_text(moments: pa.ChunkedArray, tails: pa.ChunkedArray, verbatim: pa.ChunkedArray) -> pa.ChunkedArray:
    """Give the texts as received, from the three columns that `read_timestamps` made."""
    tails = pc.cast(tails, pa.string())
    distinct = [tail for tail in pc.unique(tails).to_pylist() if tail is not None]
    kinds = pc.index_in(tails, pa.array(distinct, pa.string()))
    offsets = [tail.removeprefix(_SIX_DIGITS) for tail in distinct]
    shifts = pa.array([_shift(offset) for offset in offsets], pa.duration("us"))
    local = pc.add(pc.cast(moments, _PLAIN), pc.take(shifts, kinds))
    written = pc.replace_substring(pc.cast(local, pa.string()), " ", "T")
    coarse = pa.array([not tail.startswith(_SIX_DIGITS) for tail in distinct], pa.bool_())
    if pc.any(coarse).as_py():
        written = pc.if_else(pc.take(coarse, kinds), pc.utf8_slice_codeunits(written, 0, _SECONDS), written)
    suffixes = pc.take(pa.array(offsets, pa.string()), kinds)
    return pc.coalesce(verbatim, pc.binary_join_element_wise(written, suffixes, ""))


def _moments(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """Read texts; the year 0, which Arrow knows, is in no calendar that anything else here goes by."""
    moments = pc.cast(texts, kind)
    earliest = pc.min(moments.view(pa.int64())).as_py()
    if earliest is not None and earliest < (_YEAR_1 - _WIDEST_OFFSET if kind.tz else _YEAR_1):
        raise pa.ArrowInvalid("before the year 1")
    return moments


def _ends(texts: pa.Array) -> npt.NDArray[np.int32]:
    """Give where each text begins in the bytes of the column, and where the last one ends."""
    ends = np.frombuffer(texts.buffers()[1], np.int32)
    return ends[texts.offset : texts.offset + len(texts) + 1]


def _tails(texts: pa.Array, length: int, offset: int) -> pa.Array | None:
    """Give the tails of readable texts that are all `length` long; None where that is no usual shape.

    Texts of one length lie in memory as a table of bytes: looking at columns of it costs next to nothing.
    """
    if not len(texts) or length - offset not in {_SECONDS, _MICROSECONDS}:
        return None
    start = int(_ends(texts)[0])
    table = np.frombuffer(texts.buffers()[2], np.uint8)[start : start + length * len(texts)].reshape(
        -1, length
    )
    fraction = _SIX_DIGITS if length - offset == _MICROSECONDS else ""
    if (table[:, _DAY] != ord("T")).any():
        return None
    if not offset:
        return pa.DictionaryArray.from_arrays(
            np.zeros(len(texts), np.int32), pa.array([fraction], pa.string())
        )
    if (table[:, length - len(":00")] != ord(":")).any():
        return None
    padded = np.zeros((len(texts), 8), np.uint8)
    padded[:, :offset] = table[:, -offset:]
    distinct, kinds = np.unique(padded.view(np.int64).ravel(), return_inverse=True)
    names = [fraction + value.tobytes()[:offset].decode() for value in distinct]
    return pa.DictionaryArray.from_arrays(kinds.astype(np.int32), pa.array(names, pa.string()))


def _shift(offset: str) -> timedelta:
    if not offset:
        return timedelta(0)
    sign = -1 if offset[0] == "-" else 1
    return sign * timedelta(hours=int(offset[1:3]), minutes=int(offset[4:6]))


def _unreadable(texts: pa.Array, kind: pa.DataType, offset: int) -> list[int]:
    try:
        _moments(texts, kind)
    except pa.ArrowInvalid:
        if len(texts) == 1:
            return [offset]
        middle = len(texts) // 2
        left = _unreadable(texts[:middle], kind, offset)
        return left + _unreadable(texts[middle:], kind, offset + middle)
    return []
