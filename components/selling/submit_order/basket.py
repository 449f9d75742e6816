"""The basket of a new order as values: its lines as typed, everything that changes them, and what they are sent as.

A line is a small mapping of texts, as the person sees them, with an id of its own. Beside its fields it holds the
bundle that it belongs to, if any, the SKU that the catalogue was asked for last (`looked_up`): it fills a line
once, so a cleared field stays empty; and whether it is shown `folded`. Nothing is drawn or kept here.
"""

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from components.selling.orders.product_scan import NOT_IN_THE_CATALOGUE, NOTHING_CALLED, OTHER_KEYBOARD, WHICH_ONE
from warranty.client.resources import as_whole
from warranty.client.resources.money import PriceProblem, format_price, parse_price, price_or_none
from warranty.client.resources.orders import STORED_QUANTITY_LIMIT, shown_as
from warranty.client.resources.words import UUID
from warranty.files.catalogue import Catalogue, CatalogueProduct, article_key, without_marks
from warranty.language import N_, _
from warranty.language.written import price

Line = dict[str, str]
Said = tuple[str, dict[str, str]]
"""What a scan did: a sentence, and its values; said with `_` where it is shown."""

FIELDS: Final = (
    "product_id",
    "product_title",
    "product_price",
    "quantity",
    "category",
    "product_delivery_date",
    "image",
)
_BEGUN_WITH: Final = ("billing_address.country", "billing_address.state")
_NAMED_BY: Final = ("first_name", "last_name", "reach", "email", "phone")


def new_line(**values: str) -> Line:
    """An empty line item with an id of its own, so that its fields stay its own when others go."""
    return {"id": uuid.uuid4().hex[:8], "quantity": "1", **values}


def is_filled(line: Mapping[str, str]) -> bool:
    """Whether something was typed into this row."""
    return any(line.get(field) for field in FIELDS if field != "quantity")


def name_of(line: Mapping[str, str], number: int) -> str:
    """What a line is called: its title or its SKU, else its place."""
    return line.get("product_title") or line.get("product_id") or _("Item {n}", n=number)


def field_of(line: Mapping[str, str], field: str) -> str:
    """The draft's name for a field of a line."""
    return f"line_items.{line['id']}.{field}"


def price_of(line: Mapping[str, str]) -> Decimal | None:
    """The price of one unit; None where it cannot be read."""
    return price_or_none(line.get("product_price", ""))


def price_problem(line: Mapping[str, str], currency: str) -> str:
    """Why the price of one unit cannot be read; "" where it can, or where none was entered."""
    try:
        if line.get("product_price"):
            parse_price(line["product_price"], currency=currency)
    except PriceProblem as problem:
        label = _("Price")
        return f"{label}: {problem}"
    return ""


def is_meant(line: Mapping[str, str]) -> str:
    """The draft's name for "this price is meant": of this line at this price only."""
    return field_of(line, f"meant.{price_of(line)}")


def price_doubt(line: Mapping[str, str], catalogue: Catalogue) -> str:
    """Why the price of a line asks for a second look: the catalogue's is far from it, or it is nothing; else ""."""
    amount = price_of(line)
    usual = catalogue.far_from(line.get("product_id", ""), amount)
    if usual is not None:
        return _("Check the price: the catalogue says {price}.", price=price(usual))
    return _("Check the price: at 0.00 the service offers no plan.") if amount == 0 else ""


def units_of(line: Mapping[str, str]) -> int | None:
    """How many units; None where that is no whole number of 1 or more."""
    return as_whole(line.get("quantity") or "1") or None


def total_of(
    lines: Iterable[Mapping[str, str]], units_of: Callable[[Mapping[str, str]], int | None] = units_of
) -> Decimal | None:
    """What the lines cost together; None where the price or the units of one of them cannot be read."""
    total = Decimal("0.00")
    for line in lines:
        amount, units = price_of(line), units_of(line)
        if amount is None or units is None:
            return None
        total += amount * units
    return total


_NAMED: Final = N_("New item: {name}. Type its SKU and price.")


def scanned(lines: Sequence[Line], code: str, catalogue: Catalogue, *, as_new: bool = False) -> tuple[list[Line], Said]:
    """The basket after a scan, and what to say: one unit more of a product that is there, else a new line.

    A word without a digit is looked for in a catalogue: of what it finds one is chosen, and what it does not find is a
    line only `as_new`. What is not in the catalogue is one article in each spelling, taken without a scanner's marks.
    """
    product = catalogue.find(code)
    sku = product.sku if product else without_marks(code)
    key = str.casefold if product else article_key
    filled = [line for line in lines if is_filled(line)]
    for place, line in enumerate(filled):
        if key(line.get("product_id", "")) == key(sku) and not line.get("bundle"):
            units = as_whole(line["quantity"])
            more = line["quantity"] if units is None else str(units + 1)
            filled[place] = {**line, "quantity": more}
            name = line.get("product_title") or code
            return filled, (N_("{name}: now {n}"), {"name": name, "n": more})
    if product is None:
        if not as_new and (question := _question(sku, catalogue)):
            return list(lines), (question, {"code": sku})
        if as_new and " " in sku:  # a name
            return [*filled, new_line(product_title=sku)], (_NAMED, {"name": sku})
        return [*filled, new_line(product_id=sku)], (NOT_IN_THE_CATALOGUE, {"code": sku})
    known = _known_fields(product)
    line = new_line(product_id=sku, looked_up=sku, folded="yes" if known["product_price"] else "", **known)
    return [*filled, line], (N_("Added: {name}"), {"name": product.title})


def _question(code: str, catalogue: Catalogue) -> str:
    """What is to be answered before a code that the catalogue does not know becomes a line."""
    if catalogue.named(code):
        return WHICH_ONE
    if not any(map(str.isdigit, code)):
        return NOTHING_CALLED if catalogue.products else ""
    return OTHER_KEYBOARD if "ß" in code and " " not in code else ""  # as a German keyboard has -


def completed(line: Line, catalogue: Catalogue, currency: str) -> Line:
    """A line whose SKU was typed by hand, its empty fields filled from the catalogue; a price without its sign."""
    signed = None if price_of(line) is not None else price_or_none(line.get("product_price", ""), currency=currency)
    if signed is not None:
        line = {**line, "product_price": format_price(signed)}
    sku = line.get("product_id", "")
    product = catalogue.find(sku)
    if product is None or line.get("looked_up") == sku:
        return line
    if line.get("product_title"):
        return {**line, "looked_up": sku}
    empty = {field: text for field, text in _known_fields(product).items() if not line.get(field)}
    return {**line, **empty, "looked_up": sku}


def called(content: Mapping[str, Any]) -> str:
    """What a draft of an order is called, by its items and its customer; "" while nothing was entered.

    An order id that was made is nothing entered, and neither are the country and the state that the form begins with.
    """
    lines = [
        {field: str(content.get(field_of(line, field)) or "") for field in FIELDS}
        for line in content.get("line_items") or ()
    ]
    customer = {
        name.removeprefix("billing_address."): str(value or "").strip()
        for name, value in content.items()
        if name.startswith("billing_address.") and not name.startswith(_BEGUN_WITH)
    }
    names = [name_of(line, number) for number, line in enumerate(lines, 1) if is_filled(line)]
    items = "".join(names[:1])
    if len(names) > 1:
        items = _("{name} and {n} more", name=items, n=len(names) - 1)
    who = next((customer[name] for name in _NAMED_BY if customer.get(name)), "")
    order_id = str(content.get("order_id") or "").strip()
    if not (items or who or any(customer.values())) and UUID.fullmatch(order_id):
        return ""
    return " · ".join(filter(None, (items, who))) or (_("Order {order}", order=order_id[:12]) if order_id else "")


def _known_fields(product: CatalogueProduct) -> Line:
    """What the catalogue tells of a product, in the fields of a line."""
    return {
        "product_title": product.title,
        "product_price": "" if product.price is None else format_price(product.price),
        "category": product.category,
        "image": product.image,
    }


@dataclass(frozen=True)
class Bundle:
    """Lines that are protected as one thing by one plan (interface: Line item of an order, products)."""

    id: str
    members: Sequence[Line]

    @property
    def units(self) -> int:
        """How many units of all its members are in it."""
        return sum(units_in_bundle(line) or 0 for line in self.members)

    @property
    def total(self) -> Decimal | None:
        """What it costs, each unit in it counted; None where a price or a quantity cannot be read."""
        return total_of(self.members, units_in_bundle)


def bundles_of(lines: Sequence[Line]) -> dict[str, Bundle]:
    """The bundles by their id, the members of each in the order of the basket."""
    ids = dict.fromkeys(line["bundle"] for line in lines if line.get("bundle"))
    return {name: Bundle(name, [line for line in lines if line.get("bundle") == name]) for name in ids}


def grouped(lines: Sequence[Line], line_ids: Collection[str]) -> list[Line]:
    """The basket with these lines as a bundle, together where the first of them stood."""
    bundle = uuid.uuid4().hex[:8]
    members = [{**line, "bundle": bundle} for line in lines if line["id"] in line_ids]
    others = [line for line in lines if line["id"] not in line_ids]
    first = next(place for place, line in enumerate(lines) if line["id"] in line_ids)
    return [*others[:first], *members, *others[first:]]


def units_in_bundle(line: Mapping[str, str]) -> int | None:
    """How many units of a line are in its bundle; None where its quantity cannot be read."""
    units = units_of(line)
    return None if units is None else min(units, STORED_QUANTITY_LIMIT)


def line_items_of(lines: Sequence[Line]) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    """The line items in the interface's words, each with the ids of the rows that it came from."""
    items: list[tuple[dict[str, Any], tuple[str, ...]]] = []
    bundles = bundles_of(lines)
    for line in lines:
        bundle = bundles.get(line.get("bundle", ""))
        if bundle is None or len(bundle.members) < 2:
            items.append((_line_item(line), (line["id"],)))
        elif bundle.members[0] is line:
            items.append(_bundle_item(bundle))
    return items


def _line_item(line: Line) -> dict[str, Any]:
    item: dict[str, Any] = {
        field: value
        for field in ("product_id", "product_title", "product_price", "quantity", "product_delivery_date")
        if (value := line.get(field, "").strip())
    }
    return item | shown_as(line.get("category", ""), line.get("image", "").strip())


def _bundle_item(bundle: Bundle) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The line item that a bundle is sent as, and the row of each product in it.

    Each unit is a product of its own without a quantity: the interface does not say whether a member's quantity
    counts in the bundle's total, and so the total is the sum of the prices either way.
    """
    products: list[dict[str, Any]] = []
    rows: list[str] = []
    titles: list[str] = []
    shared: dict[str, Any] = {}
    for line in bundle.members:
        item, units = _line_item(line), units_in_bundle(line)
        unit = {name: value for name, value in item.items() if name != "quantity" or units is None}
        products += [unit] * (units or 1)
        rows += [line["id"]] * (units or 1)
        title = str(item.get("product_title", ""))
        titles.append(title if (units or 1) == 1 else f"{units} × {title}")
        shared = {name: item[name] for name in ("meta", "detail") if name in item} | shared
    return {
        "product_id": "+".join(line.get("product_id", "").strip() for line in bundle.members),
        "product_title": " + ".join(titles),
        "product_price": "" if bundle.total is None else format_price(bundle.total),
        "products": products,
        **shared,
    }, tuple(rows)
