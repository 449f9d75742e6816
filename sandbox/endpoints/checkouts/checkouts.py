"""POST /api/checkout: a completed sale that includes warranties; the customer gets a welcome mail.

Sections of the interface: "Checkout request", "Warranty line item", "Customer address", "POST /api/checkout",
"What the service does" 3 and 4.
"""

import uuid
from collections.abc import Set

from sandbox.endpoints.orders.orders import read_order_id
from sandbox.service.service import Service
from sandbox.store.interface import Records
from sandbox.store.model import Message, Order, SubscribedItem
from sandbox.wire.answers import Answer, Refused, json_answer
from sandbox.wire.fields import Fields
from sandbox.wire.requests import Request

_REQUIRED_ADDRESS = ("first_name", "last_name", "address1", "city", "state", "zip", "country")


def notify_checkout(service: Service, request: Request) -> Answer:
    """Takes the notification, mails the customer, and lets an active subscription take in what is unprotected."""
    fields = Fields(request.content())
    order_id = read_order_id(fields, "id")
    email = fields.text("email", required=True)
    fields.text("phone")
    fields.identifier("merchant_id")
    # Assumption checkout.empty-line-items
    offer_ids = [_read_line(line) for line in fields.objects("line_items", required=True)]
    _read_address(fields.object("billing_address", required=True))
    _read_address(fields.object("shipping_address"))
    request.facts.update(order_id=order_id, line_items=len(offer_ids))
    if fields.faults or order_id is None or email is None:
        raise Refused(*fields.faults)
    with service.store.transaction() as records:
        # Assumption checkout.repeat
        records.add_message(_welcome(service, order_id, email))
        taken_in = _subscribe(service, records, order_id, email.strip(), frozenset(offer_ids))
    request.facts.update(written=True, added_to_subscription=taken_in)
    # Assumption checkout.answer
    return json_answer({"success": True})


def _read_line(line: Fields) -> str:
    # Assumption checkout.offer-ids
    offer_id = line.text("warranty_offer_id", required=True)
    try:
        uuid.UUID(offer_id or "")
    except ValueError:
        if offer_id is not None:
            line.fault("warranty_offer_id", "must be a UUID.")
    line.quantity("quantity")
    line.number("mfw_duration_months")
    line.day("mfw_start_date")
    return (offer_id or "").lower()


def _read_address(address: Fields | None) -> None:
    if address is None:
        return
    for name in _REQUIRED_ADDRESS:
        address.text(name, required=True)
    address.text("address2")
    code = address.text("country_code", required=True)
    if code is not None and len(code) != 2:
        address.fault("country_code", "must have 2 characters.")


def _welcome(service: Service, order_id: str, email: str) -> Message:
    return Message(
        sent_at=service.now(),
        kind="welcome",
        channel="email",
        recipient=email,
        subject="Welcome: your warranty is active",
        text="Your coverage is active. Open the customer portal to see your warranties and to file a claim.",
        order_id=order_id,
    )


def _subscribe(service: Service, records: Records, order_id: str, email: str, offer_ids: Set[str]) -> int:
    """Take the eligible items without a warranty into the customer's active subscription; how many were new."""
    # Assumption checkout.subscription
    if email.casefold() not in records.subscribers():
        return 0
    order = records.order(order_id)
    if order is None:
        return 0
    return len(
        records.add_to_subscription(
            SubscribedItem(
                email.casefold(),
                order_id,
                item.line_item_id,
                item.product.product_id,
                item.product.title,
                service.now(),
            )
            for item in order.line_items
            if order.units_left(item) > 0 and not _has_offer(order, item.offer_group, offer_ids)
        )
    )


def _has_offer(order: Order, offer_group: str | None, offer_ids: Set[str]) -> bool:
    """Whether the checkout itself sells a warranty for the items of this group."""
    return any(
        offer.offer_group == offer_group and offer.warranty_offer_id in offer_ids for offer in order.offers
    )
