"""Any column of a frame as texts for a file: times in ISO form, long digits whole, nothing that a spreadsheet runs."""

import math
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

TEXT: Final = pa.large_string()
_MICROSECONDS: Final = pa.timestamp("us")
_WHOLE_BELOW: Final = 2**63

# What a spreadsheet takes for the start of a formula: = + - @, tab, carriage return (and line feed), the full-width
# forms of the signs, also behind blanks and invisible characters, which some programs drop when they open a file.
_INVISIBLE: Final = r"\p{Z}\p{C}"
_RUNS: Final = rf"^(?:[\t\r\n]|[{_INVISIBLE}]*[=+\-@\x{{ff1d}}\x{{ff0b}}\x{{ff0d}}\x{{ff20}}])"
GUARD: Final = "'"
_LETTER_OR_DIGIT: Final = np.array([byte < 128 and chr(byte).isalnum() for byte in range(256)])


def column_texts(series: "pd.Series[Any]", *, guard: bool) -> pa.ChunkedArray:
    """Give a column as texts, null where a value is missing; `guard` neutralises texts that a spreadsheet would run.

    Numbers are not guarded: a negative number is a number. Takes every dtype, also columns of mixed objects.
    """
    if isinstance(series.dtype, pd.CategoricalDtype):
        categories = column_texts(pd.Series(series.cat.categories), guard=guard).combine_chunks()
        codes = pa.array(series.cat.codes.to_numpy(), mask=series.isna().to_numpy())
        return pa.chunked_array([categories.take(codes)], TEXT)
    texts, dangerous = _texts(series)
    return _guarded(texts) if guard and dangerous else texts


def _texts(series: "pd.Series[Any]") -> tuple[pa.ChunkedArray, bool]:
    """Give the texts, and whether they may hold what somebody typed."""
    if series.dtype == object:
        return _object_texts(series), True
    if isinstance(series.dtype, pd.DatetimeTZDtype):
        return _zoned_texts(series), False
    array = _arrow(series)
    kind = array.type
    if pa.types.is_timestamp(kind):
        return (
            _moment_texts(array) if kind.tz is None else _zoned_texts(pd.Series(array.to_pandas()))
        ), False
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        return array.cast(TEXT), False
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return array.cast(TEXT), True
    return _object_texts(series.astype(object)), not pa.types.is_floating(kind)


def guarded_text(text: str) -> str:
    """Neutralise one text, such as a column's name."""
    return str(_guarded(pa.chunked_array([[_valid(text)]], TEXT))[0].as_py())


def _arrow(series: "pd.Series[Any]") -> pa.ChunkedArray:
    try:
        array = pa.array(series, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return _object_texts(series.astype(object))
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _guarded(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Put the guard before texts that would run; most texts begin with a letter or a digit and are passed by."""
    column = texts.combine_chunks()
    suspects = pa.array(_not_begun_by_letter_or_digit(column))
    if not len(suspects):
        return texts
    runs = pc.match_substring_regex(column.take(suspects), pattern=_RUNS)
    places = suspects.filter(runs.fill_null(False))
    if not len(places):
        return texts
    mask = np.zeros(len(column), np.bool_)
    mask[places.to_numpy()] = True
    guarded = pc.binary_join_element_wise(pa.scalar(GUARD, TEXT), column.take(places), pa.scalar("", TEXT))
    return pa.chunked_array([pc.replace_with_mask(column, pa.array(mask), guarded)], TEXT)


def _not_begun_by_letter_or_digit(column: pa.LargeStringArray) -> npt.NDArray[np.int64]:
    """Give the places of texts whose first byte is no ASCII letter or digit; empty ones begin with nothing."""
    if not len(column):
        return np.zeros(0, np.int64)
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
    filled = np.flatnonzero(np.diff(ends) > 0)
    if not len(filled):
        return filled
    first = np.frombuffer(data, np.uint8)[ends[filled]]
    suspects: npt.NDArray[np.int64] = filled[~_LETTER_OR_DIGIT[first]]
    return suspects


def _moment_texts(array: pa.ChunkedArray) -> pa.ChunkedArray:
    """Write moments without a zone: six digits of a second always, nine where the column needs them."""
    with suppress(pa.ArrowInvalid):  # nanoseconds that are no whole microseconds keep all nine digits
        array = array.cast(_MICROSECONDS)
    return pc.replace_substring(array.cast(pa.string()), " ", "T").cast(TEXT)


def _zoned_texts(series: "pd.Series[Any]") -> pa.ChunkedArray:
    """Write moments with the offset that their zone has at that moment."""
    if str(series.dt.tz) == "UTC":
        instants = _arrow(series)
        moments = _moment_texts(instants.cast(pa.timestamp(instants.type.unit)))
        return pc.binary_join_element_wise(moments, pa.scalar("+00:00", TEXT), pa.scalar("", TEXT))
    local = series.dt.tz_localize(None)
    offsets = local - series.dt.tz_convert("UTC").dt.tz_localize(None)
    written = offsets.astype("category")
    names = [_offset_text(offset) for offset in written.cat.categories]
    codes = pa.array(written.cat.codes.to_numpy(), mask=series.isna().to_numpy())
    suffixes = pa.chunked_array([pa.array(names, TEXT).take(codes)], TEXT)
    return pc.binary_join_element_wise(_moment_texts(_arrow(local)), suffixes, pa.scalar("", TEXT))


def _offset_text(offset: timedelta) -> str:
    seconds = round(abs(offset).total_seconds())
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    sign = "-" if offset < timedelta(0) else "+"
    return f"{sign}{hours:02}:{minutes:02}" + (f":{rest:02}" if rest else "")


def _object_texts(series: "pd.Series[Any]") -> pa.ChunkedArray:
    values = series.tolist()
    try:
        return pa.chunked_array([pa.array(values, TEXT, from_pandas=True)], TEXT)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, UnicodeEncodeError):
        return pa.chunked_array([pa.array([cell_text(value) for value in values], TEXT)], TEXT)


def cell_text(value: Any) -> str | None:
    """Give one value of any kind as text; None where it is missing."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    for kinds, write in _WRITERS:
        if isinstance(value, kinds):
            return write(value)
    return _valid(str(value))


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _float(value: float) -> str | None:
    """Write 1234567890123.0 as the digits that it was read from; a missing number is no text."""
    if math.isnan(value):
        return None
    whole = math.isfinite(value) and value == int(value) and abs(value) < _WHOLE_BELOW
    return str(int(value)) if whole else repr(float(value))


def _datetime(value: datetime) -> str:
    if isinstance(value, pd.Timestamp) and value.nanosecond:
        return value.isoformat(timespec="nanoseconds")
    return value.isoformat(timespec="microseconds")


def _datetime64(value: np.datetime64) -> str | None:
    return None if np.isnat(value) else _datetime(pd.Timestamp(value))


_WRITERS: Final[tuple[tuple[type | tuple[type, ...], Callable[[Any], str | None]], ...]] = (
    (str, _valid),
    ((bool, np.bool_), str),
    ((float, np.floating), lambda value: _float(float(value))),
    (datetime, _datetime),
    ((date, time), lambda value: value.isoformat()),
    (np.datetime64, _datetime64),
    (bytes, lambda value: value.decode("utf-8", "replace")),
)
