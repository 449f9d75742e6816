"""PINs and the codes of badges: what may be one, and how one is kept."""

import re
import secrets
from itertools import pairwise
from typing import Final

import bcrypt

from warranty.people.tills.customer_screens import LETTERS
from warranty.people.tills.tills import Pin

BADGE_PREFIX: Final = "WDBQ"
"""How a badge's code begins. Letters alone, which every scanner types alike on every keyboard, and in no word."""
_BADGE_LETTERS: Final = re.sub(r"\d", "", LETTERS)
_BADGE_LENGTH: Final = 20
_PIN: Final = re.compile(r"[0-9]{4,6}", re.ASCII)
_ROUNDS: Final = 8
"""A million PINs are tried in no time whatever one costs: what protects a PIN is that the till counts."""


class EasyPin(ValueError):
    """A PIN that cannot be one; `easy` where others would guess it, else it has not 4 to 6 digits."""

    def __init__(self, *, easy: bool) -> None:
        super().__init__("a PIN that others would guess" if easy else "a PIN has 4 to 6 digits")
        self.easy = easy


def pin_of(digits: str) -> Pin:
    """The PIN as it is kept. Raises `EasyPin`: for what has not 4 to 6 digits, repeats itself, or counts up or down."""
    if not _PIN.fullmatch(digits):
        raise EasyPin(easy=False)
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(digits)}
    half = range(1, len(digits) // 2 + 1)
    repeats = any((digits[:long] * len(digits))[: len(digits)] == digits for long in half)
    if repeats or steps in ({1}, {9}):
        raise EasyPin(easy=True)
    return Pin(bcrypt.hashpw(digits.encode(), bcrypt.gensalt(_ROUNDS)).decode(), len(digits))


def fits(pin: Pin, digits: str) -> bool:
    """Whether these are the digits of a PIN."""
    return bool(_PIN.fullmatch(digits)) and bcrypt.checkpw(digits.encode(), pin.pin_hash.encode())


def new_badge_code() -> str:
    """A code that nobody guesses, to be printed on a badge."""
    return BADGE_PREFIX + "".join(secrets.choice(_BADGE_LETTERS) for _ in range(_BADGE_LENGTH))


def read_badge_code(scanned: str) -> str | None:
    """The code of a badge as it was made, whatever the scanner or a Caps Lock made of it; None for another code."""
    code = scanned.strip().upper()
    whole = len(BADGE_PREFIX) + _BADGE_LENGTH
    return code if code.startswith(BADGE_PREFIX) and len(code) == whole else None
