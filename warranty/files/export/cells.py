"""Any column of a frame as texts for a file: times in ISO form, long digits whole, nothing that a spreadsheet runs."""

from contextlib import suppress
from datetime import datetime
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from warranty.claims.retrieval.columns import ARROW_REFUSALS

TEXT: Final = pa.large_string()
_WHOLE_BELOW: Final = 2**63

# What a spreadsheet takes for the start of a formula: = + - @, tab, carriage return (and line feed), the full-width
# forms of the signs, also behind blanks and invisible characters, which some programs drop when they open a file. A
# spreadsheet of another country parts our cells at a mark of its own, whatever our quotes say: there a sign behind such
# a mark, with quotes between them or without, begins a cell too.
_BLANK: Final = r"\p{Z}\p{C}"
_SIGN: Final = r"[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]"
_BEGINS: Final = rf"^([\t\r\n]|[{_BLANK}]*{_SIGN})"
_FOLLOWS: Final = rf"([;,\t\r\n][{_BLANK}\"]*)({_SIGN})"


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
    """Put an apostrophe before what would run; most texts hold nothing of the kind, and only are looked through."""
    column = texts.combine_chunks()
    suspect = pc.match_substring_regex(column, pattern=f"{_BEGINS}|{_FOLLOWS}")
    if not pc.any(suspect).as_py():
        return texts
    checked = column.filter(suspect)
    for pattern, replacement in ((_FOLLOWS, r"\1'\2"), (_BEGINS, r"'\1")):
        checked = pc.replace_substring_regex(checked, pattern=pattern, replacement=replacement)
    return pa.chunked_array([pc.replace_with_mask(column, suspect, checked)], TEXT)


def _typed_texts(series: "pd.Series[Any]") -> pa.ChunkedArray:
    with suppress(*ARROW_REFUSALS):
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
    except ARROW_REFUSALS:
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
