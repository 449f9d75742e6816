"""The things that the sandbox keeps: orders, their line items and offers, warranties, mails, subscriptions, claims.

Plain frozen values. Money is `Decimal`, times are aware UTC datetimes, terms are months.
Sections of the interface: "Resources and their fields", "States and transitions".
"""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

MOST_UNITS = 20
"""Units of a line item that are kept of an order, and sold in one request (section "Limits")."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product as an order names it: the line item's own, or one member of a bundle."""

    product_id: str
    title: str
    price: Decimal
    variant_id: str | None = None
    image: str | None = None
    breadcrumbs: tuple[str, ...] = ()

    def answers_to(self, *, variant_id: str | None, product_id: str | None) -> bool:
        """Whether this product is meant by a variant id (its own, else its product id) or by a product id."""
        if variant_id is not None:
            # Assumption sale.variant-ids
            own = self.product_id if self.variant_id is None else self.variant_id
            return own == variant_id
        return product_id is not None and self.product_id == product_id


@dataclass(frozen=True, slots=True)
class LineItem:
    """A line item of an order; `members` holds a bundle's products, `offer_group` None means not eligible."""

    line_item_id: int
    product: Product
    quantity: int
    delivery_date: str | None = None
    members: tuple[Product, ...] = ()
    offer_group: str | None = None

    @property
    def covered_products(self) -> tuple[Product, ...]:
        """What one warranty on this line item covers: each member of a bundle, else the product itself."""
        return self.members or (self.product,)


@dataclass(frozen=True, slots=True)
class Offer:
    """A warranty offer: shared by every line item of its order that carries the same `offer_group`."""

    warranty_offer_id: str
    offer_group: str
    months: int
    type: str
    price: Decimal

    @property
    def plan(self) -> str:
        """The plan in the words of a refusal, such as "24 months (Extended warranty)"."""
        return f"{self.months} months ({self.type})"


@dataclass(frozen=True, slots=True)
class Warranty:
    """One warranty on one unit of a line item; `unit` counts from 1 and is taken once only.

    Those of one request, or of one click on the landing page, have their `warranty_order_id` in common.
    """

    warranty_order_id: str
    line_item_id: int
    unit: int
    warranty_offer_id: str
    months: int
    type: str
    amount_paid: Decimal
    covered_products: tuple[Product, ...]
    warranty_id: str | None = None
    warranty_program_id: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """An order as stored by POST /api/carts, with its offers and, once sold, its warranties."""

    order_id: str
    stored_at: datetime
    merchant_external_id: str | None
    email: str | None = field(repr=False)
    phone: str | None = field(repr=False)
    line_items: tuple[LineItem, ...]
    offers: tuple[Offer, ...]
    warranties: tuple[Warranty, ...] = ()

    @property
    def is_warrantable(self) -> bool:
        """Whether any product of the order is eligible for a warranty."""
        return any(item.offer_group is not None for item in self.line_items)

    def offers_on(self, item: LineItem) -> tuple[Offer, ...]:
        """The offers made for a line item, by term and price."""
        return tuple(offer for offer in self.offers if offer.offer_group == item.offer_group)

    def warranties_on(self, item: LineItem) -> tuple[Warranty, ...]:
        """The warranties that units of a line item carry."""
        return tuple(sold for sold in self.warranties if sold.line_item_id == item.line_item_id)

    def units_left(self, item: LineItem) -> int:
        """How many units of a line item carry no warranty yet; 0 for what is not eligible."""
        return 0 if item.offer_group is None else item.quantity - len(self.warranties_on(item))


@dataclass(frozen=True, slots=True)
class Message:
    """A mail or text message that the service would have sent; the outbox shows it."""

    sent_at: datetime
    kind: str
    channel: str
    recipient: str = field(repr=False)
    subject: str
    text: str
    order_id: str


@dataclass(frozen=True, slots=True)
class SubscribedItem:
    """A product that a customer's subscription took in from a checkout."""

    email: str = field(repr=False)
    order_id: str
    line_item_id: int
    product_id: str
    title: str
    added_at: datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as the sandbox keeps it: what to search by, and the record's JSON as it is served.

    `claim_date` has the 26 characters of the interface's form, so that it sorts as text;
    `warranty_started` is in microseconds since 1970 (UTC), None where the record has no readable one.
    """

    claim_date: str
    warranty_started: int | None
    customer_email: str = field(repr=False)
    record: str = field(repr=False)
