"""POST /api/carts: an order sold without a warranty comes in, offers and a landing page come of it.

Sections of the interface: "Order", "POST /api/carts", "Errors".
"""

from collections.abc import Mapping
from typing import Any

from sandbox.endpoints.orders.request import read_order
from sandbox.service.service import Service
from sandbox.store.database import Records
from sandbox.store.model import Message, Order
from sandbox.wire.answers import Answer, Refused, json_answer
from sandbox.wire.fields import Fields
from sandbox.wire.requests import Request


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
    order = read_order(service, fields)
    if order is None:
        raise Refused(*fields.faults)
    is_new = records.add_order(order)
    if is_new:
        records.add_message(_invitation(service, order))
    return order, is_new


def _shown(order_id: object) -> str | None:
    return str(order_id) if isinstance(order_id, str | int) else None


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
