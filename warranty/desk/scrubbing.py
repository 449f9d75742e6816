"""Refusals without the customer: what the service says may quote what it was sent."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from warranty.errors import Failure

_PERSONAL: Final = {
    "email": "e-mail",
    "phone": "phone",
    "first_name": "first name",
    "last_name": "last name",
    "address1": "address",
    "address2": "address",
    "city": "city",
    "zip": "postal code",
}
_SUBSCRIBER_DIGITS: Final = 7
_E_MAIL: Final = re.compile(r"[^\s@<>'\"(),;:]+@[^\s@<>'\"(),;:]+\.\w+")
_INTERNATIONAL_PHONE: Final = re.compile(r"\+\d[\d\s().-]{6,}\d")


def without_customer(failure: Failure, body: Mapping[str, Any]) -> Failure:
    """The failure with everything personal of `body` in the service's words replaced by what it was.

    Only what stands alone is replaced, in any case: a customer called May does not cost the word "maybe".
    """
    words = failure.service_words
    for name, value in _personal_values(body):
        pattern = _phone_pattern(value) if name == "phone" else re.escape(value)
        alone = re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE)
        words = tuple(alone.sub(f"[{_PERSONAL[name]}]", sentence) for sentence in words)
    return replace(failure, service_words=tuple(without_addresses(sentence) for sentence in words))


def without_addresses(text: str) -> str:
    """A text without e-mail addresses and international phone numbers, whoever they belong to."""
    return _INTERNATIONAL_PHONE.sub("[phone]", _E_MAIL.sub("[e-mail]", text))


def _personal_values(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The personal values of a body, longest first, so that none leaves a part of another behind."""
    found: set[tuple[str, str]] = set()
    places = [body, *(body.get(name) or {} for name in ("billing_address", "shipping_address"))]
    for place in places:
        for name in _PERSONAL:
            value = str(place.get(name) or "").strip()
            if len(value) >= 2:
                found.add((name, value))
    yield from sorted(found, key=lambda pair: (-len(pair[1]), pair))


def _phone_pattern(phone: str) -> str:
    """The same number however it is grouped, with or without its country and area codes."""
    digits = re.sub(r"\D", "", phone)
    if len(digits) < _SUBSCRIBER_DIGITS:
        return re.escape(phone)
    return r"[+(]?(?:\d[\s().-]*)*" + r"[\s().-]*".join(digits[-_SUBSCRIBER_DIGITS:])
