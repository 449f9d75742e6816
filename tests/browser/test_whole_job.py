"""The main job by roles, names and keys alone, as who sees nothing of it does it: order, link, sale, and the claims."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from benchmarks.ten_jobs import JOBS, Job, Thumb
from tests.browser.browser_sale import new_order
from tests.browser.browser_shop import NOTE_WHAT_IS_SENT, Shop, come, settled
from tests.browser.claims_shop import rows_of
from tests.builders import TV

Claim = dict[str, str]


def as_in_the_file(claim: Claim) -> Claim:
    """A cell that a spreadsheet would run is kept from running by an apostrophe."""
    return {name: f"'{text}" if text[:1] in {*"=+-@", "\t", "\r"} else text for name, text in claim.items()}


def reach(page: Page, wanted: Locator) -> None:
    """Press Tab until the first of these has the focus, and wait as a person would.

    The keys may have gone over a table, which tells of it a moment later.
    """
    expect(wanted.first).to_be_visible()
    settled(page)
    for _ in range(150):
        if wanted.first.evaluate("part => part.matches(':focus')"):
            settled(page)
            expect(wanted.first).to_be_focused()
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached with the keyboard")


def press(page: Page, wanted: Locator, key: str = "Enter") -> None:
    reach(page, wanted)
    page.keyboard.press(key)
    settled(page)


def type_into(page: Page, label: str, text: str) -> None:
    combobox = page.get_by_role("combobox", name=label, exact=True)
    reach(page, page.get_by_role("textbox", name=label, exact=True).or_(combobox))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def choose(page: Page, label: str, option: str) -> None:
    reach(page, page.get_by_role("combobox", name=label))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(option)
    expect(page.get_by_role("option", name=option)).to_be_visible()
    page.keyboard.press("Enter")
    settled(page)


@pytest.mark.long
def test_who_hears_the_screen_and_has_a_keyboard_sells_from_the_order_to_the_claim(page: Page, shop: Shop) -> None:
    come(page, shop.dashboard, "manager")
    # An order of two items.
    press(page, page.get_by_role("link", name="New order"))
    new_order(page)  # whatever another test left
    for sku in ("TV-55-OLED", "BIKE-E"):
        type_into(page, "Scan or type a SKU or a name", sku)
        page.keyboard.press("Enter")
        expect(page.locator("[class*=st-key-item-]").get_by_text(sku, exact=True)).to_be_visible()
    type_into(page, "First name", "Zoë")
    type_into(page, "E-mail or phone", "zoe@example.com")
    choose(page, "State", "New York (NY)")
    press(page, page.locator("summary").filter(has_text="More"))
    type_into(page, "ZIP or postal code", "10001")
    order_id = page.get_by_role("textbox", name="Order number").input_value()
    press(page, page.get_by_role("button", name="Send order"))
    # Its link is copied, and the landing page shows the offers.
    copy = page.get_by_role("button", name="Copy link", exact=True)
    expect(copy).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    url = page.get_by_role("link", name="Open the customer page").get_attribute("href")
    assert url is not None
    assert order_id in url
    landing = page.context.new_page()
    landing.goto(url)
    expect(landing.get_by_role("button", name="24 months").first).to_be_visible()
    # 24 months on one item for 79.99, which the landing page then shows as bought.
    press(page, page.get_by_role("button", name="Record a sale for this order"))
    expect(page.get_by_role("textbox", name="Order", exact=True)).to_have_value(order_id)
    reach(page, page.get_by_role("radio", name="12 months"))
    page.keyboard.press("ArrowRight")
    press(page, page.get_by_role("radio", name="24 months"), "Space")
    type_into(page, "Price charged", "79.99")
    press(page, page.get_by_role("button", name=re.compile("^Record sale")))
    expect(page.get_by_text("Recorded. Warranty order")).to_be_visible()
    landing.reload()
    expect(landing.get_by_text(re.compile("Covered|Bought")).first).to_be_visible()
    # Claims, read as a table, opened, and taken away as a file with the same rows.
    press(page, page.get_by_role("link", name="Claims"))
    choose(page, "Claim date", "90 days")
    first = date.today() - timedelta(days=89)  # noqa: DTZ011 - service time has no zone
    expect(page).to_have_url(re.compile("period=90-days"))
    expect(page.get_by_text(re.compile(r"complete: ([0-9,]+) of \1")).first).to_be_visible()
    table = page.get_by_role("table", name="as a table")
    newest = table.get_by_role("row").nth(1)
    press(page, newest.get_by_role("button", name="Open the claim"))
    claim = page.get_by_role("dialog", name="Claim")
    expect(claim.get_by_text("What the customer wrote")).to_be_visible()
    page.keyboard.press("Escape")
    expect(claim).to_have_count(0)
    press(page, table.get_by_role("columnheader", name="Product").get_by_role("button"))
    expect(table.get_by_role("columnheader", name="Product")).to_have_attribute("aria-sort", "ascending")
    press(page, page.get_by_role("button", name="Export"))
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Download CSV"))
    rows = rows_of(Path(download.value.path()).read_bytes())
    claimed = [dict(claim) for claim in shop.sandbox.claims()]
    expected = [as_in_the_file(claim) for claim in claimed if claim["claim_date"] >= first.isoformat()]
    assert rows
    assert sorted(rows, key=repr) == sorted(expected, key=repr)
    shown = [row.get_by_role("cell").first.inner_text() for row in table.get_by_role("row").all()[1:]]
    names = [claim["product_name"] for claim in claimed if claim["claim_date"] >= first.isoformat()]
    assert shown == sorted(names, key=str.casefold)[:200]


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[BrowserContext]:
    size = {"width": 390, "height": 844}
    with browser.new_context(viewport=size, has_touch=True, is_mobile=True) as context:  # type: ignore[arg-type]
        context.add_init_script(NOTE_WHAT_IS_SENT)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield context


@pytest.mark.long
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.do.__name__)
def test_a_job_is_done_by_thumb_on_a_phone(phone: BrowserContext, shop: Shop, job: Job) -> None:
    with phone.new_page() as page:
        thumb = Thumb(page, shop.order(TV).order_id)
        thumb.begins(job, shop)
        job.do(thumb)
