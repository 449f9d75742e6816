"""One call of every kind, and what a checkout is made of, for the tests of the client."""

from collections.abc import Callable
from typing import Any

from warranty.client import WarrantyClient
from warranty.resources import Checkout, ClaimQuery, Order, Sale

AN_OFFER = "0b2f4c9e-8f0d-4a38-9d3f-3f1d2a4b5c6d"
BOSTON: dict[str, Any] = {
    "first_name": "Ada",
    "last_name": "Byron",
    "address1": "1 Main St",
    "city": "Boston",
    "state": "MA",
    "zip": "02108",
    "country": "United States",
    "country_code": "US",
}

Call = Callable[[WarrantyClient], object]


def checkout_of(order_id: str, offer: str = AN_OFFER, **more: Any) -> Checkout:
    return Checkout.model_validate(
        {
            "id": order_id,
            "email": "ada@example.com",
            "line_items": [{"warranty_offer_id": offer}],
            "billing_address": BOSTON,
            **more,
        }
    )


def one_of_each(
    order: Order, sale: Sale, checkout: Checkout, query: ClaimQuery | None = None
) -> dict[str, Call]:
    """The calls by the names of their operations."""
    return {
        "verify_credentials": lambda client: client.verify_credentials(),
        "submit_order": lambda client: client.submit_order(order),
        "record_sale": lambda client: client.record_sale(sale),
        "notify_checkout": lambda client: client.notify_checkout(checkout),
        "claims": lambda client: client.claims(query or ClaimQuery()),
    }
