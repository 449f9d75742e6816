"""Reads the body of POST /api/checkout.

Sections of the interface: "Checkout request", "Warranty line item", "Customer address".
"""

import uuid
from dataclasses import dataclass

from sandbox.wire.answers import Refused
from sandbox.wire.fields import Fields
from sandbox.wire.requests import Request

_REQUIRED_ADDRESS = ("first_name", "last_name", "address1", "city", "state", "zip", "country")


@dataclass(frozen=True, slots=True)
class Checkout:
    """What the sandbox keeps of a checkout."""

    order_id: str
    email: str
    offer_ids: frozenset[str]


def read_checkout(request: Request) -> Checkout:
    """The checkout; `Refused` with all its faults."""
    fields = Fields(request.content())
    order_id = fields.order_id("id")
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
    return Checkout(order_id, email, frozenset(offer_ids))


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
