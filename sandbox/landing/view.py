"""An order as its landing page shows it: plain HTML by a template that escapes everything."""

from collections import Counter
from decimal import Decimal
from functools import cache, partial
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from sandbox.landing.words import PageLanguage, say
from sandbox.store.model import LineItem, Order
from sandbox.store.plans import family_of

STYLE = (files("sandbox.landing") / "style.css").read_bytes()


def order_page(order: Order, *, language: PageLanguage = "en", bought: bool = False, refused: bool = False) -> str:
    """The page of an order; `bought` and `refused` say what the last click came to."""
    items = [_shown(order, item) for item in order.line_items]
    return _template("order.html").render(
        language=language,
        say=partial(say, language),
        items=items,
        can_buy=any(item["plans"] for item in items),
        is_covered=bool(order.warranties),
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
    environment.filters["money"] = _money
    return environment.get_template(name)


def _shown(order: Order, item: LineItem) -> dict[str, Any]:
    """A line item, what stands for it, its plans, and those that units of it carry: how many units each."""
    product, left = item.product, order.units_left(item)
    price = sum((member.price for member in item.members), Decimal(0)) if item.members else product.price
    sold = order.warranties_on(item)
    return {
        "line": item,
        "price": _money(price),
        "kind": family_of(product.breadcrumbs).name,
        "picture": product.image if _is_safe(product.image) else None,
        "left": left,
        "covers": Counter((each.months, each.type, _money(each.amount_paid)) for each in sold),
        "covered": len(sold),
        "plans": order.offers_on(item) if left else (),
    }


def _money(value: Decimal) -> str:
    """1,299.00: the interface names no currency, so none is shown."""
    return f"{value:,.2f}"


def _is_safe(address: str | None) -> bool:
    try:
        return address is not None and urlsplit(address).scheme == "https"
    except ValueError:
        return False
