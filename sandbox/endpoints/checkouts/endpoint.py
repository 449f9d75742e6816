"""POST /api/checkout: a completed sale that includes warranties; the customer gets a welcome mail.

Sections of the interface: "POST /api/checkout", "What the service does" 3 and 4.
"""

from collections.abc import Set

from sandbox.endpoints.checkouts.request import Checkout, read_checkout
from sandbox.service.service import Service
from sandbox.store.database import Records
from sandbox.store.model import Message, Order, SubscribedItem
from sandbox.wire.answers import Answer, json_answer
from sandbox.wire.requests import Request


def notify_checkout(service: Service, request: Request) -> Answer:
    """Takes the notification, mails the customer, and lets an active subscription take in what is unprotected."""
    checkout = read_checkout(request)
    with service.store.transaction() as records:
        # Assumption checkout.repeat
        records.add_message(_welcome(service, checkout.order_id, checkout.email))
        taken_in = _subscribe(service, records, checkout)
    request.facts.update(written=True, added_to_subscription=taken_in)
    # Assumption checkout.answer
    return json_answer({"success": True})


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


def _subscribe(service: Service, records: Records, checkout: Checkout) -> int:
    """Take the eligible items without a warranty into the customer's active subscription; how many were new."""
    # Assumption checkout.subscription
    customer = checkout.email.strip().casefold()
    if customer not in records.subscribers():
        return 0
    order = records.order(checkout.order_id)
    if order is None:
        return 0
    return len(
        records.add_to_subscription(
            SubscribedItem(
                customer,
                checkout.order_id,
                item.line_item_id,
                item.product.product_id,
                item.product.title,
                service.now(),
            )
            for item in order.line_items
            if order.units_left(item) > 0 and not _has_offer(order, item.offer_group, checkout.offer_ids)
        )
    )


def _has_offer(order: Order, offer_group: str | None, offer_ids: Set[str]) -> bool:
    """Whether the checkout itself sells a warranty for the items of this group."""
    return any(offer.offer_group == offer_group and offer.warranty_offer_id in offer_ids for offer in order.offers)
