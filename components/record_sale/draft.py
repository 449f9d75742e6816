"""The names of a sale's fields in its draft."""

import hashlib


def item_name(order_id: str, item_key: str) -> str:
    """What the draft's fields of an item begin with, for each order its own: a look at another order loses nothing."""
    return f"item.{hashlib.sha256(order_id.encode()).hexdigest()[:8]}.{item_key}"


def item_field(order_id: str, item_key: str, field: str) -> str:
    """The draft's name for a field of an item."""
    return f"{item_name(order_id, item_key)}.{field}"
