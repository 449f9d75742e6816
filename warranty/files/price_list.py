"""The shop's usual prices of plans: a file that a manager put in, or that WARRANTY_PRICE_LIST names.

A CSV or XLSX file with the columns `months` and `price`, and any of `sku`, `category` and `type`. An empty cell means
"any". Where several rows fit, the most exact one counts: a row for the SKU before one for a category before one for
all products, and among these a row for the type before one for any type. Amounts are in the order's currency and
are read by the rules of `warranty.client.resources.money`. A plan's name in a shop differs from the service's in case
at most.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from warranty.client.resources.money import PriceProblem, parse_price
from warranty.files.table_files import read_list
from warranty.files.tables import FileProblem
from warranty.language import N_, Sentence

_COLUMNS: Final = {column: column for column in ("sku", "category", "months", "type", "price", "currency")}

Key = tuple[str, str, int, str]
"""SKU, category, months, type; all texts folded, empty for any."""


@dataclass(frozen=True, slots=True)
class PriceList:
    """Usual prices by what they are for; the last `left_out` of the `remarks` say which rows do not count, and why."""

    remarks: tuple[Sentence, ...] = ()
    left_out: int = 0
    prices: Mapping[Key, Decimal] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many prices it has."""
        return len(self.prices)

    def usual(
        self, *, sku: str, months: int, plan_type: str | None = None, categories: Iterable[str] = ()
    ) -> Decimal | None:
        """The usual price of one plan, in the order's currency; None where the list does not name it."""
        products = [(_folded(sku), ""), *(("", _folded(category)) for category in categories)]
        kinds = (_folded(plan_type or ""), "")
        rows = ((*product, months, kind) for product in (*filter(any, products), ("", "")) for kind in kinds)
        return next((self.prices[row] for row in rows if row in self.prices), None)


def read_price_list(content: bytes, *, currency: str = "") -> PriceList:
    """Read a list from a CSV or XLSX file. Raises `FileProblem` where it is no price list."""
    prices: dict[Key, Decimal] = {}
    what = Sentence("A price list needs the columns months and price (and sku, category, type where they matter)")

    def take(number: int, cells: dict[str, str]) -> Sentence | None:
        sku, category, kind = (_folded(cells.get(name, "")) for name in ("sku", "category", "type"))
        months = int(cells["months"]) if re.fullmatch("[0-9]{1,3}", cells["months"]) else 0
        key: Key = (sku, category, months, kind)
        words, why, others = "", "", cells["not_read"]
        if others and "sku" not in cells:
            raise FileProblem(N_("{what}; this file lacks sku and has {names}."), what=what, names=others)
        if not months:
            words = N_("Row {n} has no term in whole months (“{text}”): left out")
        elif sku and category:
            words = N_("Row {n} names both a SKU and a category: name one of them: left out")
        elif others and not sku and not category:
            words = N_("Row {n} has no SKU, and its column {names} is not read: left out")
        elif key in prices:
            words = N_("Row {n} repeats a row above it: the first one counts")
        try:
            price = parse_price(cells["price"], drop_zeros=True, currency=currency)
        except PriceProblem as problem:
            words, why = words or N_("Row {n} has no price that can be read ({why}): left out"), str(problem)
        if not words:
            prices[key] = price
        return Sentence(words, n=number, text=cells["months"][:20], why=why, names=others) if words else None

    table, faults = read_list(content, _COLUMNS, take, needed=("months", "price"), what=what, currency=currency)
    return PriceList((*table.remarks, *faults), len(faults), MappingProxyType(prices))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
