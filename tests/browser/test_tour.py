"""The guided tour, walked by a new manager who does what it says and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_sale import fill_customer, scan
from tests.browser.browser_shop import Shop, running_shop, settled
from tests.browser.claims_shop import open_first_row
from tests.dashboard import person


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """Its own: a tour that is taken again, or tried again, does not meet what the one before has sold."""
    with running_shop(tmp_path, seed="demo") as running:
        yield running


def card(page: Page, number: int, title: str) -> Locator:
    expect(page.locator(".st-key-tour").get_by_text(f"Tour, step {number} of 10: {title}")).to_be_visible()
    return page.locator(".st-key-tour")


def take_the_tour(page: Page, shop: Shop) -> None:
    shop.open(page, "claims")
    person(page).click()
    page.get_by_role("button", name="Take the tour").click()
    expect(page.get_by_role("heading", name="New order", exact=True)).to_be_visible()


def send_order(page: Page, *codes: str) -> None:
    expect(page.get_by_role("heading", name="New order", exact=True)).to_be_visible()
    settled(page)
    if page.get_by_role("button", name="Next order").count():
        page.get_by_role("button", name="Next order").click()
    page.get_by_label("Scan or type a SKU").focus()
    scan(page, *codes)
    expect(page.locator("[class*=st-key-item-]").get_by_text(codes[-1], exact=True)).to_be_visible()
    fill_customer(page)
    page.get_by_role("button", name="Send order").click()


def sell(page: Page, item: str) -> None:
    expect(page.get_by_role("heading", name="Record sale", exact=True)).to_be_visible()
    settled(page)
    page.get_by_role("button", name=re.compile(item)).first.click()
    settled(page)
    page.get_by_role("radiogroup", name="Term").last.get_by_role("radio", name="24 months").click()
    settled(page)
    page.get_by_role("button", name="Record sale").click()


@pytest.mark.long
def test_a_new_manager_walks_the_tour_and_meets_all_that_a_day_brings(page: Page, shop: Shop) -> None:
    shop.let_in("staff", page)
    take_the_tour(page, shop)
    expect(page.locator(".st-key-tour").get_by_text("Tour, step 1 of 7")).to_be_visible()  # no figures
    shop.let_in("manager", page)
    take_the_tour(page, shop)
    card(page, 1, "Send an order")
    send_order(page, "TV-55-OLED", "LAMP-ARC")
    tour = card(page, 2, "Be the customer")
    landing = page.context.new_page()
    landing.goto(page.get_by_role("link", name="Open the customer page").get_attribute("href") or "")
    landing.get_by_role("button", name=re.compile("24 months")).first.click()
    expect(landing.get_by_text("bought").first).to_be_visible()
    landing.close()
    tour.get_by_role("button", name="Done, next step").click()
    card(page, 3, "Sell at the counter").get_by_role("button", name="Go there").click()
    sell(page, "OLED")
    card(page, 4, "Meet a refusal").get_by_role("button", name="Go there").click()
    send_order(page, "TV-55-OLED")
    expect(page.get_by_text("answer 400")).to_be_visible()
    page.get_by_role("button", name="Send order").click()
    card(page, 5, "Meet an outage").get_by_role("button", name="Go there").click()
    page.get_by_role("button", name="Next sale").click()
    sell(page, "OLED")
    card(page, 6, "Settle it").get_by_role("button", name="Go there").click()
    page.get_by_role("button", name="Ask the service").click()
    card(page, 7, "Look up a claim").get_by_role("button", name="Go there").click()
    expect(page.get_by_role("heading", name="Claims", exact=True)).to_be_visible()
    settled(page)
    page.reload()  # it goes on where the person stands
    card(page, 7, "Look up a claim").get_by_role("button", name="Done, next step").click()
    expect(page.get_by_text("Press a row first.")).to_be_visible()
    open_first_row(page)
    page.keyboard.press("Escape")
    settled(page)
    if page.get_by_text("Tour, step 7 of 10").count():  # else the closing has shown that it is done
        page.get_by_role("button", name="Done, next step").click()
    card(page, 8, "Take claims with you")
    page.get_by_role("button", name="Export").click()
    with page.expect_download():
        page.get_by_role("button", name="Download CSV", exact=True).click()
    page.keyboard.press("Escape")
    card(page, 8, "Take claims with you").get_by_role("button", name="Done, next step").click()
    card(page, 9, "See what changes").get_by_role("button", name="Go there").click()
    card(page, 10, "Close the day").get_by_role("button", name="Go there").click()
    expect(page.get_by_role("heading", name="Shift report", exact=True)).to_be_visible()
    expect(page.get_by_text("The tour is done")).to_be_visible()
    with page.expect_download() as report:
        page.get_by_role("button", name="Print report").click()
    assert Path(report.value.path()).read_bytes().startswith(b"%PDF")
    page.locator(".st-key-tour").get_by_role("button", name="Begin again").click()
    card(page, 1, "Send an order").get_by_role("button", name="End the tour").click()
    expect(page.locator(".st-key-tour")).to_have_count(0)
