"""Claims as XLSX: every cell is text, so that no digit, date or sign is read as anything else."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

import pandas as pd
import pyarrow.compute as pc
import xlsxwriter

from warranty.files.export.cells import column_texts

_ROWS_PER_SHEET: Final = 1_048_575
_LONGEST_CELL: Final = 32_767
_CUT: Final = "…"
_WIDTH: Final = 24
_BLOCK: Final = 5_000


def claims_xlsx(frame: pd.DataFrame, *, about: Mapping[str, str] | None = None) -> bytes:
    """Write every row and column of `frame` as text cells, and `about` as lines of a second sheet.

    Rows go out as they are written, so that memory does not grow with them. A sheet holds 1,048,576 rows: what is
    more goes on in another one. A text longer than a cell may be (32,767 characters) is cut and ends in "…", which
    the second sheet tells. Nothing is neutralised: a text cell is not run. A line ends in a line feed, as cells write
    it: a carriage return would be read as `_x000D_` outside of Excel.
    """
    file = BytesIO()
    book = xlsxwriter.Workbook(file, {"constant_memory": True})
    book.set_size(2400, 1200)
    text, head = book.add_format({"num_format": "@"}), book.add_format({"num_format": "@", "bold": True})
    cut = 0
    for number, start in enumerate(range(0, max(1, len(frame)), _ROWS_PER_SHEET), start=1):
        sheet = book.add_worksheet("Claims" if number == 1 else f"Claims {number}")
        sheet.freeze_panes(1, 0)
        sheet.set_column(0, max(0, frame.shape[1] - 1), _WIDTH, text)
        for column, name in enumerate(frame.columns):
            sheet.write_string(0, column, str(name), head)
        cut += _write(sheet, frame.iloc[start : start + _ROWS_PER_SHEET], text)
    lines = dict(about or {})
    if cut:
        lines["Texts cut"] = f"{cut} were longer than a cell may be, and end in {_CUT}"
    if lines:
        sheet = book.add_worksheet("About")
        sheet.set_column(0, 1, _WIDTH, text)
        for row, (name, value) in enumerate(lines.items()):
            sheet.write_string(row, 0, name, head)
            sheet.write_string(row, 1, value, text)
    book.close()
    return file.getvalue()


def _write(sheet: Any, frame: pd.DataFrame, text: Any) -> int:
    """Write the rows below the heading; give how many texts were cut."""
    cut = 0
    for start in range(0, len(frame), _BLOCK):
        block = frame.iloc[start : start + _BLOCK]
        texts = [column_texts(block.iloc[:, place], guard=False) for place in range(block.shape[1])]
        columns = [pc.replace_substring_regex(column, r"\r\n?", "\n").to_pylist() for column in texts]
        for row, cells in enumerate(zip(*columns, strict=True), start=start + 1):
            for column, value in enumerate(cells):
                if value is not None and len(value) > _LONGEST_CELL:
                    value, cut = value[: _LONGEST_CELL - len(_CUT)] + _CUT, cut + 1  # noqa: PLW2901
                if value:
                    sheet.write_string(row, column, value, text)
    return cut
