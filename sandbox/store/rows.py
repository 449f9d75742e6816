"""Between values and rows: what a table's columns hold of an order, a sale, a message."""

import json
from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any

from sqlalchemy import RowMapping

from sandbox.store.model import LineItem, Offer, Product, Sale, Warranty


def columns(thing: Any) -> dict[str, Any]:
    """The fields of a value; `dataclasses.asdict` would copy each one deeply."""
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


def without_number(row: RowMapping) -> dict[str, Any]:
    """A row without the number that only orders it."""
    return {name: value for name, value in row.items() if name != "number"}


def line_item_row(order_id: str, item: LineItem) -> dict[str, Any]:
    """The columns of a line item; its products have rows of their own."""
    return {
        "order_id": order_id,
        "line_item_id": item.line_item_id,
        "quantity": item.quantity,
        "delivery_date": item.delivery_date,
        "offer_group": item.offer_group,
    }


def product_rows(order_id: str, item: LineItem) -> list[dict[str, Any]]:
    """The line item's own product at position 0, a bundle's members from 1."""
    return [
        {
            "order_id": order_id,
            "line_item_id": item.line_item_id,
            "position": position,
            "product_id": product.product_id,
            "variant_id": product.variant_id,
            "title": product.title,
            "price": str(product.price),
            "image": product.image,
            "breadcrumbs": json.dumps(product.breadcrumbs),
        }
        for position, product in enumerate((item.product, *item.members))
    ]


def product(row: RowMapping) -> Product:
    """A product from its row."""
    return Product(
        row["product_id"],
        row["title"],
        Decimal(row["price"]),
        row["variant_id"],
        row["image"],
        tuple(json.loads(row["breadcrumbs"])),
    )


def line_item(row: RowMapping, products: Sequence[Product]) -> LineItem:
    """A line item from its row and those of its products, by position."""
    return LineItem(
        row["line_item_id"],
        products[0],
        row["quantity"],
        row["delivery_date"],
        tuple(products[1:]),
        row["offer_group"],
    )


def offer_row(order_id: str, offer: Offer) -> dict[str, Any]:
    """The columns of an offer."""
    return {**columns(offer), "price": str(offer.price), "order_id": order_id}


def offer(row: RowMapping) -> Offer:
    """An offer from its row."""
    return Offer(
        row["warranty_offer_id"], row["offer_group"], row["months"], row["type"], Decimal(row["price"])
    )


def warranty_row(sale: Sale, warranty: Warranty) -> dict[str, Any]:
    """The columns of a warranty; what it covers has rows of its own."""
    return {
        "warranty_order_id": warranty.warranty_order_id,
        "order_id": sale.order_id,
        "line_item_id": warranty.line_item_id,
        "unit": warranty.unit,
        "warranty_offer_id": warranty.warranty_offer_id,
        "months": warranty.months,
        "type": warranty.type,
        "amount_paid": str(warranty.amount_paid),
        "warranty_id": warranty.warranty_id,
        "warranty_program_id": warranty.warranty_program_id,
    }


def covered_rows(sale: Sale, warranty: Warranty) -> list[dict[str, Any]]:
    """A bundle's warranty covers its members (positions 1..), any other the line item's own product (0)."""
    first = 1 if len(warranty.covered_products) > 1 else 0
    return [
        {
            "order_id": sale.order_id,
            "line_item_id": warranty.line_item_id,
            "unit": warranty.unit,
            "position": first + number,
        }
        for number in range(len(warranty.covered_products))
    ]


def warranty(row: RowMapping, covered: Sequence[Product]) -> Warranty:
    """A warranty from its row and the products that it covers."""
    return Warranty(
        row["warranty_order_id"],
        row["line_item_id"],
        row["unit"],
        row["warranty_offer_id"],
        row["months"],
        row["type"],
        Decimal(row["amount_paid"]),
        tuple(covered),
        row["warranty_id"],
        row["warranty_program_id"],
    )
