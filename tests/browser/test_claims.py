"""Claims in a real browser: on a tablet, for every eye, and by a link."""

import re
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard

SLOW = 30_000


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
    expect(page.get_by_text("complete: 480 of 480")).to_be_visible(timeout=SLOW)
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
    expect(page.get_by_text("complete: 480 of 480")).to_be_visible(timeout=SLOW)
