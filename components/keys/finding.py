"""What one field finds (screens, actions, orders, one customer's claims, products), and where a code that was scanned
belongs: by what this desk knows, no call is made for it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from string import digits
from typing import Final, Self

from pydantic import ValidationError

from components.navigation import SCREENS
from components.selling.submit_order.order_form import next_order
from components.ui.frame.actions import Action
from components.words.attempts import covered_days, items_words, moment, short_id
from warranty.access import Operator, Permission
from warranty.client.resources import ClaimQuery
from warranty.client.resources.landing import read_landing_page_url, scanned_order_id
from warranty.desk import Desk
from warranty.desk.journal import Attempt, AttemptFilter
from warranty.files.catalogue import Catalogue
from warranty.files.shop_files import ShopFiles
from warranty.language import _
from warranty.language.written import dated

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
        activity, sees, sells = desk.activity, Permission.SEE_OWN_ACTIVITY, Permission.RECORD_SALES

        def sent(text: str, limit: int) -> Sequence[Attempt]:
            query = AttemptFilter(text=text, limit=limit)
            return activity.attempts(operator, query) if operator.may(sees) else ()

        return cls(
            story=lambda order_id: activity.order_timeline(operator, order_id) if operator.may(sees) else (),
            orders=lambda text, limit: activity.recent_orders(operator, text, limit) if operator.may(sells) else (),
            sent=sent,
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
    if known.catalogue().fitting(code):
        return BASKET
    for order in (code, scanned_order_id(code)):
        if order and (read_landing_page_url(order) is not None or known.story(order)):
            return Place("record_sale", (("order", order),))
    if _ID.fullmatch(code):
        return Place("claims", (("period", "all"), ("words", code)))
    return None


MOST_FOUND: Final = 8
_MOST_OF_A_KIND: Final = 4
_SHORTEST: Final = 2


@dataclass(frozen=True, slots=True)
class Found:
    """One result: what it is, which one, what is said of it, and its key.

    It is a `go`, a `do`, an `order`, what was `sent` on one, a `customer`, a `product`; `here` is for the page itself.
    The key opens it without the field, or is the letter that finds it first.
    """

    kind: str
    which: str
    words: str
    about: str = ""
    key: str = ""


def actions_found(operator: Operator, desk: Desk, actions: Iterable[Action]) -> list[Action]:
    """Those that the field finds: what a person can do anywhere, and the next order for who takes orders."""
    others = [action for action in actions if action.name != "open-find"]  # the field itself
    if operator.may(Permission.SUBMIT_ORDERS):
        serve = partial(next_order, desk, operator)
        others.insert(0, Action("next-order", _("Next order"), act=serve, about=_("Begins an empty one")))
    return others


def found(text: str, operator: Operator, known: Known, actions: Sequence[Action]) -> list[Found]:
    """What fits a text, the likeliest first; all screens and actions for none."""
    wanted = text.strip().casefold()
    if is_customer(wanted) and operator.may(Permission.READ_CLAIMS):
        return [Found("customer", text.strip(), _("Claims of {person}", person=text.strip()))]
    results = [*_offered(wanted, operator, actions)]
    if len(wanted) < _SHORTEST:
        return results
    orders = {one.order_id: ("order", one) for one in known.orders(text.strip(), _MOST_OF_A_KIND)}
    # A checkout, or what waits or was refused, leads to what was done about it.
    orders = {one.order_id: ("sent", one) for one in known.sent(text.strip(), _MOST_OF_A_KIND)} | orders
    of_orders = (
        Found(
            kind,
            order.order_id,
            _("Order {order}", order=short_id(order.order_id)),
            " · ".join((items_words(order.items), moment(order.started_at), *_covered(known.story(order.order_id)))),
        )
        for kind, order in orders.values()
    )
    products = _products(wanted, known.catalogue()) if operator.may(Permission.SUBMIT_ORDERS) else ()
    # A SKU that is typed whole is what was meant: orders of it come after the product.
    all_found = [*results, *of_orders, *products]
    return sorted(all_found, key=lambda one: one.which.casefold() != wanted)[:MOST_FOUND]


def _covered(story: Sequence[Attempt]) -> Iterator[str]:
    if days := covered_days(story):
        yield _("covered to {day} by this desk's record", day=", ".join(map(dated, days)))


def is_customer(text: str) -> bool:
    """Whether claims can be asked for by it."""
    try:
        return ClaimQuery(customer_email=text or None).customer_email is not None
    except ValidationError:
        return False


def _offered(wanted: str, operator: Operator, actions: Iterable[Action]) -> Iterator[Found]:
    """What one letter finds, what begins so, and then that of which it is said."""
    offered = [
        *(
            Found("go", screen.name, _(screen.title), _(screen.summary), screen.key)
            for screen in SCREENS
            if operator.may(screen.permission)
        ),
        *(Found("do" if one.act else "here", one.name, one.words, one.about) for one in actions),
    ]
    letters = _letters(offered)
    offered = [replace(one, key=one.key or letters[one.which].upper()) for one in offered]
    fitting = (
        [one for one in offered if letters[one.which] == wanted],
        [one for one in offered if one.words.casefold().startswith(wanted)],
        [one for one in offered if f" {wanted}" in f" {one.words} {one.about}".casefold()],
    )
    yield from dict.fromkeys(chain(*fitting))


def _letters(offered: Sequence[Found]) -> dict[str, str]:
    """A letter for each that no other has: one that a word of it begins with, else any of it, or a digit.

    What has no key of its own chooses first, so that three open any: Ctrl+K, the letter, Enter.
    """
    taken: dict[str, str] = {}
    for one in sorted(offered, key=lambda one: bool(one.key)):
        words = one.words.casefold()
        letters = (*(word[0] for word in words.split()), *words, *digits)
        taken[next(letter for letter in letters if letter.isalnum() and letter not in taken)] = one.which
    return {which: letter for letter, which in taken.items()}


def _products(wanted: str, catalogue: Catalogue) -> Iterator[Found]:
    fitting = (
        Found("product", product.sku, product.title, _("{sku} · to the basket", sku=product.sku))
        for product in catalogue.products.values()
        if wanted in product.sku.casefold() or wanted in product.title.casefold()
    )
    return islice(fitting, _MOST_OF_A_KIND)
