"""Reads the body of POST /api/post-purchase-checkout: what can be refused without looking at the order.

Sections of the interface: "Post-purchase line item", "POST /api/post-purchase-checkout" rules 2, 4 and 6, "Limits".
"""

from dataclasses import dataclass
from decimal import Decimal

from sandbox.store.model import MOST_UNITS
from sandbox.wire.answers import Refused
from sandbox.wire.fields import Fields
from sandbox.wire.requests import Request

SAYS_HOW_TO_IDENTIFY = "identifies no offer: warranty_offer_id, product_id/variant_id or products is needed."
SAYS_HOW_TO_NAME = (
    "has a warranty selector that names a term without naming the item: "
    "line_item_id, product_id/variant_id or products is needed."
)


@dataclass(frozen=True, slots=True)
class Identifiers:
    """A product as a sale names it; the variant id is tried first."""

    product_id: str | None
    variant_id: str | None

    @property
    def name(self) -> str:
        """The name for a message."""
        return " / ".join(part for part in (self.product_id, self.variant_id) if part)


@dataclass(frozen=True, slots=True)
class Selector:
    """A warranty selector: a term in months and the amount the customer paid."""

    months: int
    price: Decimal
    warranty_id: str | None = None
    warranty_program_id: str | None = None


@dataclass(frozen=True, slots=True)
class SaleLine:
    """One line item of a sale; `path` names it in messages."""

    path: str
    quantity: int = 1
    line_item_id: int | None = None
    warranty_offer_id: str | None = None
    products: tuple[Identifiers, ...] = ()
    selector: Selector | None = None

    @property
    def named(self) -> str:
        """The products that the line names, for a message; empty when it names none."""
        return ", ".join(product.name for product in self.products)


def read_sale(request: Request) -> tuple[str, tuple[SaleLine, ...]]:
    """The order id and the line items; `Refused` with one sentence for each fault."""
    fields = Fields(request.content())
    order_id = fields.identifier("id", required=True)
    entries = fields.objects("line_items", required=True)
    request.facts.update(order_id=order_id, line_items=len(entries))
    if fields.raw("line_items") == []:
        fields.fault("line_items", "must not be empty.")
    lines = tuple(_read_line(entry) for entry in entries)
    seen: set[int] = set()
    for line in lines:
        if line.line_item_id in seen:
            fields.faults.append(f"{line.path}: line_item_id {line.line_item_id} appears twice in the request.")
        elif line.line_item_id is not None:
            seen.add(line.line_item_id)
    if fields.faults or order_id is None:
        raise Refused(*fields.faults)
    return order_id, lines


def _read_line(fields: Fields) -> SaleLine:
    offer_id = fields.text("warranty_offer_id") or None
    line_item_id = fields.whole("line_item_id")
    quantity = fields.quantity("quantity", most=MOST_UNITS) or 1
    own = _read_identifiers(fields)
    listed = fields.objects("products")
    members = tuple(_read_member(entry) for entry in listed)
    selector = _read_selector(fields)
    names_item = line_item_id is not None or own is not None or bool(fields.raw("products"))
    # A line_item_id names an item and a selector a term: together they identify an offer, each alone does not.
    # Assumption sale.line-item-id-alone
    if selector is not None or fields.raw("warranty") is not None:
        if not names_item:
            fields.faults.append(f"{fields.here} {SAYS_HOW_TO_NAME}")
    elif offer_id is None and own is None and not fields.raw("products"):
        fields.faults.append(f"{fields.here} {SAYS_HOW_TO_IDENTIFY}")
    products = tuple(part for part in ((own, *members) if own else members) if part is not None)
    return SaleLine(fields.here, quantity, line_item_id, offer_id, products, selector)


def _read_identifiers(fields: Fields) -> Identifiers | None:
    """The product id and variant id; an empty one names nothing."""
    # Assumption sale.empty-identifiers
    product_id = fields.identifier("product_id") or None
    variant_id = fields.identifier("variant_id") or None
    return Identifiers(product_id, variant_id) if product_id or variant_id else None


def _read_member(fields: Fields) -> Identifiers | None:
    """A member of `products`: prices and whatever else is sent with it are informational."""
    member = _read_identifiers(fields)
    if member is None:
        fields.fault("product_id", "or variant_id is required to locate the offer.")
    return member


def _read_selector(fields: Fields) -> Selector | None:
    warranty = fields.object("warranty")
    if warranty is None:
        return None
    # Assumption sale.duration-is-a-number
    months = warranty.whole("warranty_duration", required=True)
    price = warranty.amount("warranty_price", required=True)
    warranty_id = warranty.identifier("warranty_id")
    program_id = warranty.identifier("warranty_program_id")
    return None if months is None or price is None else Selector(months, price, warranty_id, program_id)
