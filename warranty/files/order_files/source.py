"""Orders as a file has them: texts by field, with the rows that they came from; cleaned, not yet judged."""

import re
from collections.abc import Mapping
from typing import NamedTuple, Self

from pydantic import BaseModel, Field

from warranty.files.order_files.layouts import FIELDS, Layout
from warranty.files.table_files import Table, TableRow
from warranty.language import _


class SourceLine(NamedTuple):
    """A line item: its row in the file, and what the row says of it."""

    row: int
    values: Mapping[str, str]


class SourceOrder(BaseModel, frozen=True):
    """An order: its number in the file, the text that holds its rows together, and what its first row says.

    `ids` are the texts that may be taken as its order id, by the name of their column.
    """

    number: int
    name: str
    row: int
    ids: Mapping[str, str]
    values: Mapping[str, str] = Field(repr=False)
    lines: tuple[SourceLine, ...] = Field(repr=False)

    def with_value(self, place: int | None, name: str, text: str) -> Self:
        """The order with one text changed: of the line at `place`, or of the order itself."""
        if name == "order_id":
            return self.model_copy(update={"ids": dict.fromkeys(self.ids, text)})
        if place is None:
            return self.model_copy(update={"values": {**self.values, name: text}})
        lines = list(self.lines)
        lines[place] = SourceLine(lines[place].row, {**lines[place].values, name: text})
        return self.model_copy(update={"lines": tuple(lines)})


def read_orders(table: Table, layout: Layout) -> list[SourceOrder]:
    """Put rows together that name the same order; a row that names none belongs to the order above it."""
    groups: dict[str, list[TableRow]] = {}
    last = ""
    for row in table.rows:
        last = row.cells[layout.id_columns[-1]] or last or _("row {n}", n=row.number)
        groups.setdefault(last, []).append(row)
    return [_order(number, name, rows, layout) for number, (name, rows) in enumerate(groups.items(), start=1)]


def _order(number: int, name: str, rows: list[TableRow], layout: Layout) -> SourceOrder:
    values = {
        field.name: _clean(field.name, _first(rows, layout.columns.get(field.name, ())))
        for field in FIELDS.values()
        if not field.of_line and field.name != "order_id"
    }
    ids = {layout.names[place]: _first(rows, (place,)) for place in layout.id_columns}
    lines = tuple(_line(row, layout) for row in rows)
    return SourceOrder(
        number=number,
        name=name,
        row=rows[0].number,
        ids=ids,
        values={field: text for field, text in values.items() if text},
        lines=tuple(line for line in lines if line.values),
    )


def _line(row: TableRow, layout: Layout) -> SourceLine:
    values = {
        field.name: _clean(field.name, _first([row], layout.columns.get(field.name, ())))
        for field in FIELDS.values()
        if field.of_line
    }
    return SourceLine(row.number, {field: text for field, text in values.items() if text})


def _first(rows: list[TableRow], places: tuple[int, ...]) -> str:
    """The first filled cell: of the first row that has one, of the first of its columns."""
    for row in rows:
        for place in places:
            if row.cells[place]:
                return row.cells[place]
    return ""


def _clean(name: str, text: str) -> str:
    """Spreadsheets put an apostrophe before what must stay a text: a postal code, a phone, a formula made harmless."""
    if name in {"zip", "phone"} or re.match(r"'[=+\-@]", text):
        return text.removeprefix("'").strip()
    return text
