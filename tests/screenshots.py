"""docs/screens made anew: every screen at the sizes of a PC, a tablet and a phone (`make screenshots`).

To add a screen or a state of one, add a line to `SCENES`: a name, who looks, and what is done before the picture.
One is taken in the dark as well, on a PC, where more differs there than the theme's colours.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect, sync_playwright

from components.navigation import SCREENS
from sandbox.seeds.catalogue import CATALOGUE
from tests.browser.browser_sale import fill_customer, new_order, scan
from tests.browser.browser_shop import PASSWORDS, READS, come, running_shop
from tests.dashboard import CHROMIUM_ARGUMENTS, ROOT, Dashboard, chromium, person

OUT: Final = ROOT / "docs" / "screens"
EXPORT: Final = ROOT / "tests" / "warranty" / "files" / "data" / "shop_orders_export.csv"
SIZES: Final = ((1280, 900), (820, 1180), (390, 844))
LARGEST_PICTURE: Final = 300 * 1024


def settled(page: Page) -> None:
    """Wait until no run of the script is on its way, and stays so: pictures of skeletons help nobody."""
    if urlsplit(page.url).path == "/till":  # a page of our own: it is drawn at once
        return
    app = page.get_by_test_id("stApp")
    for _ in range(3):
        expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)
        page.wait_for_timeout(400)


def a_basket(page: Page) -> None:
    new_order(page)
    scan(page, "TV-55-OLED", "LAMP-ARC")
    settled(page)
    fill_customer(page)


def a_stored_order(page: Page) -> None:
    a_basket(page)
    page.get_by_role("button", name="Send order").click()
    expect(page.get_by_role("button", name="Next order")).to_be_visible(timeout=60_000)


def a_plan_of_a_product(page: Page) -> None:
    page.get_by_label("Scan or type a SKU").click(timeout=60_000)
    scan(page, "TV-55-OLED")
    page.get_by_role("radio", name="24 months").click(timeout=60_000)
    expect(page.get_by_text("24 months, Extended warranty on").first).to_be_visible(timeout=60_000)


def a_preview(page: Page) -> None:
    expect(page.get_by_text("Import orders")).to_be_visible(timeout=60_000)
    settled(page)
    page.locator("input[type=file]").set_input_files(EXPORT)
    expect(page.get_by_text("60 orders:")).to_be_visible(timeout=60_000)


def an_order_to_sell_on(page: Page) -> None:
    """The order that was stored for its own picture, with the plans that can be bought on it."""
    order = page.get_by_role("button", name="OLED television and 1 more").first
    plan = page.get_by_role("radio", name="24 months").first
    expect(order.or_(plan).first).to_be_visible(timeout=60_000)
    if not plan.is_visible():  # the picture before opened it
        order.click()
    expect(plan).to_be_visible(timeout=60_000)


def a_question(page: Page) -> None:
    """What production asks before a sale; the order is sent first."""
    a_stored_order(page)
    page.get_by_role("link", name="Record sale", exact=True).click()
    expect(page.get_by_role("heading", name="Record sale")).to_be_visible(timeout=60_000)
    settled(page)
    an_order_to_sell_on(page)
    page.get_by_role("radio", name="24 months").first.click()
    settled(page)
    page.get_by_role("button", name=re.compile("Record sale, ")).click()
    expect(page.get_by_role("dialog")).to_be_visible(timeout=60_000)


def a_pad(page: Page) -> None:
    """Of a till that was registered for the picture, at which its manager has a PIN."""
    page.get_by_text("Tills and badges").click()
    page.get_by_label("Name of this till").fill("Counter 1")
    with page.expect_response("**/cookie"):
        page.get_by_role("button", name="Register this computer as a till").click()
    settled(page)
    page.reload()
    person(page).click()
    page.get_by_role("button", name="My PIN").click()
    for label in ("New PIN", "Repeat new PIN"):
        page.get_by_label(label, exact=True).fill("8250")
    page.get_by_role("button", name="Set PIN").click()
    expect(page.get_by_text("Your PIN is set.")).to_be_visible(timeout=60_000)
    person(page).click()
    page.get_by_role("button", name="Switch person").click()
    expect(page.get_by_role("button", name="Maya Office")).to_be_visible(timeout=60_000)


def the_tab(name: str) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        page.get_by_role("tab", name=name).click()
        settled(page)
        expect(page.get_by_text("Reading claims")).to_have_count(0, timeout=60_000)

    return choose


def the_nights(page: Page) -> None:
    """Of a training they are there soon after the desk has begun."""
    the_tab("Resolution")(page)
    while page.get_by_text("No night is on record yet").count():
        page.reload()
        settled(page)


def as_it_opens(_page: Page) -> None:
    """Nothing is done before the picture."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: its name, the screen, who looks at it ("" is nobody yet), what is done before, and where."""

    name: str
    screen: str
    username: str = "manager"
    before: Callable[[Page], None] = as_it_opens
    environment: str = "sandbox"
    dark: bool = False


SCENES: Final = (
    Scene("sign_in", "submit_order", ""),
    Scene("staging", "submit_order", "staff", a_basket, "staging"),
    Scene("production", "submit_order", "staff", a_question, "production"),
    Scene("basket", "submit_order", "staff", a_basket),
    Scene("submit_order", "submit_order", "staff", a_stored_order, dark=True),  # a code stays on white
    Scene("record_sale", "record_sale", "staff", an_order_to_sell_on),
    Scene("notify_checkout", "notify_checkout", "staff", a_plan_of_a_product),
    Scene("import_orders", "import_orders", "staff", a_preview),
    Scene("claims", "claims", dark=True),  # table and chart are pictures
    Scene("overview", "overview"),
    Scene("claim_trends-ageing", "claim_trends", before=the_tab("Ageing")),
    Scene("claim_trends-resolution", "claim_trends", before=the_nights),
    Scene("claim_trends-outlook", "claim_trends", before=the_tab("Outlook")),
    Scene("activity", "activity"),
    Scene("shift_report", "shift_report"),
    Scene("connection", "connection"),
    Scene("till", "connection", before=a_pad),
    Scene("people", "people", "administrator"),
    Scene("audit", "audit", "administrator"),
)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    known = {screen.name for screen in SCREENS}
    wanted = set(sys.argv[1:])
    scenes = [scene for scene in SCENES if scene.screen in known and (not wanted or scene.name in wanted)]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGUMENTS)
        for environment in ("sandbox", "staging", "production"):
            here = [scene for scene in scenes if scene.environment == environment]
            with _desk(Path(folder) / environment, environment) as dashboard:
                # The manager's pictures show what the staff's left behind.
                for scene in sorted(here, key=lambda scene: ["", *PASSWORDS].index(scene.username)):
                    _picture(browser, dashboard, scene)
        browser.close()


@contextmanager
def _desk(folder: Path, environment: str) -> Iterator[Dashboard]:
    folder.mkdir()
    if environment == "sandbox":
        with Dashboard(folder) as dashboard:
            yield dashboard
    else:
        own = {**READS, "WARRANTY_CATALOGUE": str(CATALOGUE)}  # only the sandbox brings one
        with running_shop(folder, reads=own, named=environment, seed="demo") as shop:
            yield shop.dashboard


def _picture(browser: Browser, dashboard: Dashboard, scene: Scene) -> None:
    page = browser.new_page(viewport={"width": SIZES[0][0], "height": SIZES[0][1]}, locale="en-GB")
    if scene.username:
        come(page, dashboard, scene.username, scene.screen)
    else:
        page.goto(dashboard.url)
        expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=60_000)
    settled(page)
    scene.before(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark") if scene.dark and width == SIZES[0][0] else ("light",):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            if scene.username != "staff":  # charts keep the gaps' colour of the theme that they were drawn in
                page.reload()
                page.wait_for_timeout(2_000)
            settled(page)
            path = OUT / f"{scene.name}-{width}-{scheme}.png"
            page.screenshot(path=path)
            if path.stat().st_size > LARGEST_PICTURE:
                raise SystemExit(f"{path.name} is larger than {LARGEST_PICTURE // 1024} KiB")
    page.close()


if __name__ == "__main__":
    main()
