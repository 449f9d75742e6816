"""An order on its way from the file's texts to the interface's fields, and what stands against it on that way."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any, Final

from warranty.client.resources import order_id_warning
from warranty.client.resources.money import PriceProblem, format_price, price_or_none, signs_of
from warranty.client.resources.orders import STORED_QUANTITY_LIMIT, shown_as
from warranty.files.catalogue import Catalogue
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
from warranty.files.order_files.source import FIELDS, Layout, SourceOrder, cleaned
from warranty.files.tables import unreadable
from warranty.language import N_, _
from warranty.language.written import price as written
from warranty.places.contact import PhoneProblem, read_phone
from warranty.places.countries import Place, country_of, shown_country, state_of, states

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
_OF_AMOUNTS: Final = {"rounded": "decimals", "decimal_mark": "decimal_mark"}
"""Decisions by what an amount lacks to be read."""


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
    text: str = dataclasses.field(default="", repr=False)
    choice: str = ""


_known_country = lru_cache(maxsize=1024)(country_of)
_known_state = lru_cache(maxsize=4096)(state_of)


@dataclass(slots=True)
class Judge:
    """One order on its way from the file's texts to the interface's fields; `of_all` may leave it out as a whole."""

    source: SourceOrder
    layout: Layout
    choices: Choices
    catalogue: Catalogue
    currency: str
    country: Place | None = None
    faults: list[Fault] = dataclasses.field(default_factory=list)
    remarks: list[str] = dataclasses.field(default_factory=list)
    raised: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    of_all: list[str] = dataclasses.field(default_factory=list)
    _sent_lines: list[int] = dataclasses.field(default_factory=list)

    def content(self) -> dict[str, Any]:
        """The order in the interface's words, as far as the texts give it."""
        self.country = _known_country(self._text("country"))
        order_id = self.source.order_id(self.choices.id_column)
        if order_id_warning(order_id):
            self.remarks.append(GUESSABLE)
        withdrawn = self._look_at_all()
        items = [self._item(place, why) for place, why in enumerate(withdrawn[: len(self.source.lines)])]
        content = {"order_id": order_id, "line_items": list(filter(None, items)), "billing_address": self._address()}
        if merchant := self._text("merchant"):
            content["merchant_external_id"] = merchant
        return content

    def fault(self, path: tuple[str | int, ...], message: str, choice: str = "", *, line: int | None = None) -> Fault:
        """A fault of the order at its place in the file; `path` is the interface's, or one of the line at `line`."""
        if path[:1] == ("line_items",) and len(path) > 2:
            line, path = self._sent_lines[int(path[1])], path[2:3]
        last = str(path[-1]) if path else "order_id"
        name = _IN_THE_FILE.get(last, last)
        if name == "first_name" and "full_name" in self.layout.columns:
            name = "full_name"
        elif line is not None and name not in FIELDS:
            name = "title"
        at = self.source if line is None else self.source.lines[line]
        column, text = self.layout.label(name), at.values.get(name, "")
        if name == "order_id":
            column, text = self.choices.id_label(self.layout), next(iter(self.source.ids.values()), "")
        elif name == "state" and self.country and not text:
            choice = choice or "states"
        return Fault(at.row, column, line, name, message, text, choice)

    def _tell(self, words: str, **values: object) -> None:
        self.remarks.append(_(words, **values))

    def _text(self, name: str) -> str:
        return cleaned(name, self.source.values.get(name, ""))

    def _decided(self, kind: str, text: str) -> str:
        """Count a text that a decision is about, and give what was decided."""
        self.raised.setdefault(kind, []).append(text)
        return str(self.choices[kind])

    def _may_leave_out(self, kind: str, text: str) -> None:
        self._decided(kind, text)
        self.of_all.append(kind)

    def _look_at_all(self) -> list[str]:
        """What the rows say of the order as a whole, and what in them cannot be meant; why each line is withdrawn."""
        source, values = self.source, self.source.values
        withdrawn = [self._withdrawn(line.values) for line in source.lines] or [self._withdrawn({})]
        for kind in filter(None, dict.fromkeys(withdrawn)):
            self._decided(kind, source.name)
        self.of_all += dict.fromkeys(withdrawn) if all(withdrawn) else ()
        currency = self._text("currency")
        if currency and currency.upper() not in signs_of(self.currency):
            self._may_leave_out("other_currency", currency)
        if address := values.get("from_shipping"):
            self._may_leave_out("from_shipping", address)
            self._tell(N_("its name and address are those of its shipping address"))
        self.faults += [Fault(row, _("whole row"), None, "", words) for row, words in source.damage]
        for name, text in (*values.items(), *(("order_id", text) for text in source.ids.values())):
            if (why := unreadable(text)) and name in FIELDS:
                self.faults.append(self.fault((name,), str(why)))
        if source.is_uncertain:
            every = [text for row in (values, *(line.values for line in source.lines)) for text in row.values()]
            if self._decided("letters", next((text for text in every if not text.isascii()), "")) != "right":
                words = N_("Its letters may be wrong: decide it for the whole file, or save it anew as CSV UTF-8")
                self.faults.append(Fault(source.row, _("whole row"), None, "", _(words), choice="letters"))
        return withdrawn

    def _withdrawn(self, line: Mapping[str, str]) -> str:
        """Which of the shop's own columns speaks against a line: cancelled, refunded and so on."""
        values = self.source.values
        cancelled, status, refunded, total = (line.get(name) or values.get(name, "") for name in _SAYS_SO)
        if cancelled and not _NOT_CANCELLED.fullmatch(bare(cancelled)):
            return "cancelled"
        states = [bare(state).removeprefix("wc") for state in status.split(";")]
        for kind, words in _WITHDRAWN.items() if status else ():
            if any(map(words.fullmatch, states)):
                return kind
        back, whole = (price_or_none(text, drop_zeros=True) if text else None for text in (refunded, total))
        return "" if not back else "refunded" if whole and back >= whole else "part_refunded"

    def _leaves_out(self, kind: str, place: int, text: str) -> bool:
        """Whether a line is left out for this reason; it is counted either way."""
        leaves_out = self._decided(kind, text) == "leave out"
        if leaves_out:
            self._tell(DECISIONS[kind].left_out, n=self.source.lines[place].row)
        return leaves_out

    def _item(self, place: int, withdrawn: str) -> dict[str, Any] | None:
        line = self.source.lines[place]
        text = {name: cleaned(name, text) for name, text in line.values.items()}.get
        sku, title, quantity = text("sku", ""), text("title", ""), text("quantity", "")
        if withdrawn and not self.of_all and self.choices[withdrawn] == "leave out":
            reason = _(DECISIONS[withdrawn].left_out)
            self._tell(N_("row {n} is left out: {why}"), n=line.row, why=reason)
            return None
        units = read_units(quantity or "1", self.choices)
        if not sku and self._leaves_out("without_sku", place, title):
            return None
        if units is not None and units <= 0 and self._leaves_out("returned", place, title):
            return None
        price = self._price(place, text("price", ""), text("discount", ""), units)
        if price is not None and (price < 0 or (price == 0 and self._leaves_out("zero_price", place, title))):
            return None
        self._sent_lines.append(place)
        for name, cell in line.values.items():
            if why := unreadable(cell):
                self._wrong(place, name, str(why))
        if units is not None and units > STORED_QUANTITY_LIMIT:
            limit = {"stored": STORED_QUANTITY_LIMIT, "quantity": units}
            self._tell(N_("row {n}: the service stores {stored} of {quantity} units"), n=line.row, **limit)
        if "," in quantity:
            words = N_("“{text}” is no whole number of units, or the comma is decided for the file")
            self._read_by("quantity_mark", place, quantity, units, at="quantity", words=words)
        date = text("delivery_date", "")
        day = read_day(date, self.choices)
        if EITHER_DAY.fullmatch(date):
            words = N_("“{text}” may be two days: decide for the file which comes first")
            self._read_by("dates", place, date, None if day == date else day, at="delivery_date", words=words)
        self._compare_price(place, sku, price)
        known = self.catalogue.find(sku) if sku else None
        category = text("category") or (known.category if known else "")
        return {
            "product_id": sku or title,
            "product_title": title,
            "product_price": "0.00" if price is None else format_price(price),
            "quantity": quantity if units is None else units,
            **({"product_delivery_date": day} if day else {}),
            **shown_as(category, text("image") or (known.image if known else "")),
        }

    def _wrong(self, place: int, name: str, words: str, choice: str = "") -> None:
        self.faults.append(self.fault((name,), words, choice, line=place))

    def _read_by(self, kind: str, place: int, text: str, read: object, *, at: str, words: str) -> None:
        """Count a text that a decision for the file is about: a fault without one, else it is told how it is read."""
        self._decided(kind, text)
        if read is None:
            self._wrong(place, at, _(words, text=text[:20]), kind)
        else:
            self._read_as(place, text, read)

    def _read_as(self, place: int, text: str, read: object) -> None:
        row = self.source.lines[place].row
        self._tell(N_("row {n}: {text} is read as {read}"), n=row, text=text, read=read)

    def _compare_price(self, place: int, sku: str, price: Decimal | None) -> None:
        if usual := self.catalogue.far_from(sku, price):
            line, far = self.source.lines[place], {"price": written(price or 0), "usual": written(usual)}
            self._tell(N_("row {n} costs {price}, but {usual} in the catalogue"), n=line.row, **far)
            if self._decided("far_price", line.values["price"]) == "correct":
                words = N_(
                    "It costs {price}, but {usual} in the catalogue: correct the price, or choose to send such prices"
                )
                self._wrong(place, "price", _(words, **far))

    def _price(self, place: int, text: str, discount: str, units: int | None) -> Decimal | None:
        """The price of one unit, less its discount where that is wished; -1 for a line to leave out, None for none."""
        price, n = None, self.source.lines[place].row
        try:
            price = self._amount(place, text)
            if not discount.strip("0., "):
                return price
            if self._decided("discount", discount) == "ignore":
                words = N_("row {n} has a discount of {discount}, which is ignored")
                self._tell(words, n=n, discount=discount)
                return price
            amount = self._amount(place, discount)
        except PriceProblem as problem:
            is_below = price is None and problem.undecided == "below_zero"
            if is_below and self._leaves_out("discount_line", place, text):
                return Decimal(-1)
            name = "price" if price is None else "discount"
            self._wrong(place, name, str(problem), _OF_AMOUNTS.get(problem.undecided, ""))
            return price
        self._tell(N_("row {n}: its discount of {discount} is taken off"), n=n, discount=amount)
        return max(price - amount / (units or 1), Decimal(0)).quantize(Decimal("0.01"), ROUND_HALF_UP)

    def _amount(self, place: int, text: str) -> Decimal:
        """An amount, with what had to be decided for it counted and told. Raises `PriceProblem`."""
        try:
            return known_price(text, drop_zeros=True, currency=self.currency)
        except PriceProblem as problem:
            undecided = {problem.undecided}
        try:
            amount = read_amount(text, self.choices, self.currency)
        except PriceProblem as problem:
            undecided.add(problem.undecided)
            raise
        finally:
            for kind in undecided & _OF_AMOUNTS.keys():
                self._decided(_OF_AMOUNTS[kind], text)
        self._read_as(place, text, written(amount))
        return amount

    def _address(self) -> dict[str, Any]:
        said = self._text
        first, last = said("first_name"), said("last_name")
        turned = None if last else _LAST_FIRST.fullmatch(first or said("full_name"))
        if turned and self._decided("last_first", turned[0]) == "turn":
            first, last = turned[2], turned[1].strip()
            words = N_("its name “{name}” is read as {read}")
            self._tell(words, name=turned[0], read=f"{first} {last}")
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
            return self.choices.states.get(code, "")
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
            self._tell(N_("its ZIP {zip} has 4 digits"), zip=text)
            return text
        self._tell(N_("its ZIP {zip} has 4 digits and is sent as 0{zip}"), zip=text)
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
            self._tell(N_("its phone {phone}: {doubt}"), phone=text, doubt=number.doubt)
            if not self._text("email"):
                self._may_leave_out("doubtful_phone", text)
        return number.e164
