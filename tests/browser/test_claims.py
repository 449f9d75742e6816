"""Claims in a real browser: the table, the charts, the files, long readings, for every eye, and by a link."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import openpyxl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Download, Locator, Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from sandbox import SandboxServer
from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard
from tests.selling.browser_shop import settled
from tests.selling.shop import LAMP, MANAGER, order_of
from warranty.client import client_from
from warranty.desk import Desk
from warranty.journal import open_journal
from warranty.settings import load_settings

SLOW = 30_000
SIGNED_IN = "document.cookie.includes('warranty_desk_sandbox')"
CUSTOMERS_WORDS = """# Not a heading
**not bold** <b>no tag</b> <script>document.title = "taken over"</script> ![no](https://example.com/p.png) $E=mc^2$"""
EVERY = 481
"""The demo's claims and the one about the order that this desk sent."""


@dataclass(frozen=True)
class Shop:
    """A dashboard and the service behind it, whose claims the test knows and which it can slow down."""

    sandbox: SandboxServer
    dashboard: Dashboard
    order_id: str

    def open(self, page: Page, address: str) -> None:
        """Open an address as a bookmark would, once the browser has its cookie."""
        page.wait_for_function(SIGNED_IN, timeout=SLOW)
        page.goto(f"{self.dashboard.url}/{address}")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    data = tmp_path_factory.mktemp("shop")
    with SandboxServer(seed="demo") as sandbox:
        service = {
            "environment": "sandbox",
            "base_url": sandbox.base_url,
            "landing_url": sandbox.landing_url,
            "retailer_uuid": sandbox.retailer_uuid,
            "private_token": sandbox.private_token,
            "public_token": sandbox.public_token,
            "ca_file": str(sandbox.ca_file),
            "claims_calls_per_second": "1000",
        }
        order_id = _order_sent(load_settings({**service, "data_dir": str(data)}))
        sandbox.add_claims(
            [
                {
                    "order_id": order_id,
                    "description": CUSTOMERS_WORDS,
                    "claim_date": f"{datetime.now(UTC):%Y-%m-%d}T23:59:59.999999",
                }
            ]
        )
        environment = {f"WARRANTY_{name.upper()}": str(value) for name, value in service.items()}
        with Dashboard(data, environment=environment) as dashboard:
            yield Shop(sandbox, dashboard, order_id)


@pytest.fixture
def slow(shop: Shop) -> Iterator[SandboxServer]:
    """The service, each of whose answers to a claims call takes a second."""
    shop.sandbox.add_fault(operation="claims", kind="delay", seconds=1.0, times=10_000)
    yield shop.sandbox
    shop.sandbox.clear_faults()


def _order_sent(settings: Any) -> str:
    """An order that this desk sent before the dashboard was started."""
    order = order_of(LAMP)
    journal = open_journal(settings.journal_url)
    with client_from(settings) as client:
        desk = Desk(client=client, journal=journal, environment=settings.environment)
        desk.submit_order(MANAGER, order, draft_id="a-draft", screen="submit_order")
    journal.close()
    return order.order_id


def read(page: Page, seal: str = f"complete: {EVERY} of {EVERY}") -> None:
    expect(page.get_by_text(seal).first).to_be_visible(timeout=SLOW)
    settled(page)


def all_claims(page: Page, screen: str = "Claims") -> None:
    """Go there by the menu: a screen opened by its address runs once more by itself when its cookies were read."""
    page.wait_for_function(SIGNED_IN, timeout=SLOW)
    settled(page)
    page.get_by_role("link", name=screen).click()
    expect(page.get_by_role("heading", name=screen, exact=True)).to_be_visible(timeout=SLOW)
    page.get_by_role("radio", name="All dates").click()
    read(page)


def open_first_row(page: Page) -> Locator:
    """Tick the first row of the table; give the drawer that opens."""
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box
    page.mouse.click(
        box["x"] + 20, box["y"] + 52
    )  # a table is a canvas: under the heading, in the ticks' column
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("What the customer wrote")).to_be_visible(timeout=SLOW)
    return drawer


def click_first_bar(chart: Locator) -> None:
    bar = chart.locator(".bars .point path").first
    expect(bar).to_be_visible(timeout=SLOW)
    bar.evaluate("bar => bar.scrollIntoView({block: 'center'})")
    settled(chart.page)
    box = bar.bounding_box()
    assert box
    # Plotly listens on a layer above the bars.
    chart.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def taken_away(page: Page, button: str = "Download CSV") -> tuple[Download, bytes]:
    settled(page)
    with page.expect_download(timeout=SLOW) as waiting:
        page.get_by_role("button", name=button, exact=True).click()
    return waiting.value, Path(waiting.value.path()).read_bytes()


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=SLOW)


def drawn(page: Page, bars: int = 1) -> None:
    """The charts have their bars."""
    page.wait_for_function(
        "count => document.querySelectorAll('.js-plotly-plot .bars').length >= count", arg=bars, timeout=SLOW
    )


def accessible(page: Page) -> None:
    """axe finds nothing, light and dark."""
    schemes: tuple[tuple[Literal["dark", "light"], bool], ...] = (("dark", True), ("light", False))
    for scheme, is_dark in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(_THEMED, arg=is_dark)
        violations = Axe().run(page).response["violations"]
        assert not violations, [
            (found["id"], scheme, [node["html"] for node in found["nodes"]]) for found in violations
        ]


_THEMED = """dark => {
    const [red] = getComputedStyle(document.querySelector('.stApp')).backgroundColor.match(/\\d+/g);
    return (Number(red) < 128) === dark;
}"""


def test_on_a_tablet_nothing_is_cut_off_and_a_link_opens_the_view_again(
    page: Page, dashboard: Dashboard, sign_in: SignIn
) -> None:
    page.set_viewport_size({"width": 820, "height": 1180})
    sign_in(page, dashboard, "staff")
    page.get_by_role("link", name="Claims").click()
    page.get_by_role("radio", name="All dates").or_(page.get_by_role("button", name="All dates")).click()
    expect(page.get_by_text("complete: 480 of 480").first).to_be_visible(timeout=SLOW)
    drawn(page)
    expect(page.get_by_role("button", name="Download CSV")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 820
    search = page.get_by_label("Search in what was read")
    search.fill("battery")
    search.press("Enter")
    expect(page.get_by_text("with “battery”")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible(timeout=SLOW)
    accessible(page)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("words=battery"))
    page.reload()
    expect(page.get_by_text("with “battery”")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("complete: 480 of 480").first).to_be_visible(timeout=SLOW)


def test_a_row_opens_the_claim_in_full_as_plain_text_with_what_this_desk_did_for_its_order(
    page: Page, shop: Shop, sign_in: SignIn
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sign_in(page, shop.dashboard, "manager")
    all_claims(page)
    drawer = open_first_row(page)
    expect(drawer.get_by_text(shop.order_id)).to_be_visible(timeout=SLOW)
    expect(drawer.get_by_text("Order sent: done")).to_be_visible(timeout=SLOW)
    expect(drawer.get_by_text("Maya Office")).to_be_visible(timeout=SLOW)
    assert CUSTOMERS_WORDS in drawer.inner_text()
    assert drawer.locator("h1, b, script, strong, .katex, img[src*='example.com']").count() == 0
    assert page.title() == "Warranty Desk"
    assert not [url for url in asked if "example.com" in url]
    drawer.get_by_role("button", name="Next").click()
    expect(drawer.get_by_text(f"2 of {EVERY}")).to_be_visible(timeout=SLOW)
    expect(drawer.get_by_text("Nothing: the order was not sent from this desk.")).to_be_visible(timeout=SLOW)


def test_a_click_on_a_bar_of_trends_opens_claims_with_exactly_the_claims_of_that_bar(
    page: Page, shop: Shop, sign_in: SignIn
) -> None:
    sign_in(page, shop.dashboard, "manager")
    all_claims(page, "Trends")
    products = page.get_by_role("figure", name=re.compile("^Products with the most claims"))
    click_first_bar(products)
    expect(page.get_by_role("heading", name="Claims")).to_be_visible(timeout=SLOW)
    narrowed = page.get_by_text(re.compile(r"of them shown: product "))
    expect(narrowed).to_be_visible(timeout=SLOW)
    settled(page)
    found = re.fullmatch(r"(\d+) of them shown: product (.+)\.", narrowed.inner_text())
    assert found
    count, product = int(found[1]), found[2]
    expected = [claim for claim in shop.sandbox.claims() if claim["product_name"] == product]
    assert len(expected) == count
    download, content = taken_away(page)
    fields = ("claim_date", "order_id", "warranty_id", "order_date", "warranty_start_date", "status")
    assert sorted(tuple(row[name] for name in fields) for row in rows_of(content)) == sorted(
        tuple(claim[name] for name in fields) for claim in expected
    )
    assert f"{count}-rows-of_{EVERY}-of-{EVERY}_complete" in download.suggested_filename
    page.reload()  # the bar stands in the address
    expect(page.get_by_text(found[0])).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Show all that was read").click()
    expect(page.get_by_text("of them shown")).to_have_count(0, timeout=SLOW)


def test_a_click_on_a_heading_sorts_all_claims_and_a_second_one_turns_them_round(
    page: Page, shop: Shop, sign_in: SignIn
) -> None:
    sign_in(page, shop.dashboard, "staff")
    all_claims(page)
    order = page.get_by_label("Sort all claims by")
    for sorted_by in ("Product, A to Z", "Product, Z to A"):
        box = page.get_by_test_id("stDataFrame").first.bounding_box()
        assert box
        page.mouse.click(box["x"] + 230, box["y"] + 18)
        expect(order).to_have_value(sorted_by, timeout=SLOW)
        settled(page)
    expect(page).to_have_url(re.compile("sort=product-desc"))
    last = max((claim["product_name"] for claim in shop.sandbox.claims()), key=str.casefold)
    expect(open_first_row(page).get_by_text(last, exact=True)).to_be_visible(timeout=SLOW)


def test_the_files_options_say_how_cells_are_parted_and_the_manifest_has_the_files_sum(
    page: Page, shop: Shop, sign_in: SignIn
) -> None:
    sign_in(page, shop.dashboard, "manager")
    all_claims(page)
    _, marked = taken_away(page)
    assert marked.startswith(b'\xef\xbb\xbf"claim_date",')
    page.get_by_role("button", name="File options").click()
    page.get_by_text("Semicolon").click()
    settled(page)
    page.get_by_text("Mark a CSV file as UTF-8").click()
    settled(page)
    download, content = taken_away(page)
    assert content.startswith(b'"claim_date";')
    page.get_by_role("button", name="File options").click()
    told, manifest = taken_away(page, "Download manifest")
    assert told.suggested_filename == f"{download.suggested_filename}.manifest.json"
    assert json.loads(manifest)["sha256"] == hashlib.sha256(content).hexdigest()
    assert json.loads(manifest)["rows"] == EVERY
    _, sheet = taken_away(page, "Download XLSX")
    cells = openpyxl.load_workbook(io.BytesIO(sheet)).worksheets[0]
    assert cells.max_row == 1 + EVERY
    assert {cell.data_type for row in cells.iter_rows() for cell in row if cell.value is not None} == {"s"}


def test_a_view_saved_by_name_is_there_after_the_next_sign_in_and_for_nobody_else(
    page: Page, shop: Shop, sign_in: SignIn
) -> None:
    sign_in(page, shop.dashboard, "manager")
    shop.open(page, "claims?period=all&status=RESOLVED&sort=product")
    read(page)
    page.get_by_role("button", name="Saved views").click()
    page.get_by_label("Save this view as").fill("Resolved, by product")
    page.get_by_label("Save this view as").press("Tab")
    page.get_by_role("button", name="Save view").click()
    expect(page.get_by_label("Open a view")).to_be_visible(timeout=SLOW)
    settled(page)
    page.keyboard.press("Escape")
    sign_out(page)
    sign_in(page, shop.dashboard, "staff")
    shop.open(page, "claims?period=all")
    read(page)
    page.get_by_role("button", name="Saved views").click()
    expect(page.get_by_text("Save the filters, the order and the columns")).to_be_visible(timeout=SLOW)
    expect(page.get_by_label("Open a view")).to_have_count(0)
    page.keyboard.press("Escape")
    sign_out(page)
    sign_in(page, shop.dashboard, "manager")
    shop.open(page, "claims?period=all")
    read(page)
    page.get_by_role("button", name="Saved views").click()
    page.get_by_label("Open a view").click()
    page.get_by_role("option", name="Resolved, by product").click()
    expect(page.get_by_text("of them shown: status RESOLVED.")).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("sort=product"))


def test_an_address_opens_the_same_view_for_somebody_else_who_signs_in(
    page: Page, shop: Shop, sign_in: SignIn, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    sign_in(page, shop.dashboard, "manager")
    shop.open(page, "claims?period=all&words=screen&sort=product&columns=product_name%2Cstatus")
    read(page)
    shown = page.get_by_text("of them shown: with “screen”").inner_text()
    other = browser.new_context(**browser_context_args).new_page()
    other.goto(page.url)
    other.get_by_label("Name", exact=True).fill("staff")
    other.get_by_label("Password", exact=True).fill("counter-training")
    other.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    read(other)
    expect(other.get_by_text(shown)).to_be_visible(timeout=SLOW)
    expect(other.get_by_label("Sort all claims by")).to_have_value("Product, A to Z")
    other.get_by_role("button", name="Columns", exact=True).click()
    expect(other.get_by_test_id("stMultiSelect").get_by_text("Status")).to_be_visible(timeout=SLOW)
    expect(other.get_by_test_id("stMultiSelect").get_by_text("Description")).to_have_count(0)
    other.context.close()


def test_a_long_reading_shows_how_far_it_is_and_what_is_stopped_is_a_part_everywhere(
    page: Page, shop: Shop, sign_in: SignIn, slow: SandboxServer
) -> None:
    sign_in(page, shop.dashboard, "manager")
    shop.open(page, "claims?claimed-from=2001-01-01&claimed-to=2090-12-31")
    expect(
        page.get_by_text(re.compile(rf"Reading claims: [1-9]\d* of {EVERY} \(\d+%\), about .+ left"))
    ).to_be_visible(timeout=SLOW)
    accessible(page)
    page.get_by_role("button", name="Stop reading").click()
    seal = page.get_by_text(re.compile(rf"incomplete: \d+ of {EVERY}, read"))
    expect(seal.first).to_be_visible(timeout=SLOW)
    settled(page)
    slow.clear_faults()
    found = re.search(r"incomplete: (\d+) of", seal.first.inner_text())
    assert found
    count = int(found[1])
    assert 0 < count < EVERY
    expect(page.get_by_text("Not all claims are here.")).to_be_visible()
    expect(page.get_by_text(f"incomplete: {count} of {EVERY}, read")).to_have_count(
        2
    )  # the table's, the chart's
    expect(
        page.get_by_role("figure", name=re.compile(f"incomplete: {count} of {EVERY}, read"))
    ).to_be_attached()
    expect(page.get_by_role("region", name=re.compile(f"incomplete: {count} of {EVERY}"))).to_be_attached()
    download, content = taken_away(page)
    assert f"{count}-of-{EVERY}_INCOMPLETE" in download.suggested_filename
    rows = rows_of(content)
    assert len(rows) == count
    assert all(f"{count} of {EVERY}" in row["incomplete"] for row in rows)
    download, _ = taken_away(page, "Download XLSX")
    assert f"{count}-of-{EVERY}_INCOMPLETE" in download.suggested_filename
    page.get_by_role("link", name="Trends").click()
    expect(page.get_by_text(f"incomplete: {count} of {EVERY}, read")).to_have_count(7, timeout=SLOW)
    page.get_by_role("button", name="Refresh").click()
    read(page)


def test_a_screen_whose_timer_was_lost_on_the_way_does_not_say_for_ever_that_it_reads(
    page: Page, shop: Shop, sign_in: SignIn, slow: SandboxServer
) -> None:
    lost: list[str] = []

    def relay(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            told = ForwardMsg.FromString(message) if isinstance(message, bytes) else ForwardMsg()
            if told.WhichOneof("type") == "auto_rerun":
                lost.append(told.auto_rerun.fragment_id)
            else:
                browser.send(message)

        server.on_message(pass_on)
        browser.on_message(server.send)

    page.route_web_socket(re.compile("_stcore/stream"), relay)
    sign_in(page, shop.dashboard, "manager")
    page.wait_for_function(SIGNED_IN, timeout=SLOW)
    settled(page)
    page.get_by_role("link", name="Trends").click()
    page.get_by_role("radio", name="Last quarter").click()  # which no other test reads
    expect(page.get_by_text("Reading claims")).to_be_visible(timeout=SLOW)
    slow.clear_faults()
    expect(page.get_by_text(re.compile(r"\bcomplete: \d")).first).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("as many days before")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Reading claims")).to_have_count(0)
    assert lost


def test_after_a_sign_out_elsewhere_neither_the_table_nor_a_file_is_given_out(
    page: Page, shop: Shop, sign_in: SignIn, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    sign_in(page, shop.dashboard, "manager")
    all_claims(page)
    downloads: list[Download] = []

    def note(download: Download) -> None:
        downloads.append(download)

    page.on("download", note)
    elsewhere = browser.new_context(**browser_context_args).new_page()
    sign_in(elsewhere, shop.dashboard, "manager")
    sign_out(elsewhere)
    elsewhere.context.close()
    page.get_by_role("button", name="Download CSV", exact=True).click()
    expect(page.get_by_text("Failed to generate file")).to_be_visible(timeout=SLOW)
    assert not downloads
    page.get_by_role("button", name="Next page").click()  # a fragment: the shell does not run
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)


def test_claims_and_trends_are_for_every_eye_also_with_a_claim_and_the_filters_open(
    page: Page, shop: Shop, sign_in: SignIn
) -> None:
    sign_in(page, shop.dashboard, "manager")
    all_claims(page)
    drawn(page)
    accessible(page)
    open_first_row(page)
    settled(page)
    accessible(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=SLOW)
    settled(page)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible(timeout=SLOW)
    settled(page)
    accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Trends").click()
    expect(page.get_by_role("heading", name="Trends")).to_be_visible(timeout=SLOW)
    read(page)
    drawn(page, 4)
    accessible(page)
    page.get_by_text("Data as a table").first.click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=SLOW)
    settled(page)
    accessible(page)
