"""A page to print: lines of text, pairs of a name and an amount, tables, a QR code; in the program's own font.

That is DejaVu Sans: Latin with all accents, Greek, Cyrillic, Hebrew and Arabic letters. What it lacks (Chinese,
Japanese, Korean) is printed as an empty box, never as an error; emoji are left out, and a line that is too long wraps.
"""

import io
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import segno
from fpdf import FPDF
from fpdf.enums import Align, WrapMode, XPos, YPos
from fpdf.fonts import FontFace, TTFFont  # platform: name fpdf.fonts.FontFace fpdf.fonts.TTFFont

from warranty.files.printing.papers import PAPERS, PaperName
from warranty.language import _, language

FONT: Final = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
_FAMILY: Final = "DejaVu"
_BOX: Final = "\u25a1"
_LEADING: Final = 0.48
"""Millimetres of a line's height for one point of its type."""
_LONGEST_WORD: Final = 40
_LONGEST_ROLL: Final = 2000.0
"""Millimetres of a roll on which a page is drawn whose length is not known yet."""
_MARK_HEIGHT: Final = 12.0
_BREAKS: Final = (re.compile(r"(?<=[/?&])(?!/)"), re.compile(r"(?<=[-_.= ])"), re.compile(r"(?<=.)"))
"""Where the line of an address may end, the best first: behind a part, behind a word, behind any letter."""


class _Marked(FPDF):
    """A document that says on top of each page what it is not."""

    mark = ""

    def header(self) -> None:
        """Write the mark into the upper margin: what stands below keeps its place."""
        if self.mark:
            self.set_y(3)
            self.set_font(_FAMILY, size=11)
            self.cell(0, 6, self.mark, align="C", border=1, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
            self.set_y(self.t_margin)


@lru_cache(maxsize=32)  # a roll is drawn twice, a screen with each of its runs
def qr_code(text: str) -> segno.QRCode | None:
    """The code of a text, for a screen as for paper; None where no code holds a text so long."""
    try:
        return segno.make(text, error="m", micro=False)
    except segno.DataOverflowError:
        return None


def lines_of_address(text: str, fits: Callable[[str], bool]) -> list[str]:
    """The lines of a text without spaces, each of which `fits`: no word is broken that fits into a line."""
    lines = [""]

    def add(part: str, breaks: Sequence[re.Pattern[str]]) -> None:
        if fits(lines[-1] + part):
            lines[-1] += part
        elif fits(part) or not breaks:
            lines.append(part)
        else:
            for piece in breaks[0].split(part):
                add(piece, breaks[1:])

    add(text, _BREAKS)
    return [line for line in lines if line]


class PrintPage:
    """A document that is filled from top to bottom; further pages follow where they are needed, if it `goes_on`.

    `mark` stands on top of each page, in the language that is spoken: that a print of the training is not valid.
    `margin` is the paper's own unless given. A page of a roll is drawn twice: how long it has to be is what the first
    one `used`.
    """

    def __init__(
        self,
        *,
        title: str,
        size: PaperName,
        mark: str,
        margin: float | None = None,
        goes_on: bool = True,
        length: float | None = None,
    ) -> None:
        paper = PAPERS[size]
        margin = paper.margin if margin is None else margin
        self._page = _Marked(format=(paper.width, paper.height or length or _LONGEST_ROLL), unit="mm")
        self._page.mark = mark and _(mark)
        self._page.set_margin(margin)
        self._page.set_top_margin(max(margin, _MARK_HEIGHT) if mark else margin)
        self._page.set_auto_page_break(auto=goes_on, margin=margin)
        self._page.set_title(title)
        self._page.set_lang(language())
        self._page.add_font(_FAMILY, fname=FONT)
        self._page.set_font(_FAMILY)
        self._page.set_text_shaping()  # Hebrew and Arabic from the right
        self._page.add_page()

    def line(self, text: str, size: float, *, below: float = 0.0) -> None:
        """Write a text of this size in points, with so many millimetres below it."""
        self._text(text, size, width=0)
        self._page.ln(below)

    def pair(self, name: str, amount: str, size: float) -> None:
        """Write a name that may wrap, and an amount at the right edge of its first line."""
        self._page.set_font(_FAMILY, size=size)
        amount = self._printable(amount)
        width = self._page.get_string_width(amount) + 4 if amount else 0.0
        if amount:
            self._page.cell(0, size * _LEADING, amount, align="R", new_x=XPos.LMARGIN, new_y=YPos.TOP)
        self._text(name, size, width=self._page.epw - width)

    def rule(self) -> None:
        """Draw a thin line from margin to margin."""
        self._page.set_line_width(0.2)
        height = self._page.get_y()
        self._page.line(self._page.l_margin, height, self._page.w - self._page.r_margin, height)
        self._page.ln(2)

    def table(
        self, columns: Sequence[str], rows: Sequence[Sequence[str]], *, widths: Sequence[int], numbers: bool
    ) -> None:
        """Draw a table; where all but the first column are `numbers`, they stand on the right."""
        self._page.set_font(_FAMILY, size=9)
        aligned = ("LEFT", *("RIGHT" if numbers else "LEFT",) * (len(columns) - 1))
        with self._page.table(
            col_widths=tuple(widths),
            text_align=aligned,
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="", fill_color=(235, 238, 242)),
            line_height=5,
            padding=1,
        ) as table:
            for cells in (columns, *rows):
                row = table.row()
                for cell in cells:
                    row.cell(self._printable(cell))
        self._page.ln(3)

    def code(self, code: segno.QRCode, side: float) -> None:
        """Draw a QR code in the middle of the line, as a drawing: sharp at any size, black on white."""
        drawing = io.BytesIO()
        code.save(drawing, kind="svg", border=4, omitsize=True)
        self._page.image(drawing, x=Align.C, w=side, h=side)

    def address(self, text: str, size: float) -> None:
        """Write an address or a number that has no spaces: a line ends behind a slash or a hyphen where it can."""
        self._page.set_font(_FAMILY, size=size)
        room = self._page.epw - 2 * self._page.c_margin
        for line in lines_of_address(self._printable(text), lambda line: self._page.get_string_width(line) <= room):
            self._page.cell(0, size * _LEADING, line, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def picture(self, file: Path, *, height: float) -> None:
        """Draw a picture (PNG, SVG) in the middle of the line, as large as fits into this height."""
        self._page.image(file, w=self._page.epw, h=height, keep_aspect_ratio=True)
        self._page.ln(2)

    @property
    def room(self) -> float:
        """Millimetres from margin to margin."""
        return self._page.epw

    @property
    def used(self) -> float:
        """Millimetres of this page down to the lower margin below what stands on it."""
        return self._page.get_y() + self._page.l_margin

    @property
    def pages(self) -> int:
        """How many pages there are by now."""
        return self._page.page_no()

    def content(self) -> bytes:
        """The document as PDF."""
        return bytes(self._page.output())

    def _text(self, text: str, size: float, *, width: float) -> None:
        self._page.set_font(_FAMILY, size=size)
        has_long_word = any(len(word) > _LONGEST_WORD for word in text.split())
        self._page.multi_cell(
            width,
            size * _LEADING,
            self._printable(text),
            align="L",
            new_x=XPos.LMARGIN,
            new_y=YPos.NEXT,
            wrapmode=WrapMode.CHAR if has_long_word else WrapMode.WORD,
        )

    def _printable(self, text: str) -> str:
        """The text in one line, without emoji, and with a box for each letter that the font cannot draw."""
        font = self._page.fonts[_FAMILY.lower()]
        # platform: habit fpdf tells the letters of a font
        known = font.cmap if isinstance(font, TTFFont) else {}
        drawn = (
            letter if ord(letter) in known or letter.isspace() else _BOX if letter.isalnum() else "" for letter in text
        )
        return " ".join("".join(drawn).split())
