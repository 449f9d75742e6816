"""Reads a JSON object field by field and collects every fault as a sentence that names the field.

Section of the interface: "Resources and their fields". A field is named by its path, as in
`line_items[0].product_price`, counted from 0 as in the JSON itself.
"""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

LONGEST_ORDER_ID = 255
_AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,100})?")
_WHOLE = re.compile(r"[0-9]{1,500}")  # an order's quantity has no upper limit: above 20 it is 20
_ZEROS = re.compile(r"0{1,400}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def amount(value: object) -> Decimal | None:
    """A price of zero or more from text or a JSON number; None when it is not readable."""
    # Assumption fields.amount-as-number
    text = _plain(value)
    return Decimal(text.strip()) if text is not None and _AMOUNT.fullmatch(text.strip()) else None


def positive_whole(value: object) -> int | None:
    """A quantity: 2, 2.0 and "2" are the same (section "Limits"); None when it is not positive and whole."""
    text = _plain(value)
    whole_part, point, rest = (text or "").partition(".")
    number = int(whole_part) if _WHOLE.fullmatch(whole_part) and (not point or _ZEROS.fullmatch(rest)) else 0
    return number if number > 0 else None


def _plain(value: object) -> str | None:
    """A text as it is, a JSON number without exponent; None for anything else, `true` too."""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return None
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def whole(value: object) -> int | None:
    """A JSON number without a fraction, as an int; None for anything else, text included."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return int(value) if value == int(value) else None


class Fields:
    """One JSON object under its path; every reading method notes a fault and gives None instead of raising."""

    def __init__(self, content: Mapping[str, Any], *, path: str = "", faults: list[str] | None = None) -> None:
        self._content = content
        self._path = path
        self.faults: list[str] = [] if faults is None else faults

    @property
    def here(self) -> str:
        """The full name of this object."""
        return self._path

    def path(self, name: str) -> str:
        """The full name of a field, for a sentence about it."""
        return f"{self._path}.{name}" if self._path else name

    def fault(self, name: str, sentence: str) -> None:
        """Note a fault of a field: "`<path>` `<sentence>`"."""
        self.faults.append(f"{self.path(name)} {sentence}")

    def raw(self, name: str) -> Any:
        """The value as sent; None where it is absent or null."""
        return self._content.get(name)

    def _present(self, name: str, *, required: bool) -> Any:
        value = self._content.get(name)
        if value is None and required:
            self.fault(name, "is required.")
        return value

    def text(self, name: str, *, required: bool = False, why: str = "is required.") -> str | None:
        """A text; where it is required, an empty one counts as not sent."""
        value = self._content.get(name)
        # Assumption fields.documented-types
        if value is not None and not isinstance(value, str):
            self.fault(name, "must be text.")
            return None
        # Assumption fields.empty-required-text
        if required and (value is None or not value.strip()):
            self.fault(name, why)
            return None
        return value

    def identifier(self, name: str, *, required: bool = False, may_be_empty: bool = False) -> str | None:
        """An id as text; a JSON integer is taken as its digits."""
        value = self._present(name, required=required)
        # Assumption fields.integer-identifiers
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None and not isinstance(value, str):
            self.fault(name, "must be text.")
            return None
        if required and value is not None and not may_be_empty and not value.strip():
            self.fault(name, "is required.")
            return None
        return value

    def order_id(self, name: str) -> str | None:
        """An order id, which is required: any text that can stand as one segment of a URL."""
        # Assumption carts.sequential-order-ids
        order_id = self.identifier(name, required=True)
        if order_id is None:
            return None
        # Assumption carts.order-id-form
        if len(order_id) > LONGEST_ORDER_ID:
            self.fault(name, f"must have at most {LONGEST_ORDER_ID} characters.")
            return None
        if order_id in {".", ".."}:
            self.fault(name, "must not be a dot or two dots: browsers take these out of an address.")
            return None
        return order_id

    def amount(self, name: str, *, required: bool = False) -> Decimal | None:
        """A decimal amount of zero or more."""
        value = self._present(name, required=required)
        if value is None:
            return None
        price = amount(value)
        if price is None:
            self.fault(name, 'must be an amount of zero or more, written like "1500.00".')
        return price

    def quantity(self, name: str, *, most: int | None = None) -> int | None:
        """A positive whole number, at most `most`; 1 where nothing is sent."""
        value = self._content.get(name)
        if value is None:
            return 1
        number = positive_whole(value)
        if number is None:
            self.fault(name, "must be a positive whole number.")
        elif most is not None and number > most:
            self.fault(name, f"must be at most {most} for one line item.")
            return None
        return number

    def whole(self, name: str, *, required: bool = False) -> int | None:
        """A JSON number without a fraction."""
        value = self._present(name, required=required)
        if value is None:
            return None
        number = whole(value)
        if number is None:
            self.fault(name, "must be a whole number.")
        return number

    def number(self, name: str) -> Decimal | None:
        """A JSON number of zero or more."""
        value = self._content.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | Decimal) or value < 0:
            self.fault(name, "must be a number of zero or more.")
            return None
        return Decimal(value)

    def day(self, name: str) -> date | None:
        """A date of the form YYYY-MM-DD."""
        value = self._content.get(name)
        if value is None:
            return None
        try:
            if isinstance(value, str) and _DATE.fullmatch(value):
                return date.fromisoformat(value)
        except ValueError:
            pass
        self.fault(name, "must be a date of the form YYYY-MM-DD.")
        return None

    def object(self, name: str, *, required: bool = False) -> "Fields | None":
        """The object in a field."""
        value = self._present(name, required=required)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.fault(name, "must be an object.")
            return None
        return Fields(value, path=self.path(name), faults=self.faults)

    def objects(self, name: str, *, required: bool = False) -> "list[Fields]":
        """The objects in a list; entries that are no object are noted and left out."""
        value = self._present(name, required=required)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(name, "must be a list.")
            return []
        found = []
        for position, entry in enumerate(value):
            path = f"{self.path(name)}[{position}]"
            if isinstance(entry, dict):
                found.append(Fields(entry, path=path, faults=self.faults))
            else:
                self.faults.append(f"{path} must be an object.")
        return found
