"""The kinds of text and number that resources are made of, with the sentence each says when it is wrong."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Final

from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

_WHOLE: Final = re.compile(r"[0-9]{1,15}(?:\.0+)?")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
LONGEST_ORDER_ID: Final = 200
"""The interface names no limit; a longer one makes an address that no QR code holds."""
_COUNTRY_CODE: Final = re.compile(r"[A-Za-z]{2}")


def is_blank(value: object) -> bool:
    """Tell whether a text is not given: None, empty, or white space only."""
    return value is None or (isinstance(value, str) and not value.strip())


def _required(value: object) -> object:
    if is_blank(value):
        raise PydanticCustomError("blank", "This is required")
    return value


def _email(value: str) -> str:
    if is_blank(value):
        return value
    address = value.strip()
    try:
        validate_email(address, check_deliverability=False, strict=True, test_environment=True)
    except EmailNotValidError:
        valid = False
    else:
        valid = True
    if not valid:
        raise PydanticCustomError(
            "warranty_email", "Enter a complete e-mail address, such as name@example.com"
        )
    return address


def _country_code(value: str) -> str:
    if not is_blank(value) and not _COUNTRY_CODE.fullmatch(value):
        raise PydanticCustomError(
            "warranty_country_code", "Enter the country code as two letters, such as US"
        )
    return value


def _offer_id(value: str) -> str:
    if not _UUID.fullmatch(value):
        raise PydanticCustomError(
            "warranty_offer_id",
            "Enter the offer id as 36 characters, such as 123e4567-e89b-12d3-a456-426614174000",
        )
    return value


def _blank_as_none(value: object) -> object:
    return None if is_blank(value) else value


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _order_id(value: str) -> str:
    if value in {".", ".."} or not value.isprintable():
        raise PydanticCustomError(
            "warranty_order_id",
            "Enter an order id that can stand in a web address: printable characters, not only dots",
        )
    if len(value) > LONGEST_ORDER_ID:
        raise PydanticCustomError(
            "warranty_order_id",
            f"Enter an order id of at most {LONGEST_ORDER_ID} characters: this is another text",
        )
    return value


def read_date(value: object) -> object:
    """Read a calendar date from a `date` or from YYYY-MM-DD; an empty text is no date."""
    if isinstance(value, str) and is_blank(value):
        return None
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    if isinstance(value, str) and _DATE.fullmatch(value.strip()):
        try:
            return date.fromisoformat(value.strip())
        except ValueError:
            pass  # a day that the calendar does not have: the sentence below
    raise PydanticCustomError(
        "warranty_date", "Enter a date of the calendar as YYYY-MM-DD, such as 2026-11-21"
    )


def whole_number(minimum: int, maximum: int | None = None) -> Callable[[object], int | None]:
    """Make the reader of a whole number: 2, 2.0 and "2" are one; 1.5, true and "two" are refused (Limits)."""
    span = f"of {minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
    sentence = f"Enter a whole number {span}"

    def read(value: object) -> int | None:
        if value is None:
            return None
        number = as_whole(value)
        if number is None or number < minimum or (maximum is not None and number > maximum):
            raise PydanticCustomError("warranty_whole_number", "{sentence}", {"sentence": sentence})
        return number

    return read


def as_whole(value: object) -> int | None:
    """Read a whole number as a person or JSON writes it; None for what is none, or longer than any of ours."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    return None


Required = Annotated[str, BeforeValidator(_required)]
OrderId = Annotated[str, AfterValidator(_order_id), BeforeValidator(_required), BeforeValidator(_stripped)]
Email = Annotated[str, AfterValidator(_email)]
RequiredEmail = Annotated[str, AfterValidator(_email), BeforeValidator(_required)]
CountryCode = Annotated[str, AfterValidator(_country_code)]
RequiredCountryCode = Annotated[str, AfterValidator(_country_code), BeforeValidator(_required)]
OptionalText = Annotated[str | None, BeforeValidator(_blank_as_none)]
"""A text that is left out of the body where it is empty: an empty id would name something."""
OfferId = Annotated[
    Annotated[str, AfterValidator(_offer_id)] | None,
    BeforeValidator(_blank_as_none),
    BeforeValidator(_stripped),
]
RequiredOfferId = Annotated[
    str, AfterValidator(_offer_id), BeforeValidator(_required), BeforeValidator(_stripped)
]
CalendarDate = Annotated[date | None, BeforeValidator(read_date)]
"""A date, or None where it was left empty."""
