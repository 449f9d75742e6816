"""Which keys there are, and what is said of them."""

from typing import Final

from components.navigation import SCREENS
from warranty.language import N_, _

CAN_BE_SCANNED: Final = N_("You can scan an order's QR code or id, a warranty's id, or a product of the catalogue.")
_OF_THE_PART: Final = {
    "keys": N_("Keys"),
    "close": N_("Close"),
    "find": N_("Find a screen, an action, an order, a customer's claims or a product"),
    "by": N_("Name, order id, e-mail, SKU"),
    "nothing": N_("Nothing found."),
}
_EVERYWHERE: Final = (
    *((screen.key, screen.title) for screen in SCREENS if screen.key),
    ("Ctrl+K", N_("Finds a screen, an action, an order, a customer's claims, a product")),
    (N_("A scan"), N_("Opens what the code belongs to: the basket, an order's sale, a warranty's claims")),
    (N_("? or F1"), N_("These keys")),
    ("Esc", N_("Closes what is open")),
)
_OF_A_SCREEN: Final = {
    "submit_order": (
        ("Enter", N_("In the scan field: adds the item; in the empty field: goes on to the customer")),
        ("Ctrl+Enter", N_("Send order")),
        ("Alt+N", N_("Next order")),
    ),
    "record_sale": (("Ctrl+Enter", N_("Record sale")),),
    "notify_checkout": (("Ctrl+Enter", N_("Send checkout")),),
}


def keys_of(screen: str) -> tuple[tuple[str, str], ...]:
    """The keys of a screen, its own first."""
    return tuple((_(keys), _(words)) for keys, words in (*_OF_A_SCREEN.get(screen, ()), *_EVERYWHERE))


def part_words() -> dict[str, str]:
    """What the list of keys and the field that finds things say, by name."""
    return {name: _(words) for name, words in _OF_THE_PART.items()}
