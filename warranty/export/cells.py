"""Any column of a frame as texts for a file: times in ISO form, long digits whole, nothing that a spreadsheet runs."""

from contextlib import suppress
from datetime import datetime
from string import ascii_letters, digits
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

TEXT: Final = pa.large_string()
_NOT_OF_ARROW: Final = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, UnicodeEncodeError)
_WHOLE_BELOW: Final = 2**63

# What a spreadsheet takes for the start of a formula: = + - @, tab, carriage return (and line feed), the full-width
# forms of the signs, also behind blanks and invisible characters, which some programs drop when they open a file.
_INVISIBLE: Final = r"\p{Z}\p{C}"
_RUNS: Final = rf"^([\t\r\n]|[{_INVISIBLE}]*[=+\-@\x{{ff1d}}\x{{ff0b}}\x{{ff0d}}\x{{ff20}}])"
_GUARDED: Final = r"'\1"
_LETTERS_AND_DIGITS: Final = pa.array([mark.encode() for mark in ascii_letters + digits], pa.large_binary())


def column_texts(series: "pd.Series[Any]", *, guard: bool) -> pa.ChunkedArray:
    """Give a column as texts, null where a value is missing; `guard` neutralises texts that a spreadsheet would run.

    Numbers are not guarded: a negative number is a number. Takes every dtype, also columns of mixed objects.
    """
    if isinstance(series.dtype, pd.CategoricalDtype):
        categories = column_texts(pd.Series(series.cat.categories), guard=guard).combine_chunks()
        codes = pa.array(series.cat.codes.to_numpy(), mask=series.isna().to_numpy())
        return pa.chunked_array([categories.take(codes)], TEXT)
    texts = _object_texts(series) if series.dtype == object else _typed_texts(series)
    return _guarded(texts) if guard and not pd.api.types.is_numeric_dtype(series.dtype) else texts


def guarded_text(text: str) -> str:
    """Neutralise one text, such as a column's name."""
    return str(_guarded(pa.chunked_array([[_valid(text)]], TEXT))[0].as_py())


def _guarded(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Put an apostrophe before texts that would run; most texts begin with a letter or a digit and are passed by."""
    column = texts.combine_chunks()
    first = pc.binary_slice(column.cast(pa.large_binary()), 0, 1)
    suspect = pc.invert(pc.is_in(first, _LETTERS_AND_DIGITS))
    if not pc.any(suspect).as_py():
        return texts
    checked = pc.replace_substring_regex(column.filter(suspect), pattern=_RUNS, replacement=_GUARDED)
    return pa.chunked_array([pc.replace_with_mask(column, suspect, checked)], TEXT)


def _typed_texts(series: "pd.Series[Any]") -> pa.ChunkedArray:
    with suppress(*_NOT_OF_ARROW):
        array = pa.table({"": pa.array(series, from_pandas=True)})[0]
        kind = array.type
        if pa.types.is_timestamp(kind) and kind.tz in {None, "UTC"}:
            return _moment_texts(array)
        if pa.types.is_integer(kind) or pa.types.is_decimal(kind) or pa.types.is_string(kind) or kind == TEXT:
            return array.cast(TEXT)
    return _object_texts(series.astype(object))


def _moment_texts(array: pa.ChunkedArray) -> pa.ChunkedArray:
    """Write moments without a zone or in UTC: six digits of a second, nine where the column needs them."""
    moments, offset = array.cast(pa.timestamp(array.type.unit)), "+00:00" if array.type.tz else ""
    with suppress(pa.ArrowInvalid):  # nanoseconds that are no whole microseconds keep all nine digits
        moments = moments.cast(pa.timestamp("us"))
    texts = pc.replace_substring(moments.cast(pa.string()), " ", "T").cast(TEXT)
    return pc.binary_join_element_wise(texts, pa.scalar(offset, TEXT), pa.scalar("", TEXT))


def _object_texts(series: "pd.Series[Any]") -> pa.ChunkedArray:
    values = series.tolist()
    try:
        return pa.chunked_array([pa.array(values, TEXT, from_pandas=True)], TEXT)
    except _NOT_OF_ARROW:
        return pa.chunked_array([pa.array([_cell_text(value) for value in values], TEXT)], TEXT)


def _cell_text(value: Any) -> str | None:
    """Give one value of any kind as text; None where it is missing."""
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    match value:
        case float() | np.floating():  # 1234567890123.0 as the digits that it was read from
            whole = float(value).is_integer() and abs(float(value)) < _WHOLE_BELOW
            return str(int(value)) if whole else repr(float(value))
        case datetime() | np.datetime64():
            moment = pd.Timestamp(value)
            return moment.isoformat(timespec="nanoseconds" if moment.nanosecond else "microseconds")
        case bytes():
            return value.decode("utf-8", "replace")
    return _valid(str(value))


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
