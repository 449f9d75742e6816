"""What would be sent of each order, and what stands against it: each fault by row, column and field.

Nothing is decided in silence: what an order leaves out, what is taken from elsewhere and what the service will do
with it stands in the answer.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import Any, Final, Literal

from pydantic import BaseModel, ValidationError

from warranty.files.catalogue import EMPTY, Catalogue
from warranty.files.order_files.layouts import FIELDS, Layout
from warranty.files.order_files.source import SourceLine, SourceOrder
from warranty.journal import SentBefore
from warranty.language import N_, _
from warranty.language.written import price as written
from warranty.places.contact import PhoneProblem, read_phone
from warranty.places.countries import Place, country_of, state_of, states
from warranty.resources import Order, as_whole, order_id_warning, problems
from warranty.resources.money import PriceProblem, format_price, parse_price
from warranty.resources.orders import STORED_QUANTITY_LIMIT, shown_as


class Choices(BaseModel, frozen=True):
    """What a person decides for the whole file, and the journal keeps; the first of each holds without a decision.

    `states` are states by country code, for the orders of that country that name none.
    """

    id_column: str = ""
    cancelled: Literal["leave out", "send"] = "leave out"
    without_sku: Literal["leave out", "title as SKU"] = "leave out"
    zero_price: Literal["leave out", "send"] = "leave out"
    discount: Literal["ignore", "subtract"] = "ignore"
    sent_before: Literal["leave out", "send"] = "leave out"
    far_price: Literal["correct", "send"] = "correct"
    short_zip: Literal["add the zero", "as it is"] = "add the zero"
    states: Mapping[str, str] = {}

    def id_label(self, layout: Layout) -> str:
        """What the file calls the order id."""
        return self.id_column or layout.label("order_id")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to correct: its row and column in the file, the field (of a line or of the order), and what to do."""

    row: int
    column: str
    line: int | None
    field: str
    message: str
    text: str = dataclasses.field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Assessed:
    """An order as it would be sent, or the faults that stand against it, or why it is left out.

    `remarks` tell what is left out of it or will be changed by the service, `country` is its code if known,
    `far_prices` counts lines whose price is far from the catalogue's.
    """

    number: int
    name: str
    row: int
    order_id: str
    order: Order | None
    faults: tuple[Fault, ...] = ()
    left_out: str | None = None
    remarks: tuple[str, ...] = ()
    country: str = ""
    units: int = 0
    far_prices: int = 0

    @property
    def sendable(self) -> bool:
        """Whether it goes out as it is."""
        return self.order is not None and self.left_out is None


SENT_BEFORE: Final = N_("sent before")
GUESSABLE: Final = N_("its order id can be guessed")
_NOTHING_SENT: Final[Mapping[str, SentBefore]] = MappingProxyType({})
_LINE_FIELDS: Final = {
    "product_id": "sku",
    "product_title": "title",
    "product_price": "price",
    "quantity": "quantity",
    "product_delivery_date": "delivery_date",
    "meta": "category",
    "detail": "image",
}
_ORDER_FIELDS: Final = {
    "merchant_external_id": "merchant",
    "province_code": "state",
    "country_code": "country",
}


def without_duplicates(
    assessed: Iterable[Assessed], *, column: str, settled: Mapping[str, str] = MappingProxyType({})
) -> list[Assessed]:
    """The same, where the second order of one id has a fault, also one that seemed sent: what was sent is the first.

    `settled` names the orders of the file by their ids that went out before the others were looked at again.
    """
    seen, judged = dict(settled), []
    for found in assessed:
        first = found.name
        if found.order_id and found.left_out in {None, SENT_BEFORE}:
            first = seen.setdefault(found.order_id, found.name)
        judged.append(
            found if first == found.name else _with_id_of(found, _SAME_IN_FILE, column, order=first)
        )
    return judged


_SAME_IN_FILE: Final = N_("The order id is the same as that of {order}: give each order an id of its own")
_SAME_SENT: Final = N_(
    "The order id is the same as that of another order which was sent before: give each order an id of its own"
)


def _with_id_of(found: Assessed, words: str, column: str, **values: str) -> Assessed:
    fault = Fault(found.row, column, None, "order_id", _(words, **values), found.order_id)
    others = [known for known in found.faults if known.field != "order_id"]
    return replace(found, order=None, left_out=None, faults=(*others, fault))


def assess(
    source: SourceOrder,
    layout: Layout,
    choices: Choices,
    *,
    sent_before: Mapping[str, SentBefore] = _NOTHING_SENT,
    catalogue: Catalogue = EMPTY,
) -> Assessed:
    """Judge one order; category and image come from the catalogue where the file has none."""
    judged = _Judged(source, layout, choices, catalogue)
    content = judged.content()
    found = Assessed(
        number=source.number,
        name=source.name,
        row=source.row,
        order_id=str(content["order_id"]),
        order=None,
        remarks=tuple(judged.remarks),
        country=judged.country.code if judged.country else "",
        units=sum(
            item.get("quantity", 1)
            for item in content["line_items"]
            if isinstance(item.get("quantity", 1), int)
        ),
        far_prices=judged.far_prices,
    )
    if source.values.get("cancelled") and choices.cancelled == "leave out":
        return replace(found, left_out=N_("cancelled"))
    sent = sent_before.get(found.order_id)
    if sent is not None and not sent.is_of(
        found.name, {item["product_id"] for item in content["line_items"]}
    ):
        return _with_id_of(found, _SAME_SENT, choices.id_label(layout))
    if sent is not None and choices.sent_before == "leave out":
        return replace(found, left_out=SENT_BEFORE)
    if not content["line_items"] and source.lines:
        return replace(found, left_out=N_("none of its lines is sent"))
    try:
        order = Order.model_validate(content)
    except ValidationError as error:
        judged.faults += [judged.fault(problem.path, problem.message) for problem in problems(error)]
        order = None
    return replace(found, order=None if judged.faults else order, faults=tuple(judged.faults))


def has_lost_a_zero(country: str, postal_code: str) -> bool:
    """Whether a spreadsheet took a ZIP of the United States, which has 5 digits, for a number."""
    return country == "US" and len(postal_code) == 4 and postal_code.isdecimal()


class _Judged:
    """One order on its way from the file's texts to the interface's fields."""

    def __init__(self, source: SourceOrder, layout: Layout, choices: Choices, catalogue: Catalogue) -> None:
        self._source = source
        self._catalogue = catalogue
        self._layout = layout
        self._choices = choices
        self.faults: list[Fault] = []
        self.remarks: list[str] = []
        self.far_prices = 0
        self.country: Place | None = country_of(source.values.get("country", ""))
        self._kept: list[int] = []

    def content(self) -> dict[str, Any]:
        """The order in the interface's words, as far as the texts give it."""
        ids = self._source.ids
        order_id = ids.get(self._choices.id_column) or next(iter(ids.values()), "")
        if order_id_warning(order_id):
            self.remarks.append(GUESSABLE)
        content: dict[str, Any] = {
            "order_id": order_id,
            "line_items": [
                item for place, line in enumerate(self._source.lines) if (item := self._item(place, line))
            ],
            "billing_address": self._address(),
        }
        if merchant := self._source.values.get("merchant"):
            content["merchant_external_id"] = merchant
        return content

    def fault(self, path: tuple[str | int, ...], message: str) -> Fault:
        """The place in the file of a fault of the order."""
        if path[:1] == ("line_items",) and len(path) > 2 and isinstance(path[1], int):
            place = self._kept[path[1]]
            name = _LINE_FIELDS.get(str(path[2]), "title")
            line = self._source.lines[place]
            return Fault(line.row, self._layout.label(name), place, name, message, line.values.get(name, ""))
        last = str(path[-1]) if path else "order_id"
        if last == "line_items":
            return Fault(self._source.row, self._layout.label("title"), None, last, message)
        if last == "order_id":
            column = self._choices.id_label(self._layout)
            return Fault(
                self._source.row, column, None, last, message, next(iter(self._source.ids.values()), "")
            )
        name = _ORDER_FIELDS.get(last, last)
        if name == "first_name" and "full_name" in self._layout.columns:
            name = "full_name"
        column = self._layout.label(name) if name in FIELDS else name
        return Fault(self._source.row, column, None, name, message, self._source.values.get(name, ""))

    def _item(self, place: int, line: SourceLine) -> dict[str, Any] | None:
        text = line.values.get
        sku, title = text("sku", ""), text("title", "")
        if not sku and self._choices.without_sku == "leave out":
            self.remarks.append(_("row {n} has no SKU and is left out", n=line.row))
            return None
        price = self._price(place, line)
        if price == 0 and self._choices.zero_price == "leave out":
            self.remarks.append(_("row {n} costs nothing and is left out", n=line.row))
            return None
        quantity: int | str = text("quantity", "") or 1
        if (units := as_whole(quantity)) is not None:
            quantity = units
        if isinstance(quantity, int) and quantity > STORED_QUANTITY_LIMIT:
            self.remarks.append(
                _(
                    "row {n}: the service stores {stored} of {quantity} units",
                    n=line.row,
                    stored=STORED_QUANTITY_LIMIT,
                    quantity=quantity,
                )
            )
        self._kept.append(place)
        item: dict[str, Any] = {
            "product_id": sku or title,
            "product_title": title,
            "product_price": text("price", "") if price is None else format_price(price),
            "quantity": quantity,
        }
        if day := text("delivery_date"):
            item["product_delivery_date"] = day
        known = self._catalogue.find(sku) if sku else None
        if usual := self._catalogue.far_from(sku, price):
            self.far_prices += 1
            far = {"price": written(price or 0), "usual": written(usual)}
            self.remarks.append(_("row {n} costs {price}, but {usual} in the catalogue", n=line.row, **far))
            if self._choices.far_price == "correct":
                words = _(
                    "It costs {price}, but {usual} in the catalogue: correct the price, or "
                    "choose to send such prices",
                    **far,
                )
                self.faults.append(
                    Fault(line.row, self._layout.label("price"), place, "price", words, text("price", ""))
                )
        category = text("category") or (known.category if known else "")
        item |= shown_as(category, text("image") or (known.image if known else ""))
        return item

    def _price(self, place: int, line: SourceLine) -> Decimal | None:
        """The price of one unit, less its discount where that is wished; None where it cannot be read."""
        try:
            price = parse_price(line.values.get("price", ""), drop_zeros=True)
            discount = parse_price(line.values.get("discount") or "0", drop_zeros=True)
        except PriceProblem:
            return None
        if not discount:
            return price
        if self._choices.discount == "ignore":
            self.remarks.append(
                _("row {n} has a discount of {discount}, which is ignored", n=line.row, discount=discount)
            )
            return price
        share = discount / (as_whole(line.values.get("quantity", "")) or 1)
        self.remarks.append(
            _("row {n}: its discount of {discount} is taken off", n=line.row, discount=discount)
        )
        return max(price - share, Decimal(0)).quantize(Decimal("0.01"), ROUND_HALF_UP)

    def _address(self) -> dict[str, Any]:
        said = self._source.values.get
        first, last = said("first_name", ""), said("last_name", "")
        if not first:
            first, _blank, rest = said("full_name", "").partition(" ")
            last = last or rest.strip()
        address: dict[str, Any] = {
            "first_name": first,
            "last_name": last,
            "email": said("email", ""),
            "phone": self._phone(said("phone", "")),
            "state": self._state(said("state", "")),
            "country": self.country.name if self.country else said("country", ""),
            "country_code": self.country.code if self.country else "",
        }
        if self.country and address["state"] in states(self.country.code):
            address["province_code"] = address["state"]
        elif not self.country and said("country"):
            words = _("We do not know this country: enter its name or its two letters")
            self.faults.append(self.fault(("billing_address", "country"), words))
        address |= {name: said(name, "") for name in ("address1", "address2", "city")}
        address["zip"] = self._zip(said("zip", ""))
        needed = {"first_name", "state", "country"}
        return {name: text for name, text in address.items() if text or name in needed}

    def _state(self, text: str) -> str:
        if self.country is None:
            return text
        if not text:
            return self._choices.states.get(self.country.code, "")
        known = state_of(self.country.code, text)
        return known.code if known else text

    def _zip(self, text: str) -> str:
        if not (self.country and has_lost_a_zero(self.country.code, text)):
            return text
        added = self._choices.short_zip == "add the zero"
        self.remarks.append(
            _("its ZIP {zip} has 4 digits and is sent as 0{zip}", zip=text)
            if added
            else _("its ZIP {zip} has 4 digits", zip=text)
        )
        return f"0{text}" if added else text

    def _phone(self, text: str) -> str:
        if not text:
            return ""
        try:
            return read_phone(text, self.country.code if self.country else "").e164
        except PhoneProblem as problem:
            self.faults.append(self.fault(("billing_address", "phone"), str(problem)))
            return text
