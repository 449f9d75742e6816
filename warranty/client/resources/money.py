"""Money as people write it, read into `Decimal` by written rules, never guessed.

Interface: product_price and warranty_price, decimal amounts as text.

The rules, in the order they are applied:

1. Only the digits 0 to 9, one decimal mark and one kind of thousands mark: no plus or minus, exponent or digits of
   another script, since what we do not write ourselves we do not read. The sign or code of a currency is passed over
   where the caller names that one (`currency`); another one is refused.
2. The decimal mark is `.` or `,`; after it stand one or two digits. More than two are refused, zeros as well.
3. Thousands marks are `.` `,` a space (also the no-break and thin ones) or an apostrophe; they stand before
   every group of three digits, and the first group does not begin with 0.
4. A text that can be read in two ways (`1,299` and `1.299`) is refused, naming both readings, unless the
   caller says which mark the shop uses for decimals (`decimal_mark`); then the other reading does not exist. More
   than two decimals are rounded where the caller wants it (`rounded`).
5. A Python number is refused: a float has already lost the cents, and an int may mean cents. `Decimal` is
   taken.
"""

import re
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from string import ascii_uppercase
from typing import Annotated, Any, Final, Literal

from babel import Locale
from pydantic import BeforeValidator, PlainSerializer

from warranty.client.resources.words import refusal
from warranty.language import LANGUAGES, N_, _

DecimalMark = Literal[".", ","]

CENT: Final = Decimal("0.01")
LONGEST_WHOLE_PART: Final = 12
_THOUSANDS_MARKS: Final = " '’\u00a0\u2009\u202f"
_READABLE: Final = re.compile(rf"[0-9.,{_THOUSANDS_MARKS}]+")
_NO_CENTS: Final = re.compile(r"([.,])[-–—]{1,2}$")  # 1299,-
_MINUS: Final = re.compile(r"^[-−–(]|-$")


class PriceProblem(ValueError):
    """A text that is not a price we can be sure of; the message says what to enter.

    `undecided` is what the caller could say to have it read: `decimal_mark`, `rounded`, or nothing.
    """

    def __init__(self, message: str, undecided: str = "") -> None:
        super().__init__(message)
        self.undecided = undecided


def parse_price(
    text: str,
    *,
    decimal_mark: DecimalMark | None = None,
    drop_zeros: bool = False,
    currency: str = "",
    rounded: bool = False,
) -> Decimal:
    """Read an amount of money, in units of the order's currency, by the rules of this module.

    `decimal_mark` is the mark that this shop or file uses before the cents, if it is known. `drop_zeros`
    allows further zeros after the cents ("1500.0000"), as shop platforms export them.
    Raises `PriceProblem` (a `ValueError`) with a sentence for the person who typed the text.
    """
    text = text.strip()
    if not text:
        raise PriceProblem(_("Enter a price"))
    shown = _shown(text)
    text = _NO_CENTS.sub(r"\g<1>00", _without_currency(text, currency))
    if _MINUS.search(text):
        raise PriceProblem(_("{shown} is below zero: enter a price of 0.00 or more", shown=shown), "below_zero")
    if not _READABLE.fullmatch(text) or not any(mark.isdigit() for mark in text):
        words = _("{shown} is not a price: enter digits with at most two decimals, such as 1299.00", shown=shown)
        raise PriceProblem(words)
    marks: tuple[DecimalMark, ...] = (".", ",") if decimal_mark is None else (decimal_mark,)
    readings = {reading for mark in marks if (reading := _read(text, mark, drop_zeros=drop_zeros))}
    if not readings:
        words = _("{shown} is not a price: enter it as 1299.00, with at most two decimals", shown=shown)
        if decimal_mark is not None:
            not_so = N_("{shown} does not use '{mark}' before the cents: enter it as 1299{mark}00")
            words = _(not_so, shown=shown, mark=decimal_mark)
        raise PriceProblem(words)
    if len(readings) > 1:
        first, second = sorted(readings, key=lambda reading: len(reading[1]))
        words = _(
            "{shown} can be read as {first} or as {second}, which has more than two decimals: "
            "enter it with two decimals, such as {first}",
            shown=shown,
            first=_written(first),
            second=_written(second),
        )
        raise PriceProblem(words, "decimal_mark")
    whole, cents = readings.pop()
    if len(cents) > 2 and not rounded:
        words = _("{shown} has more than two decimals: enter at most two, such as 1299.00", shown=shown)
        raise PriceProblem(words, "rounded")
    if len(whole.lstrip("0")) > LONGEST_WHOLE_PART:
        raise PriceProblem(_("{shown} is too large to be a price", shown=shown))
    return Decimal(f"{whole or '0'}.{cents or '0'}").quantize(CENT, ROUND_HALF_UP)


def price_or_none(text: str, **how: Any) -> Decimal | None:
    """The same; None where the text means no amount for sure."""
    try:
        return parse_price(text, **how)
    except PriceProblem:
        return None


def without_sign(text: str, currency: str) -> str:
    """A price that stands with the sign or code of its currency, as it is sent; any other text as it is."""
    signed = None if price_or_none(text) is not None else price_or_none(text, currency=currency)
    return text if signed is None else format_price(signed)


def format_price(amount: Decimal) -> str:
    """Write an amount as the interface takes it: a point and two decimals, no thousands mark."""
    return f"{amount.quantize(CENT):f}"


def _without_currency(text: str, currency: str) -> str:
    """An amount without the sign or code of its currency before or behind it."""
    found = re.fullmatch(
        r"([^\W\d_]{0,9}[^\w\s.,'’+()−–-]?)\s{0,9}(-?[0-9].{0,90}?)\s{0,9}([^\W\d_]{0,9}[^\w\s.,'’+()−–-]?)", text
    )
    signs = {sign.upper() for sign in (found[1], found[3]) if sign} if found else set()
    if found and signs and signs <= signs_of(currency):
        return found[2]
    if found and signs and currency and signs <= _all_signs():
        shown = _shown(text)
        raise PriceProblem(_("{shown} is in another currency than {currency}", shown=shown, currency=currency))
    return text


@lru_cache(maxsize=8)
def signs_of(currency: str) -> frozenset[str]:
    """How people write a currency: its code and its signs, in capitals."""
    signs = {str(Locale(code).currency_symbols.get(currency, currency)).upper() for code in LANGUAGES}
    narrow = {sign.lstrip(ascii_uppercase) for sign in signs}
    return frozenset({currency, *signs, *narrow} - {""}) if currency else frozenset()


@lru_cache(maxsize=1)
def _all_signs() -> frozenset[str]:
    return frozenset().union(*(signs_of(code) for code in Locale("en").currencies))


def _read(text: str, mark: DecimalMark, *, drop_zeros: bool) -> tuple[str, str] | None:
    """Give the digits before and after `mark`, or None where the text is not written that way."""
    whole, marked, cents = text.partition(mark)
    if marked and not cents.isdecimal():
        return None
    thousands = next((other for other in f".,{_THOUSANDS_MARKS}" if other in whole), None)
    if thousands is not None:
        first, *groups = whole.split(thousands)
        if not 1 <= len(first) <= 3 or first.startswith("0") or any(len(group) != 3 for group in groups):
            return None
        whole = first + "".join(groups)
    if whole and not whole.isdecimal():
        return None
    if drop_zeros:
        cents = cents[:2] + cents[2:].rstrip("0")
    return whole, cents


def _written(reading: tuple[str, str]) -> str:
    whole, cents = reading
    return f"{whole or '0'}.{cents.ljust(2, '0')}"


def _shown(text: str) -> str:
    return f"“{text[:40]}…”" if len(text) > 40 else f"“{text}”"


def _price(value: object) -> Decimal:
    if value is None:
        raise refusal("blank", _("Enter a price"))
    try:
        if isinstance(value, str):
            return parse_price(value)
        if isinstance(value, Decimal):
            return parse_price(f"{value:f}", decimal_mark=".", drop_zeros=True)
    except PriceProblem as problem:
        raise refusal("warranty_price", str(problem)) from problem
    raise refusal("warranty_price", _("Give the price as text such as 1299.00, not as a number"))


Price = Annotated[Decimal, BeforeValidator(_price), PlainSerializer(format_price, return_type=str, when_used="json")]
"""An amount of money in a body that we send: `Decimal` in Python, text with two decimals in JSON."""
