"""What a shop sends: an order of two televisions and a bundle, a sale on it, a completed checkout."""

from uuid import uuid4

from warranty.resources import Checkout, Order, Sale

OFFER = "0b0f2a52-7e0f-4c39-9d0a-3f1f6a1f3f10"


def order_of(order_id: str | None = None, **address: str) -> Order:
    """The customer's data must appear nowhere but where they are meant to."""
    return Order.model_validate(
        {
            "order_id": order_id or uuid4().hex,
            "line_items": [
                {
                    "product_id": "TV-55",
                    "product_title": "55in OLED television",
                    "product_price": "899.00",
                    "quantity": 2,
                    "meta": {"breadcrumbs": [{"category": "Electronics"}]},
                },
                {
                    "product_id": "SET-1",
                    "product_title": "Stereo set",
                    "product_price": "988.50",
                    "products": [
                        {"product_id": "AMP-1", "product_title": "Amplifier", "product_price": "588.50"},
                        {"product_id": "SPK-1", "product_title": "Speakers", "product_price": "400.00"},
                    ],
                },
            ],
            "billing_address": {
                "first_name": "Ada",
                "last_name": "Brook",
                "email": "ada.brook@example.com",
                "phone": "+1 617 555 0123",
                "address1": "12 Mill Lane",
                "city": "Boston",
                "zip": "02134",
                "state": "MA",
                "country": "United States",
                **address,
            },
        }
    )


def sale_of(order_id: str, *, months: int = 24, price: str = "79.99") -> Sale:
    line = {
        "line_item_id": 1,
        "product_id": "TV-55",
        "warranty": {"warranty_duration": months, "warranty_price": price},
    }
    return Sale.model_validate({"id": order_id, "line_items": [line]})


def checkout_of(order_id: str, **customer: str) -> Checkout:
    address = {
        "first_name": "Ada",
        "last_name": "Brook",
        "address1": "12 Mill Lane",
        "city": "Boston",
        "state": "MA",
        "zip": "02134",
        "country": "United States",
        "country_code": "US",
        **{name: value for name, value in customer.items() if name not in {"email", "phone"}},
    }
    return Checkout.model_validate(
        {
            "id": order_id,
            "email": customer.get("email", "ada.brook@example.com"),
            "phone": customer.get("phone", "+1 617 555 0123"),
            "line_items": [{"warranty_offer_id": OFFER, "quantity": 1}],
            "billing_address": address,
        }
    )
