"""The tables. What must never happen twice is a unique key here, not a check in the code."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = 1
"""Raised when a table changes: a data file of another version is refused with a sentence."""

metadata = MetaData()

settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

orders = Table(
    "orders",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("order_id", Text, nullable=False, unique=True),
    Column("stored_at", Text, nullable=False),
    Column("merchant_external_id", Text),
    Column("email", Text),
    Column("phone", Text),
)

line_items = Table(
    "line_items",
    metadata,
    Column("order_id", Text, nullable=False),
    Column("line_item_id", Integer, nullable=False),
    Column("quantity", Integer, CheckConstraint("quantity BETWEEN 1 AND 20"), nullable=False),
    Column("delivery_date", Text),
    Column("offer_group", Text),
    PrimaryKeyConstraint("order_id", "line_item_id"),
    ForeignKeyConstraint(["order_id"], ["orders.order_id"]),
)

products = Table(
    "products",
    metadata,
    Column("order_id", Text, nullable=False),
    Column("line_item_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),  # 0 is the line item's own product, 1.. a bundle's members
    Column("product_id", Text, nullable=False),
    Column("variant_id", Text),
    Column("title", Text, nullable=False),
    Column("price", Text, nullable=False),
    Column("image", Text),
    Column("breadcrumbs", Text, nullable=False),
    PrimaryKeyConstraint("order_id", "line_item_id", "position"),
    ForeignKeyConstraint(["order_id", "line_item_id"], ["line_items.order_id", "line_items.line_item_id"]),
)

offers = Table(
    "offers",
    metadata,
    Column("warranty_offer_id", Text, primary_key=True),
    Column("order_id", Text, nullable=False, index=True),
    Column("offer_group", Text, nullable=False),
    Column("months", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("price", Text, nullable=False),
    ForeignKeyConstraint(["order_id"], ["orders.order_id"]),
    UniqueConstraint("order_id", "offer_group", "months", "type"),
)

sales = Table(
    "sales",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("warranty_order_id", Text, nullable=False, unique=True),
    Column("order_id", Text, nullable=False, index=True),
    Column("sold_at", Text, nullable=False),
    Column("channel", Text, nullable=False),
    ForeignKeyConstraint(["order_id"], ["orders.order_id"]),
)

warranties = Table(
    "warranties",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("warranty_order_id", Text, nullable=False),
    Column("order_id", Text, nullable=False),
    Column("line_item_id", Integer, nullable=False),
    Column("unit", Integer, nullable=False),
    Column("warranty_offer_id", Text, nullable=False),
    Column("months", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("amount_paid", Text, nullable=False),
    Column("warranty_id", Text),
    Column("warranty_program_id", Text),
    # One warranty per unit: whoever comes second fails here, whatever the code above believed.
    UniqueConstraint("order_id", "line_item_id", "unit"),
    ForeignKeyConstraint(["warranty_order_id"], ["sales.warranty_order_id"]),
    ForeignKeyConstraint(["warranty_offer_id"], ["offers.warranty_offer_id"]),
    ForeignKeyConstraint(["order_id", "line_item_id"], ["line_items.order_id", "line_items.line_item_id"]),
)

covered_products = Table(
    "covered_products",
    metadata,
    Column("order_id", Text, nullable=False),
    Column("line_item_id", Integer, nullable=False),
    Column("unit", Integer, nullable=False),
    Column("position", Integer, nullable=False),  # of the product in `products`
    PrimaryKeyConstraint("order_id", "line_item_id", "unit", "position"),
    ForeignKeyConstraint(
        ["order_id", "line_item_id", "unit"],
        ["warranties.order_id", "warranties.line_item_id", "warranties.unit"],
    ),
    ForeignKeyConstraint(
        ["order_id", "line_item_id", "position"],
        ["products.order_id", "products.line_item_id", "products.position"],
    ),
)

messages = Table(
    "messages",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("sent_at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("order_id", Text, nullable=False),
)

subscriptions = Table("subscriptions", metadata, Column("email", Text, primary_key=True))

subscribed_items = Table(
    "subscribed_items",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("email", Text, nullable=False),
    Column("order_id", Text, nullable=False),
    Column("line_item_id", Integer, nullable=False),
    Column("product_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("added_at", Text, nullable=False),
    UniqueConstraint("email", "order_id", "line_item_id"),
)

claims = Table(
    "claims",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("claim_date", Text, nullable=False),
    Column("warranty_started", Integer),
    Column("customer_email", Text, nullable=False),
    Column("record", Text, nullable=False),
)
