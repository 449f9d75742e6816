"""The kinds of text and number that resources are made of, with the sentence each says when it is wrong."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from typing import Annotated, Final, TypeVar

from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, BeforeValidator, StringConstraints
from pydantic_core import PydanticCustomError

from warranty.language import N_, _

T = TypeVar("T")

_WHOLE: Final = re.compile(r"[0-9]{1,15}(?:\.0+)?")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
LONGEST_ORDER_ID: Final = 200
"""The interface names no limit; a longer one makes an address that no QR code holds."""
_COUNTRY_CODE: Final = re.compile(r"[A-Za-z]{2}")


def is_blank(value: object) -> bool:
    """Tell whether a text is not given: None, empty, or white space only."""
    return value is None or (isinstance(value, str) and not value.strip())


def refusal(kind: str, sentence: str, **context: object) -> PydanticCustomError:
    """A fault of a field, with the sentence as its reader sees it; `context` says more to `problems`."""
    return PydanticCustomError(kind, "{sentence}", {"sentence": sentence, **context})


def _required(value: object) -> object:
    if is_blank(value):
        raise refusal("blank", _("This is required"))
    return value


def _email(value: str) -> str:
    if is_blank(value):
        return value
    address = value.strip()
    with suppress(EmailNotValidError):
        validate_email(address, check_deliverability=False, strict=True, test_environment=True)
        return address
    raise refusal("warranty_email", _("Enter a complete e-mail address, such as name@example.com"))


def _matching(pattern: re.Pattern[str], kind: str, sentence: str) -> AfterValidator:
    """A text that is left blank or written by the pattern."""

    def check(value: str) -> str:
        if not is_blank(value) and not pattern.fullmatch(value):
            raise refusal(kind, _(sentence))
        return value

    return AfterValidator(check)


def at_least_one(sentence: str) -> AfterValidator:
    """Items that are not none; `sentence` says what to add."""

    def check(items: tuple[T, ...]) -> tuple[T, ...]:
        if not items:
            raise refusal("warranty_items", _(sentence))
        return items

    return AfterValidator(check)


def blank_as_none(value: object) -> object:
    """Read a text that was left blank as none."""
    return None if is_blank(value) else value


def _order_id(value: str) -> str:
    if value in {".", ".."} or not value.isprintable():
        sentence = _("Enter an order number that can stand in a web address: printable characters, not only dots")
        raise refusal("warranty_order_id", sentence)
    if len(value) > LONGEST_ORDER_ID:
        words = _("Enter an order number of at most {limit} characters: this is something else", limit=LONGEST_ORDER_ID)
        raise refusal("warranty_order_id", words)
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
    raise refusal("warranty_date", _("Enter a date as YYYY-MM-DD, such as 2026-11-21"))


def whole_number(minimum: int, maximum: int | None = None) -> Callable[[object], int | None]:
    """Make the reader of a whole number: 2, 2.0 and "2" are one; 1.5, true and "two" are refused (Limits)."""
    sentence = N_("Enter a whole number from {minimum} to {maximum}")
    if maximum is None:
        sentence = N_("Enter a whole number of {minimum} or more")

    def read(value: object) -> int | None:
        if value is None:
            return None
        number = as_whole(value)
        if number is None or number < minimum or (maximum is not None and number > maximum):
            raise refusal("warranty_whole_number", _(sentence, minimum=minimum, maximum=maximum))
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
Stripped = Annotated[str, StringConstraints(strip_whitespace=True)]
OrderId = Annotated[Stripped, AfterValidator(_order_id), BeforeValidator(_required)]
Email = Annotated[str, AfterValidator(_email)]
RequiredEmail = Annotated[Email, BeforeValidator(_required)]
_A_COUNTRY_CODE: Final = N_("Enter the country code as two letters, such as US")
CountryCode = Annotated[str, _matching(_COUNTRY_CODE, "warranty_country_code", _A_COUNTRY_CODE)]
RequiredCountryCode = Annotated[CountryCode, BeforeValidator(_required)]
OptionalText = Annotated[str | None, BeforeValidator(blank_as_none)]
"""A text that is left out of the body where it is empty: an empty id would name something."""
_AN_OFFER_ID: Final = N_("Enter the offer id as 36 characters, such as 123e4567-e89b-12d3-a456-426614174000")
_OfferId = Annotated[Stripped, _matching(UUID, "warranty_offer_id", _AN_OFFER_ID)]
OfferId = Annotated[_OfferId | None, BeforeValidator(blank_as_none)]
RequiredOfferId = Annotated[_OfferId, BeforeValidator(_required)]
CalendarDate = Annotated[date | None, BeforeValidator(read_date)]
"""A date, or None where it was left empty."""
