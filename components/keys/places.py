"""Where a code that was scanned belongs, by what this desk knows: no call of the service is made for it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

from warranty.access import Operator
from warranty.desk import Desk
from warranty.files.shop_files import ShopFiles
from warranty.landing import read_landing_page_url

_ID: Final = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f-]{20,64}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Known:
    """Whether this desk knows a code: as an order's id, or as a product of the catalogue."""

    order: Callable[[str], bool]
    product: Callable[[str], bool]

    @classmethod
    def to(cls, desk: Desk, operator: Operator, files: ShopFiles) -> Self:
        """What this person's desk knows, asked when a code comes."""
        return cls(
            order=lambda code: bool(desk.order_timeline(operator, code)),
            product=lambda code: files.catalogue.in_use().find(code) is not None,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """A screen, and what it is asked for."""

    screen: str
    asked: tuple[tuple[str, str], ...] = ()


BASKET: Final = Place("submit_order")


def place_of(code: str, known: Known) -> Place | None:
    """A product's place is the basket, an order's its sale, and that of any other id the claims that hold it."""
    if known.product(code):
        return BASKET
    if read_landing_page_url(code) is not None or known.order(code):
        return Place("record_sale", (("order", code),))
    if _ID.fullmatch(code):
        return Place("claims", (("period", "all"), ("words", code)))
    return None
