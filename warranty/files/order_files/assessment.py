"""What would be sent of each order, and what stands against it: each fault by row, column and field.

Nothing is decided in silence: what an order leaves out, what is taken from elsewhere and what the service will do
with it stands in the answer.
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from warranty.client.resources import Order, order_id_warning, problems
from warranty.client.resources.money import PriceProblem, format_price, price_or_none, signs_of
from warranty.client.resources.orders import STORED_QUANTITY_LIMIT, BillingAddress, LineItem, shown_as
from warranty.files.catalogue import EMPTY, Catalogue, CatalogueProduct, without_marks
from warranty.files.order_files.decisions import DECISIONS, READERS, Choices, Reader, read_amount, read_day, read_units
from warranty.files.order_files.source import FIELDS, WORDS, Layout, SentBefore, SourceLine, SourceOrder, cleaned
from warranty.files.tables import bare, unreadable
from warranty.language import N_, Sentence, _
from warranty.places import countries
from warranty.places.contact import PhoneProblem, email_doubt, email_hint, read_phone

M = TypeVar("M", bound=BaseModel)


def _any_of(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_AGAINST: Final = {kind: re.compile(_any_of(words)) for kind, words in WORDS["against"].items()}
"""What speaks against an order, by a part of its status, the first that fits."""
_FINE: Final = re.compile(f"{_any_of(WORDS['fine']['words'])}*|{_any_of(WORDS['fine']['alone'])}")
_NO: Final = re.compile(_any_of(WORDS["lines"]["no"]))
_NO_PRODUCT: Final = re.compile(f"(?i){_any_of(WORDS['lines']['no_product'])}")
_SALUTATION: Final = re.compile(
    rf"(?i)(?:{_any_of(WORDS['lines']['salutation'])}\b\.?\s{{1,9}}){{1,9}}(?=\S{{1,90}}\s)"
)
_MOMENT: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9:]{8})?|[0-9]{2}:[0-9]{2}:[0-9]{2}")
_NO_CODE: Final = N_("“{text}” is a date or a time: make the column a text column, and fill it anew")
_LAST_FIRST: Final = re.compile(r"(?i)([^,]{1,90}),\s{0,9}((?!(?:jr|sr|i+|inc|llc|ltd|gmbh|md|phd|sl|sa)\b)[^,]{1,90})")
_IN_THE_FILE: Final = {known.sent: name for name, known in FIELDS.items()} | {
    "line_items": "title", "province_code": "state", "country_code": "country",
}  # fmt: skip
"""Fields of an order file by the names that the interface has for them."""
_TWICE: Final = N_("The order number is the same as that of {order}: give each order an id of its own")
_FAR: Final = N_("It costs {price}, but {usual} in the catalogue: correct the price, or choose to send such prices")


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


@dataclass(slots=True)
class Assessed:
    """An order as it would be sent, or the faults that stand against it, or why it is left out.

    `remarks` tell what is left out of it or will be changed, `country` is its code if known, `raised` are the decisions
    that it gives cause for, each with a text that it is about.
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
    raised: tuple[tuple[str, str], ...] = ()

    @property
    def sendable(self) -> bool:
        """Whether it goes out as it is."""
        return not self.faults and self.left_out is None


def without_duplicates(assessed: Iterable[Assessed], column: str, settled: Mapping[str, str] = {}) -> list[Assessed]:
    """The same, where the second order of one id has a fault, also one that seemed sent: what was sent is the first.

    `settled` names the orders of the file by their ids that went out before the others were looked at again.
    """
    seen, judged = dict(settled), []
    for found in assessed:
        first = found.name
        if found.order_id and found.left_out in {None, DECISIONS["sent_before"].left_out}:
            first = seen.setdefault(found.order_id, found.name)
        if first != found.name:
            others = [fault for fault in found.faults if fault.field != "order_id"]
            fault = Fault(found.row, column, None, "order_id", _(_TWICE, order=first), found.order_id)
            found = replace(found, order=None, left_out=None, faults=(*others, fault))  # noqa: PLW2901
        judged.append(found)
    return judged


def changes(source: SourceOrder, order: Order) -> list[str]:
    """What is sent in other words than the file has it, as “file → sent”, also what was corrected by hand."""
    file, body = source.original or source, order.model_dump(mode="json")
    items = {item["product_id"]: item for item in body["line_items"]}
    parts = [(file.values, source.values, body | body["billing_address"])]
    for before, line in zip(file.lines, source.lines, strict=True):
        sku = without_marks(cleaned("sku", line.values.get("sku") or line.values.get("title", "")))
        parts.append((before.values, line.values, items.get(sku, {})))
    pairs = []
    for had, now, sent in parts:
        pairs += [(had.get(name, ""), sent.get(FIELDS[name].sent or name)) for name in now if name in FIELDS]
    return [f"{text} → {sent}".strip() for text, sent in pairs if isinstance(sent, str | int) and str(sent) != text]


@dataclass(slots=True)
class Judge:
    """Judges the orders of a file, one after the other: from its texts to the interface's fields.

    Category and image come from the catalogue where the file has none.
    """

    layout: Layout
    choices: Choices
    catalogue: Catalogue = EMPTY
    currency: str = "USD"
    _source: SourceOrder = dataclasses.field(init=False)
    _found: Assessed = dataclasses.field(init=False)
    _at: int | None = None
    """The line that is judged; none where it is the order as a whole."""

    def assess(self, source: SourceOrder, sent_before: Mapping[str, SentBefore] = {}) -> Assessed:
        """Judge one order."""
        order_id = source.order_id(self.choices.id_column)
        self._source, self._found = source, Assessed(source.number, source.name, source.row, order_id)
        content, found = self._content(sent_before), self._found
        found.left_out = None if source.damage else found.left_out
        order = None if found.left_out else self._valid(Order, content)
        # Of several faults of one cell, the first says it.
        faults = {(fault.line, fault.field or fault.message): fault for fault in reversed(found.faults)}
        found.faults = () if found.left_out else tuple(reversed(faults.values()))
        found.order = None if faults else order
        return found

    def _content(self, sent_before: Mapping[str, SentBefore]) -> dict[str, Any]:
        """The order in the interface's words, as far as the texts give it."""
        country = countries.country_of(self._text("country") or self.choices.country)
        self._found.country = country.code if country else ""
        self._note_damage()
        order_id, items = self._found.order_id, list[LineItem]()
        for place, withdrawn in enumerate(self._look_at_all(order_id)[: len(self._source.lines)]):
            self._at = place
            items += filter(None, [self._item(withdrawn)])
        self._at = None
        if sent := sent_before.get(order_id):
            if sent.is_of(self._source.name, {item.product_id for item in items}):
                self._leaves_out("sent_before", order_id)
            else:
                self._wrong("order_id", _(_TWICE, order=_("an order that was sent before")))
        if self._source.lines and not items:
            self._found.left_out = self._found.left_out or N_("none of its lines is sent")
        content = {"order_id": order_id, "line_items": items, "merchant_external_id": self._text("merchant")}
        return content | {"billing_address": self._address(country)}

    def _note_damage(self) -> None:
        """Note what cannot be what was meant, wherever it stands."""
        self._found.faults = tuple(Fault(row, _("whole row"), None, "", words) for row, words in self._source.damage)
        for lost in filter(None, map(unreadable, self._source.ids.values())):
            self._wrong("order_id", str(lost))
        lines = range(len(self._source.lines))
        for self._at in (*lines, None):
            for name, text in self._part.values.items():
                if name in FIELDS and (why := unreadable(text)):
                    self._wrong(name, str(why))
                elif name in {"sku", "title"} and _MOMENT.fullmatch(text):
                    self._wrong(name, _(_NO_CODE, text=text))

    def _look_at_all(self, order_id: str) -> list[str]:
        """What the rows say of the order as a whole; why each line is withdrawn."""
        withdrawn = [self._withdrawn(line.values) for line in self._source.lines] or [self._withdrawn({})]
        if all(withdrawn):  # then it is the order that is left out, or sent
            for kind in dict.fromkeys(withdrawn):
                self._leaves_out(kind, self._source.values.get("status") or self._source.name)
            withdrawn = [""] * len(withdrawn)
        currency = self._text("currency")
        if currency and currency.upper() not in signs_of(self.currency):
            self._leaves_out("other_currency", currency)
        if address := self._source.values.get("from_shipping"):
            self._leaves_out("from_shipping", address)
            self._tell(N_("what its billing address lacks is taken from its shipping address"))
        if order_id_warning(order_id):
            self._leaves_out("guessable", order_id)
        return withdrawn

    def _valid(self, model: type[M], content: dict[str, Any]) -> M:
        """What is sent of these texts; where it cannot be, they as they are, and their faults."""
        try:
            return model.model_validate(content)
        except ValidationError as error:
            for problem in problems(error):
                name = str(problem.path[0])
                self._wrong(_IN_THE_FILE.get(name, name), problem.message)
            return model.model_construct(**content)

    def _wrong(self, name: str, message: str, choice: str = "") -> None:
        """Note a fault of a field of the line that is judged, or of the order, where it stands in the file."""
        if name == "first_name" and "full_name" in self.layout.columns:
            name = "full_name"
        column, text = self.layout.label(name), self._part.values.get(name, "")
        if name == "order_id":
            column, text = self.choices.id_column or column, next(iter(self._source.ids.values()), "")
        elif name in {"country", "state"} and not text and (self._found.country or not self._text("country")):
            choice = "states" if self._found.country else "country"
        self._found.faults += (Fault(self._part.row, column, self._at, name, message, text, choice),)

    @property
    def _part(self) -> SourceOrder | SourceLine:
        return self._source if self._at is None else self._source.lines[self._at]

    def _tell(self, words: str, **values: object) -> None:
        self._found.remarks += (str(Sentence(words, n=self._part.row, **values)),)

    def _text(self, name: str) -> str:
        return cleaned(name, self._part.values.get(name, ""))

    def _decided(self, kind: str, text: str) -> str:
        """Count a text that a decision is about, and give what was decided."""
        self._found.raised += ((kind, text),)
        return str(self.choices[kind])

    def _leaves_out(self, kind: str, text: str) -> bool:
        """Whether the line, or the order, is left out for this reason; it is counted either way."""
        leaves_out, why = self._decided(kind, text) == "leave out", DECISIONS[kind].left_out
        if leaves_out and self._at is None:
            self._found.left_out = self._found.left_out or why
        elif leaves_out:
            self._tell(N_("row {n} is left out: {why}"), why=_(why))
        return leaves_out

    def _withdrawn(self, line: Mapping[str, str]) -> str:
        """Which of the shop's own columns speaks against a line: cancelled, refunded and so on."""
        said = {**self._source.values, **line}
        if not _NO.fullmatch(bare(said.get("cancelled", ""))):
            return "cancelled"
        states = [state for state in map(bare, said.get("status", "").split(";")) if not _FINE.fullmatch(state)]
        if states:
            return next((kind for kind, part in _AGAINST.items() if any(map(part.search, states))), "strange")
        if _NO.fullmatch(bare(said.get("refunded", ""))):
            return ""
        texts = (said.get(name, "").strip("-−()") for name in ("refunded", "total"))
        back, whole = (price_or_none(text, drop_zeros=True, currency=self.currency) for text in texts)
        return "refunded" if back is None or (whole and back >= whole) else "part_refunded"

    def _item(self, withdrawn: str) -> LineItem | None:
        sku, title = without_marks(self._text("sku")), self._text("title")
        is_twin = self._part.values in [line.values for line in self._source.lines[: self._at]]
        kinds = ("without_sku" * (not sku), "no_product" * bool(_NO_PRODUCT.fullmatch(title)), "doubled" * is_twin)
        against = [(withdrawn, self._source.name), *((kind, title) for kind in kinds)]
        if any(kind and self._leaves_out(kind, text) for kind, text in against):
            return None
        if is_twin and self.choices["doubled"] == "correct":
            self._wrong("quantity", _("This row stands there twice: correct it, or choose to send it"))
        if not self._text("quantity") and "quantity" in self.layout.columns:
            self._tell(N_("row {n} has no quantity and is sent as one unit"))
        units: int = self._read("quantity", read_units, 1)
        if units <= 0 and self._leaves_out("returned", title):
            return None
        price = self._price(units)
        if price is not None and (price < 0 or (price == 0 and self._leaves_out("zero_price", title))):
            return None
        if units > STORED_QUANTITY_LIMIT:
            words = N_("row {n}: the service stores {stored} of {quantity} units")
            self._tell(words, stored=STORED_QUANTITY_LIMIT, quantity=units)
        if usual := self.catalogue.far_from(sku, price):
            far = {"price": price, "usual": usual}
            self._tell(N_("row {n} costs {price}, but {usual} in the catalogue"), **far)
            if self._decided("far_price", self._text("price")) == "correct":
                self._wrong("price", str(Sentence(_FAR, **far)))
        known = self.catalogue.find(sku) or CatalogueProduct(sku, title)
        item = {
            "product_id": sku or title,
            "product_title": title,
            "product_price": "0.00" if price is None else format_price(price),
            "quantity": units,
            "product_delivery_date": self._read("delivery_date", read_day, "") or None,
            **shown_as(self._text("category") or known.category, self._text("image") or known.image),
        }
        return self._valid(LineItem, item)

    def _read(self, name: str, read: Reader, otherwise: object = None) -> Any:
        """What a text of the line is, told where that had to be decided; else a fault, and what is to stand for it."""
        text, before = self._text(name), len(self._found.raised)
        try:
            found = read(text, self._decided, self.currency)
        except PriceProblem as problem:
            if (name, problem.undecided) == ("price", "below_zero") and self._leaves_out("discount_line", text):
                return Decimal(-1)
            self._wrong(name, str(problem), problem.undecided if problem.undecided in READERS else "")
            return otherwise
        if any(kind in READERS for kind, _text in self._found.raised[before:]):
            self._tell(N_("row {n}: {text} is read as {read}"), text=text, read=found)
        return found

    def _price(self, units: int) -> Decimal | None:
        """The price of one unit, less its discount where that is wished; below 0 for a line that is left out."""
        price: Decimal | None = self._read("price", read_amount)
        discount = self._text("discount")
        if price is None or price < 0 or not discount.strip("0., "):
            return price
        if self._decided("discount", discount) == "ignore":
            self._tell(N_("row {n} has a discount of {discount}, which is ignored"), discount=discount)
            return price
        amount = self._read("discount", read_amount)
        if amount is None:
            return price
        self._tell(N_("row {n}: its discount of {discount} is taken off"), discount=amount)
        return max(price - Decimal(amount) / (units or 1), Decimal(0)).quantize(Decimal("0.01"), ROUND_HALF_UP)

    def _address(self, country: countries.Place | None) -> BillingAddress:
        read = self._text
        first, last = read("first_name"), read("last_name")
        turned = None if last else _LAST_FIRST.fullmatch(first or read("full_name"))
        if turned and self._decided("last_first", turned[0]) == "turn":
            first, last = turned[2], turned[1].strip()
            self._tell(N_("its name “{name}” is read as {read}"), name=turned[0], read=f"{first} {last}")
        if not first:
            first, _blank, rest = _SALUTATION.sub("", read("full_name"), count=1).partition(" ")
            last = last or rest.strip()
            if not read("full_name").startswith(first):
                self._tell(N_("its name “{name}” is read as {read}"), name=read("full_name"), read=f"{first} {last}")
        address = {name: read(name) for name in ("address1", "address2", "city")} | {"zip": self._zip(read("zip"))}
        address |= {"last_name": last, "email": self._email(read("email")), "phone": self._phone(read("phone"))}
        address = {name: text for name, text in address.items() if text}
        address |= {"first_name": first, "state": self._state(read("state")), "country": read("country")}
        if country:
            address |= {"country": country.name, "country_code": country.code}
            address |= {"province_code": address["state"]} if address["state"] in countries.states(country.code) else {}
            lies, state = countries.state_of_zip(country.code, address.get("zip", "")), address["state"]
            if (
                lies not in {"", state}
                and state
                and self._decided("other_zip", f"{state} {address['zip']}") == "correct"
            ):
                self._wrong(
                    "zip", _("This ZIP is one of {state}: correct one of them, or choose to send it", state=lies)
                )
        elif read("country"):
            self._wrong("country", _("We do not know this country: enter its name or its two letters"))
        return self._valid(BillingAddress, address)

    def _state(self, text: str) -> str:
        code = self._found.country
        if not text:
            return self.choices.states.get(code, "")
        known = countries.state_of(code, text)
        if known is None and countries.states(code):
            words = N_("“{text}” is no state of {country}: enter its code or its name")
            self._wrong("state", _(words, text=text[:40], country=countries.shown_country(countries.countries()[code])))
        return known.code if known else text

    def _zip(self, text: str) -> str:
        whole = countries.zip_with_zeros(self._found.country, text)
        if not whole or self._decided("short_zip", text) != "add the zero":
            return text
        self._tell(N_("its postal code {zip} lacks a zero and is sent as {whole}"), zip=text, whole=whole)
        return whole

    def _email(self, text: str) -> str:
        meant, doubt = email_hint(text), email_doubt(text)
        if meant or doubt:
            self._tell(N_("its e-mail looks mistyped"))
            if self._decided("mistyped_email", text) == "correct":
                words = N_("Did you mean {address}? Correct it, or choose to send it")
                self._wrong("email", doubt or _(words, address=meant))
        return text

    def _phone(self, text: str) -> str:
        if not text:
            return ""
        try:
            number = read_phone(text, self._found.country)
        except PhoneProblem as problem:
            self._wrong("phone", str(problem))
            return text
        if number.doubt:
            self._tell(N_("its phone {phone}: {doubt}"), phone=text, doubt=number.doubt)
            if not self._text("email"):
                self._leaves_out("doubtful_phone", text)
        return number.e164
