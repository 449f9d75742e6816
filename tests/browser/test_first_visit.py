"""What a browser asks for that has nothing of the dashboard yet."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard


def test_a_link_to_a_screen_finds_the_server_at_once_and_waits_for_no_second_layer_of_scripts(
    page: Page, context: BrowserContext, dashboard: Dashboard, sign_in: SignIn
) -> None:
    sign_in(page, dashboard, "manager")
    cold = context.new_page()
    answers: list[Response] = []
    cold.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 - a builtin takes no attributes
    sent = cold.goto(f"{dashboard.url}/claims")
    expect(cold.get_by_test_id("stDataFrame")).to_be_visible(timeout=20_000)

    assert [answer.url for answer in answers if answer.status >= 400] == []
    addresses = [urlsplit(answer.url).path for answer in answers]
    assert addresses.count("/_stcore/health") == 1
    assert sent is not None
    named = {f"/{path}" for path in re.findall(r"static/js/[\w.-]+", sent.text())}
    asked = {path for path in addresses if path.startswith("/static/js/")}
    later = {path for path in asked - named if "Plotly" not in path}
    assert not later, "these could have been named by the page (components/serving/front_end.py)"
    cold.close()
