"""What one field finds: screens, orders, one customer's claims, products, and the keys; no call is made for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pydantic import ValidationError

from components.keys.places import Known
from components.navigation import SCREENS
from components.words.attempts import items_words, moment, short_id
from warranty.access import Operator, Permission
from warranty.files.catalogue import Catalogue
from warranty.language import _
from warranty.resources import ClaimQuery

MOST_FOUND: Final = 8
_MOST_OF_A_KIND: Final = 4
_SHORTEST: Final = 2


@dataclass(frozen=True, slots=True)
class Found:
    """One result: what it is (`go`, `order`, `customer`, `product`, `keys`), which one, and what is said of it."""

    kind: str
    which: str
    words: str
    about: str = ""


def found(text: str, operator: Operator, known: Known) -> list[Found]:
    """What fits a text, the likeliest first; all screens for none."""
    wanted = text.strip().casefold()
    if is_customer(wanted) and operator.may(Permission.READ_CLAIMS):
        return [Found("customer", text.strip(), _("Claims of {person}", person=text.strip()))]
    results = [*_screens(wanted, operator)]
    if len(wanted) < _SHORTEST:
        return results
    orders = (
        Found(
            "order",
            order.order_id,
            _("Order {order}", order=short_id(order.order_id)),
            f"{items_words(order.items)} · {moment(order.started_at)}",
        )
        for order in known.orders(text.strip(), _MOST_OF_A_KIND)
    )
    products = _products(wanted, known.catalogue()) if operator.may(Permission.SUBMIT_ORDERS) else ()
    return [*results, *orders, *products][:MOST_FOUND]


def is_customer(text: str) -> bool:
    """Whether claims can be asked for by it."""
    try:
        return ClaimQuery(customer_email=text or None).customer_email is not None
    except ValidationError:
        return False


def _screens(wanted: str, operator: Operator) -> Iterator[Found]:
    """Those whose name begins so (without a key of their own first), then those of which it is said; and the keys."""
    open_to = [screen for screen in SCREENS if operator.may(screen.permission)]
    if wanted:
        open_to.sort(key=lambda screen: bool(screen.key))
    offered = [
        *(Found("go", screen.name, _(screen.title), _(screen.said)) for screen in open_to),
        Found("keys", "", _("Keys"), _("Help: which keys there are on this screen")),
    ]
    begin = [one for one in offered if one.words.casefold().startswith(wanted)]
    yield from begin
    yield from (
        one for one in offered if one not in begin and f" {wanted}" in f" {one.words} {one.about}".casefold()
    )


def _products(wanted: str, catalogue: Catalogue) -> Iterator[Found]:
    fitting = (
        Found("product", product.sku, product.title, _("{sku} · to the basket", sku=product.sku))
        for code, product in catalogue.products.items()
        if code == product.sku and (wanted in code.casefold() or wanted in product.title.casefold())
    )
    return islice(fitting, _MOST_OF_A_KIND)
