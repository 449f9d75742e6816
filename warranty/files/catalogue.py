"""The shop's product catalogue: SKU or barcode -> title, price, category path, image.

A table with the columns sku, title, price, category, image, and barcode if there is one, in any order. One article has
one code, whatever marks and zeros a scanner puts around it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from warranty.client.resources.money import price_or_none
from warranty.files.order_files.source import WORDS
from warranty.files.table_files import read_list
from warranty.language import N_, Sentence


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
    """Products by SKU without case, and by article key; `remarks` say which rows were not taken, and why."""

    remarks: tuple[Sentence, ...] = ()
    products: Mapping[str, CatalogueProduct] = field(default_factory=dict)
    codes: Mapping[str, Sequence[CatalogueProduct]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many products it has."""
        return len(self.products)

    def fitting(self, code: str) -> Sequence[CatalogueProduct]:
        """The product of a SKU, else those of a code, whatever its case and whatever a scanner puts around it."""
        product = self.products.get(code.strip().casefold())
        keys = map(article_key, (code, without_marks(code), code.replace("ß", "-")))  # as a German keyboard has it
        return [product] if product else next((self.codes[key] for key in keys if key in self.codes), ())

    def find(self, code: str) -> CatalogueProduct | None:
        """The product of a SKU or barcode; None where several have it."""
        found = self.fitting(code) if self.products else ()
        return found[0] if len(found) == 1 else None

    def named(self, words: str) -> list[CatalogueProduct]:
        """The products of one code, else those whose titles hold all of these words, what begins so first.

        Words without a digit may stand in the SKU as well; what has one may be a code that is not in the catalogue.
        """
        several, wanted, is_code = self.fitting(words), words.casefold().split(), any(map(str.isdigit, words))
        if len(several) > 1 or sum(map(len, wanted)) < 2:
            return [*several]
        texts = ((one, f"{one.title} {'' if is_code else one.sku}".casefold()) for one in self.products.values())
        found = [one for one, text in texts if all(word in text for word in wanted)]
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
    codes: dict[str, list[CatalogueProduct]] = {}
    of_product: dict[str, dict[str, str]] = {}

    def take(number: int, cells: dict[str, str]) -> Sentence | None:
        read = {name: text for name, text in cells.items() if text}
        first = of_product.setdefault(read["handle"], read) if "handle" in read else read
        read = {name: first[name] for name in ("title", "category", "image") if name in first} | read
        sku, barcode = (read.get(name, "").removeprefix("'") for name in ("sku", "barcode"))
        named = dict.fromkeys(read[name] for name in ("title", "option", "option2", "option3") if name in read)
        title = ", ".join(text for text in named if text != "Default Title")  # as platforms call an option of none
        if not sku or "title" not in read:
            words = N_("Row {n} has no title: left out") if sku else N_("Row {n} has no SKU: left out")
            return Sentence(words, n=number)
        if sku.casefold() in products:
            return Sentence("Row {n} repeats the SKU {sku}: the first one counts", n=number, sku=sku)
        price = price_or_none(read.get("price", ""), drop_zeros=True, currency=currency)
        product = CatalogueProduct(sku, title, price, read.get("category", ""), read.get("image", ""))
        products[sku.casefold()] = product
        for code in {article_key(sku), article_key(barcode)} - {""}:
            codes.setdefault(code, []).append(product)
        return Sentence("Row {n} has no readable price: type it at the counter", n=number) if price is None else None

    what = Sentence("A catalogue needs the columns sku and title (and price, category, image)")
    table, faults = read_list(content, WORDS["catalogue"], take, needed=("sku", "title"), what=what, currency=currency)
    shared = [(code, ", ".join(one.sku for one in found)[:200]) for code, found in codes.items() if len(found) > 1]
    remarks = [Sentence("Several products have the code {code}: {skus}", code=code, skus=skus) for code, skus in shared]
    return Catalogue((*table.remarks, *remarks, *faults), MappingProxyType(products), MappingProxyType(codes))


def article_key(code: str) -> str:
    """What all spellings of a code share: the 14 digits of an article, else its letters without case."""
    text = code.strip().casefold()
    return text.zfill(14) if _is_article(text) else text


def _is_article(text: str) -> bool:
    """Whether its check digit is right: of GTIN-14, EAN-13, UPC-A, or one that has lost a zero in a spreadsheet."""
    is_long = re.fullmatch("[0-9]{11,14}", text)
    return bool(is_long) and (sum(map(int, text[::-2])) + 3 * sum(map(int, text[-2::-2]))) % 10 == 0


def without_marks(code: str) -> str:
    """A code without what scanners put before and around it."""
    text = code.strip()
    plain = re.sub(r"^\][A-Za-z][0-9]", "", text)  # the kind of code, as scanners can put before it (ISO/IEC 15424)
    gs1 = re.match(r"(\(01\)|01)([0-9]{14})", plain)
    if gs1 and (gs1[1] != "01" or plain != text or (gs1[0] == text and _is_article(gs1[2]))):
        return gs1[2]
    return plain[1:-1] if re.fullmatch(r"\*.+\*", plain) else plain  # the marks at both ends of Code 39
