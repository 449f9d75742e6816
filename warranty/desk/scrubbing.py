"""Refusals without the customer: what the service says may quote what it was sent."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from warranty.errors import Failure
from warranty.places.people_in_text import without_addresses

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
_NUMBER: Final = re.compile(r"(?<!\w)[+(]?\d[\d\s().-]*")


def without_customer(failure: Failure, body: Mapping[str, Any]) -> Failure:
    """The failure with everything personal of `body` in the service's words replaced by what it was.

    Only what stands alone is replaced, in any case: a customer called May does not cost the word "maybe".
    """
    words = failure.service_words
    for name, value in _personal_values(body):
        subscriber = "".join(filter(str.isdecimal, value))[-_SUBSCRIBER_DIGITS:] if name == "phone" else ""
        if len(subscriber) == _SUBSCRIBER_DIGITS:
            words = tuple(_NUMBER.sub(partial(_without_phone, subscriber), sentence) for sentence in words)
        else:
            alone = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
            words = tuple(alone.sub(f"[{_PERSONAL[name]}]", sentence) for sentence in words)
    return replace(failure, service_words=tuple(without_addresses(sentence) for sentence in words))


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


def _without_phone(subscriber: str, number: re.Match[str]) -> str:
    """A number without what ends in these digits: however it is grouped, with or without country and area codes."""
    text = number[0]
    places = [place for place, mark in enumerate(text) if mark.isdecimal()]
    written = "".join(text[place] for place in places)
    found = written.rfind(subscriber)
    while found >= 0:
        end = places[found + len(subscriber) - 1] + 1
        if not number.string[number.start() + end : number.start() + end + 1].isalnum():
            return "[phone]" + text[end:]
        found = written.rfind(subscriber, 0, found + len(subscriber) - 1)
    return text
