"""Orders as a file has them: texts by field, with the rows that they came from; not yet judged."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, Self

from pydantic import BaseModel, Field

from warranty.files.order_files.layouts import ADDRESS, NAME, Layout
from warranty.files.tables import LETTERS, Table, TableRow
from warranty.language import _
from warranty.places.countries import folded

_REACH: Final = ("email", "phone")
_WHO: Final = {*_REACH, *NAME}
_PRODUCT: Final = {"sku", "title", "price", "quantity"}


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


def read_orders(table: Table, layout: Layout) -> Iterator[SourceOrder]:
    """Put rows together that name the same order; each order is made when it is its turn.

    A row that names none belongs to the order above it, unless it names another customer.
    """
    numbers: dict[str, int] = {}
    order_of: list[int] = []
    run = 0
    for place, row in enumerate(table.rows):
        name = row.cells[layout.id_columns[-1]]
        if not name and (not order_of or _other_customer(table.rows[run : place + 1], layout)):
            name = _("row {n}", n=row.number)
        run = place if name else run
        order_of.append(numbers.setdefault(name, len(numbers) + 1) if name else order_of[-1])
    del numbers
    in_turn = sorted(range(len(order_of)), key=order_of.__getitem__)
    for number, places in groupby(in_turn, key=order_of.__getitem__):
        yield _order(number, [table.rows[place] for place in places], layout)


def _order(number: int, rows: Sequence[TableRow], layout: Layout) -> SourceOrder:
    cells = [row.cells for row in rows]
    values = _texts(cells, layout.of_order)
    if values.keys().isdisjoint(ADDRESS):
        shipping = _texts(cells, {name: layout.columns.get(f"shipping_{name}", ()) for name in ADDRESS})
        values |= {**shipping, "from_shipping": ", ".join(shipping.values())} if shipping else {}
    lines = [
        SourceLine(row.number, _texts([texts], layout.of_line))
        for row, texts in zip(rows, cells, strict=True)
    ]
    damage = [(row.number, str(what)) for row in rows for what in row.damage]
    if len(rows) > 1 and (other := _other_customer(rows, layout)):
        damage.append(other)
    remarks = [(row.number, what) for row in rows for what in row.remarks]
    return SourceOrder.model_construct(  # of texts that the reader made, and of one set of names for all
        _ALL_FIELDS,
        number=number,
        name=cells[0][layout.id_columns[-1]] or _("row {n}", n=rows[0].number),
        row=rows[0].number,
        ids=dict.fromkeys(layout.ids, "") | _texts(cells, layout.ids),
        values=values,
        lines=tuple(line for line in lines if not _PRODUCT.isdisjoint(line.values)),
        damage=tuple(damage),
        remarks=tuple(_("row {n}: {what}", n=n, what=_(what)) for n, what in remarks if what != LETTERS),
        is_uncertain=any(what == LETTERS for _row, what in remarks),
    )


def _other_customer(rows: Sequence[TableRow], layout: Layout) -> tuple[int, str] | None:
    """The first of these rows that names another customer than those above it, or another id of the order."""
    columns = {name: layout.columns.get(name, ()) for name in (*_REACH, *ADDRESS)}
    columns |= layout.ids
    known: dict[str, str] = {}
    for row in rows:
        said = {name: folded(text) for name, text in _texts([row.cells], columns).items()}
        other = next((name for name in said if said[name] != known.get(name, said[name])), "")
        whose = _WHO & said.keys()
        if not other and whose and whose.isdisjoint(known) and not known.keys().isdisjoint(_WHO):
            other = min(whose)
        if other:
            words = _(
                "it has the number of an order above it, and another {column}", column=layout.label(other)
            )
            return row.number, words
        known |= said
    return None


def _texts(rows: Sequence[tuple[str, ...]], columns: Mapping[str, tuple[int, ...]]) -> dict[str, str]:
    """What the first row that is filled says in the first filled one of these columns; all that it has for a status.

    Shops have one status of the order and one of its payment.
    """
    found = {}
    for name, places in columns.items():
        for row in rows:
            if filled := [row[place] for place in places if row[place]]:
                found[name] = ";".join(filled) if name == "status" else filled[0]
                break
    return found
