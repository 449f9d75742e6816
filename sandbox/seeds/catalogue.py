"""The demo shop's catalogue of 40 products, as a shop would export it: `catalogue.csv` beside this file."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

CATALOGUE = Path(__file__).parent / "catalogue.csv"


@dataclass(frozen=True, slots=True)
class CatalogueProduct:
    """A row of the catalogue; `category` is a path such as "Electronics > Televisions", `price` is text."""

    sku: str
    title: str
    price: str
    category: str
    image: str

    def line_item(self, *, quantity: int = 1) -> dict[str, Any]:
        """This product as a line item of POST /api/carts."""
        return {
            "product_id": self.sku,
            "product_title": self.title,
            "product_price": self.price,
            "quantity": quantity,
            "meta": {"breadcrumbs": [{"category": part} for part in self.category.split(" > ")]},
            "detail": {"images": [{"src": self.image}]},
        }


@cache
def catalogue() -> tuple[CatalogueProduct, ...]:
    """All products, in the order of the file."""
    text = CATALOGUE.read_text(encoding="utf-8")
    return tuple(CatalogueProduct(**row) for row in csv.DictReader(text.splitlines()))
