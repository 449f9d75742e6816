"""The landing URL: no order id leads to another page."""

from urllib.parse import unquote, urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warranty.client.resources import landing
from warranty.client.resources.landing import LandingPage, landing_page_url, read_landing_page_url

BASE, RETAILER = "https://pages.example.com/eu", "5f0c2a54-1b1e-4f9d-9a77-2f3c4d5e6f70"
HOSTILE = (
    "a/b", "../admin", "..", ".", "%2e%2e", "a?b=c", "a#b", "a%2Fb", "a b", "ö", "a\\b", "//evil.example",
    "a;b", "a\nb",
)  # fmt: skip


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
    as_retailer = landing_page_url(BASE, order_id, "9f2c")
    assert urlsplit(as_retailer).path.count("/") == 5


@given(st.text(min_size=1).filter(str.isprintable))
def test_every_order_id_is_read_back_from_its_url_so_that_no_two_share_one(order_id: str) -> None:
    url = landing_page_url(BASE, RETAILER, order_id)
    assert read_landing_page_url(url) == LandingPage(RETAILER, order_id)


NO_BASES = ("", "pages.example.com", "javascript:alert(1)", "https://", "https://x.example?a=b")


@pytest.mark.parametrize(("base", "retailer", "order_id", "why"), [
    *((base, RETAILER, "9f2c", "landing URL") for base in NO_BASES),
    *((BASE, *page, "needs the retailer and the order id") for page in (("", "9f2c"), (RETAILER, ""))),
])  # fmt: skip
def test_what_makes_no_page_is_refused(base: str, retailer: str, order_id: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        landing_page_url(base, retailer, order_id)


@pytest.mark.parametrize("base", [BASE, f"{BASE}/a/b", f"{BASE}/carts/x/checkout/y", f"{BASE}/a%20b/carts"])
def test_the_url_is_built_on_its_base_and_read_back(base: str) -> None:
    url = landing_page_url(base, RETAILER, "9f2c")
    assert url == f"{base}/carts/{RETAILER}/checkout/9f2c"
    assert landing_page_url(f"{base}//", RETAILER, "9f2c") == url
    assert read_landing_page_url(url) == LandingPage(RETAILER, "9f2c")


@pytest.mark.parametrize(("pasted", "order_id"), [
    (f" {BASE}/carts/{RETAILER}/checkout/9f2c \n", "9f2c"),
    (f"{BASE}/carts/{RETAILER}/checkout/9f2c/?utm=mail#top", "9f2c"),
    *((other, None) for other in ("9f2c", "https://x.example/carts/a", "ftp://x/carts/a/checkout/b", "", "http://[")),
])  # fmt: skip
def test_a_pasted_landing_url_gives_its_order_and_others_none(pasted: str, order_id: str | None) -> None:
    assert read_landing_page_url(pasted) == (LandingPage(RETAILER, order_id) if order_id else None)


ORDER = "5f0c2a9e-3b1d-4c6e-8f70-0a1b2c3d4e5f"
IDS = ("09930a0a-0b0c-4d0e-9f10-111213141516", ORDER)  # of another shop and of its order


@pytest.mark.parametrize(("code", "order_id"), [
    (ORDER.upper(), ORDER),
    *(  # as a German and a Spanish computer read it
        (f"https{colon}--pages.example.com-carts-" + "-checkout-".join(i.replace("-", dash) for i in IDS), ORDER)
        for colon, dash in (("Ö", "ß"), ("Ñ", "'"))
    ),
    *((code, None) for code in (ORDER, "TV-55-OLED", f"note {ORDER.upper()}", "4006381333931", "https://x.example/a")),
])  # fmt: skip
def test_the_order_of_a_slip_is_read_whatever_the_scanner_types_and_else_none(code: str, order_id: str | None) -> None:
    assert landing.scanned_order_id(code) == order_id


def test_an_address_typed_on_another_keyboard_is_known_by_its_marks() -> None:
    read = ("httpsÖ--pages.example.com", "https://pages.example.com", "HTTP-CABLE")
    assert [landing.is_of_another_keyboard(code) for code in read] == [True, False, False]
