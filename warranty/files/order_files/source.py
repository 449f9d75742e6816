"""Orders as a file has them: texts by field, with the rows that they came from; not yet judged."""

from collections.abc import Mapping
from typing import Final, NamedTuple, Self

from pydantic import BaseModel, Field

from warranty.files.order_files.layouts import ADDRESS, FIELDS, NAME, Layout
from warranty.files.tables import LETTERS, Table, TableRow
from warranty.language import _
from warranty.places.countries import folded

_REACH: Final = ("email", "phone")
_PRODUCT: Final = {"sku", "title", "price", "quantity"}
_OF_BOTH: Final = ("cancelled", "status")
"""What a shop says of an order in its first row, or of each line in its own."""


class SourceLine(NamedTuple):
    """A line item: its row in the file, and what the row says of it."""

    row: int
    values: Mapping[str, str]


class SourceOrder(BaseModel, frozen=True):
    """An order: its number in the file, the text that holds its rows together, and what its first row says.

    `ids` are the texts that may be taken as its order id, by the name of their column. `damage` are rows that cannot be
    what was meant, with the reason; `remarks` what was decided when its rows were read.
    """

    number: int
    name: str
    row: int
    ids: Mapping[str, str]
    values: Mapping[str, str] = Field(repr=False)
    lines: tuple[SourceLine, ...] = Field(repr=False)
    damage: tuple[tuple[int, str], ...] = ()
    remarks: tuple[str, ...] = ()
    is_uncertain: bool = False
    """Whether its letters may be others than those that were meant."""

    def with_value(self, place: int | None, name: str, text: str) -> Self:
        """The order with one text changed: of the line at `place`, or of the order itself."""
        if name == "order_id":
            return self.model_copy(update={"ids": dict.fromkeys(self.ids, text)})
        if place is None:
            return self.model_copy(update={"values": {**self.values, name: text}})
        lines = list(self.lines)
        lines[place] = SourceLine(lines[place].row, {**lines[place].values, name: text})
        return self.model_copy(update={"lines": tuple(lines)})


_ALL_FIELDS: Final = set(SourceOrder.model_fields)


def read_orders(table: Table, layout: Layout) -> list[SourceOrder]:
    """Put rows together that name the same order.

    A row that names none belongs to the order above it, unless it names another customer.
    """
    groups: dict[str, list[TableRow]] = {}
    last = ""
    for row in table.rows:
        number = row.cells[layout.id_columns[-1]]
        if not number and (not last or _other_customer([*groups[last], row], layout)):
            number = _("row {n}", n=row.number)
        last = number or last
        groups.setdefault(last, []).append(row)
    return [_order(number, name, rows, layout) for number, (name, rows) in enumerate(groups.items(), start=1)]


def _order(number: int, name: str, rows: list[TableRow], layout: Layout) -> SourceOrder:
    values = {
        field.name: _first(rows, layout.columns.get(field.name, ()))
        for field in FIELDS.values()
        if not field.of_line and field.name != "order_id"
    }
    values["status"] = _all(rows, layout)
    if not any(values[name] for name in ADDRESS):
        shipping = {name: _first(rows, layout.columns.get(f"shipping_{name}", ())) for name in ADDRESS}
        values |= {**shipping, "from_shipping": ", ".join(filter(None, shipping.values()))}
    lines = tuple(_line(row, layout) for row in rows)
    damage = [(row.number, str(what)) for row in rows for what in row.damage]
    if other := _other_customer(rows, layout):
        damage.append(other)
    return SourceOrder.model_construct(  # of texts that the reader made, and of one set of names for all
        _ALL_FIELDS,
        number=number,
        name=name,
        row=rows[0].number,
        ids={layout.names[place]: _first(rows, (place,)) for place in layout.id_columns},
        values={field: text for field, text in values.items() if text},
        lines=tuple(line for line in lines if line.values.keys() & _PRODUCT),
        damage=tuple(damage),
        remarks=tuple(
            _("row {n}: {what}", n=row.number, what=_(what))
            for row in rows
            for what in row.remarks
            if what != LETTERS
        ),
        is_uncertain=any(LETTERS in row.remarks for row in rows),
    )


def _line(row: TableRow, layout: Layout) -> SourceLine:
    values = {
        field.name: _first([row], layout.columns.get(field.name, ()))
        for field in FIELDS.values()
        if field.of_line or field.name in _OF_BOTH
    }
    values["status"] = _all([row], layout)
    return SourceLine(row.number, {field: text for field, text in values.items() if text})


def _other_customer(rows: list[TableRow], layout: Layout) -> tuple[int, str] | None:
    """The first of these rows that names another customer than those above it, or another id of the order."""
    known: dict[str, str] = {}
    for row in rows if len(rows) > 1 else ():
        said = {name: _first([row], layout.columns.get(name, ())) for name in (*_REACH, *ADDRESS)}
        said |= {layout.names[place]: row.cells[place] for place in layout.id_columns}
        said = {name: folded(text) for name, text in said.items() if text}
        other = next((name for name in said if said[name] != known.get(name, said[name])), "")
        whose = {*_REACH, *NAME} & said.keys()
        if not other and whose and whose.isdisjoint(known) and not known.keys().isdisjoint({*_REACH, *NAME}):
            other = min(whose)
        if other:
            words = _(
                "it has the number of an order above it, and another {column}", column=layout.label(other)
            )
            return row.number, words
        known |= said
    return None


def _all(rows: list[TableRow], layout: Layout) -> str:
    """All that the first row with a status says of it: shops have one of the order and one of its payment."""
    said = (
        ";".join(filter(None, (row.cells[place] for place in layout.columns.get("status", ()))))
        for row in rows
    )
    return next(filter(None, said), "")


def _first(rows: list[TableRow], places: tuple[int, ...]) -> str:
    """The first filled cell: of the first row that has one, of the first of its columns."""
    for row in rows:
        for place in places:
            if row.cells[place]:
                return row.cells[place]
    return ""
