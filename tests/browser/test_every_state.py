"""What opens over the screens, on Claims and on Trends is for every eye, light and dark.

What becomes of a press is looked at (`look`) where it is pressed.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import Look, Shop, close, come, opened, settled
from tests.browser.claims_shop import open_all, open_first_row
from tests.browser.sizes import TABLET, place, resize
from tests.dashboard import person

pytestmark = pytest.mark.long


def test_what_opens_behind_the_name_is_for_every_eye(page: Page, shop: Shop, look: Look) -> None:
    shop.open(page, "activity", by="manager")
    person(page).click()
    look("the menu behind the name")
    page.keyboard.press("Escape")
    for name in ("Change my password", "Customer's screen", "My PIN", "Keys", "Find"):
        settled(page)
        person(page).click()
        page.get_by_role("button", name=name, exact=True).click()
        expect(person(page)).to_have_attribute("aria-expanded", "false")  # the menu does not cover it
        opened(page)
        look(name)
        close(page)
    person(page).click()
    page.get_by_role("button", name="Take the tour").click()
    expect(page.get_by_text("step 1 of")).to_be_visible()
    look("the tour")
    page.locator(".st-key-tour").get_by_role("button", name="End the tour").click()
    page.goto(f"{shop.dashboard.url}/customer")
    expect(page.locator(".code")).to_be_visible()
    look("the customer's screen")


def test_what_opens_on_claims_and_trends_is_for_every_eye(page: Page, shop: Shop, look: Look) -> None:
    open_all(page, shop, "manager")
    open_first_row(page)
    look("a claim")
    close(page)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible()
    resize(page, TABLET)
    look("the filters of Claims")
    open_all(page, shop, "manager", "overview")
    page.get_by_text("Table", exact=True).first.click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    look("a chart's data")
    come(page, shop.dashboard, "manager", "claim_trends")
    for tab, there in {
        "Ageing": "Claims against plans sold",
        "Resolution": "No night is on record",
        "Outlook": "Claims to come",
    }.items():
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_text(there).first).to_be_visible()
        look(tab)
    shop.sandbox.add_fault(operation="claims", kind="delay", seconds=8.0, times=10_000)
    come(page, shop.dashboard, "manager", "claims?period=all&started-from=1994-01-01&started-to=2197-12-31")
    reading = page.get_by_text(re.compile("^Reading claims: "))
    expect(reading).to_be_visible()
    look("claims that are read")
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first to last day").first).to_be_visible()
    look("the filters while claims are read")
    stop = place(page.get_by_role("button", name="Stop reading"))  # the open filters do not cover it
    page.mouse.click(stop["x"] + stop["width"] / 2, stop["y"] + stop["height"] / 2)
    expect(reading).to_have_count(0)
