"""What a browser asks for that has nothing of the dashboard yet."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import come
from tests.dashboard import Dashboard


@pytest.mark.long
def test_a_second_visit_fetches_nothing_again_that_it_has(page: Page, dashboard: Dashboard) -> None:
    come(page, dashboard, "staff")
    expect(page.get_by_label("E-mail")).to_be_enabled()
    again = page.context.new_page()
    again.goto(dashboard.url)
    expect(again.get_by_label("E-mail")).to_be_enabled()
    fetched = again.evaluate(
        "performance.getEntriesByType('resource').filter((each) => each.transferSize > 0).map((each) => each.name)"
    )
    asked = {urlsplit(address).path for address in fetched}
    asked.discard("/favicon.png")  # the browser's own affair, at a time of its own
    assert asked <= {"/_stcore/health", "/_stcore/host-config"}  # beside the live connection, not before it
