"""What a person decides for a whole file of orders, and what its texts are under these decisions."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from pydantic import BaseModel

from warranty.files.order_files.layouts import Layout
from warranty.language.written import price as written
from warranty.resources import as_whole
from warranty.resources.money import PriceProblem, parse_price, price_or_none

_DAY: Final = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[T ].*)?")
EITHER_DAY: Final = re.compile(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4}|[0-9]{2})(?:[T ].*)?")
known_price = lru_cache(maxsize=4096)(parse_price)


class Choices(BaseModel, frozen=True):
    """What a person decides for the whole file, and the journal keeps; the first of each holds without a decision.

    `states` are states by country code, for the orders of that country that name none.
    """

    id_column: str = ""
    cancelled: Literal["leave out", "send"] = "leave out"
    refunded: Literal["leave out", "send"] = "leave out"
    voided: Literal["leave out", "send"] = "leave out"
    failed: Literal["leave out", "send"] = "leave out"
    part_refunded: Literal["leave out", "send"] = "leave out"
    other_currency: Literal["leave out", "send"] = "leave out"
    from_shipping: Literal["take", "leave out"] = "take"
    doubtful_phone: Literal["leave out", "send"] = "leave out"
    letters: Literal["undecided", "right"] = "undecided"
    decimal_mark: Literal["undecided", ".", ","] = "undecided"
    decimals: Literal["undecided", "round"] = "undecided"
    quantity_mark: Literal["undecided", ".", ","] = "undecided"
    dates: Literal["undecided", "day first", "month first"] = "undecided"
    last_first: Literal["turn", "as it is"] = "turn"
    returned: Literal["leave out", "correct"] = "leave out"
    discount_line: Literal["leave out", "correct"] = "leave out"
    without_sku: Literal["leave out", "title as SKU"] = "leave out"
    zero_price: Literal["leave out", "send"] = "leave out"
    far_price: Literal["correct", "send"] = "correct"
    discount: Literal["ignore", "subtract"] = "ignore"
    sent_before: Literal["leave out", "send"] = "leave out"
    short_zip: Literal["add the zero", "as it is"] = "add the zero"
    states: Mapping[str, str] = {}

    def id_label(self, layout: Layout) -> str:
        """What the file calls the order id."""
        return self.id_column or layout.label("order_id")


def read_amount(text: str, choices: Choices, currency: str) -> Decimal:
    """An amount under the decisions for the file. Raises `PriceProblem`, which names the one that would help."""
    mark = None if choices.decimal_mark == "undecided" else choices.decimal_mark
    try:
        return known_price(text, drop_zeros=True, currency=currency)
    except PriceProblem as problem:
        mark = mark if problem.undecided == "decimal_mark" else None
        rounded = choices.decimals == "round"
        return parse_price(text, drop_zeros=True, currency=currency, decimal_mark=mark, rounded=rounded)


def read_units(text: str, choices: Choices) -> int | None:
    """A whole number of units, with a comma in it as decided for the file; None where it is none, -1 below nothing."""
    if re.fullmatch(r"[-−–(][^0-9]{0,30}[0-9].*", text):
        return -1
    if choices.quantity_mark == "undecided" or "," not in text:
        return as_whole(text)
    amount = price_or_none(text, decimal_mark=choices.quantity_mark, drop_zeros=True)
    return int(amount) if amount is not None and amount == int(amount) else None


def read_day(text: str, choices: Choices) -> str:
    """A day as YYYY-MM-DD, without its time, its month where it was decided for the file; else the text."""
    if found := _DAY.fullmatch(text):
        year, month, day = map(int, found.groups())
    elif choices.dates != "undecided" and (found := EITHER_DAY.fullmatch(text)):
        day, month, year = map(int, found.groups())
        day, month = (day, month) if choices.dates == "day first" else (month, day)
    else:
        return text
    try:
        return date(year + 2000 * (year < 100), month, day).isoformat()
    except ValueError:
        return text


def reading(kind: str, option: str, text: str, currency: str) -> str:
    """What an option of a decision makes of a text; "" where nothing."""
    choices = Choices.model_validate({"decimals": "round", kind: option})
    if kind in {"decimal_mark", "decimals"}:
        try:
            return written(read_amount(text, choices, currency))
        except PriceProblem:
            return ""
    if kind == "quantity_mark":
        return str(read_units(text, choices) or "")
    return read_day(text, choices) if kind == "dates" and read_day(text, choices) != text else ""
