"""Trends in a real browser."""

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from sandbox import SandboxServer
from tests.browser.browser_shop import settled, without_violation
from tests.browser.claims_shop import EVERY, SLOW, ClaimsShop, chip, drawn, rows_of, taken_away


def click_first_bar(chart: Locator) -> None:
    bar = chart.locator(".bars .point path").first
    expect(bar).to_be_visible(timeout=SLOW)
    bar.evaluate("bar => bar.scrollIntoView({block: 'center'})")
    settled(chart.page)
    box = bar.bounding_box()
    assert box
    # Plotly listens on a layer above the bars.
    chart.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_click_on_a_bar_of_trends_opens_claims_with_exactly_the_claims_of_that_bar(
    page: Page, claims_shop: ClaimsShop
) -> None:
    claims_shop.open_all(page, "manager", "claim_trends")
    products = page.get_by_role("figure", name=re.compile("^Products with the most claims"))
    click_first_bar(products)
    expect(page.get_by_role("heading", name="Claims")).to_be_visible(timeout=SLOW)
    narrowed = chip(page, re.compile("product "))
    expect(narrowed).to_be_visible(timeout=SLOW)
    settled(page)
    product = narrowed.inner_text().removeprefix("product ")
    said = page.get_by_text(re.compile(rf"^\d+ of {EVERY} claims")).inner_text()
    count = int(said.split()[0])
    expected = [claim for claim in claims_shop.sandbox.claims() if claim["product_name"] == product]
    assert len(expected) == count
    download, content = taken_away(page)
    fields = ("claim_date", "order_id", "warranty_id", "order_date", "warranty_start_date", "status")
    assert sorted(tuple(row[name] for name in fields) for row in rows_of(content)) == sorted(
        tuple(claim[name] for name in fields) for claim in expected
    )
    assert f"{count}-rows-of_{EVERY}-of-{EVERY}_complete" in download.suggested_filename
    page.reload()  # the bar stands in the address
    expect(page.get_by_text(said)).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name=f"Show all {EVERY}").click()
    expect(narrowed).to_have_count(0, timeout=SLOW)


def open_more_filters(page: Page) -> None:
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first day")).to_be_visible(timeout=SLOW)


@pytest.mark.parametrize("size", [pytest.param((1280, 900), marks=pytest.mark.soak), (820, 1180)])
def test_trends_is_for_every_eye_while_it_reads_and_can_be_stopped_below_its_open_filters(
    page: Page, claims_shop: ClaimsShop, slow_claims: SandboxServer, size: tuple[int, int]
) -> None:
    slow_claims.clear_faults()  # its second is over before a busy machine has looked four times
    slow_claims.add_fault(operation="claims", kind="delay", seconds=8.0, times=10_000)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    unread = (
        f"{random.randint(2050, 2198)}-12-{size[0] % 30 + 1}"  # a try that went wrong may have read it all
    )
    claims_shop.open(page, "manager", f"claim_trends?period=all&started-from=1994-01-01&started-to={unread}")
    reading = page.get_by_text(re.compile("^Reading claims: "))
    expect(reading).to_be_visible(timeout=SLOW)
    without_violation(page)
    open_more_filters(page)
    without_violation(page)
    expect(reading).to_be_visible()  # still: else it was not this that was looked at
    stop = page.get_by_role("button", name="Stop reading").bounding_box()
    assert stop
    page.mouse.click(stop["x"] + stop["width"] / 2, stop["y"] + stop["height"] / 2)
    expect(reading).to_have_count(0, timeout=SLOW)
    expect(
        page.get_by_text("Somebody stopped the reading").or_(page.get_by_text("The reading was stopped"))
    ).to_be_visible(timeout=SLOW)


@pytest.mark.soak
def test_trends_is_for_every_eye_on_every_tab_with_its_filters_and_its_tables_open(
    page: Page, claims_shop: ClaimsShop
) -> None:
    claims_shop.open_all(page, "manager", "claim_trends")
    drawn(page, 4)
    open_more_filters(page)
    without_violation(page)
    page.keyboard.press("Escape")
    page.get_by_text("Data as a table").first.click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=SLOW)
    without_violation(page)
    for tab, there in {
        "Ageing": "Products side by side",
        "Resolution": "No night is on record",
        "Outlook": "Claims to come",
    }.items():
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_text(there).first).to_be_visible(timeout=SLOW)
        without_violation(page)
