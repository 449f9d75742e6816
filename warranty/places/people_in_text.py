"""E-mail addresses and phone numbers inside of a text, whoever they belong to: found, and taken out."""

import re
from typing import Final

_WORD: Final = re.compile(r"[^\s<>'\"(),;:]+")
_INTERNATIONAL_PHONE: Final = re.compile(r"\+\d[\d\s().-]{6,}\d")


def without_addresses(text: str) -> str:
    """A text without e-mail addresses and international phone numbers, whoever they belong to."""
    return _INTERNATIONAL_PHONE.sub("[phone]", _WORD.sub(_without_address, text) if "@" in text else text)


def _without_address(word: re.Match[str]) -> str:
    """A word without its e-mail address: what ends it (a full stop) stays."""
    text = word[0]
    end = next((end for end in range(len(text), 0, -1) if text[end - 1].isalnum()), 0)
    name, _, domain = text[:end].lstrip("@").partition("@")
    return "[e-mail]" + text[end:] if name and "." in domain[1:] else text
