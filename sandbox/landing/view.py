"""An order as its landing page shows it: plain HTML by a template that escapes everything."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from importlib.resources import files
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from sandbox.landing.words import PageLanguage, say
from sandbox.store.model import LineItem, Offer, Order, Product, Warranty
from sandbox.store.plans import family_of

STYLE = (files("sandbox.landing") / "style.css").read_bytes()


@dataclass(frozen=True, slots=True)
class _Picture:
    """What stands for a product: its image where it has a safe address, over a drawing of its kind."""

    kind: str
    address: str | None


@dataclass(frozen=True, slots=True)
class _Plan:
    months: int
    type: str
    price: str
    warranty_offer_id: str


@dataclass(frozen=True, slots=True)
class _Cover:
    """Warranties of one plan on an item: how many units carry it."""

    months: int
    type: str
    paid: str
    units: int


@dataclass(frozen=True, slots=True)
class _Item:
    line_item_id: int
    title: str
    price: str
    quantity: int
    picture: _Picture
    members: tuple[str, ...]
    covers: tuple[_Cover, ...]
    units_left: int
    plans: tuple[_Plan, ...]

    @property
    def units_covered(self) -> int:
        return sum(cover.units for cover in self.covers)


def order_page(
    order: Order, *, language: PageLanguage = "en", bought: bool = False, refused: bool = False
) -> str:
    """The page of an order; `bought` and `refused` say what the last click came to."""
    items = [_item(order, item) for item in order.line_items]
    return _template("order.html").render(
        language=language,
        say=partial(say, language),
        items=items,
        can_buy=any(item.plans for item in items),
        is_covered=any(item.covers for item in items),
        bought=bought,
        refused=refused,
    )


def missing_page(language: PageLanguage = "en") -> str:
    """The page for an address that belongs to no order; it says nothing about which orders there are."""
    return _template("missing.html").render(language=language, say=partial(say, language))


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader("sandbox.landing", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _item(order: Order, item: LineItem) -> _Item:
    left = order.units_left(item)
    return _Item(
        line_item_id=item.line_item_id,
        title=item.product.title,
        price=_money(
            sum((member.price for member in item.members), Decimal(0)) if item.members else item.product.price
        ),
        quantity=item.quantity,
        picture=_picture(item.product),
        members=tuple(member.title for member in item.members),
        covers=_covers(order.warranties_on(item)),
        units_left=left,
        plans=tuple(_plan(offer) for offer in order.offers_on(item)) if left else (),
    )


def _plan(offer: Offer) -> _Plan:
    return _Plan(offer.months, offer.type, _money(offer.price), offer.warranty_offer_id)


def _covers(warranties: tuple[Warranty, ...]) -> tuple[_Cover, ...]:
    counted: dict[tuple[int, str, str], int] = {}
    for sold in warranties:
        key = (sold.months, sold.type, _money(sold.amount_paid))
        counted[key] = counted.get(key, 0) + 1
    return tuple(_Cover(months, kind, paid, units) for (months, kind, paid), units in counted.items())


def _money(value: Decimal) -> str:
    """1,299.00: the interface names no currency, so none is shown."""
    return f"{value:,.2f}"


def _picture(product: Product) -> _Picture:
    address = product.image
    try:
        is_safe = address is not None and urlsplit(address).scheme == "https"
    except ValueError:
        is_safe = False
    return _Picture(family_of(product.breadcrumbs).name, address if is_safe else None)
