"""The landing page of an order: its address, built and read back (interface: POST /api/carts, the URL)."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

_PATH: Final = re.compile(r"/carts/([^/]+)/checkout/([^/]+)/?$", re.IGNORECASE)
_ID: Final = re.compile(
    r"([0-9a-f]{8})([^0-9a-f\s])([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})", re.IGNORECASE
)
_OTHER_KEYBOARD: Final = re.compile(r"https?(?:[^\x00-\x7f]|[^\w\s:])[^\w\s]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LandingPage:
    """What a landing-page URL names: the retailer and the order."""

    retailer_uuid: str
    order_id: str


def landing_page_url(landing_url: str, retailer_uuid: str, order_id: str) -> str:
    """Build {landing_url}/carts/<retailer_uuid>/checkout/<order_id>.

    Each part is percent-encoded whole, so that no slash, query, fragment or dot-segment of an id reaches
    another page. Raises `ValueError` where a part is empty or the landing URL is not an address.
    """
    base = landing_url.strip().rstrip("/")
    parts = _split(base)
    if parts is None or parts.scheme not in {"https", "http"} or not parts.netloc or parts.query or parts.fragment:
        raise ValueError("The landing URL must be an address such as https://pages.example.com")
    return f"{base}/carts/{_segment(retailer_uuid)}/checkout/{_segment(order_id)}"


def scanned_order_id(code: str) -> str | None:
    """Give the order id in a code that is none as it stands; None where it is one, or holds none.

    A UUID in capitals is written small, and one whose dashes are something else comes from a scanner that is set to
    another keyboard than the computer: that leaves digits and letters up to f as they are.
    """
    ids = list(_ID.finditer(code))
    if not ids or not (ids[-1][0] == code.strip() or is_of_another_keyboard(code)):
        return None
    read = "-".join(ids[-1].group(1, 3, 4, 5, 6)).lower()  # the last: an address names the retailer first
    return None if read == code.strip() else read


def is_of_another_keyboard(code: str) -> bool:
    """Whether a scanner typed an address by another keyboard than the computer's: `httpsÖ--` for `https://`."""
    return bool(_OTHER_KEYBOARD.match(code.strip()))


def read_landing_page_url(url: str) -> LandingPage | None:
    """Give the retailer and the order of a landing-page URL as a person pasted it; None where it is none."""
    parts = _split(url.strip())
    found = _PATH.search(parts.path) if parts is not None and parts.scheme in {"https", "http"} else None
    return None if found is None else LandingPage(unquote(found[1]), unquote(found[2]))


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _segment(text: str) -> str:
    if not text:
        raise ValueError("The landing page needs the retailer and the order id")
    encoded = quote(text, safe="")
    # A segment of one or two dots means "this folder" or "the one above" to whoever reads the address.
    return encoded.replace(".", "%2E") if encoded in {".", ".."} else encoded
