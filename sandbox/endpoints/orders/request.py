"""Reads the body of POST /api/carts.

Sections of the interface: "Order", "Line item of an order", "Billing address".
"""

from dataclasses import replace
from decimal import Decimal

from sandbox.service.service import MERCHANTS, Service
from sandbox.store.model import MOST_UNITS, LineItem, Order, Product
from sandbox.store.plans import offer_group, offers
from sandbox.wire.fields import Fields


def read_order(service: Service, fields: Fields) -> Order | None:
    """The order, or None with the faults noted."""
    order_id = fields.order_id("order_id")
    # Assumption carts.empty-line-items
    # Assumption sale.line-item-numbers
    line_items = tuple(
        _read_line_item(item, number)
        for number, item in enumerate(fields.objects("line_items", required=True), start=1)
    )
    email, phone = _read_billing_address(fields)
    merchant = _read_merchant(fields)
    if fields.faults or order_id is None:
        return None
    placed = tuple(replace(item, offer_group=offer_group(item)) for item in line_items)
    groups = [item.offer_group for item in placed if item.offer_group is not None]
    return Order(order_id, service.now(), merchant, email, phone, placed, offers(order_id, groups))


def _read_line_item(fields: Fields, number: int) -> LineItem:
    product = _read_product(fields)
    # Assumption carts.quantity
    quantity = fields.quantity("quantity") or 1
    # Assumption carts.delivery-date
    delivery_date = fields.text("product_delivery_date")
    # Two or more entries make a bundle; a single one says nothing that the line item does not say.
    # Assumption carts.bundle-of-one
    sent = fields.raw("products")
    is_single = isinstance(sent, list) and len(sent) < 2
    members = () if is_single else tuple(_read_product(entry) for entry in fields.objects("products"))
    return LineItem(number, product, min(quantity, MOST_UNITS), delivery_date, members)


def _read_product(fields: Fields) -> Product:
    """A product with its faults noted; what could not be read is filled in, since the order is refused then."""
    # Assumption carts.empty-sku
    product_id = fields.identifier("product_id", required=True, may_be_empty=True)
    title = fields.text("product_title", required=True)
    # Assumption carts.unreadable-price
    price = fields.amount("product_price", required=True)
    meta = fields.object("meta")
    crumbs = [crumb.text("category") for crumb in meta.objects("breadcrumbs")] if meta else []
    return Product(
        product_id=product_id or "",
        title=title or "",
        price=Decimal(0) if price is None else price,
        variant_id=_read_variant(fields),
        image=_read_image(fields),
        breadcrumbs=tuple(crumb for crumb in crumbs if crumb and crumb.strip()),
    )


def _read_variant(fields: Fields) -> str | None:
    """What a sale may call this product by; no field of an order by the document, so anything may be in it."""
    sent = fields.raw("variant_id")
    return str(sent) or None if isinstance(sent, str | int) and not isinstance(sent, bool) else None


def _read_image(fields: Fields) -> str | None:
    detail = fields.object("detail")
    sources = [image.text("src") for image in detail.objects("images")] if detail else []
    # Shop platforms send images at the top of the line item too: an unknown field, so anything may be in it.
    # Assumption carts.images-at-the-top
    top = fields.raw("images")
    for image in top if isinstance(top, list) else []:
        source = image.get("src") if isinstance(image, dict) else image
        if isinstance(source, str):
            sources.append(source)
    return next((source for source in sources if source), None)


def _read_billing_address(fields: Fields) -> tuple[str | None, str | None]:
    """E-mail and phone of the customer; the rest is checked and not kept."""
    # Assumption carts.billing-address-no-object
    address = fields.object("billing_address")
    if address is None:
        return None, None
    address.text("state", required=True, why="is required, whatever the country.")
    address.text("country", required=True)
    address.text("first_name", required=True)
    for name in ("last_name", "address1", "address2", "city", "zip", "country_code", "province_code"):
        address.text(name)
    email, phone = address.text("email"), address.text("phone")
    email, phone = (email or "").strip() or None, (phone or "").strip() or None
    if email is None and phone is None:
        address.fault("email", "or billing_address.phone is required; an empty text does not count as given.")
    return email, phone


def _read_merchant(fields: Fields) -> str | None:
    merchant = fields.identifier("merchant_external_id")
    # Assumption carts.empty-merchant
    if not merchant:
        return None
    if merchant not in MERCHANTS:
        fields.fault("merchant_external_id", "matches no merchant of the account.")
    return merchant
