"""The main job, as a new clerk does it on a fresh clone: from an order to a covered item, and the claims after it."""

import csv
import re
import sqlite3
import uuid
from contextlib import closing, suppress
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from sandbox import SandboxServer
from tests.browser.claims_shop import ask_for
from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard

Claim = dict[str, str]


def everything_claimed(dashboard: Dashboard, copied_to: Path) -> list[Claim]:
    """What the sandbox holds, read past the dashboard and its client, from a copy of its data."""
    with (
        closing(sqlite3.connect(dashboard.data_dir / "sandbox.sqlite")) as kept,
        closing(sqlite3.connect(copied_to)) as copy,
    ):
        kept.backup(copy)
    with SandboxServer(seed="demo", data=copied_to) as sandbox:
        return [dict(claim) for claim in sandbox.claims()]


def as_in_the_file(claim: Claim) -> Claim:
    """A cell that a spreadsheet would run is kept from running by an apostrophe."""
    return {name: f"'{text}" if text[:1] in {*"=+-@", "\t", "\r"} else text for name, text in claim.items()}


def settled(page: Page) -> None:
    """Wait until no run of the script is on its way: it may still move what is about to be touched."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def choose(page: Page, label: str, option: str) -> None:
    """Pick from a list as a person does: open it, look, click; a list closes when the page scrolls under it."""
    field = page.get_by_role("combobox", name=label)
    wanted = page.get_by_role("option", name=option)
    for _ in range(5):
        settled(page)
        field.click()
        field.press_sequentially(option[:6])
        with suppress(PlaywrightTimeoutError):
            wanted.click(timeout=2_000)
            return
    raise AssertionError(f"{option} could not be chosen as {label}")


def test_from_an_order_to_a_covered_item_and_the_claims_as_a_file(
    page: Page, context: BrowserContext, dashboard: Dashboard, sign_in: SignIn, tmp_path: Path
) -> None:
    order_id = str(uuid.uuid4())
    sign_in(page, dashboard, "manager")

    # An order of two items.
    page.get_by_role("link", name="New order").click()
    for sku in ("TV-55-OLED", "BIKE-E"):
        page.get_by_label("Scan or type a SKU").fill(sku)
        page.get_by_label("Scan or type a SKU").press("Enter")
        expect(page.get_by_label(re.compile("^SKU")).last).to_have_value(sku)
        settled(page)
    page.get_by_label("First name").fill("Zoë")
    page.get_by_label("E-mail").fill("zoe@example.com")
    choose(page, "State", "New York (NY)")
    page.get_by_label("ZIP or postal code (optional)").fill("01231")
    page.get_by_label("Order id").fill(order_id)
    page.get_by_role("button", name="Send order").click()

    # The landing page opens and shows the offers.
    link = page.get_by_role("link", name="Open the landing page")
    expect(link).to_be_visible(timeout=20_000)
    url = link.get_attribute("href")
    assert url is not None
    assert order_id in url
    landing = context.new_page()
    landing.goto(url)
    expect(landing.get_by_text("24 months").first).to_be_visible()

    # 24 months on one item for 79.99.
    page.get_by_role("button", name="Record a sale for this order").click()
    expect(page.get_by_label("Order", exact=True)).to_have_value(order_id)
    page.get_by_role("radio", name="24 months").first.click()
    price = page.get_by_label(re.compile("Price charged")).first
    price.fill("79.99")
    price.press("Enter")
    expect(page.get_by_text(re.compile(r"79\.99.*24 months|24 months.*79\.99")).first).to_be_visible()
    page.get_by_role("button", name="Record sale").click()
    expect(page.get_by_text("Warranty order").first).to_be_visible(timeout=20_000)

    # The landing page shows the plan as bought.
    landing.reload()
    expect(landing.get_by_text(re.compile("Covered|Bought")).first).to_be_visible()

    # Claims, filtered, and the same rows as a file.
    page.get_by_role("link", name="Claims").click()
    ask_for(page, "90 days")
    first = date.today() - timedelta(days=89)  # noqa: DTZ011 - service time has no zone
    expect(page.get_by_text(f"Claims dated {first.day} {first:%b %Y}")).to_be_visible()
    settled(page)
    seal = page.get_by_text(re.compile(r"complete: ([0-9,]+) of \1"))
    expect(seal.first).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    file = tmp_path / "claims.csv"
    download.value.save_as(file)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    claimed = everything_claimed(dashboard, tmp_path / "copy.sqlite")
    expected = [as_in_the_file(claim) for claim in claimed if claim["claim_date"] >= first.isoformat()]
    assert rows
    assert sorted(rows, key=repr) == sorted(expected, key=repr)
