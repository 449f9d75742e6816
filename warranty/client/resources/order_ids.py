"""Order ids that can be guessed: a warning, never a refusal (interface: Order, order_id)."""

from string import ascii_letters, digits
from typing import Final

from warranty.client.resources.words import UUID
from warranty.language import N_, _

_LONGEST_COUNTER: Final = 19
_SHORTEST_UNGUESSABLE: Final = 8

SEQUENTIAL: Final = N_(
    "This order id looks like a counter: whoever guesses the next number opens that customer's landing page. "
    "The service asks for ids that do not follow one another; make one with the button."
)
SHORT: Final = N_(
    "This order id is short enough to be guessed, and whoever guesses it opens the customer's landing page. "
    "The service asks for long random ids; make one with the button."
)


def order_id_warning(order_id: str) -> str | None:
    """Give a sentence where the order id looks sequential or short, None where it looks random.

    A numeric id, or one number behind a prefix ("#1001", "ORD-000123", "2026-000123"), counts as sequential.
    """
    order_id = order_id.strip()
    if not order_id or UUID.fullmatch(order_id):
        return None
    if _is_counter(order_id) and sum(mark.isdigit() for mark in order_id) <= _LONGEST_COUNTER:
        return _(SEQUENTIAL)
    if sum(mark.isalnum() for mark in order_id) < _SHORTEST_UNGUESSABLE:
        return _(SHORT)
    return None


def _is_counter(order_id: str) -> bool:
    """Whether digits, once begun, go on to the end, broken by nothing but signs; one last letter may stand there."""
    begins = next((place for place, mark in enumerate(order_id) if mark in digits), None)
    if begins is None:
        return False
    tail = order_id[begins:]
    return not any(mark in ascii_letters for mark in (tail[:-1] if tail[-1] in ascii_letters else tail))
