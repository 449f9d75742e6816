"""Trends in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_shop import settled
from tests.browser.claims_shop import EVERY, ClaimsShop, chip, claim_dates, rows_of, taken_away


def click_first_bar(chart: Locator) -> None:
    bar = chart.locator(".bars .point path").first
    expect(bar).to_be_visible()
    bar.evaluate("bar => bar.scrollIntoView({block: 'center'})")
    settled(chart.page)
    box = bar.bounding_box()
    assert box
    # Plotly listens on a layer above the bars.
    chart.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.long
def test_a_click_on_a_bar_of_trends_opens_claims_with_exactly_the_claims_of_that_bar(
    page: Page, claims_shop: ClaimsShop
) -> None:
    claims_shop.open_all(page, "manager", "claim_trends")
    products = page.get_by_role("figure", name=re.compile("^Products with the most claims"))
    click_first_bar(products)
    expect(page.get_by_role("heading", name="Claims")).to_be_visible()
    narrowed = chip(page, re.compile("product "))
    expect(narrowed).to_be_visible()
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
    page.go_back(wait_until="commit")
    expect(page).to_have_url(re.compile("/claim_trends.*period=all"))
    expect(claim_dates(page)).to_have_value("All dates")
    page.go_forward(wait_until="commit")  # the bar stands in the address
    expect(page.get_by_text(said)).to_be_visible()
