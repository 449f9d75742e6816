"""Claims as CSV: exact for programs, harmless in a spreadsheet."""

from typing import Final, Literal

import pandas as pd
import pyarrow as pa
import pyarrow.csv

from warranty.files.export.cells import TEXT, column_texts, guarded_text

Separator = Literal[",", ";"]
PARTIAL_COLUMN: Final = "incomplete"
_LOUD: Final = "INCOMPLETE: "
_BOM: Final = b"\xef\xbb\xbf"


def claims_csv(
    frame: pd.DataFrame, *, separator: Separator = ",", bom: bool = False, partial: str | None = None
) -> bytes:
    r"""Write every row and column of `frame` as CSV by RFC 4180 (CRLF, quotes doubled), in UTF-8.

    Takes any dtypes; a missing value is an empty cell, the index is not written. Moments are written in ISO form with
    six digits of a second and the offset of their zone, long digits whole, texts as they are, with an apostrophe before
    one that a spreadsheet would run (docs/decisions/claims-screen.md).

    `bom` puts a byte order mark first, by which Excel knows UTF-8. `partial` says that the set is not whole, such as
    "950 of 1,204 claims": in an additional last column `incomplete`, in every row, so that the words survive a renamed
    file and a sorted sheet. Without a row they stand in that column's heading.
    """
    if separator not in {",", ";"}:
        raise ValueError("The separator is a comma or a semicolon.")
    columns = [column_texts(frame.iloc[:, place], guard=True) for place in range(frame.shape[1])]
    names = [guarded_text(str(name)) for name in frame.columns]
    if partial is not None:
        columns.append(pa.chunked_array([pa.array([guarded_text(partial)] * len(frame), TEXT)], TEXT))
        # Where there is no row to say it, the heading does: a row without a claim would be counted as one.
        names.append(PARTIAL_COLUMN if len(frame) else f"{PARTIAL_COLUMN}: {partial.removeprefix(_LOUD)}")
    if not columns:
        return _BOM if bom else b""
    alone = len(columns) == 1
    if alone:  # an empty cell alone in its row would read as no row at all
        columns = [columns[0].fill_null("")]
    options = pyarrow.csv.WriteOptions(
        delimiter=separator, eol="\r\n", quoting_style="all_valid" if alone else "needed", quoting_header="needed"
    )
    sink = pa.BufferOutputStream()
    if bom:
        sink.write(_BOM)
    pyarrow.csv.write_csv(pa.table(columns, names=names), sink, options)
    written: bytes = sink.getvalue().to_pybytes()
    return written
