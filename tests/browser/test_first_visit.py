"""What a browser asks for that has nothing of the dashboard yet."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.browser_shop import come
from tests.dashboard import Dashboard


@pytest.mark.long
def test_a_link_to_a_screen_takes_in_compressed_scripts_and_no_request_fails(
    page: Page, context: BrowserContext, dashboard: Dashboard
) -> None:
    come(page, dashboard, "manager")
    cold = context.new_page()
    answers: list[Response] = []
    cold.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 - a builtin takes no attributes
    cold.goto(f"{dashboard.url}/claims")
    expect(cold.get_by_test_id("stDataFrame")).to_be_visible()

    assert [answer.url for answer in answers if answer.status >= 400] == []
    scripts = [answer for answer in answers if urlsplit(answer.url).path.startswith("/static/js/")]
    plain = [answer for answer in scripts if answer.headers.get("content-encoding") != "gzip"]
    assert len(scripts) > 50
    assert all(len(answer.body()) < 500 for answer in plain)


@pytest.mark.long
def test_a_second_visit_fetches_nothing_again_that_it_has(
    page: Page, context: BrowserContext, dashboard: Dashboard
) -> None:
    come(page, dashboard, "staff")
    expect(page.get_by_label("E-mail")).to_be_enabled()
    again = context.new_page()
    again.goto(dashboard.url)
    expect(again.get_by_label("E-mail")).to_be_enabled()
    fetched = again.evaluate(
        "performance.getEntriesByType('resource').filter((each) => each.transferSize > 0).map((each) => each.name)"
    )
    asked = {urlsplit(address).path for address in fetched}
    asked.discard("/favicon.png")  # the browser's own affair, at a time of its own
    assert asked <= {"/_stcore/health", "/_stcore/host-config"}  # beside the live connection, not before it
