"""A slip for the customer: the shop, the items, the landing page as a QR code and as text, in large type, as PDF."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from warranty.printing.page import PrintPage, qr_code

_QR_SIZE: Final = 76.0
_MOST_ITEMS: Final = 12
_LONGEST_TITLE: Final = 90


@dataclass(frozen=True, slots=True)
class SlipItem:
    """An item of the order as the customer reads it."""

    title: str
    quantity: int


def order_slip(
    *, shop: str, url: str, order_id: str, items: Sequence[SlipItem], mark: str = "", note: str = ""
) -> bytes:
    """Make the slip of an order: one page of A5, whatever the number of items; `mark` as in `PrintPage`.

    `note` is a sentence that the customer has to know about the link.
    """
    page = PrintPage(title=f"{shop}: protect what you bought", size="A5", mark=mark, goes_on=False)
    page.line(shop, 22)
    page.line("Protect what you bought today", 16, below=2)
    for item in items[:_MOST_ITEMS]:
        title = item.title if len(item.title) <= _LONGEST_TITLE else f"{item.title[:_LONGEST_TITLE]}…"
        page.line(f"{item.quantity} × {title}", 12 if len(items) <= 6 else 10)
    if len(items) > _MOST_ITEMS:
        page.line(f"and {len(items) - _MOST_ITEMS} more", 10)
    page.line("", 4)
    if code := qr_code(url):
        page.line("Scan the code with your phone to see the plans for what you bought:", 12)
        page.code(code, _QR_SIZE)
    else:
        page.line("See the plans for what you bought at this address:", 12)
    if note:
        page.line(note, 12)
    page.line(url, 9)
    page.line(f"Order {order_id}", 9)
    return page.content()
