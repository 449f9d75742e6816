"""The two endpoints that the interface names but does not show; their answers carry X-Sandbox-Assumption.

Sections of the interface: "GET /api/purchase-warranties", "Warranty offers endpoint".
"""

from decimal import Decimal
from typing import Any

from sandbox.service.service import Service
from sandbox.store.model import LineItem, Offer, Order, Product, Warranty
from sandbox.store.plans import offer_group, offers
from sandbox.wire.answers import Answer, Refused, json_answer
from sandbox.wire.fields import Fields
from sandbox.wire.requests import Request


def purchase_warranties(service: Service, request: Request) -> Answer:
    """What is still buyable on an order and what it already carries; 404 for an unknown order."""
    # Assumption purchase-warranties.shape
    order_id = request.parameter("order_id")
    request.facts["order_id"] = order_id
    if not order_id:
        raise Refused("order_id is required, as a parameter of the address.")
    with service.store.transaction() as records:
        order = records.order(order_id)
    if order is None:
        raise Refused(f"No order exists for the id {order_id[:80]}.", status=404)
    return json_answer(
        {"order_id": order.order_id, "line_items": [_line_item(order, item) for item in order.line_items]}
    )


def _line_item(order: Order, item: LineItem) -> dict[str, Any]:
    # Assumption purchase-warranties.status
    status = "unsold" if order.units_left(item) else "bought"
    shown: dict[str, Any] = {
        "line_item_id": item.line_item_id,
        **_product(item.product),
        "quantity": item.quantity,
        "offers": [{**_offer(offer), "status": status} for offer in order.offers_on(item)],
        "warranties": [_warranty(sold) for sold in order.warranties_on(item)],
    }
    if item.product.variant_id is not None:
        shown["variant_id"] = item.product.variant_id
    if item.members:
        shown["products"] = [_product(member) for member in item.members]
    return shown


def _product(product: Product) -> dict[str, Any]:
    return {
        "product_id": product.product_id,
        "product_title": product.title,
        "product_price": format(product.price, "f"),
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "warranty_offer_id": offer.warranty_offer_id,
        "warranty_duration": offer.months,
        "warranty_type": offer.type,
        "warranty_price": format(offer.price, "f"),
    }


def _warranty(sold: Warranty) -> dict[str, Any]:
    return {
        "warranty_offer_id": sold.warranty_offer_id,
        "warranty_duration": sold.months,
        "warranty_type": sold.type,
        "warranty_price": format(sold.amount_paid, "f"),
        "warranty_id": sold.warranty_id,
        "warranty_program_id": sold.warranty_program_id,
        "warranty_order_id": sold.warranty_order_id,
        "covered_products": [_product(product) for product in sold.covered_products],
    }


def warranty_offers(_service: Service, request: Request) -> Answer:
    """The offers for a product on sale, before there is an order; none for what is not eligible."""
    # Assumption warranty-offers.shape
    fields = Fields(request.content())
    title = fields.text("title", required=True)
    product_id = fields.identifier("id", required=True, may_be_empty=True)
    price = fields.amount("price", required=True)
    meta = fields.object("meta")
    crumbs = [crumb.text("category") for crumb in meta.objects("breadcrumbs")] if meta else []
    if fields.faults:
        raise Refused(*fields.faults)
    product = Product(
        product_id or "", title or "", price or Decimal(0), breadcrumbs=tuple(crumb for crumb in crumbs if crumb)
    )
    group = offer_group(LineItem(1, product, 1))
    made = offers(f"product {product.product_id}", [group]) if group else ()
    request.facts["offers"] = len(made)
    return json_answer([_offer(offer) for offer in made])
