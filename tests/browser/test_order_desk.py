"""The order desk in Chromium: with a keyboard, with a scanner, when things go wrong, and for every eye."""

import io
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Page, expect

from sandbox import CATALOGUE, SandboxServer
from tests.browser.claims_shop import sign_out
from tests.browser.conftest import PASSWORDS, SignIn
from tests.dashboard import Dashboard
from warranty.files.catalogue import load_catalogue

SCANNED = sorted(product.sku for product in set(load_catalogue(CATALOGUE).products.values()))[:17]


@dataclass
class Shop:
    """A dashboard, and the sandbox behind it at which a test may pull."""

    dashboard: Dashboard
    sandbox: SandboxServer


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with SandboxServer(seed="empty") as sandbox:
        environment = {
            "WARRANTY_ENVIRONMENT": "sandbox",
            "WARRANTY_BASE_URL": sandbox.base_url,
            "WARRANTY_LANDING_URL": sandbox.landing_url,
            "WARRANTY_RETAILER_UUID": sandbox.retailer_uuid,
            "WARRANTY_PRIVATE_TOKEN": sandbox.private_token,
            "WARRANTY_PUBLIC_TOKEN": sandbox.public_token,
            "WARRANTY_CA_FILE": sandbox.ca_file,
            "WARRANTY_SHOP_NAME": "Café Zoë",
            "WARRANTY_READ_TIMEOUT": "2",
        }
        with Dashboard(tmp_path_factory.mktemp("shop"), environment=environment) as dashboard:
            yield Shop(dashboard, sandbox)


@pytest.fixture
def at_desk(page: Page, shop: Shop, sign_in: SignIn) -> Iterator[Page]:
    """Signed in at a fresh order form."""
    shop.sandbox.reset()
    sign_in(page, shop.dashboard, "staff")
    new_order(page)
    yield page
    shop.sandbox.reset()


def settled(page: Page) -> None:
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=20_000
    )


def scan(page: Page, *codes: str, pause: int = 150) -> None:
    """As a scanner does: it types a code and Enter into whatever has the focus."""
    for code in codes:
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        page.wait_for_timeout(pause)


def focused(page: Page) -> str:
    named: str = page.evaluate(
        "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || ''"
    )
    return named


def tab_to(page: Page, label: str) -> None:
    for _ in range(40):
        if focused(page) == label:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{label} is not reached by the Tab key")


def fill_customer(page: Page, *, email: str = "ada@example.com") -> None:
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("E-mail").press("Tab")
    state = page.get_by_role("combobox", name="State")
    state.click()
    state.press_sequentially("New York")
    state.press("Enter")
    settled(page)


def make_order_id(page: Page) -> None:
    page.get_by_role("button", name="Make one").click()
    made = page.locator('input[aria-label="Order id"]:not([value=""])')
    expect(made).to_be_visible(timeout=20_000)  # the empty one goes a moment later
    settled(page)


def new_order(page: Page) -> None:
    """Whatever an earlier test left: an empty form."""
    expect(page.get_by_role("heading", name="This order")).to_be_visible(timeout=20_000)
    done, leave, discard = (
        page.get_by_role("button", name=name)
        for name in ("Next order", "Leave it for later", "Discard this order")
    )
    expect(done.or_(leave).or_(discard)).to_be_visible(timeout=60_000)  # it may still be on its way
    settled(page)
    if discard.is_visible():
        discard.click()
        page.get_by_role("button", name="Yes, discard").click()
    else:
        done.or_(leave).click()
    expect(page.get_by_role("button", name="Yes, discard")).to_have_count(0)
    expect(page.get_by_text("No items yet.")).to_be_visible(timeout=20_000)
    settled(page)
    page.get_by_label("Scan or type a SKU").focus()


def violations(page: Page) -> list[str]:
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        settled(page)
        for violation in Axe().run(page).response["violations"]:
            places = [node["target"] for node in violation["nodes"]][:3]
            found.append(f"{scheme}: {violation['id']}: {places}")
    page.emulate_media(color_scheme="light")
    return found


def read_codes(picture: bytes) -> list[str]:
    return [code.text for code in zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))]


def test_a_basket_of_two_becomes_a_link_without_a_mouse(at_desk: Page, shop: Shop) -> None:
    page = at_desk
    expect(page.get_by_label("Scan or type a SKU")).to_be_focused()
    began = time.monotonic()
    scan(page, "TV-55-OLED", "HEAD-NC")
    page.keyboard.press("Enter")  # in the empty field: on to the customer
    assert focused(page) == "First name"
    page.keyboard.type("Zoë")
    tab_to(page, "E-mail")
    page.keyboard.type("zoe@example.com")
    tab_to(page, "State")
    page.keyboard.type("New York")
    expect(page.get_by_role("option", name="New York (NY)")).to_be_visible()
    page.keyboard.press("Enter")
    tab_to(page, "Order id")
    order_id = str(uuid.uuid4())
    page.keyboard.type(order_id)
    page.keyboard.press("Control+Enter")  # the id has not been left with Tab: it must not be lost
    expect(page.get_by_text("The order is stored.")).to_be_visible(timeout=10_000)
    assert time.monotonic() - began < 30

    (call,) = [call for call in shop.sandbox.calls() if call["operation"] == "submit_order"]
    assert (call["order_id"], call["line_items"]) == (order_id, 2)
    url = f"{shop.sandbox.landing_url}/carts/{shop.sandbox.retailer_uuid}/checkout/{order_id}"
    expect(page.get_by_text(url)).to_be_visible()
    expect(page.get_by_text("not the one that we expected")).to_have_count(0)
    picture = page.get_by_role("img", name="QR code of the landing page")
    expect(picture).to_be_visible()
    assert read_codes(picture.screenshot()) == [url]
    small = picture.bounding_box()
    picture.hover()
    page.get_by_role("button", name="Fullscreen: QR code").click()
    expect(page.get_by_role("button", name="Close fullscreen")).to_be_visible()
    large = picture.bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 1.5 * small["width"]  # to be scanned from farther away
    page.keyboard.press("Escape")
    assert read_codes_in_the_dark(page) == [url]
    mail = page.get_by_role("link", name="Mail").get_attribute("href") or ""
    assert mail.startswith("mailto:zoe@example.com?subject=")
    assert order_id in mail
    assert (page.get_by_role("link", name="Text message").get_attribute("href") or "").startswith(
        "sms:?&body=Hello"
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="Print slip").click()
    slip = pypdfium2.PdfDocument(download.value.path())
    assert [code.text for code in zxingcpp.read_barcodes(slip[0].render(scale=2).to_pil())] == [url]
    assert "Café Zoë" in slip[0].get_textpage().get_text_range()
    assert "Training – not valid" in slip[0].get_textpage().get_text_range()
    assert violations(page) == []

    page.reload()  # the answer is still there, from the journal
    expect(page.get_by_text("The order is stored.")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Next order").click()
    expect(page.get_by_label("Scan or type a SKU")).to_be_focused()
    expect(page.get_by_label("First name")).to_have_value("")

    page.get_by_text("Recent orders").click()
    page.get_by_label("Order id or title").fill("oled")
    page.get_by_label("Order id or title").press("Enter")
    expect(page.get_by_text("2 units ·")).to_be_visible()
    page.get_by_role("button", name="Link").first.click()
    expect(page.get_by_text(url)).to_be_visible()
    assert len(shop.sandbox.calls()) == 1
    page.get_by_role("button", name="Back to the new order").click()
    expect(page.get_by_label("Scan or type a SKU")).to_be_visible()


def read_codes_in_the_dark(page: Page) -> list[str]:
    page.emulate_media(color_scheme="dark")
    settled(page)
    codes = read_codes(page.get_by_role("img", name="QR code of the landing page").screenshot())
    page.emulate_media(color_scheme="light")
    return codes


def test_twenty_codes_at_a_scanners_pace_and_faster_are_all_in_the_basket(at_desk: Page) -> None:
    page = at_desk
    expect(page.get_by_label("Scan or type a SKU")).to_be_focused()
    scan(page, *SCANNED, SCANNED[0], SCANNED[0], "UNKNOWN-1", pause=150)
    rows = page.get_by_label("SKU", exact=True).or_(page.get_by_label("SKU of item", exact=False))
    expect(rows).to_have_count(18, timeout=20_000)
    settled(page)
    assert [rows.nth(place).input_value() for place in range(18)] == [*SCANNED, "UNKNOWN-1"]
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("3")
    expect(page.get_by_text("20 items, ")).to_be_visible()
    expect(page.get_by_text("UNKNOWN-1 is not in the catalogue")).to_be_visible()
    # Without any pause, and while the page is busy with the codes before.
    scan(page, *SCANNED, pause=0)
    expect(page.get_by_text("37 items, ")).to_be_visible(timeout=20_000)
    expect(page.get_by_label("Scan or type a SKU")).to_be_focused()
    settled(page)
    page.reload()
    expect(page.get_by_text("37 items, ")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Remove", exact=True).last.click()
    expect(rows).to_have_count(17)
    page.get_by_role("button", name="Undo: put back").click()
    expect(rows).to_have_count(18)
    expect(rows.last).to_have_value("UNKNOWN-1")
    # The focus is on no field now: a scan finds its way back.
    scan(page, "UNKNOWN-2")
    expect(rows.last).to_have_value("UNKNOWN-2")


@pytest.mark.parametrize("arrival", ["sign-in", "reload"])
def test_codes_scanned_from_the_first_moment_are_all_in_the_basket(
    at_desk: Page, shop: Shop, arrival: str
) -> None:
    page = at_desk
    for _ in range(3):
        if arrival == "sign-in":
            sign_out(page)
            settled(page)
            page.get_by_label("Name", exact=True).fill("staff")
            page.get_by_label("Password", exact=True).fill(PASSWORDS["staff"])
            page.get_by_label("Password", exact=True).press("Enter")
        else:
            page.reload()
        page.get_by_label("Scan or type a SKU").wait_for()
        scan(page, *SCANNED, "UNKNOWN-1", "UNKNOWN-1", "UNKNOWN-1")
        expect(page.get_by_text("20 items, ")).to_be_visible(timeout=20_000)
        expect(page.get_by_label("Scan or type a SKU")).to_be_focused()
        expect(page.get_by_label("Scan or type a SKU")).to_have_value("")
        new_order(page)


def test_on_a_tablet_the_order_has_one_column_and_a_turned_one_loses_nothing(at_desk: Page) -> None:
    page = at_desk
    page.get_by_label("First name").fill("Zoë")
    for width, columns, of_the_work in ((820, "1", 0.9), (1280, "3", 0.4), (820, "1", 0.9)):
        page.set_viewport_size({"width": width, "height": 1180})
        expect(page.get_by_test_id("stGrid")).to_have_attribute("data-test-column-count", columns)
        settled(page)
        work = page.get_by_label("Scan or type a SKU").bounding_box()
        button = page.get_by_role("button", name="Send order").bounding_box()
        assert work is not None
        assert button is not None
        assert button["width"] / work["width"] == pytest.approx(of_the_work, abs=0.1)
        assert (button["y"] > work["y"] + 400) == (columns == "1")
        expect(page.get_by_label("First name")).to_have_value("Zoë")
        expect(page.get_by_label("First name")).to_be_focused()


def test_on_a_tablet_an_order_of_two_with_its_customer_is_sent_without_a_scroll(at_desk: Page) -> None:
    page = at_desk
    page.set_viewport_size({"width": 820, "height": 1180})
    scan(page, "TV-55-OLED", "LAMP-ARC")
    fill_customer(page)
    make_order_id(page)
    button = page.get_by_role("button", name="Send order")
    expect(button).to_be_in_viewport(ratio=1)
    top = page.get_by_role("heading", name="New order").bounding_box()
    assert top is not None
    assert top["y"] > 0  # nothing was scrolled to get there
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    settled(page)
    expect(button).to_be_in_viewport(ratio=1)


def test_whatever_goes_wrong_the_form_keeps_its_input_and_says_what_to_do(
    at_desk: Page, shop: Shop, sign_in: SignIn
) -> None:
    page = at_desk
    assert violations(page) == []
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("There is a problem")).to_be_visible()
    expect(page.get_by_text("Enter a state: the service requires one in every country")).to_have_count(2)
    assert violations(page) == []
    assert shop.sandbox.calls() == []

    page.get_by_label("Scan or type a SKU").click()
    scan(page, "LAMP-ARC")
    settled(page)
    page.get_by_label("Quantity", exact=True).fill("25")
    page.get_by_label("Price", exact=True).fill("12.345")
    page.get_by_label("Price", exact=True).press("Tab")
    expect(page.get_by_text("The service stores 20 of these 25")).to_be_visible()
    fill_customer(page, email="ada@gmial.com")
    page.get_by_role("button", name="Did you mean ada@gmail.com?").click()
    settled(page)
    expect(page.get_by_label("E-mail").first).to_have_value(
        "ada@gmail.com"
    )  # the old one goes a moment later
    settled(page)
    page.get_by_label("Order id", exact=True).fill("1001")
    page.get_by_label("Order id", exact=True).press("Tab")
    expect(page.get_by_text("looks like a counter")).to_be_visible()
    page.get_by_role("button", name="Make one").click()
    expect(page.get_by_text("looks like a counter")).to_have_count(0)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("has more than two decimals").first).to_be_visible()
    page.get_by_label("Price", exact=True).fill("89.50")
    page.get_by_label("Price", exact=True).press("Tab")
    settled(page)

    # Refused by the service.
    shop.sandbox.add_fault(operation="submit_order", kind="status", status=400)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("The service refused this order.")).to_be_visible(timeout=10_000)
    expect(page.get_by_label("Price", exact=True)).to_have_value("89.50")
    assert violations(page) == []

    # Answered by silence, three times: not known whether stored. Sending again is harmless.
    shop.sandbox.add_fault(operation="submit_order", kind="drop_after_write", times=3)
    page.get_by_role("button", name="Send order").click()
    again = page.get_by_role("button", name="Send this order again")
    expect(again).to_be_visible(timeout=20_000)
    expect(page.get_by_text("We don't know whether this order was stored.")).to_be_visible()
    expect(page.get_by_role("button", name="Send order")).to_have_count(0)

    # Another screen, a reload, a sign-out: the input and the question are still there.
    page.get_by_role("link", name="Connection").click()
    expect(page.get_by_role("heading", name="Connection")).to_be_visible()
    page.get_by_role("link", name="New order").click()
    expect(page.get_by_label("E-mail")).to_have_value("ada@gmail.com", timeout=20_000)
    page.reload()
    expect(page.get_by_label("E-mail")).to_have_value("ada@gmail.com", timeout=20_000)
    sign_out(page)
    sign_in(page, shop.dashboard, "staff")
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("25", timeout=20_000)
    settled(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The service has an order with this id.")).to_be_visible(timeout=10_000)
    page.get_by_role("button", name="It is this customer's order: show the link").click()
    expect(page.get_by_role("img", name="QR code of the landing page")).to_be_visible()
    stored = [
        call for call in shop.sandbox.calls() if call["operation"] == "submit_order" and call["written"]
    ]
    assert len(stored) == 1
    page.get_by_role("button", name="Next order").click()
    settled(page)


def test_the_first_screen_is_found_under_its_name_too(at_desk: Page, shop: Shop) -> None:
    page = at_desk
    page.goto(f"{shop.dashboard.url}/submit_order?order=nobody-knows-it")
    expect(page.get_by_text("This desk has not sent that order.")).to_be_visible(timeout=20_000)
    settled(page)
    expect(page.get_by_text("Page not found")).to_have_count(0)


def test_a_bundle_has_one_total_and_what_cannot_be_protected_gets_no_link_pushed(
    at_desk: Page, shop: Shop
) -> None:
    page = at_desk
    page.get_by_label("Scan or type a SKU").click()
    scan(page, "TV-55-OLED", "BAR-51")
    settled(page)
    page.get_by_role("button", name="Group as bundle").click()
    for title in ("55", "Soundbar"):
        page.get_by_label("Items of the bundle").last.press_sequentially(title)
        page.keyboard.press("Enter")
        settled(page)
    expect(page.get_by_text("Together: 2 units, 1,348.99 USD")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Make the bundle").click()
    expect(page.get_by_text("one plan covers all of it")).to_be_visible()
    page.keyboard.press("Escape")
    fill_customer(page)
    make_order_id(page)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("The order is stored.")).to_be_visible(timeout=10_000)
    expect(page.get_by_text('1 × 55" OLED television + Soundbar')).to_be_visible()
    page.get_by_role("button", name="Next order").click()

    expect(page.get_by_label("Scan or type a SKU")).to_be_focused(timeout=20_000)
    scan(page, "NOTHING-1")
    settled(page)
    page.get_by_label("Title", exact=True).fill("Gift card")
    page.get_by_label("Price", exact=True).fill("5.00")
    fill_customer(page)
    make_order_id(page)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_text("There is nothing to offer.")).to_be_visible(timeout=10_000)
    expect(page.get_by_role("img", name="QR code")).to_have_count(0)
    assert violations(page) == []
    page.get_by_role("button", name="Next order").click()
    settled(page)


def test_a_manager_replaces_the_catalogue_and_staff_cannot(
    page: Page, shop: Shop, sign_in: SignIn, tmp_path: Path
) -> None:
    sign_in(page, shop.dashboard, "staff")
    new_order(page)
    expect(page.get_by_text("Product catalogue")).to_have_count(0)
    sign_out(page)
    sign_in(page, shop.dashboard, "manager")
    expect(page.get_by_text("Product catalogue")).to_be_visible(timeout=20_000)
    settled(page)
    page.get_by_text("Product catalogue").click()
    expect(page.get_by_text("Products: 40")).to_be_visible(timeout=20_000)
    ours = tmp_path / "ours.csv"
    ours.write_text("sku;title;price\nOURS-1;Our own lamp;12,50\n;Without a SKU;1\n")
    page.locator("input[type=file]").set_input_files(ours)
    expect(page.get_by_text("Row 3 has no SKU: left out")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Products: 1", exact=True)).to_be_visible()
    expect(page.get_by_text("Products: 40")).to_be_visible()  # nothing is in use before it is asked for
    page.get_by_role("button", name="Use this catalogue").click()
    expect(page.get_by_text("The 40 products in use are replaced by these 1")).to_be_visible()
    page.get_by_role("button", name="Yes, use the new one").click()
    expect(page.get_by_text("Products: 40")).to_have_count(0, timeout=20_000)
    expect(page.get_by_text("Products: 1", exact=True)).to_be_visible()
    expect(page.get_by_text("Row 3 has no SKU: left out")).to_be_visible()
    settled(page)
    page.get_by_label("Scan or type a SKU").click()
    scan(page, "OURS-1")
    settled(page)
    expect(page.get_by_label("Title", exact=True)).to_have_value("Our own lamp")
    expect(page.get_by_label("Price", exact=True)).to_have_value("12.50")
    page.get_by_role("button", name="Remove the uploaded catalogue").click()
    page.get_by_role("button", name="Yes, remove it").click()
    expect(page.get_by_text("Products: 40")).to_be_visible(timeout=20_000)
