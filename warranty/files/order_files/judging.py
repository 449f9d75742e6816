"""An order on its way from the file's texts to the interface's fields, and what stands against it on that way."""

import dataclasses
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any, Final

from warranty.files.catalogue import Catalogue
from warranty.files.encodings import bare
from warranty.files.order_files.decisions import (
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
from warranty.language import N_, _
from warranty.language.written import price as written
from warranty.places.contact import PhoneProblem, read_phone
from warranty.places.countries import Place, country_of, shown_country, state_of, states
from warranty.resources import order_id_warning
from warranty.resources.money import PriceProblem, format_price, price_or_none, signs_of
from warranty.resources.orders import STORED_QUANTITY_LIMIT, shown_as

GUESSABLE: Final = N_("its order id can be guessed")
LEFT_OUT: Final = {
    "cancelled": N_("cancelled"),
    "refunded": N_("refunded"),
    "voided": N_("voided"),
    "failed": N_("not paid"),
    "part_refunded": N_("refunded in part"),
    "other_currency": N_("in another currency"),
    "from_shipping": N_("without a billing address"),
    "doubtful_phone": N_("its phone, the only way to the customer, is in doubt"),
    "without_sku": N_("row {n} has no SKU and is left out"),
    "zero_price": N_("row {n} costs nothing and is left out"),
    "returned": N_("row {n} has no units or fewer, as what was given back, and is left out"),
    "discount_line": N_("row {n} costs less than nothing, as a discount does, and is left out"),
}
_WITHDRAWN: Final = {
    "part_refunded": re.compile("(part|parcial|teil).{0,40}(refund|reembols|devuel|erstatt).{0,40}"),
    "refunded": re.compile("refunded|returned|chargeback|reembolsad[oa]|devuelt[oa]|erstattet"),
    "voided": re.compile("void(ed)?|anulad[oa]"),
    "failed": re.compile("failed|declined|expired|error|fallid[oa]|rechazad[oa]|caducad[oa]|fehlgeschlagen"),
    "cancelled": re.compile("cancell?ed|trash|cancelad[oa]|storniert"),
}
_SAYS_SO: Final = ("cancelled", "status", "refunded")
_NOT_CANCELLED: Final = re.compile("(no?|false|falso|nein|none|null|nan|never|nunca|active|activo|0*)")
_LAST_FIRST: Final = re.compile(
    r"([^,]{1,90}),\s{0,9}((?!(?:jr|sr|i+|inc|llc|ltd|gmbh|md|phd|sl|sa)\b)[^,]{1,90})", re.IGNORECASE
)
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


class Judged:
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
        self.country: Place | None = _known_country(self._text("country"))
        self._kept: list[int] = []

    def content(self) -> dict[str, Any]:
        """The order in the interface's words, as far as the texts give it."""
        ids = self._source.ids
        order_id = ids.get(self._choices.id_column) or next(iter(ids.values()), "")
        order_id = _clean("order_id", order_id)
        if order_id_warning(order_id):
            self.remarks.append(GUESSABLE)
        self._look_at_all()
        content: dict[str, Any] = {
            "order_id": order_id,
            "line_items": [
                item for place, line in enumerate(self._source.lines) if (item := self._item(place, line))
            ],
            "billing_address": self._address(),
        }
        if merchant := self._text("merchant"):
            content["merchant_external_id"] = merchant
        return content

    def fault(self, path: tuple[str | int, ...], message: str, choice: str = "") -> Fault:
        """The place in the file of a fault of the order."""
        if path[:1] == ("line_items",) and len(path) > 2 and isinstance(path[1], int):
            name = _LINE_FIELDS.get(str(path[2]), "title")
            return self._of_line(self._kept[path[1]], name, message)
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
        text = self._source.values.get(name, "")
        return Fault(self._source.row, self._layout.label(name), None, name, message, text, choice)

    def _of_line(self, place: int, name: str, message: str, choice: str = "") -> Fault:
        line = self._source.lines[place]
        text = line.values.get(name, "")
        return Fault(line.row, self._layout.label(name), place, name, message, text, choice)

    def _text(self, name: str) -> str:
        return _clean(name, self._source.values.get(name, ""))

    def _raise(self, kind: str, text: str) -> None:
        self.raised.setdefault(kind, []).append(text)

    def _look_at_all(self) -> None:
        """What the rows say of the order as a whole, and what in them cannot be what was meant."""
        source = self._source
        withdrawn = self._why_not = [self._withdrawn(line) for line in source.lines] or [
            self._withdrawn(None)
        ]
        for kind in filter(None, dict.fromkeys(withdrawn)):
            self._raise(kind, source.name)
        if all(withdrawn):
            self.of_all += dict.fromkeys(withdrawn)
        currency = self._text("currency")
        if currency and currency.upper() not in signs_of(self._currency):
            self._raise("other_currency", currency)
            self.of_all.append("other_currency")
        if address := source.values.get("from_shipping"):
            self._raise("from_shipping", address)
            self.of_all.append("from_shipping")
            self.remarks.append(_("its name and address are those of its shipping address"))
        self.faults += [Fault(row, _("whole row"), None, "", words) for row, words in source.damage]
        for name, text in source.values.items():
            if (why := unreadable(text)) and name in FIELDS:
                self.faults.append(self.fault((name,), str(why)))
        if why := next(filter(None, map(unreadable, source.ids.values())), None):
            self.faults.append(self.fault(("order_id",), str(why)))
        if source.is_uncertain:
            texts = [
                *source.values.values(),
                *(text for line in source.lines for text in line.values.values()),
            ]
            self._raise("letters", next((text for text in texts if not text.isascii()), ""))
            if self._choices.letters == "undecided":
                words = _(
                    "Its letters may be wrong: decide it for the whole file, or save it anew as CSV UTF-8"
                )
                self.faults.append(Fault(source.row, _("whole row"), None, "", words, choice="letters"))

    def _withdrawn(self, line: SourceLine | None) -> str:
        """Which of the shop's own columns speaks against it: cancelled, refunded and so on."""
        said = {**self._source.values, **(line.values if line else {})}
        if said.keys().isdisjoint(_SAYS_SO):
            return ""
        if not _NOT_CANCELLED.fullmatch(bare(said.get("cancelled", ""))):
            return "cancelled"
        states = [bare(state).removeprefix("wc") for state in said.get("status", "").split(";")]
        for kind, words in _WITHDRAWN.items():
            if any(map(words.fullmatch, states)):
                return kind
        refunded, total = (
            price_or_none(said.get(name, ""), drop_zeros=True) for name in ("refunded", "total")
        )
        return "" if not refunded else "refunded" if total and refunded >= total else "part_refunded"

    def _leaves_out(self, kind: str, line: SourceLine, text: str) -> bool:
        """Whether a line is left out for this reason; it is counted either way."""
        self._raise(kind, text)
        leaves_out: bool = getattr(self._choices, kind) == "leave out"
        if leaves_out:
            words = LEFT_OUT[kind]
            is_row = "{n}" in words
            self.remarks.append(
                _(words, n=line.row) if is_row else _("row {n} is left out: {why}", n=line.row, why=_(words))
            )
        return leaves_out

    def _item(self, place: int, line: SourceLine) -> dict[str, Any] | None:
        text = {name: _clean(name, text) for name, text in line.values.items()}.get
        sku, title = text("sku", ""), text("title", "")
        kind = self._why_not[place]
        if kind and not self.of_all and getattr(self._choices, kind) == "leave out":
            self.remarks.append(_("row {n} is left out: {why}", n=line.row, why=_(LEFT_OUT[kind])))
            return None
        if not sku and self._leaves_out("without_sku", line, title):
            return None
        units = read_units(text("quantity", "") or "1", self._choices)
        if units is not None and units <= 0 and self._leaves_out("returned", line, title):
            return None
        price = self._price(place, line)
        if price is not None and price < 0:
            return None
        if price == 0 and self._leaves_out("zero_price", line, title):
            return None
        self._kept.append(place)
        self.faults += [
            self._of_line(place, name, str(why))
            for name, cell in line.values.items()
            if (why := unreadable(cell))
        ]
        item: dict[str, Any] = {
            "product_id": sku or title,
            "product_title": title,
            "product_price": "0.00" if price is None else format_price(price),
            "quantity": self._units(place, line, text("quantity", ""), units),
        }
        if day := text("delivery_date"):
            item["product_delivery_date"] = self._day(place, line, day)
        known = self._catalogue.find(sku) if sku else None
        if usual := self._catalogue.far_from(sku, price):
            self._raise("far_price", text("price", ""))
            far = {"price": written(price or 0), "usual": written(usual)}
            self.remarks.append(_("row {n} costs {price}, but {usual} in the catalogue", n=line.row, **far))
            if self._choices.far_price == "correct":
                words = _(
                    "It costs {price}, but {usual} in the catalogue: correct the price, or "
                    "choose to send such prices",
                    **far,
                )
                self.faults.append(self._of_line(place, "price", words))
        category = text("category") or (known.category if known else "")
        item |= shown_as(category, text("image") or (known.image if known else ""))
        return item

    def _units(self, place: int, line: SourceLine, text: str, units: int | None) -> int | str:
        if "," in text:
            self._raise("quantity_mark", text)
            if units is None:
                words = _(
                    "“{text}” is no whole number of units, or the comma is decided for the file",
                    text=text[:20],
                )
                self.faults.append(self._of_line(place, "quantity", words, "quantity_mark"))
            else:
                self.remarks.append(_("row {n}: {text} is read as {read}", n=line.row, text=text, read=units))
        if units is not None and units > STORED_QUANTITY_LIMIT:
            limit = {"stored": STORED_QUANTITY_LIMIT, "quantity": units}
            words = _("row {n}: the service stores {stored} of {quantity} units", n=line.row, **limit)
            self.remarks.append(words)
        return text if units is None else units

    def _day(self, place: int, line: SourceLine, text: str) -> str:
        day = read_day(text, self._choices)
        if EITHER_DAY.fullmatch(text):
            self._raise("dates", text)
            if day == text:
                words = _("“{text}” may be two days: decide for the file which comes first", text=text[:20])
                self.faults.append(self._of_line(place, "delivery_date", words, "dates"))
            else:
                self.remarks.append(_("row {n}: {text} is read as {read}", n=line.row, text=text, read=day))
        return day

    def _price(self, place: int, line: SourceLine) -> Decimal | None:
        """The price of one unit, less its discount where that is wished; -1 for a line to leave out, None for none."""
        text = line.values.get("price", "")
        try:
            price = self._amount(line, text)
        except PriceProblem as problem:
            if problem.undecided == "below_zero" and self._leaves_out("discount_line", line, text):
                return Decimal(-1)
            choice = {"rounded": "decimals"}.get(problem.undecided, problem.undecided)
            self.faults.append(self._of_line(place, "price", str(problem), choice))
            return None
        reduced = line.values.get("discount", "")
        if not reduced.strip("0., "):
            return price
        self._raise("discount", reduced)
        if self._choices.discount == "ignore":
            self.remarks.append(
                _("row {n} has a discount of {discount}, which is ignored", n=line.row, discount=reduced)
            )
            return price
        try:
            discount = self._amount(line, reduced)
        except PriceProblem as problem:
            self.faults.append(self._of_line(place, "discount", str(problem)))
            return price
        share = discount / (read_units(line.values.get("quantity", ""), self._choices) or 1)
        self.remarks.append(
            _("row {n}: its discount of {discount} is taken off", n=line.row, discount=discount)
        )
        return max(price - share, Decimal(0)).quantize(Decimal("0.01"), ROUND_HALF_UP)

    def _amount(self, line: SourceLine, text: str) -> Decimal:
        """An amount, with what had to be decided for it counted and told. Raises `PriceProblem`."""
        try:
            return known_price(text, drop_zeros=True, currency=self._currency)
        except PriceProblem as problem:
            if problem.undecided in {"decimal_mark", "rounded"}:
                self._raise({"rounded": "decimals"}.get(problem.undecided, problem.undecided), text)
            amount = read_amount(text, self._choices, self._currency)
        self.remarks.append(
            _("row {n}: {text} is read as {read}", n=line.row, text=text, read=written(amount))
        )
        return amount

    def _address(self) -> dict[str, Any]:
        said = self._text
        first, last = said("first_name"), said("last_name")
        if not last and (turned := _LAST_FIRST.fullmatch(first or said("full_name"))):
            self._raise("last_first", turned[0])
            if self._choices.last_first == "turn":
                first, last = turned[2], turned[1].strip()
                self.remarks.append(
                    _("its name “{name}” is read as {read}", name=turned[0], read=f"{first} {last}")
                )
        if not first:
            first, _blank, rest = said("full_name").partition(" ")
            last = last or rest.strip()
        address: dict[str, Any] = {
            "first_name": first,
            "last_name": last,
            "email": said("email"),
            "phone": self._phone(said("phone")),
            "state": self._state(said("state")),
            "country": self.country.name if self.country else said("country"),
            "country_code": self.country.code if self.country else "",
        }
        if self.country and address["state"] in states(self.country.code):
            address["province_code"] = address["state"]
        elif not self.country and said("country"):
            words = _("We do not know this country: enter its name or its two letters")
            self.faults.append(self.fault(("billing_address", "country"), words))
        address |= {name: said(name) for name in ("address1", "address2", "city")}
        address["zip"] = self._zip(said("zip"))
        needed = {"first_name", "state", "country"}
        return {name: text for name, text in address.items() if text or name in needed}

    def _state(self, text: str) -> str:
        if self.country is None:
            return text
        if not text:
            return self._choices.states.get(self.country.code, "")
        known = _known_state(self.country.code, text)
        if known is None and states(self.country.code):
            country = shown_country(self.country)
            words = _(
                "“{text}” is no state of {country}: enter its code or its name",
                text=text[:40],
                country=country,
            )
            self.faults.append(self.fault(("billing_address", "state"), words))
        return known.code if known else text

    def _zip(self, text: str) -> str:
        if not (self.country and self.country.code == "US" and len(text) == 4 and text.isdecimal()):
            return text
        self._raise("short_zip", text)
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
            number = read_phone(text, self.country.code if self.country else "")
        except PhoneProblem as problem:
            self.faults.append(self.fault(("billing_address", "phone"), str(problem)))
            return text
        if number.doubt:
            self.remarks.append(_("its phone {phone}: {doubt}", phone=text, doubt=number.doubt))
            if not self._text("email"):
                self._raise("doubtful_phone", text)
                self.of_all.append("doubtful_phone")
        return number.e164


def _clean(name: str, text: str) -> str:
    """A text without what programs put around it: a text in one line, an id without apostrophe and point zero."""
    if name in _IDS:
        text = text.removeprefix("'").strip()
        return text[:-2] if text.endswith(".0") and text[:-2].isdecimal() and name != "sku" else text
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


_IDS: Final = frozenset({"order_id", "zip", "phone", "sku"})
