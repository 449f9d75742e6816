"""Where a code that was scanned belongs, by what this desk knows: no call of the service is made for it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from warranty.access import Operator, Permission
from warranty.client.resources.landing import read_landing_page_url, scanned_order_id
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptFilter
from warranty.files.catalogue import Catalogue
from warranty.files.shop_files import ShopFiles

_ID: Final = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f-]{20,64}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Known:
    """What this desk knows: all that was sent on an order, orders that hold a text and what else a person sees of
    what was sent that does (newest first), the catalogue.
    """

    story: Callable[[str], Sequence[Attempt]]
    orders: Callable[[str, int], Sequence[Attempt]]
    sent: Callable[[str, int], Sequence[Attempt]]
    catalogue: Callable[[], Catalogue]

    @classmethod
    def to(cls, desk: Desk, operator: Operator, files: ShopFiles) -> Self:
        """What this person's desk knows, asked when a code comes."""
        return cls(
            story=partial(desk.activity.order_timeline, operator)
            if operator.may(Permission.SEE_OWN_ACTIVITY)
            else lambda _order_id: (),
            orders=partial(desk.activity.recent_orders, operator)
            if operator.may(Permission.RECORD_SALES)
            else lambda _text, _limit: (),
            sent=lambda text, limit: (
                desk.activity.attempts(operator, AttemptFilter(text=text, limit=limit))
                if operator.may(Permission.SEE_OWN_ACTIVITY)
                else ()
            ),
            catalogue=files.catalogue.in_use,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """A screen, and what it is asked for."""

    screen: str
    parameters: tuple[tuple[str, str], ...] = ()


BASKET: Final = Place("submit_order")


def place_of(code: str, known: Known) -> Place | None:
    """A product's place is the basket, an order's its sale, and that of any other id the claims that hold it."""
    if known.catalogue().find(code):
        return BASKET
    for order in (code, scanned_order_id(code)):
        if order and (read_landing_page_url(order) is not None or known.story(order)):
            return Place("record_sale", (("order", order),))
    if _ID.fullmatch(code):
        return Place("claims", (("period", "all"), ("words", code)))
    return None
