"""The bar and what is below it: all screens are in it, nothing of the screen is lost to it, and nothing moves."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from components.navigation import SCREENS
from tests.browser.conftest import SignIn
from tests.builders import MANAGER, seen_by
from tests.dashboard import Dashboard, leave, person

FIRST_LINE: Final = 96  # pixels from the top, at most
SHIFTED: Final = 0.1  # by the browser's own measure; 0.02 on a quiet machine, where less comes in pieces
READS: Final = {"claims", "claim_trends"}  # there a reading goes on, which moves what is below it
WATCH_SHIFTS: Final = """
window.shifted = 0;
new PerformanceObserver((list) => {
  const moved = list.getEntries().filter((entry) => !entry.hadRecentInput).map((entry) => entry.value);
  window.shifted = Math.max(window.shifted, ...moved);
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["PC", "phone"])
def test_every_screen_begins_high_and_stays_where_it_is(
    page: Page, dashboard: Dashboard, sign_in: SignIn, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.add_init_script(WATCH_SHIFTS)
    sign_in(page, dashboard, "manager")
    found = {}
    for screen in filter(seen_by(MANAGER), SCREENS):
        page.goto(f"{dashboard.url}/{screen.name}")
        title = page.get_by_role("heading", level=1)
        expect(title).to_contain_text(screen.title, timeout=20_000)
        page.wait_for_load_state("networkidle")
        box = title.bounding_box()
        assert box is not None
        found[screen.name] = (round(box["y"]), round(page.evaluate("window.shifted"), 4))
    assert not {name: at for name, at in found.items() if at[0] > FIRST_LINE}
    assert not {name: at for name, at in found.items() if at[1] > SHIFTED and name not in READS}


def test_a_manager_sees_all_screens_at_a_counter_pc_and_nothing_comes_from_elsewhere(
    page: Page, dashboard: Dashboard, sign_in: SignIn
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sign_in(page, dashboard, "manager")
    icons = page.locator("link[rel~=icon]").evaluate_all("(links) => links.map((link) => link.href)")
    ours = (dashboard.url, "data:", "blob:")
    assert [address for address in (*asked, *icons) if not address.startswith(ours)] == []
    for screen in filter(seen_by(MANAGER), SCREENS):
        expect(page.get_by_role("link", name=screen.title, exact=True)).to_be_in_viewport()
    leave(page)
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    expect(person(page)).to_have_count(0)
