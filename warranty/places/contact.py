"""How the customer is reached: phone numbers read by country and sent in one form, hints for mistyped e-mails.

Interface: Billing address, email and phone.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType

from warranty.language import N_, _
from warranty.places.countries import countries, shown_country

_NO_TEXTS: Final = {PhoneNumberType.TOLL_FREE, PhoneNumberType.PREMIUM_RATE, PhoneNumberType.SHARED_COST}


class PhoneProblem(ValueError):
    """A text that is no phone number; the message says what to enter."""


@dataclass(frozen=True, slots=True)
class PhoneNumber:
    """A phone number as it is sent (E.164, "+12125550100"), and what is odd about it, if anything."""

    e164: str
    doubt: str | None = None


def read_phone(text: str, country_code: str) -> PhoneNumber:
    """Read a number as people of this country write it; a number with + names its own country.

    Raises `PhoneProblem` where the text cannot be a number. A number of a possible length that the numbering plan
    does not know is taken, with a doubt: new ranges come faster than lists of them.
    """
    region = country_code.upper()
    if any(map(str.isalpha, text)) and phonenumbers.is_alpha_number(text):
        raise PhoneProblem(_("Enter the phone number in digits: a number in letters gets no text message"))
    try:
        number = phonenumbers.parse(text, region if region in phonenumbers.SUPPORTED_REGIONS else None)
    except NumberParseException:
        number = None
    national = number
    if text.strip().startswith(
        str(phonenumbers.country_code_for_region(region))
    ):  # a spreadsheet took the + for a sign
        with suppress(NumberParseException):
            whole = phonenumbers.parse(f"+{text.strip()}")
            number = whole if phonenumbers.is_valid_number(whole) else number
    kind = PhoneNumberType.UNKNOWN if number is None else phonenumbers.number_type(number)
    is_unknown = kind == PhoneNumberType.UNKNOWN
    if number is None or (is_unknown and not phonenumbers.is_possible_number(number)):
        example = _example(region)
        raise PhoneProblem(
            _("Enter a phone number such as {example}, or one that begins with + and its country", example=example)
            if example
            else _("Enter a phone number, or one that begins with + and its country")
        )
    doubt = None
    if is_unknown or (number != national and national and phonenumbers.is_valid_number(national)):
        doubt = _("This number is unusual: read it back to the customer")
    elif number.extension:
        left_out = N_("Its extension {extension} is left out: no text message reaches one")
        doubt = _(left_out, extension=number.extension)
    elif kind in _NO_TEXTS:
        doubt = _("This is a service number: a text message does not reach the customer there")
    return PhoneNumber(phonenumbers.format_number(number, PhoneNumberFormat.E164), doubt)


def national_digits(e164: str) -> str:
    """The digits of a number as it is sent, without its country's."""
    return str(phonenumbers.parse(e164).national_number)


def _example(region: str) -> str:
    number = phonenumbers.example_number_for_type(region, PhoneNumberType.MOBILE)
    if number is None:
        return ""
    written = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    country = countries().get(region)
    return f"{written} ({shown_country(country)})" if country else written


_DOMAINS: Final = (
    "gmail.com", "googlemail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "live.com",
    "aol.com", "msn.com", "me.com", "mail.com", "proton.me", "protonmail.com", "gmx.com", "gmx.de", "gmx.net",
    "web.de", "t-online.de", "yahoo.co.uk", "btinternet.com", "orange.fr", "free.fr", "wanadoo.fr",
    "laposte.net", "libero.it", "comcast.net", "verizon.net", "att.net", "sbcglobal.net", "example.com",
)  # fmt: skip
_ENDINGS: Final = {"con": "com", "cmo": "com", "ocm": "com", "vom": "com", "comm": "com", "nte": "net"}
_MADE_UP: Final = re.compile(
    r"(?i)(no|none|no-?e?mail|no-?reply|na|null|test|fake|unknown|(\w)\2{0,60})@(\1|e?mail)\.\w{2,60}"
)


def email_hint(address: str) -> str | None:
    """The address that was probably meant ("ada@gmial.com" -> "ada@gmail.com"); None where nothing looks wrong.

    A suggestion, never a refusal: such domains exist.
    """
    written = address.strip().rpartition("<")[2].partition(">")[0].removeprefix("mailto:")
    name, _at, domain = written.rpartition("@")
    domain = domain.casefold()
    if not name or _MADE_UP.fullmatch(written):
        return None
    near = domain if domain in _DOMAINS else next((known for known in _DOMAINS if _one_slip_apart(domain, known)), "")
    if not near:
        start, dot, ending = domain.rpartition(".")
        near = start + dot + _ENDINGS.get(ending, ending)
    return None if near == domain and written == address.strip() else f"{name}@{near}"


def email_doubt(address: str) -> str | None:
    """What is odd about an address that looks made up ("none@none.com"), as of somebody who has or gives none."""
    return _("This address looks made up: ask the customer for theirs") if _MADE_UP.fullmatch(address.strip()) else None


def _one_slip_apart(typed: str, meant: str) -> bool:
    """Whether one letter too many, too few, wrong, or two exchanged turn one into the other."""
    if typed == meant or abs(len(typed) - len(meant)) > 1 or min(len(typed), len(meant)) < 6:
        return False
    more, less = ([text[:at] + text[at + 1 :] for at in range(len(text))] for text in (typed, meant))
    swapped = [typed[:at] + typed[at : at + 2][::-1] + typed[at + 2 :] for at in range(len(typed))]
    return (
        meant in (*more, *swapped) or typed in less or any(one == other for one, other in zip(more, less, strict=False))
    )
