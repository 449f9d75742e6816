"""The landing page of an order: its address, built and read back (interface: POST /api/carts, the URL)."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

_PATH: Final = re.compile(r"/carts/([^/]+)/checkout/([^/]+)/?$")


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
    if (
        parts is None
        or parts.scheme not in {"https", "http"}
        or not parts.netloc
        or parts.query
        or parts.fragment
    ):
        raise ValueError("The landing URL must be an address such as https://pages.example.com")
    return f"{base}/carts/{_segment(retailer_uuid)}/checkout/{_segment(order_id)}"


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
