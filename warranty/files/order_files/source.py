"""Orders as a file has them: texts by field, with the rows that they came from; not yet judged.

Which column means what: our own template and the shop platform's export are known by their headers, which are compared
without case, blanks and signs, so "Lineitem SKU", "lineitem_sku" and "LINEITEM SKU" are one.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from pydantic import BaseModel
from pydantic import Field as Stored

from warranty.files.tables import Table, TableRow, bare, columns_by_field
from warranty.language import N_, _
from warranty.places.countries import folded


class Field(NamedTuple):
    """Something that an order file can say: what people call it; `sent` is its name in the interface where another."""

    label: str
    sent: str = ""


WORDS: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
"""What shops call things, in the languages around: spellings of columns by field, and the rest."""
FIELDS: Final[Mapping[str, Field]] = {
    "sku": Field(N_("SKU"), "product_id"), "title": Field(N_("Title"), "product_title"),
    "price": Field(N_("Price"), "product_price"), "quantity": Field(N_("Quantity")),
    "category": Field(N_("Category"), "meta"), "image": Field(N_("Image address"), "detail"),
    "delivery_date": Field(N_("Delivery date"), "product_delivery_date"),
    "discount": Field(N_("Discount of the line")), "order_id": Field(N_("Order number")),
    "first_name": Field(N_("First name")), "last_name": Field(N_("Last name")), "full_name": Field(N_("Full name")),
    "email": Field(N_("E-mail")), "phone": Field(N_("Phone")), "address1": Field(N_("Street")),
    "address2": Field(N_("Second address line")), "city": Field(N_("City")), "zip": Field(N_("Postal code")),
    "state": Field(N_("State")), "country": Field(N_("Country")),
    "merchant": Field(N_("Merchant"), "merchant_external_id"), "cancelled": Field(N_("Cancelled at")),
    "status": Field(N_("Status")), "currency": Field(N_("Currency")), "refunded": Field(N_("Amount refunded")),
    "total": Field(N_("Total")),
}  # fmt: skip
NAME: Final = ("full_name", "first_name", "last_name")
_PLACE: Final = ("address1", "address2", "city", "zip", "state", "country")
ADDRESS: Final = (*NAME, *_PLACE)
"""What may stand in columns of a billing address, of no kind, or of the shipping one: `shipping_` and the field."""
_OF_LINE: Final = {*[*FIELDS][: [*FIELDS].index("order_id")], "cancelled", "status"}
_OF_ORDER: Final = {"cancelled", "status", *FIELDS} - (_OF_LINE - {"cancelled", "status"}) - {"order_id"}


def _behind(kind: str, name: str) -> str:
    return " ".join(f"{kind}{word.removeprefix('billing')}" for word in WORDS["columns"][name].split())


_SPELLINGS: Final = {
    **WORDS["columns"],
    **{name: f"{_behind('billing', name)} {WORDS['columns'][name]}" for name in ADDRESS},
    **{f"shipping_{name}": _behind("shipping", name) for name in (*ADDRESS, "phone")},
}
_SEVERAL: Final = {"email", "phone", *NAME, "order_id", "cancelled", "status", "refunded"}
"""What may stand in several columns; of any other field one column is read, and the others are named as not read."""
NAMES: Final = frozenset(spelling for spellings in _SPELLINGS.values() for spelling in spellings.split())
"""Bare names of columns of orders, by which their table is found in a file."""
_KNOWN: Final = {
    N_("recognised as the order export of a shop platform"):
        ({"name", "lineitemquantity", "lineitemname", "lineitemprice", "lineitemsku"}, ("id", "name")),
    N_("recognised as our template"): ({"orderid", "sku", "title", "price", "firstname", "country"}, ("orderid",)),
}  # fmt: skip
"""Layouts by the names that each has, with those of its ids."""
TEMPLATE: Final = Path(__file__).with_name("template.csv")
"""Our own template with examples; it has the byte order mark by which spreadsheets know UTF-8."""


class Layout(BaseModel, frozen=True):
    """Columns by field, several where the first that is filled counts; the journal keeps it.

    Of those of `order_id` one may be chosen, the first one being our choice; the last one holds the rows of an order
    together. `read_as` and `remarks` say how the file was read.
    """

    kind: str
    columns: Mapping[str, tuple[int, ...]]
    names: tuple[str, ...]
    read_as: str = ""
    remarks: tuple[str, ...] = ()

    @cached_property
    def ids(self) -> dict[str, tuple[int, ...]]:
        """The columns of ids by their names."""
        return {self.names[place]: (place,) for place in self.columns["order_id"]}

    def label(self, field: str) -> str:
        """What the file calls a field; our own word where the file has no column for it."""
        places = self.columns.get(field, ())
        return self.names[places[0]] if places else _(FIELDS[field].label) if field in FIELDS else field


def recognise(table: Table) -> Layout | None:
    """The layout of a file that we know by its headers; None for any other."""
    names = [bare(name) for name in table.columns]
    for kind, (needed, ids) in _KNOWN.items():
        if set(names) >= needed:
            found = tuple(names.index(name) for name in ids if name in names)
            return _layout(table, kind, {**guess(table.columns), "order_id": found})
    return None


def mapped(table: Table, chosen: Mapping[str, int]) -> Layout:
    """The layout that a person made by choosing a column for each field."""
    columns = {field: (place,) for field, place in chosen.items()}
    return _layout(table, N_("read with the columns that you chose"), columns)


def guess(names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """The columns that each field may be in, the likeliest first."""
    found = columns_by_field(names, _SPELLINGS)
    return {name: places if name in _SEVERAL else places[:1] for name, places in found.items()}


def _layout(table: Table, kind: str, columns: Mapping[str, tuple[int, ...]]) -> Layout:
    names = tuple(name or _("Column {n}", n=place) for place, name in enumerate(table.columns, start=1))
    filled = {place for row in table.rows for place, text in enumerate(row.cells) if text}
    remarks = [*map(str, table.remarks)]
    if not_read := [names[place] for place in sorted(filled.difference(*columns.values()))]:
        remarks.append(_("Columns that are not read: {names}", names=", ".join(not_read)))
    if "quantity" not in columns:
        remarks.append(_("No column is the quantity: each row is sent as one unit."))
    return Layout(kind=kind, columns=columns, names=names, read_as=table.read_as, remarks=tuple(remarks))


_WHO: Final = {"email", "phone", *NAME}
_CUSTOMER: Final = {*_WHO, *ADDRESS, "currency", "merchant"}
_ID: Final = "id of column "
"""Stands before the name of a column of ids among what a row says."""


class SourceLine(NamedTuple):
    """A line item: its row in the file, and what the row says of it."""

    row: int
    values: Mapping[str, str]


class SourceOrder(BaseModel, frozen=True):
    """An order: its number in the file, the text that holds its rows together, and what its first row says.

    `ids` are the texts that may be taken as its order id, by the name of their column. `damage` are rows that cannot be
    what was meant, with the reason. `original` is what the file had, once a text was corrected.
    """

    number: int
    name: str
    row: int
    ids: Mapping[str, str]
    values: Mapping[str, str] = Stored(repr=False)
    lines: tuple[SourceLine, ...] = Stored(repr=False)
    damage: tuple[tuple[int, str], ...] = ()
    original: "SourceOrder | None" = Stored(None, repr=False)

    @property
    def texts(self) -> dict[tuple[int, str], str]:
        """All that its rows say, by row and field."""
        rows = SourceLine(self.row, {**self.ids, **self.values}), *self.lines
        return {(row.row, name): text for row in rows for name, text in row.values.items()}

    def order_id(self, column: str) -> str:
        """The order id under which it is sent, of this column where it has one."""
        return cleaned("order_id", self.ids.get(column) or next(iter(self.ids.values()), ""))

    def with_value(self, place: int | None, name: str, text: str) -> Self:
        """The order with one text changed: of the line at `place`, or of the order itself."""
        changed: dict[str, Any] = {"original": self.original or self}
        if name == "order_id":
            changed["ids"] = dict.fromkeys(self.ids, text)
        elif place is None:
            changed["values"] = _reached({**self.values, name: text})
        else:
            lines = list(self.lines)
            lines[place] = SourceLine(lines[place].row, {**lines[place].values, name: text})
            changed["lines"] = tuple(lines)
        return self.model_copy(update=changed)


def read_orders(table: Table, layout: Layout) -> Iterator[SourceOrder]:
    """Put rows together that name the same order; each order is made when it is its turn.

    A row that names none belongs to the order above it, unless it names another customer.
    """
    numbers: dict[str, int] = {}
    order_of: list[int] = []  # a number for each row: a list for each order would take as much as the file
    run, known = 0, dict[str, str]()
    for place, row in enumerate(table.rows):
        name = row.cells[layout.columns["order_id"][-1]]
        if not name:
            if order_of and not known:
                _other_customer(known, _said(table.rows[run], layout))
            is_below = order_of and row.number == table.rows[place - 1].number + 1
            if not is_below or _other_customer(known, _said(row, layout)):
                name = _("row {n}", n=row.number)
        if name:
            run, known = place, {}
        order_of.append(numbers.setdefault(name, len(numbers) + 1) if name else order_of[-1])
    del numbers
    in_turn = sorted(range(len(order_of)), key=order_of.__getitem__)
    for number, places in groupby(in_turn, key=order_of.__getitem__):
        yield _order(number, [table.rows[place] for place in places], layout)


def _order(number: int, rows: Sequence[TableRow], layout: Layout) -> SourceOrder:
    said = [_said(row, layout) for row in rows]
    of_all = {name: text for each in reversed(said) for name, text in each.items()}  # the first that is filled
    values = _reached(_only(_OF_ORDER, of_all))
    taken = [*_PLACE, *(NAME if values.keys().isdisjoint(NAME) else ()), *({"phone"} - values.keys())]
    shipping = {name: of_all[f"shipping_{name}"] for name in taken if f"shipping_{name}" in of_all}
    if shipping and values.keys().isdisjoint(_PLACE):
        values |= {**shipping, "from_shipping": ", ".join(shipping.values())}
    lines = (SourceLine(row.number, _only(_OF_LINE, each)) for row, each in zip(rows, said, strict=True))
    damage = [(row.number, str(what)) for row in rows for what in row.damage]
    known: dict[str, str] = {}
    for row, each in zip(rows, said, strict=True) if len(rows) > 1 else ():
        if other := _other_customer(known, each):
            words = N_("it has the number of an order above it, and another {column}")
            damage.append((row.number, _(words, column=layout.label(other.removeprefix(_ID)))))
    return SourceOrder.model_construct(  # of texts that the reader made
        number=number,
        name=rows[0].cells[layout.columns["order_id"][-1]] or _("row {n}", n=rows[0].number),
        row=rows[0].number,
        ids={name: of_all.get(_ID + name, "") for name in layout.ids},
        values=values,
        lines=tuple(line for line in lines if not {"sku", "title", "price", "quantity"}.isdisjoint(line.values)),
        damage=tuple(damage),
    )


def _reached(values: dict[str, str]) -> dict[str, str]:
    """The same, an e-mail and a phone as what they are: shops have one column for both."""
    email, phone = values.get("email", ""), values.get("phone", "")
    is_phone = "@" not in email and sum(map(str.isdigit, email)) >= 7
    is_other = ("@" in phone and not email) or (is_phone and not phone)
    return {**values, "email": phone, "phone": email} if is_other else values


def _other_customer(known: dict[str, str], said: Mapping[str, str]) -> str:
    """In which column a row names another customer or id than the rows above it, which are `known`, as it is then."""
    customer = {name: folded(text) for name, text in said.items() if name in _CUSTOMER or name.startswith(_ID)}
    other = next((name for name in customer if customer[name] != known.get(name, customer[name])), "")
    whose = _WHO & customer.keys()
    if not other and whose and whose.isdisjoint(known) and not known.keys().isdisjoint(_WHO):
        other = min(whose)
    known |= {} if other else customer
    return other


def _said(row: TableRow, layout: Layout) -> dict[str, str]:
    """What a row says in the first filled column of each field; all that it has for a status.

    Shops have one status of the order and one of its payment.
    """
    cells, said = row.cells, {}
    for name, places in (*layout.columns.items(), *((_ID + name, place) for name, place in layout.ids.items())):
        if filled := [cells[place] for place in places if cells[place]]:
            said[name] = ";".join(filled) if name == "status" else filled[0]
    return said


def _only(fields: Set[str], said: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in said.items() if name in fields}


def cleaned(name: str, text: str) -> str:
    """A text without what programs put around it: a text in one line, an id without apostrophe and point zero."""
    if name in {"order_id", "zip", "phone", "sku"}:
        text = text.removeprefix("'").strip()
        return text[:-2] if text.endswith(".0") and text[:-2].isdecimal() and name != "sku" else text
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


class SentBefore(NamedTuple):
    """What is known of an order that the service has: what files called it, none for one of the counter; its SKUs."""

    names: frozenset[str]
    products: frozenset[str]

    def is_of(self, name: str, products: Set[str]) -> bool:
        """Whether an order of a file is this one, and not another one with its id."""
        return name in self.names if self.names else not products or bool(self.products & products)
