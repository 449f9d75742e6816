"""POST /api/carts: an order sold without a warranty comes in, offers and a landing page come of it.

Sections of the interface: "Order", "Line item of an order", "Billing address", "POST /api/carts", "Errors".
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sandbox.service.service import MERCHANTS, Service
from sandbox.store.interface import Records
from sandbox.store.model import LineItem, Message, Order, Product
from sandbox.store.plans import offer_group, offers
from sandbox.wire.answers import Answer, Refused, json_answer
from sandbox.wire.fields import Fields
from sandbox.wire.requests import Request

MOST_UNITS = 20
LONGEST_ORDER_ID = 255


def submit_order(service: Service, request: Request) -> Answer:
    """The five outcomes: new, already known, refused (400), no billing address (404); 401 is decided before."""
    content = request.content()
    request.facts["order_id"] = _shown(content.get("order_id"))
    # Assumption carts.billing-address-null
    # Assumption carts.refusal-precedence
    if content.get("billing_address") is None:
        return Answer(404)
    with service.store.transaction() as records:
        order, is_new = store_order(service, records, content)
    request.facts.update(line_items=len(order.line_items), written=is_new)
    url = service.landing_page(order.order_id)
    if not is_new:
        # Nothing of the request is looked at any more: not stored, offers not made again, no second mail.
        # Assumption carts.repeat
        return json_answer({"success": True, "url": url})
    # Assumption carts.not-eligible
    return json_answer({"success": True, "url": url, "warrantable_products": order.is_warrantable})


def store_order(service: Service, records: Records, content: Mapping[str, Any]) -> tuple[Order, bool]:
    """Read an order's JSON and store it; whether it is new. `Refused` with all its faults, nothing written."""
    fields = Fields(content)
    order = _read_order(service, fields)
    if order is None:
        raise Refused(*fields.faults)
    is_new = records.add_order(order)
    if is_new:
        records.add_message(_invitation(service, order))
    return order, is_new


def _shown(order_id: object) -> str | None:
    return str(order_id) if isinstance(order_id, str | int) else None


def _read_order(service: Service, fields: Fields) -> Order | None:
    """The order, or None with the faults noted."""
    order_id = read_order_id(fields, "order_id")
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


def read_order_id(fields: Fields, name: str) -> str | None:
    """An order id: any text that can stand as one segment of a URL."""
    # Assumption carts.sequential-order-ids
    order_id = fields.identifier(name, required=True)
    if order_id is None:
        return None
    # Assumption carts.order-id-form
    if len(order_id) > LONGEST_ORDER_ID:
        fields.fault(name, f"must have at most {LONGEST_ORDER_ID} characters.")
        return None
    if order_id in {".", ".."}:
        fields.fault(name, "must not be a dot or two dots: browsers take these out of an address.")
        return None
    return order_id


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


def _invitation(service: Service, order: Order) -> Message:
    """The landing-page link, to the e-mail address or else the phone (section "Billing address")."""
    # Assumption carts.link-is-sent
    return Message(
        sent_at=service.now(),
        kind="landing_page_link",
        channel="email" if order.email else "text message",
        recipient=order.email or order.phone or "",
        subject="Protect what you bought",
        text=f"See the protection plans for your order: {service.landing_page(order.order_id)}",
        order_id=order.order_id,
    )
