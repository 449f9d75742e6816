"""The camera of a tablet reads what lies before it, in the field that a scanner types into."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import BrowserType, Page, expect

from tests.browser.browser_sale import fresh_order
from tests.browser.browser_shop import TABLET, Shop, holds, resize, violations
from tests.builders import TV
from tests.dashboard import CHROMIUM_ARGUMENTS, chromium


def seen(code: str, kind: zxingcpp.BarcodeFormat) -> Image.Image:
    slip = Image.new("L", (640, 480), 205)
    printed = Image.fromarray(zxingcpp.create_barcode(code, kind).to_image(scale=3))
    slip.paste(printed, ((640 - printed.width) // 2, (480 - printed.height) // 2))
    return slip.rotate(4, fillcolor=190)


def film(file: Path, picture: Image.Image) -> Path:
    """It begins again and again with the one thing that it shows."""
    with file.open("wb") as frames:
        for _ in range(30):
            picture.convert("RGB").save(frames, "JPEG")
    return file


@contextmanager
def with_camera(browser_type: BrowserType, *more: str) -> Iterator[Page]:
    arguments = [*CHROMIUM_ARGUMENTS, "--use-fake-device-for-media-stream", *more]
    with browser_type.launch(executable_path=chromium(that_asks=True), args=arguments) as started:
        page = started.new_context(locale="en-GB").new_page()
        resize(page, TABLET)
        yield page


def open_camera(page: Page) -> None:
    page.get_by_role("button", name="Scan by camera").click()


@pytest.mark.long
@pytest.mark.parametrize("what", ["a product", "a customer's link"])
def test_what_it_sees_is_a_line_or_a_sale(browser_type: BrowserType, shop: Shop, tmp_path: Path, what: str) -> None:
    order = shop.order(TV)
    slip = {
        "a product": ("LAMP-ARC", zxingcpp.BarcodeFormat.Code128),
        "a customer's link": (shop.link(order.order_id), zxingcpp.BarcodeFormat.QRCode),
    }[what]
    recording = film(tmp_path / "slip.mjpeg", seen(*slip))
    sees_it = (f"--use-file-for-fake-video-capture={recording}", "--use-fake-ui-for-media-stream")
    with with_camera(browser_type, *sees_it) as page:
        asked = list[str]()
        page.context.on("request", lambda request: asked.append(request.url))
        fresh_order(page, shop)
        open_camera(page)
        if what == "a product":
            expect(page.get_by_text("Read LAMP-ARC")).to_be_visible()
            expect(page.get_by_text("LAMP-ARC", exact=True)).to_be_visible()
        else:
            expect(page.get_by_role("heading", name="Record sale")).to_be_visible()
            holds(page, "Order", order.order_id)
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {shop.dashboard.url.split("/")[2]}


@pytest.mark.long
def test_who_refuses_a_camera_is_told_and_none_is_no_button(browser_type: BrowserType, shop: Shop, page: Page) -> None:
    with with_camera(browser_type) as tablet:
        tablet.context.grant_permissions([])
        shop.open(tablet, "submit_order", by="staff")
        open_camera(tablet)
        expect(tablet.get_by_text("The browser does not allow the camera here.")).to_be_visible()
        tablet.context.grant_permissions(["camera"])
        tablet.get_by_role("button", name="Close", exact=True).click()
        open_camera(tablet)
        expect(tablet.get_by_text("Hold the code in front of the camera.")).to_be_visible()
        assert violations(tablet) == []
    shop.open(page, "submit_order", by="staff")
    expect(page.get_by_label("Scan or type a SKU")).to_be_visible()
    expect(page.get_by_role("button", name="Scan by camera")).to_be_hidden()
