"""What single settings are made of: addresses, lists, times; each says in a sentence what it takes."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import httpx
from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, BeforeValidator, SecretStr
from pydantic_core import PydanticCustomError
from pydantic_settings import NoDecode

from warranty.access import Role
from warranty.client.client import address_fault
from warranty.client.resources.words import refusal

SlipPaper = Literal["A5", "80", "58"]
"""What a slip is printed on: a sheet, or a roll of so many millimetres."""

_LONGEST_TIMEOUT: Final = 600
"""In seconds."""

_LONGEST_TERM: Final = 600
THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_AUDIT_SECRET_LENGTH: Final = 32
_KEY_BYTES: Final = range(24, 65)
_SIGNED_BY: Final = "whsec_"


@dataclass(frozen=True, slots=True)
class Merchant:
    """A merchant that the retailer sells for: the id that the service knows, the name that people read."""

    id: str
    name: str


def wrong(sentence: str) -> PydanticCustomError:
    """What is wrong with a setting, after its name."""
    return refusal("warranty_setting", sentence)


def _address(*schemes: str) -> AfterValidator:
    def check(text: str) -> str:
        fault = address_fault(text, schemes=frozenset(schemes))
        if fault is not None:
            raise wrong(fault)
        return text.strip().rstrip("/")

    return AfterValidator(check)


def _written(pattern: re.Pattern[str], sentence: str) -> AfterValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text.strip()):
            raise wrong(sentence)
        return text.strip()

    return AfterValidator(check)


def listed(read: Callable[[Any], Any], means: str, *, may_be_empty: bool = True) -> BeforeValidator:
    """A list, from text with commas, or from a list or (`name=value`) a table of a TOML file; each part once."""

    def check(value: Any) -> tuple[Any, ...]:
        given = value
        if isinstance(given, Mapping):
            given = [f"{name}={each}" for name, each in given.items()]
        elif isinstance(given, str):
            given = [part.strip() for part in given.split(",")]
        try:
            found = tuple(dict.fromkeys(read(part) for part in given if part))
        except (TypeError, ValueError):
            raise wrong(f"must list {means}") from None
        if not (found or may_be_empty or value == ()):
            raise wrong(f"must list {means}")
        return found

    return BeforeValidator(check)


def _term(part: Any) -> int:
    if not (str(part).isascii() and str(part).isdigit() and 1 <= int(part) <= _LONGEST_TERM):
        raise ValueError
    return int(part)


def _merchant(part: Any) -> Merchant:
    if isinstance(part, Merchant):
        return part
    merchant_id, _, name = map(str.strip, str(part).partition("="))
    if not (merchant_id and name):
        raise ValueError
    return Merchant(merchant_id, name)


def _word(part: Any) -> str:
    """A word as it is: in text a comma ends one, a list of a TOML file may hold words with commas in them."""
    if not isinstance(part, str):
        raise TypeError
    return part


def _role(part: Any) -> Role:
    """A role that a second factor is asked of; staff switch at tills by PIN."""
    if part == Role.STAFF:
        raise ValueError
    return Role(part)


def _network(part: Any) -> str:
    """An address or a network, as `ipaddress` writes it."""
    return str(ip_network(part)) if "/" in part else str(ip_address(part))


def _mail_address(text: str) -> str:
    """Give an address that a mail's head can hold: letters beyond ASCII only where a host name has another form."""
    try:
        found = validate_email(text, check_deliverability=False, allow_smtputf8=False, test_environment=True)
    except EmailNotValidError:
        raise wrong("must be an e-mail address, such as office@shop.example") from None
    return found.ascii_email or found.normalized


def _webhook(address: SecretStr) -> SecretStr:
    """Check an address that is called with its query: it often is a secret itself, so nothing shows it."""
    without_query, mark, query = address.get_secret_value().strip().partition("?")
    fault = address_fault(without_query, schemes=frozenset({"https", "http"}))
    if fault is not None:
        raise wrong(fault)
    url = httpx.URL(without_query + mark + query)
    if url.scheme == "http" and url.host not in THIS_MACHINE:
        raise wrong("must begin with https://")
    return SecretStr(str(url))


def _proxy(address: SecretStr) -> SecretStr:
    """Check the address of a proxy, which may hold the name and password that it wants: nothing shows it."""
    try:
        url = httpx.URL(address.get_secret_value().strip())
    except httpx.InvalidURL:
        raise wrong("is not an address such as http://proxy.example:3128") from None
    if url.scheme not in {"http", "https"} or not url.host or url.path != "/" or url.query or url.fragment:
        raise wrong("must be the address of a proxy alone, such as http://proxy.example:3128")
    return SecretStr(str(url))


def _signing_secret(secret: SecretStr) -> SecretStr:
    signing_key(secret)
    return secret


def _audit_secret(secret: SecretStr) -> SecretStr:
    if len(secret.get_secret_value().strip()) < _AUDIT_SECRET_LENGTH:
        raise wrong(f"must have {_AUDIT_SECRET_LENGTH} characters or more, made by chance")
    return secret


def signing_key(secret: SecretStr) -> bytes:
    """Give the bytes that a webhook is signed with, which stand in the form of Standard Webhooks: whsec_ and base64."""
    text = secret.get_secret_value().strip()
    try:
        key = base64.b64decode(text.removeprefix(_SIGNED_BY), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not text.startswith(_SIGNED_BY) or len(key) not in _KEY_BYTES:
        raise wrong("must be whsec_ and then 24 to 64 random bytes as base64")
    return key


def _seconds(value: object) -> object:
    if isinstance(value, timedelta):
        return value
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= _LONGEST_TIMEOUT:
        raise wrong(f"must be a number of seconds up to {_LONGEST_TIMEOUT}")
    return timedelta(seconds=seconds)


def _slip_width(value: object) -> object:
    return str(value).strip().removesuffix("mm").strip().upper() if isinstance(value, (str, int)) else value


def _picture(file: Path) -> Path:
    """Draw it once: what a slip cannot be printed with is told at the start, not at the counter."""
    from fpdf import FPDF  # noqa: PLC0415 - loads a lot; only where a logo is named

    page = FPDF()
    page.add_page()
    try:
        page.image(file, h=10)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it cannot be drawn
        raise wrong("must be a PNG or SVG picture that can be read: look at the path and at the file") from None
    return file


_UPPER: Final = AfterValidator(str.upper)
HttpsAddress = Annotated[str, _address("https")]
HttpAddress = Annotated[str, _address("https", "http")]
ServicePath = Annotated[str, _written(re.compile(r'/[!"$->@-~]*'), "must be a path such as /api/purchase-warranties")]
Terms = Annotated[tuple[int, ...], NoDecode, listed(_term, "terms in months, such as 12,24,36", may_be_empty=False)]
Merchants = Annotated[
    tuple[Merchant, ...], NoDecode, listed(_merchant, "merchants as id=name, such as m-1=Main Street,m-2=Harbour")
]
Words = Annotated[tuple[str, ...], NoDecode, listed(_word, "words, such as RESOLVED,DENIED", may_be_empty=False)]
Roles = Annotated[tuple[Role, ...], NoDecode, listed(_role, "roles, such as manager,administrator", may_be_empty=False)]
Networks = Annotated[tuple[str, ...], NoDecode, listed(_network, "addresses or networks, such as 127.0.0.1,10.0.0.0/8")]
HostName = Annotated[str, _written(re.compile("[0-9A-Za-z.:-]+"), "must be the name of a host, such as mail.example")]
MailAddress = Annotated[str, AfterValidator(_mail_address)]
MailAddresses = Annotated[
    tuple[str, ...], NoDecode, listed(_mail_address, "e-mail addresses, such as office@shop.example")
]
WebhookAddress = Annotated[SecretStr, AfterValidator(_webhook)]
ProxyAddress = Annotated[SecretStr, AfterValidator(_proxy)]
AuditSecret = Annotated[SecretStr, AfterValidator(_audit_secret)]
SigningSecret = Annotated[SecretStr, AfterValidator(_signing_secret)]
Seconds = Annotated[timedelta, BeforeValidator(_seconds)]
SlipWidth = Annotated[SlipPaper, BeforeValidator(_slip_width)]
Picture = Annotated[Path, AfterValidator(_picture)]
CountryCode = Annotated[
    str, _written(re.compile("[A-Za-z]{2}"), "must be a country code of two letters, such as US"), _UPPER
]
StateCode = Annotated[str, _written(re.compile("[A-Za-z0-9]{0,3}"), "must be the code of a state, such as NY"), _UPPER]
CurrencyCode = Annotated[
    str, _written(re.compile("[A-Za-z]{3}"), "must be a currency code of three letters, such as USD"), _UPPER
]
