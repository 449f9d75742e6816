"""The shop's product catalogue: SKU or barcode -> title, price, category path, image.

A table with the columns sku, title, price, category, image, and barcode if there is one, in any order. One article has
one code, whatever marks and zeros a scanner puts around it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from warranty.client.resources.money import price_or_none
from warranty.files.order_files.source import FIELDS
from warranty.files.table_files import read_list
from warranty.language import N_, Sentence

_FIRST: Final = {
    "sku": "sku variantsku", "title": "title name producttitle description", "price": "price variantprice regularprice",
    "category": "category categorypath productcategory categories type breadcrumbs", "image": "image imagesrc picture",
    "currency": "currency", "barcode": "barcode ean gtin upc variantbarcode gtinupceanorisbn",
    "handle": "handle parentid productgroup", "option": "option1value option variant varianttitle",
    "option2": "option2value", "option3": "option3value",
}  # fmt: skip
_COLUMNS: Final = {**_FIRST, **{name: f"{_FIRST[name]} {FIELDS[name].spellings}" for name in _FIRST.keys() & FIELDS}}
"""Spellings of the headers, the likeliest first; then those that order files have."""


@dataclass(frozen=True, slots=True)
class CatalogueProduct:
    """A product as the catalogue describes it; `price` is None where the catalogue has no readable one."""

    sku: str
    title: str
    price: Decimal | None = None
    category: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Products by what a scanner reads; `remarks` say which rows were not taken, and why."""

    remarks: tuple[Sentence, ...] = ()
    products: Mapping[str, CatalogueProduct] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many products it has."""
        return len(self._each_once())

    def _each_once(self) -> list[CatalogueProduct]:
        return [product for code, product in self.products.items() if code == product.sku]

    def find(self, code: str) -> CatalogueProduct | None:
        """The product of a SKU or barcode, whatever its case and whatever a scanner puts around it."""
        return next((self.products[each] for each in spellings(code) if each in self.products), None)

    def named(self, words: str) -> list[CatalogueProduct]:
        """The products whose titles hold all of these words, those that begin with the first one first.

        Words without a digit may stand in the SKU as well; what has one may be a code that is not in the catalogue.
        """
        wanted, is_code = words.casefold().split(), any(map(str.isdigit, words))
        if sum(map(len, wanted)) < 2:
            return []
        texts = {one.sku: f"{one.title} {'' if is_code else one.sku}".casefold() for one in self._each_once()}
        found = [self.products[sku] for sku, text in texts.items() if all(word in text for word in wanted)]
        return sorted(found, key=lambda one: (not one.title.casefold().startswith(wanted[0]), one.title))

    def far_from(self, code: str, price: Decimal | None) -> Decimal | None:
        """The catalogue's price of a product where `price` is five times it, a fifth of it, or beyond."""
        product = self.find(code)
        usual = product.price if product else None
        return usual if usual and price is not None and not usual / 5 < price < usual * 5 else None


EMPTY: Final = Catalogue()


def read_catalogue(content: bytes, *, currency: str = "") -> Catalogue:
    """Read a catalogue from a CSV or XLSX file. Raises `FileProblem` where it is no catalogue.

    A row that has no title and follows a product of its handle is a variant: what it leaves empty is the product's.
    """
    products: dict[str, CatalogueProduct] = {}
    of_product: dict[str, dict[str, str]] = {}

    def take(number: int, cells: dict[str, str]) -> Sentence | None:
        read = {name: text for name, text in cells.items() if text}
        if handle := read.get("handle"):
            first = of_product.setdefault(handle, read)
            read = {name: first[name] for name in ("title", "category", "image") if name in first} | read
        sku, barcode = (read.get(name, "").removeprefix("'") for name in ("sku", "barcode"))
        named = dict.fromkeys(read[name] for name in ("title", "option", "option2", "option3") if name in read)
        title = ", ".join(text for text in named if text != "Default Title")  # as platforms call an option of none
        if not sku or "title" not in read:
            words = N_("Row {n} has no title: left out") if sku else N_("Row {n} has no SKU: left out")
            return Sentence(words, n=number)
        if sku in products:
            return Sentence("Row {n} repeats the SKU {sku}: the first one counts", n=number, sku=sku)
        price = price_or_none(read.get("price", ""), drop_zeros=True, currency=currency)
        product = CatalogueProduct(sku, title, price, read.get("category", ""), read.get("image", ""))
        for code in filter(None, (sku, sku.casefold(), barcode, article_number(barcode), article_number(sku))):
            products.setdefault(code, product)
        return Sentence("Row {n} has no readable price: type it at the counter", n=number) if price is None else None

    what = Sentence("A catalogue needs the columns sku and title (and price, category, image)")
    table, faults = read_list(content, _COLUMNS, take, needed=("sku", "title"), what=what, currency=currency)
    return Catalogue((*table.remarks, *faults), MappingProxyType(products))


def article_number(code: str) -> str:
    """The 14 digits of an article by a code of 12, 13 or 14 digits whose check digit is right; empty for any other."""
    digits = code.strip()
    if not re.fullmatch("[0-9]{12,14}", digits):
        return ""
    whole = digits.zfill(14)  # UPC-A and EAN-13 are GTIN-14 without the zeros in front
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(whole))
    return whole if total % 10 == 0 else ""


def spellings(code: str) -> Iterator[str]:
    """What a catalogue may have for a scanned code, the likeliest first: as it is, without marks, as an article."""
    text = code.strip()
    plain = re.sub(r"^\][A-Za-z][0-9]", "", text)  # the kind of code, as scanners can put before it (ISO/IEC 15424)
    gs1 = re.match(r"\(01\)([0-9]{14})", plain)
    if gs1 or (plain != text and re.match(r"01[0-9]{14}", plain)):
        plain = gs1[1] if gs1 else plain[2:16]
    if len(plain) > 2 and plain.startswith("*") and plain.endswith("*"):  # the marks at both ends of Code 39
        plain = plain[1:-1]
    for each in dict.fromkeys((text, plain)):
        yield from (each, each.casefold())
    if article := article_number(plain):
        yield article
