"""Orders as a shop sends them to the sandbox, and a desk beside the screens: what is sold behind a screen's back."""

import uuid
from typing import Any

from warranty.access import Operator, Role
from warranty.resources import Order, Sale

STAFF = Operator("staff", "Sam Counter", Role.STAFF)
MANAGER = Operator("manager", "Maya Office", Role.MANAGER)


def item(sku: str, title: str, price: str, *categories: str, **more: Any) -> dict[str, Any]:
    crumbs = [{"category": category} for category in categories]
    return {
        "product_id": sku,
        "product_title": title,
        "product_price": price,
        "meta": {"breadcrumbs": crumbs},
        **more,
    }


TV = item("TV-55", "55in OLED television", "899.00", "Electronics", "Televisions")
TV_OF_THE_SAME_BAND = item("TV-50", "50in LED television", "799.00", "Electronics", "Televisions")
LAMP = item("LAMP", "Arc floor lamp", "89.50", "Furniture", "Lamps")
LAPTOP = item("LT-14", "Laptop 14in", "1200.00", "Electronics", "Laptops")
GIFT_CARD = item("GIFT", "Gift card", "50.00", "Gift cards")
CINEMA = item(
    "CINEMA",
    "Home cinema set",
    "1400.00",
    "Electronics",
    "Audio",
    products=[
        {"product_id": "AMP", "product_title": "Amplifier", "product_price": "900.00"},
        {"product_id": "SPEAKERS", "product_title": "Speakers", "product_price": "500.00"},
    ],
)


def order_of(*items: dict[str, Any]) -> Order:
    return Order.model_validate(
        {
            "order_id": str(uuid.uuid4()),
            "line_items": list(items),
            "billing_address": {
                "first_name": "Ada",
                "email": "ada.byron@example.com",
                "state": "NY",
                "country": "United States",
            },
        }
    )


def sale_of(order_id: str, *lines: tuple[str, int, str]) -> Sale:
    """Lines as (SKU, months, price)."""
    return Sale.model_validate(
        {
            "id": order_id,
            "line_items": [
                {
                    "product_id": sku,
                    "warranty": {"warranty_duration": months, "warranty_price": price},
                }
                for sku, months, price in lines
            ],
        }
    )
