"""E-mail addresses and phone numbers inside of a text, whoever they belong to: found, and taken out."""

import re
import unicodedata
from typing import Final

import phonenumbers

_WORD: Final = re.compile(r"[^\s<>'\"(),;:]+")
_NUMBER: Final = re.compile(r"(?<!\w)[+(]?\d[\d\s().-]*")
_NATIONAL: Final = 10
_LONGEST: Final = 15
_INTERNATIONAL_PHONE: Final = re.compile(r"\+\d[\d\s().-]{6,}\d")


def names_somebody(text: str) -> bool:
    """Whether a text that was searched for may be somebody's e-mail or phone, whole or in part.

    Phones as people write them: grouped, or ten digits that are a number of North America; an order's number of other
    digits is none.
    """
    if "@" in text or without_addresses(text) != text:
        return True
    for found in _NUMBER.finditer(text):
        written = found[0].strip(" ().-")
        digits = "".join(filter(str.isdecimal, written))
        if not _NATIONAL <= len(digits) <= _LONGEST:
            continue
        if written != digits or _is_number(digits):
            return True
    return False


def folded_address(text: str) -> str:
    """A text for comparing e-mail addresses: one Unicode form, no case, nothing unseen, no blanks at the @."""
    whole = unicodedata.normalize("NFKC", text).casefold()
    seen = "".join(letter for letter in whole if unicodedata.category(letter) != "Cf")
    return " ".join(seen.split()).replace(" @", "@").replace("@ ", "@")


def _is_number(digits: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(digits, "US"))
    except phonenumbers.NumberParseException:
        return False


def without_addresses(text: str) -> str:
    """A text without e-mail addresses and international phone numbers, whoever they belong to."""
    return _INTERNATIONAL_PHONE.sub("[phone]", _WORD.sub(_without_address, text) if "@" in text else text)


def _without_address(word: re.Match[str]) -> str:
    """A word without its e-mail address: what ends it (a full stop) stays."""
    text = word[0]
    end = next((end for end in range(len(text), 0, -1) if text[end - 1].isalnum()), 0)
    name, _, domain = text[:end].lstrip("@").partition("@")
    return "[e-mail]" + text[end:] if name and "." in domain[1:] else text
