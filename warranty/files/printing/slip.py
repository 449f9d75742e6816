"""A slip for the customer: the shop, the items, the landing page as a QR code and as text, in large type, as PDF.

On a sheet of A5, or on the roll of a till's printer (203 dots to the inch), as long as what stands on it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import segno

from warranty.files.printing.page import PrintPage, qr_code
from warranty.files.printing.papers import PAPERS
from warranty.language import Language, _, speaking
from warranty.language.written import dated
from warranty.settings.values import SlipPaper

_DOT: Final = 25.4 / 203
"""Millimetres of a dot of a till's printer."""
_MOST_ITEMS: Final = 12
_LONGEST_TITLE: Final = 90
_SHORT_ID: Final = 8
_SIGNED: Final = 10
"""Millimetres above the line that the customer signs on."""
_CODE_BESIDE_SIGNATURE: Final = 48.0
"""Millimetres at most of the code on a slip that is signed: what that takes, the code gives."""


@dataclass(frozen=True, slots=True)
class _Type:
    """Points of the shop's name, of the headline, of sentences and of addresses; millimetres of code and logo."""

    shop: float
    headline: float
    text: float
    address: float
    code: float
    logo: float


_TYPES: Final = {
    "A5": _Type(22, 16, 12, 9, 76, 18),
    "80": _Type(16, 12, 10, 8, 60, 14),
    "58": _Type(13, 10, 9, 7, 48, 12),
}


@dataclass(frozen=True, slots=True)
class SlipItem:
    """An item of the order as the customer reads it, and the last days of its plans, where all its units have one."""

    title: str
    quantity: int
    covered: Sequence[date] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """What stands on a slip; `note` is a sentence that the customer has to know about the link, `day` in words.

    One who `declined` the plan signs below the sentence that says so.

    `language` is the customer's; note and day come in it already.
    """

    shop: str
    url: str
    order_id: str
    items: Sequence[SlipItem]
    day: str = ""
    note: str = ""
    language: Language = "en"
    declined: bool = False


def order_slip(slip: Slip, *, paper: SlipPaper = "A5", logo: Path | None = None, mark: str = "") -> bytes:
    """Make the slip of an order: one page, whatever the number of items; `mark` as in `PrintPage`."""
    with speaking(slip.language):
        length = None
        if PAPERS[paper].height is None:
            length = _page(slip, paper, logo, mark, length=None).used
        return _page(slip, paper, logo, mark, length=length).content()


def slip_file(order_id: str) -> str:
    """The name of a slip's file: `slip-9f2c1a2b.pdf`."""
    short = re.sub(r"[^0-9A-Za-z]", "", order_id)[:_SHORT_ID]
    return f"slip-{short}.pdf" if short else "slip.pdf"


def _page(slip: Slip, paper: SlipPaper, logo: Path | None, mark: str, *, length: float | None) -> PrintPage:
    title = _("{shop}: protect what you bought", shop=slip.shop)
    page = PrintPage(title=title, size=paper, mark=mark, goes_on=False, length=length)
    points, items = _TYPES[paper], slip.items
    if logo:
        page.picture(logo, height=points.logo)
    page.line(slip.shop, points.shop)
    page.line(_("Protect what you bought today"), points.headline, below=2)
    for item in items[:_MOST_ITEMS]:
        title = item.title if len(item.title) <= _LONGEST_TITLE else f"{item.title[:_LONGEST_TITLE]}…"
        if days := ", ".join(map(dated, item.covered)):
            title += ", " + _("covered to {day} by this desk's record", day=days)
        page.line(f"{item.quantity} × {title}", points.text if len(items) <= 6 else points.text - 2)
    if len(items) > _MOST_ITEMS:
        more = len(items) - _MOST_ITEMS
        page.line(_("and {n} more", n=more), points.text - 2)
    most = min(points.code, page.room)
    page.line("", 4)
    if slip.declined:  # above what could be too much for a sheet
        page.line(_("The protection plan was explained and declined."), points.text, below=_SIGNED)
        page.rule()
        page.line(_("Signature"), points.address, below=2)
        most = min(most, _CODE_BESIDE_SIGNATURE)
    if code := qr_code(slip.url):
        page.line(_("Scan the code with your phone to see the plans for what you bought:"), points.text)
        page.code(code, _side(code, most, whole_dots=PAPERS[paper].height is None))
    else:
        page.line(_("See the plans for what you bought at this address:"), points.text)
    if slip.note:
        page.line(slip.note, points.text)
    page.address(slip.url, points.address)
    page.address(_("Order {order}", order=slip.order_id), points.address)
    if slip.day:
        page.line(slip.day, points.address)
    return page


def _side(code: segno.QRCode, most: float, *, whole_dots: bool) -> float:
    """The side of a code in millimetres; on a till's printer each of its squares is a whole number of dots."""
    squares = code.symbol_size(border=4)[0]
    dots = int(most / _DOT) // squares
    return squares * dots * _DOT if whole_dots and dots else most
