"""A slip for the customer: the shop, the items, the landing page as a QR code and as text, in large type, as PDF.

Set in DejaVu Sans, which comes with the program: Latin with all accents, Greek, Cyrillic, Hebrew and Arabic letters.
What it lacks (Chinese, Japanese, Korean, emoji) is printed as an empty box, never as an error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import segno
from fpdf import FPDF
from fpdf.enums import WrapMode, XPos, YPos
from fpdf.fonts import TTFFont

FONT: Final = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
_FAMILY: Final = "DejaVu"
_BOX: Final = "\u25a1"
_A5: Final = (148, 210)
_MARGIN: Final = 12.0
_QR_SIZE: Final = 76.0
_MOST_ITEMS: Final = 12
_LONGEST_TITLE: Final = 90
_LONGEST_WORD: Final = 40


@dataclass(frozen=True, slots=True)
class SlipItem:
    """An item of the order as the customer reads it."""

    title: str
    quantity: int


def order_slip(*, shop: str, url: str, order_id: str, items: Sequence[SlipItem]) -> bytes:
    """Make the slip of an order: one page of A5, whatever the number of items."""
    page = _page(f"{shop}: protect what you bought")
    _text(page, shop, 22)
    _text(page, "Protect what you bought today", 16)
    page.ln(2)
    for item in items[:_MOST_ITEMS]:
        title = item.title if len(item.title) <= _LONGEST_TITLE else f"{item.title[:_LONGEST_TITLE]}…"
        _text(page, f"{item.quantity} × {title}", 12 if len(items) <= 6 else 10)
    if len(items) > _MOST_ITEMS:
        _text(page, f"and {len(items) - _MOST_ITEMS} more", 10)
    page.ln(2)
    _text(page, "Scan the code with your phone to see the plans for these items:", 12)
    _qr(page, url)
    _text(page, url, 9)
    _text(page, f"Order {order_id}", 9)
    return bytes(page.output())


def _page(title: str) -> FPDF:
    page = FPDF(format=_A5, unit="mm")
    page.set_margin(_MARGIN)
    page.set_auto_page_break(auto=False)
    page.set_title(title)
    page.set_lang("en")
    page.add_font(_FAMILY, fname=FONT)
    page.set_font(_FAMILY)
    page.add_page()
    return page


def _text(page: FPDF, text: str, size: float) -> None:
    page.set_font(_FAMILY, size=size)
    wrap = WrapMode.CHAR if any(len(word) > _LONGEST_WORD for word in text.split()) else WrapMode.WORD
    page.multi_cell(
        0, size * 0.48, _printable(page, text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT, wrapmode=wrap
    )


def _printable(page: FPDF, text: str) -> str:
    """The text in one line, with a box for each character that the font cannot draw."""
    font = page.fonts[_FAMILY.lower()]
    known = font.cmap if isinstance(font, TTFFont) else {}
    return "".join(letter if ord(letter) in known else _BOX for letter in " ".join(text.split()))


def _qr(page: FPDF, url: str) -> None:
    """Draw the code as squares: sharp at any size, black on white."""
    code = segno.make(url, error="m", micro=False)
    rows = list(code.matrix_iter(border=4))
    side = _QR_SIZE / len(rows)
    left, top = (page.w - _QR_SIZE) / 2, page.get_y()
    page.set_fill_color(0, 0, 0)
    for down, row in enumerate(rows):
        start: int | None = None
        for across, dark in enumerate([*row, 0]):
            if dark and start is None:
                start = across
            elif not dark and start is not None:
                page.rect(left + start * side, top + down * side, (across - start) * side, side, style="F")
                start = None
    page.set_y(top + _QR_SIZE)
