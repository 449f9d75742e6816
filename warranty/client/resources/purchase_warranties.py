"""What an order can still buy and already carries, and offers for a product.

The interface names these two reads without showing them: the shapes here are our assumption, so only what
identifies a thing is required and all else may be absent.
"""

from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator

from warranty.client.resources.base import Received, Sent
from warranty.client.resources.money import Price, price_or_none
from warranty.client.resources.orders import Image, Meta
from warranty.client.resources.words import Required


def _received_price(value: object) -> Decimal | None:
    """Read a price that came in an answer; one that cannot be read is no price, and no reason to stop."""
    if isinstance(value, Decimal):
        return value
    return None if value is None else price_or_none(str(value), decimal_mark=".", drop_zeros=True)


ReceivedPrice = Annotated[Price | None, BeforeValidator(_received_price)]


class Offer(Received):
    """A warranty offer: beyond its identifier everything is assumed. `warranty_duration` is in months."""

    warranty_offer_id: str
    warranty_duration: int | None = None
    warranty_type: str | None = None
    warranty_price: ReceivedPrice = None
    status: str | None = None

    @property
    def is_bought(self) -> bool:
        """Whether the answer says that this offer has been bought."""
        return self.status == "bought"


class CoveredProduct(Received):
    """A product that a warranty covers."""

    product_id: str | None = None
    product_title: str | None = None


class CarriedWarranty(Received):
    """A warranty that a line item already carries. `warranty_duration` is in months."""

    warranty_offer_id: str | None = None
    warranty_duration: int | None = None
    warranty_type: str | None = None
    warranty_price: ReceivedPrice = None
    warranty_id: str | None = None
    warranty_order_id: str | None = None
    covered_products: tuple[CoveredProduct | str, ...] = ()


class PurchasableLineItem(Received):
    """A line item of an order with its offers and the warranties that it carries; `products` are a bundle's."""

    line_item_id: int
    product_id: str | None = None
    product_title: str | None = None
    product_price: ReceivedPrice = None
    quantity: int | None = None
    products: tuple[CoveredProduct, ...] = ()
    offers: tuple[Offer, ...] = ()
    warranties: tuple[CarriedWarranty, ...] = ()


class PurchaseWarranties(Received):
    """What is still buyable on an order and what it carries (interface: GET /api/purchase-warranties)."""

    order_id: str
    line_items: tuple[PurchasableLineItem, ...] = ()


class OfferedProduct(Sent):
    """A product to obtain offers for (interface: Warranty offers endpoint; the payload is assumed)."""

    title: Required
    id: Required
    price: Price
    meta: Meta | None = None
    images: tuple[Image, ...] | None = None
