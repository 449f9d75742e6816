"""Which keys there are, and what is said of them."""

from typing import Final

from components.navigation import SCREENS

CAN_BE_SCANNED: Final = (
    "You can scan an order's QR code or id, a warranty's id, or a product of the catalogue."
)
SAID_OF_SCREENS: Final = {
    "submit_order": "send an order, hand over its link",
    "import_orders": "many orders from a file",
    "record_sale": "a plan sold after the order",
    "notify_checkout": "a sale that includes its warranties",
    "claims": "what customers claimed",
    "claim_trends": "claims as figures and charts",
    "activity": "what was sent, what is open",
    "shift_report": "orders, sales and revenue of a day",
    "people": "who may sign in",
    "connection": "environment, tokens, last calls",
}
_EVERYWHERE: Final = (
    *((screen.key, screen.title) for screen in SCREENS if screen.key),
    ("Ctrl+K", "Finds a screen, an order, a customer's claims, a product"),
    ("A scan", "Opens what the code belongs to: the basket, an order's sale, a warranty's claims"),
    ("? or F1", "These keys"),
    ("Esc", "Closes what is open"),
)
_OF_A_SCREEN: Final = {
    "submit_order": (
        ("Enter", "In the scan field: adds the item; in the empty field: goes on to the customer"),
        ("Ctrl+Enter", "Send order"),
    ),
    "record_sale": (("Ctrl+Enter", "Record sale"),),
    "notify_checkout": (("Ctrl+Enter", "Send checkout"),),
}


def keys_of(screen: str) -> tuple[tuple[str, str], ...]:
    """The keys of a screen, its own first."""
    return (*_OF_A_SCREEN.get(screen, ()), *_EVERYWHERE)
