"""Codes of articles as scanners read them: one article has one code, whatever marks and zeros stand around it."""

import re
from collections.abc import Iterator
from typing import Final

_LENGTHS: Final = frozenset({12, 13, 14})
"""Digits of UPC-A, EAN-13 and GTIN-14: the shorter ones are the longest with zeros in front."""
_OF_THE_SCANNER: Final = re.compile(r"\][A-Za-z][0-9]")
"""Which kind of code it was, as scanners can put before it (ISO/IEC 15424)."""
_ARTICLE_IN_GS1: Final = re.compile(r"\(01\)([0-9]{14})")


def article_number(code: str) -> str:
    """The 14 digits of an article by a code of 12, 13 or 14 digits whose check digit is right; empty for any other."""
    digits = code.strip()
    if len(digits) not in _LENGTHS or not (digits.isascii() and digits.isdigit()):
        return ""
    whole = digits.zfill(14)
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(whole))
    return whole if total % 10 == 0 else ""


def spellings(code: str) -> Iterator[str]:
    """What a catalogue may have for a scanned code, the likeliest first: as it is, without marks, as an article."""
    text = code.strip()
    plain = _OF_THE_SCANNER.sub("", text, count=1) if text.startswith("]") else text
    gs1 = _ARTICLE_IN_GS1.match(plain)
    if gs1 or (plain != text and re.match(r"01[0-9]{14}", plain)):
        plain = gs1[1] if gs1 else plain[2:16]
    if len(plain) > 2 and plain.startswith("*") and plain.endswith("*"):  # the marks at both ends of Code 39
        plain = plain[1:-1]
    for each in dict.fromkeys((text, plain)):
        yield from (each, each.casefold())
    if article := article_number(plain):
        yield article
