"""The landing URL: no order id leads to another page."""

from urllib.parse import unquote, urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warranty.landing import (
    LandingPage,
    is_of_another_keyboard,
    landing_page_url,
    read_landing_page_url,
    scanned_order_id,
)

BASE, RETAILER = "https://pages.example.com/eu", "5f0c2a54-1b1e-4f9d-9a77-2f3c4d5e6f70"
HOSTILE = [
    "a/b",
    "../admin",
    "..",
    ".",
    "%2e%2e",
    "a?b=c",
    "a#b",
    "a%2Fb",
    "a b",
    "ö",
    "a\\b",
    "//evil.example",
    "a;b",
    "a\nb",
]


def test_the_url_is_built_as_the_document_says() -> None:
    assert landing_page_url(BASE, RETAILER, "9f2c") == f"{BASE}/carts/{RETAILER}/checkout/9f2c"


def test_a_slash_at_the_end_of_the_base_makes_no_difference() -> None:
    assert landing_page_url(f"{BASE}/", RETAILER, "9f2c") == landing_page_url(BASE, RETAILER, "9f2c")


@pytest.mark.parametrize("order_id", HOSTILE)
def test_a_hostile_order_id_stays_one_segment_of_the_path(order_id: str) -> None:
    url = landing_page_url(BASE, RETAILER, order_id)
    parts = urlsplit(url)
    assert (parts.query, parts.fragment, parts.netloc) == ("", "", "pages.example.com")
    *folders, last = parts.path.split("/")
    assert folders == ["", "eu", "carts", RETAILER, "checkout"]
    assert unquote(last) == order_id
    assert last not in {".", ".."}
    assert urljoin("https://pages.example.com/", url) == url


@pytest.mark.parametrize("retailer", HOSTILE)
def test_a_hostile_retailer_stays_one_segment_too(retailer: str) -> None:
    assert urlsplit(landing_page_url(BASE, retailer, "9f2c")).path.count("/") == 5


@given(st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_every_order_id_is_read_back_from_its_url(order_id: str) -> None:
    assert read_landing_page_url(landing_page_url(BASE, RETAILER, order_id)) == LandingPage(
        RETAILER, order_id
    )


@given(st.text(min_size=1).filter(str.isprintable), st.text(min_size=1).filter(str.isprintable))
def test_two_orders_never_share_a_url(one: str, other: str) -> None:
    if one != other:
        assert landing_page_url(BASE, RETAILER, one) != landing_page_url(BASE, RETAILER, other)


@pytest.mark.parametrize(
    "base", ["", "pages.example.com", "javascript:alert(1)", "https://", "https://x.example?a=b"]
)
def test_a_base_that_is_no_address_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match="landing URL"):
        landing_page_url(base, RETAILER, "9f2c")


@pytest.mark.parametrize(("retailer", "order_id"), [("", "9f2c"), (RETAILER, "")])
def test_a_page_without_a_retailer_or_an_order_is_refused(retailer: str, order_id: str) -> None:
    with pytest.raises(ValueError, match="needs the retailer and the order id"):
        landing_page_url(BASE, retailer, order_id)


@pytest.mark.parametrize(
    "pasted",
    [f" {BASE}/carts/{RETAILER}/checkout/9f2c \n", f"{BASE}/carts/{RETAILER}/checkout/9f2c/?utm=mail#top"],
)
def test_a_pasted_landing_url_gives_its_order(pasted: str) -> None:
    assert read_landing_page_url(pasted) == LandingPage(RETAILER, "9f2c")


@pytest.mark.parametrize("base", [f"{BASE}/a/b", f"{BASE}/carts/x/checkout/y", f"{BASE}/a%20b/carts"])
def test_a_base_of_several_segments_is_built_on_and_read_back(base: str) -> None:
    url = landing_page_url(f"{base}//", RETAILER, "9f2c")
    assert url == f"{base}/carts/{RETAILER}/checkout/9f2c"
    assert read_landing_page_url(url) == LandingPage(RETAILER, "9f2c")


@pytest.mark.parametrize(
    "pasted", ["9f2c", "https://x.example/carts/a", "ftp://x/carts/a/checkout/b", "", "http://["]
)
def test_what_is_no_landing_url_gives_none(pasted: str) -> None:
    assert read_landing_page_url(pasted) is None


ORDER = "5f0c2a9e-3b1d-4c6e-8f70-0a1b2c3d4e5f"
OTHER_SHOP = "09930a0a-0b0c-4d0e-9f10-111213141516"


@pytest.mark.parametrize(
    "code",
    [
        ORDER.upper(),
        f"httpsÖ--pages.example.com-carts-{OTHER_SHOP.replace('-', 'ß')}-checkout-{ORDER.replace('-', 'ß')}",
        f"httpsÑ--pages.example.com-carts-{OTHER_SHOP.replace('-', chr(39))}-checkout-{ORDER.replace('-', chr(39))}",
    ],
    ids=["in capitals", "on a German computer", "on a Spanish computer"],
)
def test_the_order_of_a_slip_is_read_whatever_the_scanner_types(code: str) -> None:
    assert scanned_order_id(code) == ORDER


@pytest.mark.parametrize(
    "code", [ORDER, "TV-55-OLED", f"note {ORDER.upper()}", "4006381333931", "https://x.example/a"]
)
def test_what_is_an_id_already_or_holds_none_is_left_alone(code: str) -> None:
    assert scanned_order_id(code) is None


def test_an_address_typed_on_another_keyboard_is_known_by_its_marks() -> None:
    assert is_of_another_keyboard("httpsÖ--pages.example.com")
    assert not is_of_another_keyboard("https://pages.example.com")
    assert not is_of_another_keyboard("HTTP-CABLE")
