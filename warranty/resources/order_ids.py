"""Order ids that can be guessed: a warning, never a refusal (interface: Order, order_id)."""

import re
from typing import Final

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_COUNTER: Final = re.compile(
    r"[^0-9A-Za-z]*(?:[A-Za-z]+[^0-9A-Za-z]*)*[0-9]+(?:[^0-9A-Za-z]+[0-9]+)*[^0-9A-Za-z]*[A-Za-z]?"
)
_LONGEST_COUNTER: Final = 19
_SHORTEST_UNGUESSABLE: Final = 8

SEQUENTIAL: Final = (
    "This order id looks like a counter: whoever guesses the next number opens that customer's landing page. "
    "The service asks for ids that do not follow one another; make one with the button."
)
SHORT: Final = (
    "This order id is short enough to be guessed, and whoever guesses it opens the customer's landing page. "
    "The service asks for long random ids; make one with the button."
)


def order_id_warning(order_id: str) -> str | None:
    """Give a sentence where the order id looks sequential or short, None where it looks random.

    A numeric id, or one number behind a prefix ("#1001", "ORD-000123", "2026-000123"), counts as sequential.
    """
    order_id = order_id.strip()
    if not order_id or _UUID.fullmatch(order_id):
        return None
    digits = sum(mark.isdigit() for mark in order_id)
    if _COUNTER.fullmatch(order_id) and digits <= _LONGEST_COUNTER:
        return SEQUENTIAL
    if sum(mark.isalnum() for mark in order_id) < _SHORTEST_UNGUESSABLE:
        return SHORT
    return None
