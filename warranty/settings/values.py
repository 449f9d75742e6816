"""What single settings are made of: addresses, lists, times; each says in a sentence what it takes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Final

import httpx
from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError
from pydantic_settings import NoDecode

_LONGEST_TIMEOUT: Final = 600
"""In seconds."""

_LONGEST_TERM: Final = 600


@dataclass(frozen=True, slots=True)
class Merchant:
    """A merchant that the retailer sells for: the id that the service knows, the name that people read."""

    id: str
    name: str


def _wrong(sentence: str) -> PydanticCustomError:
    return PydanticCustomError("warranty_setting", "{sentence}", {"sentence": sentence})


def address_fault(text: str, *, schemes: frozenset[str]) -> str | None:
    """Say what is wrong with an address, never repeating it (it may hold a password); None if nothing is."""
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL:
        return "is not an address such as https://service.example.com"
    faults = (
        (
            url.scheme == "http" and "http" not in schemes,
            "begins with http://, and only https is called: write https://",
        ),
        (url.scheme not in schemes, "must begin with https://"),
        (not url.host, "names no host"),
        (bool(url.userinfo), "holds a user name or password: take it out"),
        (bool(url.query or url.fragment), "holds a query or a fragment: give the base address alone"),
    )
    return next((fault for applies, fault in faults if applies), None)


def _address(*schemes: str) -> AfterValidator:
    def check(text: str) -> str:
        fault = address_fault(text, schemes=frozenset(schemes))
        if fault is not None:
            raise _wrong(fault)
        return text.strip().rstrip("/")

    return AfterValidator(check)


def _written(pattern: re.Pattern[str], sentence: str) -> AfterValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text.strip()):
            raise _wrong(sentence)
        return text.strip()

    return AfterValidator(check)


def _terms(value: object) -> object:
    parts = _split(value)
    if parts is None:
        return value
    terms = [int(part) if part.isascii() and part.isdigit() else 0 for part in parts]
    if not terms or not all(1 <= term <= _LONGEST_TERM for term in terms):
        raise _wrong("must list terms in months, such as 12,24,36")
    return tuple(dict.fromkeys(terms))


def _merchants(value: object) -> object:
    if isinstance(value, Mapping):
        value = [f"{merchant_id}={name}" for merchant_id, name in value.items()]
    parts = _split(value)
    if parts is None:
        return value
    pairs = [tuple(side.strip() for side in part.split("=", 1)) for part in parts]
    if not all(len(pair) == 2 and all(pair) for pair in pairs):
        raise _wrong("must list merchants as id=name, such as m-1=Main Street,m-2=Harbour")
    return tuple(Merchant(*pair) for pair in pairs)


def _words(value: object) -> object:
    """Words as they are: in text a comma ends one, a list of a TOML file may hold words with commas in them."""
    if isinstance(value, str):
        value = _split(value) or ()
    return tuple(dict.fromkeys(value)) if isinstance(value, (list, tuple)) else value


def _split(value: object) -> list[str] | None:
    """Give the parts of a list, from text with commas or from a list of a TOML file."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, (list, tuple)) and not any(isinstance(part, Merchant) for part in value):
        return [text for part in value if (text := str(part).strip())]
    return None


def _seconds(value: object) -> object:
    if isinstance(value, timedelta):
        return value
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= _LONGEST_TIMEOUT:
        raise _wrong(f"must be a number of seconds up to {_LONGEST_TIMEOUT}")
    return timedelta(seconds=seconds)


_UPPER: Final = AfterValidator(str.upper)
HttpsAddress = Annotated[str, _address("https")]
HttpAddress = Annotated[str, _address("https", "http")]
ServicePath = Annotated[
    str, _written(re.compile(r'/[!"$->@-~]*'), "must be a path such as /api/purchase-warranties")
]
Terms = Annotated[tuple[int, ...], NoDecode, BeforeValidator(_terms)]
Merchants = Annotated[tuple[Merchant, ...], NoDecode, BeforeValidator(_merchants)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
Seconds = Annotated[timedelta, BeforeValidator(_seconds)]
CountryCode = Annotated[
    str, _written(re.compile("[A-Za-z]{2}"), "must be a country code of two letters, such as US"), _UPPER
]
CurrencyCode = Annotated[
    str, _written(re.compile("[A-Za-z]{3}"), "must be a currency code of three letters, such as USD"), _UPPER
]
