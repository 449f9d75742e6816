"""What a person decides for a whole file of orders, and what its texts are under these decisions."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from warranty.client.resources import as_whole
from warranty.client.resources.money import PriceProblem, parse_price, price_or_none
from warranty.language import N_, _
from warranty.language.written import written


class Decision(NamedTuple):
    """A kind of thing that is counted in a file: the question, what can be chosen, why it is not sent by the first."""

    question: str
    options: tuple[str, ...]
    left_out: str = ""


_SEND: Final = (N_("leave out"), N_("send"))
_CORRECT: Final = ("leave out", "correct")
_MARK: Final = ("undecided", ".", ",")
DECISIONS: Final[Mapping[str, Decision]] = {
    "decimal_mark": Decision(N_("Amounts that can be read in two ways: what stands before the cents?"), _MARK),
    "rounded": Decision(N_("Amounts with more than two decimals"), ("undecided", N_("round"))),
    "quantity_mark": Decision(N_("Quantities with a comma: what stands before the decimals?"), _MARK),
    "dates": Decision(N_("Dates: what comes first?"), ("undecided", N_("day first"), N_("month first"))),
    "cancelled": Decision(N_("Cancelled orders"), _SEND, N_("cancelled")),
    "refunded": Decision(N_("Refunded orders"), _SEND, N_("refunded")),
    "part_refunded": Decision(N_("Orders refunded in part"), _SEND, N_("refunded in part")),
    "voided": Decision(N_("Voided orders"), _SEND, N_("voided")),
    "failed": Decision(N_("Orders whose payment failed"), _SEND, N_("not paid")),
    "unfinished": Decision(N_("Orders that are not paid or not finished"), _SEND, N_("not paid or not finished")),
    "strange": Decision(N_("Orders with a status that is not known here"), _SEND, N_("its status is not known here")),
    "other_currency": Decision(N_("Orders in another currency, not converted"), _SEND, N_("in another currency")),
    "from_shipping": Decision(N_("Orders without a billing address"), ("take", "leave out"), N_("no billing address")),
    "doubtful_phone": Decision(N_("Orders reached by a doubtful phone alone"), _SEND, N_("its only phone is in doubt")),
    "mistyped_email": Decision(N_("E-mails that look mistyped"), ("correct", "send")),
    "last_first": Decision(N_("Names with a comma"), ("turn", N_("as it is"))),
    "returned": Decision(N_("Returned items (quantity 0 or less)"), _CORRECT, N_("it has no units, as a return has")),
    "discount_line": Decision(N_("Lines that cost less than nothing"), _CORRECT, N_("it costs less than nothing")),
    "without_sku": Decision(N_("Lines without a SKU"), ("leave out", N_("title as SKU")), N_("it has no SKU")),
    "doubled": Decision(N_("Rows that an order has twice"), ("correct", "send", "leave out"), N_("it is there twice")),
    "no_product": Decision(N_("Lines of shipping, a tax, a tip or a gift card"), _SEND, N_("it looks like no product")),
    "zero_price": Decision(N_("Lines that cost nothing"), _SEND, N_("it costs nothing")),
    "far_price": Decision(N_("Prices far from the catalogue"), ("correct", "send")),
    "discount": Decision(N_("Lines with a discount"), (N_("ignore"), N_("subtract"))),
    "sent_before": Decision(N_("Orders sent before"), _SEND, N_("sent before")),
    "guessable": Decision(N_("Order numbers that anybody could guess"), _SEND[::-1], N_("it is easy to guess")),
    "short_zip": Decision(N_("Postal codes that lack a zero"), (N_("add the zero"), "as it is")),
    "other_zip": Decision(N_("ZIPs of another state"), ("correct", "send")),
}  # fmt: skip
"""The first option of each holds without a decision."""
SHOWN_AS: Final = {".": N_("a point"), ",": N_("a comma"), "undecided": N_("not chosen"), "turn": N_("swap the names"),
                   "correct": N_("fix them first"), "take": N_("use the shipping address")}  # fmt: skip
"""Options that people read in other words than the journal has."""
_known_price = lru_cache(maxsize=4096)(parse_price)


Decided = Callable[[str, str], str]
"""What was decided for the file of this kind of text; asked with each text that needs it."""


class Choices(BaseModel, frozen=True, extra="allow"):
    """What a person decided for the whole file, by the names of `DECISIONS`, as the journal keeps it.

    `country` is that of the orders that name none; `states` are states by country code, for the orders of that country
    that name none.
    """

    id_column: str = ""
    country: str = ""
    states: Mapping[str, str] = {}

    def __init__(self, **decided: Any) -> None:
        super().__init__(**decided)

    def __getitem__(self, kind: str) -> Any:
        """The option of a decision that holds."""
        chosen, options = (self.model_extra or {}).get(kind), DECISIONS[kind].options
        return chosen if chosen in options else options[0]


def read_amount(text: str, decided: Decided, currency: str) -> Decimal:
    """An amount. Raises `PriceProblem`, also where it lacks a decision."""
    how: dict[str, Any] = {}
    while True:
        try:
            return _known_price(text, drop_zeros=True, currency=currency, **how)
        except PriceProblem as problem:
            kind = problem.undecided
            if kind not in READERS or (option := decided(kind, text)) == "undecided":
                raise
            how[kind] = option


def read_units(text: str, decided: Decided, _currency: str) -> int:
    """A whole number of units, 1 where there is none, -1 below nothing. Raises as `read_amount`."""
    if re.fullmatch(r"[-−–(][^0-9]{0,30}[0-9].*", text):
        return -1
    units, kind = as_whole(text or "1"), "quantity_mark" if "," in text else ""
    if kind and (mark := decided(kind, text)) != "undecided":
        amount = price_or_none(text, decimal_mark=mark, drop_zeros=True)
        units = int(amount) if amount is not None and amount == int(amount) else None
    if units is None:
        raise PriceProblem(_("“{text}” is no whole number of units", text=text[:20]), kind)
    return units


def read_day(text: str, decided: Decided, _currency: str) -> str:
    """A day as YYYY-MM-DD, without its time; the text where it is no day. Raises `PriceProblem` where it may be two."""
    found = re.fullmatch(r"([0-9]{4}|[0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4}|[0-9]{1,2})(?:[T ].*)?", text)
    for form in ("%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%Y%m%d") if text and not found else ():
        with suppress(ValueError):
            return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day has no zone
    if not found or text.startswith("0000") or (len(found[1]) < 4 and len(found[3]) == 1):
        return "" if text.startswith("0000") else text  # not yet known
    one, two, three = map(int, found.groups())
    first = "year first" if len(found[1]) == 4 else decided("dates", text)
    if first == "undecided":
        raise PriceProblem(_("“{text}” may be two days: choose what comes first", text=text[:20]), "dates")
    orders = {"year first": (one, two, three), "day first": (three, two, one), "month first": (three, one, two)}
    year, month, day = orders[first]
    with suppress(ValueError):
        return date(year + 2000 * (year < 100), month, day).isoformat()
    return text


Reader = Callable[[str, Decided, str], object]
READERS: Final[Mapping[str, Reader]] = {
    "decimal_mark": read_amount, "rounded": read_amount, "quantity_mark": read_units, "dates": read_day,
}  # fmt: skip
"""What reads the texts that a decision of how they are read is about."""


def reading(kind: str, option: str, text: str, currency: str) -> str:
    """What an option of a decision makes of a text; "" where nothing."""

    def decided(other: str, _text: str) -> str:
        return option if other == kind else DECISIONS[other].options[-1]

    try:
        found = str(written(READERS[kind](text, decided, currency))) if kind in READERS else ""
    except PriceProblem:
        return ""
    return "" if found == text else found
