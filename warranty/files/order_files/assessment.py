"""What would be sent of each order, and what stands against it: each fault by row, column and field.

Nothing is decided in silence: what an order leaves out, what is taken from elsewhere and what the service will do
with it stands in the answer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from pydantic import ValidationError

from warranty.files.catalogue import EMPTY, Catalogue
from warranty.files.encodings import bare
from warranty.files.order_files.decisions import (
    DECISIONS,
    EITHER_DAY,
    Choices,
    known_price,
    read_amount,
    read_day,
    read_units,
)
from warranty.files.order_files.layouts import FIELDS, Layout
from warranty.files.order_files.source import SourceLine, SourceOrder
from warranty.files.tables import unreadable
from warranty.journal import SentBefore
from warranty.language import N_, _
from warranty.language.written import price as written
from warranty.places.contact import PhoneProblem, read_phone
from warranty.places.countries import country_of, shown_country, state_of, states
from warranty.resources import Order, order_id_warning, problems
from warranty.resources.money import PriceProblem, format_price, price_or_none, signs_of
from warranty.resources.orders import STORED_QUANTITY_LIMIT, shown_as

__all__ = [
    "GUESSABLE",
    "Assessed",
    "Choices",
    "Fault",
    "assess",
    "changes",
    "order_id_of",
    "without_duplicates",
]

GUESSABLE: Final = N_("its order id can be guessed")
_WITHDRAWN: Final = {
    "part_refunded": re.compile("(part|parcial|teil).{0,40}(refund|reembols|devuel|erstatt).{0,40}"),
    "refunded": re.compile("refunded|returned|chargeback|reembolsad[oa]|devuelt[oa]|erstattet"),
    "voided": re.compile("void(ed)?|anulad[oa]"),
    "failed": re.compile("failed|declined|expired|error|fallid[oa]|rechazad[oa]|caducad[oa]|fehlgeschlagen"),
    "cancelled": re.compile("cancell?ed|trash|cancelad[oa]|storniert"),
}
_SAYS_SO: Final = ("cancelled", "status", "refunded", "total")
_NOT_CANCELLED: Final = re.compile("(no?|false|falso|nein|none|null|nan|never|nunca|active|activo|0*)")
_LAST_FIRST: Final = re.compile(
    r"([^,]{1,90}),\s{0,9}((?!(?:jr|sr|i+|inc|llc|ltd|gmbh|md|phd|sl|sa)\b)[^,]{1,90})", re.IGNORECASE
)
_IN_THE_FILE: Final = {
    "product_id": "sku",
    "product_title": "title",
    "product_price": "price",
    "product_delivery_date": "delivery_date",
    "meta": "category",
    "detail": "image",
    "line_items": "title",
    "merchant_external_id": "merchant",
    "province_code": "state",
    "country_code": "country",
}
"""Fields of the interface that have another name here."""
_IDS: Final = frozenset({"order_id", "zip", "phone", "sku"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to correct: its row and column in the file, the field (of a line or of the order), and what to do.

    No field where the whole row is doubtful. `choice` is the decision for the file that mends all faults of its kind.
    """

    row: int
    column: str
    line: int | None
    field: str
    message: str
    text: str = field(default="", repr=False)
    choice: str = ""


_NOTHING_RAISED: Final[Mapping[str, list[str]]] = MappingProxyType({})


@dataclass(slots=True)
class Assessed:
    """An order as it would be sent, or the faults that stand against it, or why it is left out.

    `remarks` tell what is left out of it or will be changed, `country` is its code if known, `raised` are the decisions
    that it gives cause for, each with the texts that it is about.
    """

    number: int
    name: str
    row: int
    order_id: str
    order: Order | None = None
    faults: tuple[Fault, ...] = ()
    left_out: str | None = None
    remarks: tuple[str, ...] = ()
    country: str = ""
    raised: Mapping[str, list[str]] = field(default_factory=dict)

    @property
    def sendable(self) -> bool:
        """Whether it goes out as it is."""
        return not self.faults and self.left_out is None


def without_duplicates(
    assessed: Iterable[Assessed], *, column: str, settled: Mapping[str, str] = MappingProxyType({})
) -> list[Assessed]:
    """The same, where the second order of one id has a fault, also one that seemed sent: what was sent is the first.

    `settled` names the orders of the file by their ids that went out before the others were looked at again.
    """
    seen, judged = dict(settled), []
    for found in assessed:
        first = found.name
        if found.order_id and found.left_out in {None, DECISIONS["sent_before"].left_out}:
            first = seen.setdefault(found.order_id, found.name)
        words = N_("The order id is the same as that of {order}: give each order an id of its own")
        judged.append(found if first == found.name else _with_id_of(found, column, _(words, order=first)))
    return judged


def _with_id_of(found: Assessed, column: str, words: str) -> Assessed:
    fault = Fault(found.row, column, None, "order_id", words, found.order_id)
    others = [known for known in found.faults if known.field != "order_id"]
    return replace(found, order=None, left_out=None, faults=(*others, fault))


def assess(
    source: SourceOrder,
    layout: Layout,
    choices: Choices,
    *,
    sent_before: Mapping[str, SentBefore] = MappingProxyType({}),
    catalogue: Catalogue = EMPTY,
    currency: str = "USD",
) -> Assessed:
    """Judge one order; category and image come from the catalogue where the file has none."""
    judge = _Judge(source, layout, choices, catalogue, currency)
    content = judge.content()
    sent = sent_before.get(content["order_id"])
    is_same = sent is not None and sent.is_of(
        source.name, {item["product_id"] for item in content["line_items"]}
    )
    if is_same:
        judge.raised["sent_before"] = [content["order_id"]]
    found = Assessed(
        source.number,
        source.name,
        source.row,
        content["order_id"],
        remarks=(*source.remarks, *judge.remarks),
        country=judge.country.code if judge.country else "",
        raised=judge.raised or _NOTHING_RAISED,
    )
    for kind in () if source.damage else judge.of_all:
        if choices[kind] == "leave out":
            found.left_out = DECISIONS[kind].left_out
            return found
    if is_same and choices["sent_before"] == "leave out":
        found.left_out = DECISIONS["sent_before"].left_out
    elif sent is not None and not is_same:
        words = _(
            "The order id is the same as that of another order which was sent before: give each order an id of its own"
        )
        return _with_id_of(found, choices.id_label(layout), words)
    elif not content["line_items"] and source.lines and not judge.faults:
        found.left_out = N_("none of its lines is sent")
    else:
        try:
            found.order = Order.model_validate(content)
        except ValidationError as error:
            judge.faults += [judge.fault(problem.path, problem.message) for problem in problems(error)]
        # Of several faults of one cell, the first says it.
        faults = {(fault.line, fault.field or fault.message): fault for fault in reversed(judge.faults)}
        found.faults = tuple(reversed(faults.values()))
        found.order = None if faults else found.order
    return found


def order_id_of(source: SourceOrder, choices: Choices) -> str:
    """The order id under which it is sent."""
    ids = source.ids
    return _clean("order_id", ids.get(choices.id_column) or next(iter(ids.values()), ""))


_known_country = lru_cache(maxsize=1024)(country_of)
_known_state = lru_cache(maxsize=4096)(state_of)


class _Judge:
    """One order on its way from the file's texts to the interface's fields."""

    def __init__(
        self, source: SourceOrder, layout: Layout, choices: Choices, catalogue: Catalogue, currency: str
    ) -> None:
        self._source = source
        self._catalogue = catalogue
        self._layout = layout
        self._choices = choices
        self._currency = currency
        self.faults: list[Fault] = []
        self.remarks: list[str] = []
        self.raised: dict[str, list[str]] = {}
        self.of_all: list[str] = []
        """What may leave out the order as a whole."""
        self.country = _known_country(self._text("country"))
        self._sent_lines: list[int] = []

    def content(self) -> dict[str, Any]:
        """The order in the interface's words, as far as the texts give it."""
        order_id = order_id_of(self._source, self._choices)
        if order_id_warning(order_id):
            self.remarks.append(GUESSABLE)
        withdrawn = self._look_at_all()
        lines = zip(self._source.lines, withdrawn, strict=False)
        items = [self._item(place, line, why) for place, (line, why) in enumerate(lines)]
        content = {
            "order_id": order_id,
            "line_items": list(filter(None, items)),
            "billing_address": self._address(),
        }
        if merchant := self._text("merchant"):
            content["merchant_external_id"] = merchant
        return content

    def fault(
        self, path: tuple[str | int, ...], message: str, choice: str = "", *, line: int | None = None
    ) -> Fault:
        """A fault of the order at its place in the file; `path` is the interface's, or one of the line at `line`."""
        place = line
        if path[:1] == ("line_items",) and len(path) > 2 and isinstance(path[1], int):
            place, path = self._sent_lines[path[1]], path[2:3]
        last = str(path[-1]) if path else "order_id"
        name = _IN_THE_FILE.get(last, last)
        if place is not None:
            name = name if name in FIELDS else "title"
            at = self._source.lines[place]
            text = at.values.get(name, "")
            return Fault(at.row, self._layout.label(name), place, name, message, text, choice)
        column, text = self._layout.label(name), self._source.values.get(name, "")
        if name == "order_id":
            column, text = self._choices.id_label(self._layout), next(iter(self._source.ids.values()), "")
        elif name == "first_name" and "full_name" in self._layout.columns:
            name, column = "full_name", self._layout.label("full_name")
            text = self._source.values.get(name, "")
        choice = choice or ("states" if name == "state" and self.country and not text else "")
        return Fault(self._source.row, column, None, name, message, text, choice)

    def _text(self, name: str) -> str:
        return _clean(name, self._source.values.get(name, ""))

    def _decided(self, kind: str, text: str) -> str:
        """Count a text that a decision is about, and give what was decided."""
        self.raised.setdefault(kind, []).append(text)
        return str(self._choices[kind])

    def _look_at_all(self) -> list[str]:
        """What the rows say of the order as a whole, and what in them cannot be meant; why each line is withdrawn."""
        source, values = self._source, self._source.values
        withdrawn = [self._withdrawn(line.values) for line in source.lines] or [self._withdrawn({})]
        for kind in filter(None, dict.fromkeys(withdrawn)):
            self._decided(kind, source.name)
        self.of_all += dict.fromkeys(withdrawn) if all(withdrawn) else ()
        currency = self._text("currency")
        if currency and currency.upper() not in signs_of(self._currency):
            self._decided("other_currency", currency)
            self.of_all.append("other_currency")
        if address := values.get("from_shipping"):
            self._decided("from_shipping", address)
            self.of_all.append("from_shipping")
            self.remarks.append(_("its name and address are those of its shipping address"))
        self.faults += [Fault(row, _("whole row"), None, "", words) for row, words in source.damage]
        for name, text in (*values.items(), *(("order_id", text) for text in source.ids.values())):
            if (why := unreadable(text)) and name in FIELDS:
                self.faults.append(self.fault((name,), str(why)))
        if source.is_uncertain:
            texts = (
                text for row in (values, *(line.values for line in source.lines)) for text in row.values()
            )
            if self._decided("letters", next((text for text in texts if not text.isascii()), "")) != "right":
                words = _(
                    "Its letters may be wrong: decide it for the whole file, or save it anew as CSV UTF-8"
                )
                self.faults.append(Fault(source.row, _("whole row"), None, "", words, choice="letters"))
        return withdrawn

    def _withdrawn(self, line: Mapping[str, str]) -> str:
        """Which of the shop's own columns speaks against a line: cancelled, refunded and so on."""
        values = self._source.values
        cancelled, status, refunded, total = (line.get(name) or values.get(name, "") for name in _SAYS_SO)
        if cancelled and not _NOT_CANCELLED.fullmatch(bare(cancelled)):
            return "cancelled"
        states = [bare(state).removeprefix("wc") for state in status.split(";")]
        for kind, words in _WITHDRAWN.items() if status else ():
            if any(map(words.fullmatch, states)):
                return kind
        back, whole = (price_or_none(text, drop_zeros=True) if text else None for text in (refunded, total))
        return "" if not back else "refunded" if whole and back >= whole else "part_refunded"

    def _leaves_out(self, kind: str, line: SourceLine, text: str) -> bool:
        """Whether a line is left out for this reason; it is counted either way."""
        leaves_out = self._decided(kind, text) == "leave out"
        if leaves_out:
            self.remarks.append(_(DECISIONS[kind].left_out, n=line.row))
        return leaves_out

    def _item(self, place: int, line: SourceLine, withdrawn: str) -> dict[str, Any] | None:
        text = {name: _clean(name, text) for name, text in line.values.items()}.get
        sku, title, quantity = text("sku", ""), text("title", ""), text("quantity", "")
        if withdrawn and not self.of_all and self._choices[withdrawn] == "leave out":
            why = _(DECISIONS[withdrawn].left_out)
            self.remarks.append(_("row {n} is left out: {why}", n=line.row, why=why))
            return None
        if not sku and self._leaves_out("without_sku", line, title):
            return None
        units = read_units(quantity or "1", self._choices)
        if units is not None and units <= 0 and self._leaves_out("returned", line, title):
            return None
        price = self._price(place, line)
        if price is not None and price < 0:
            return None
        if price == 0 and self._leaves_out("zero_price", line, title):
            return None
        self._sent_lines.append(place)
        for name, cell in line.values.items():
            if why := unreadable(cell):
                self.faults.append(self.fault((name,), str(why), line=place))
        item: dict[str, Any] = {
            "product_id": sku or title,
            "product_title": title,
            "product_price": "0.00" if price is None else format_price(price),
            "quantity": self._units(place, line, quantity, units),
        }
        if day := text("delivery_date"):
            item["product_delivery_date"] = self._day(place, line, day)
        known = self._catalogue.find(sku) if sku else None
        self._compare_price(place, line, sku, price)
        category = text("category") or (known.category if known else "")
        item |= shown_as(category, text("image") or (known.image if known else ""))
        return item

    def _compare_price(self, place: int, line: SourceLine, sku: str, price: Decimal | None) -> None:
        if usual := self._catalogue.far_from(sku, price):
            far = {"price": written(price or 0), "usual": written(usual)}
            self.remarks.append(_("row {n} costs {price}, but {usual} in the catalogue", n=line.row, **far))
            if self._decided("far_price", line.values["price"]) == "correct":
                words = N_(
                    "It costs {price}, but {usual} in the catalogue: correct the price, or "
                    "choose to send such prices"
                )
                self.faults.append(self.fault(("price",), _(words, **far), line=place))

    def _read_as(self, line: SourceLine, text: str, read: object) -> None:
        self.remarks.append(_("row {n}: {text} is read as {read}", n=line.row, text=text, read=read))

    def _units(self, place: int, line: SourceLine, text: str, units: int | None) -> int | str:
        if "," in text:
            self._decided("quantity_mark", text)
            if units is None:
                words = N_("“{text}” is no whole number of units, or the comma is decided for the file")
                fault = self.fault(("quantity",), _(words, text=text[:20]), "quantity_mark", line=place)
                self.faults.append(fault)
            else:
                self._read_as(line, text, units)
        if units is not None and units > STORED_QUANTITY_LIMIT:
            limit = {"stored": STORED_QUANTITY_LIMIT, "quantity": units}
            words = _("row {n}: the service stores {stored} of {quantity} units", n=line.row, **limit)
            self.remarks.append(words)
        return text if units is None else units

    def _day(self, place: int, line: SourceLine, text: str) -> str:
        day = read_day(text, self._choices)
        if EITHER_DAY.fullmatch(text):
            self._decided("dates", text)
            if day == text:
                words = _("“{text}” may be two days: decide for the file which comes first", text=text[:20])
                self.faults.append(self.fault(("delivery_date",), words, "dates", line=place))
            else:
                self._read_as(line, text, day)
        return day

    def _price(self, place: int, line: SourceLine) -> Decimal | None:
        """The price of one unit, less its discount where that is wished; -1 for a line to leave out, None for none."""
        name, text, discount = "price", line.values.get("price", ""), line.values.get("discount", "")
        price: Decimal | None = None
        try:
            price = self._amount(line, text)
            if not discount.strip("0., "):
                return price
            if self._decided("discount", discount) == "ignore":
                words = N_("row {n} has a discount of {discount}, which is ignored")
                self.remarks.append(_(words, n=line.row, discount=discount))
                return price
            name, amount = "discount", self._amount(line, discount)
        except PriceProblem as problem:
            is_below = name == "price" and problem.undecided == "below_zero"
            if is_below and self._leaves_out("discount_line", line, text):
                return Decimal(-1)
            choice = {"rounded": "decimals"}.get(problem.undecided, problem.undecided)
            self.faults.append(self.fault((name,), str(problem), choice, line=place))
            return price
        share = amount / (read_units(line.values.get("quantity", ""), self._choices) or 1)
        self.remarks.append(
            _("row {n}: its discount of {discount} is taken off", n=line.row, discount=amount)
        )
        return max(price - share, Decimal(0)).quantize(Decimal("0.01"), ROUND_HALF_UP)

    def _amount(self, line: SourceLine, text: str) -> Decimal:
        """An amount, with what had to be decided for it counted and told. Raises `PriceProblem`."""
        try:
            return known_price(text, drop_zeros=True, currency=self._currency)
        except PriceProblem as problem:
            if kind := {"rounded": "decimals", "decimal_mark": "decimal_mark"}.get(problem.undecided):
                self._decided(kind, text)
            amount = read_amount(text, self._choices, self._currency)
        self._read_as(line, text, written(amount))
        return amount

    def _address(self) -> dict[str, Any]:
        said = self._text
        first, last = said("first_name"), said("last_name")
        turned = None if last else _LAST_FIRST.fullmatch(first or said("full_name"))
        if turned and self._decided("last_first", turned[0]) == "turn":
            first, last = turned[2], turned[1].strip()
            words = N_("its name “{name}” is read as {read}")
            self.remarks.append(_(words, name=turned[0], read=f"{first} {last}"))
        if not first:
            first, _blank, rest = said("full_name").partition(" ")
            last = last or rest.strip()
        country = self.country
        address = {name: said(name) for name in ("email", "address1", "address2", "city")}
        address |= {"last_name": last, "phone": self._phone(said("phone")), "zip": self._zip(said("zip"))}
        address = {name: text for name, text in address.items() if text}
        address |= {"first_name": first, "state": self._state(said("state")), "country": said("country")}
        if country:
            address |= {"country": country.name, "country_code": country.code}
            if address["state"] in states(country.code):
                address["province_code"] = address["state"]
        elif said("country"):
            words = _("We do not know this country: enter its name or its two letters")
            self.faults.append(self.fault(("country",), words))
        return address

    def _state(self, text: str) -> str:
        if self.country is None:
            return text
        code = self.country.code
        if not text:
            return self._choices.states.get(code, "")
        known = _known_state(code, text)
        if known is None and states(code):
            words = N_("“{text}” is no state of {country}: enter its code or its name")
            shown = {"text": text[:40], "country": shown_country(self.country)}
            self.faults.append(self.fault(("state",), _(words, **shown)))
        return known.code if known else text

    def _zip(self, text: str) -> str:
        if not (self.country and self.country.code == "US" and len(text) == 4 and text.isdecimal()):
            return text
        if self._decided("short_zip", text) != "add the zero":
            self.remarks.append(_("its ZIP {zip} has 4 digits", zip=text))
            return text
        self.remarks.append(_("its ZIP {zip} has 4 digits and is sent as 0{zip}", zip=text))
        return f"0{text}"

    def _phone(self, text: str) -> str:
        if not text:
            return ""
        try:
            number = read_phone(text, self.country.code if self.country else "")
        except PhoneProblem as problem:
            self.faults.append(self.fault(("phone",), str(problem)))
            return text
        if number.doubt:
            self.remarks.append(_("its phone {phone}: {doubt}", phone=text, doubt=number.doubt))
            if not self._text("email"):
                self._decided("doubtful_phone", text)
                self.of_all.append("doubtful_phone")
        return number.e164


def _clean(name: str, text: str) -> str:
    """A text without what programs put around it: a text in one line, an id without apostrophe and point zero."""
    if name in _IDS:
        text = text.removeprefix("'").strip()
        return text[:-2] if text.endswith(".0") and text[:-2].isdecimal() and name != "sku" else text
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


def changes(source: SourceOrder, order: Order) -> list[str]:
    """What is sent in other words than the file has it, as “file → sent”."""
    address = order.billing_address
    pairs = [(text, getattr(address, name, "")) for name, text in source.values.items()]
    pairs += [(next(iter(source.ids.values()), ""), order.order_id)] if len(source.ids) == 1 else []
    lines = {line.values.get("sku") or line.values.get("title", ""): line.values for line in source.lines}
    for item in order.line_items:
        sent = {
            "price": format_price(item.product_price),
            "quantity": str(item.units),
            "title": item.product_title,
            "delivery_date": f"{item.product_delivery_date or ''}",
        }
        values = lines.get(item.product_id, {})
        pairs += [(values.get(name, ""), text) for name, text in sent.items()]
    return [f"{text} → {sent}" for text, sent in pairs if text and sent and text != sent]
