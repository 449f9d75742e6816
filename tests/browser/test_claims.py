"""Claims in a real browser: on a tablet, its charts, Back, and what the table leaves to the browser."""

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.browser_shop import Shop, settled
from tests.browser.claims_shop import ask_for, claim_dates, drawn, listed, open_all, unfold_chart
from tests.browser.sizes import PC, place, resize

_SLOW_DESK = """addEventListener("popstate", () => {
    const now = performance.now.bind(performance);
    const emptied = ({target}) => {
        if (target.dataset?.testid !== "stMain" || target.scrollTop) return;
        performance.now = () => now() + 10_000;
        removeEventListener("scroll", emptied, true);
    };
    addEventListener("scroll", emptied, true);
}, {once: true})"""
"""After Back ten seconds pass while the screen is empty."""


@pytest.mark.long
def test_a_stacked_chart_uses_its_width_and_names_the_statuses_below(page: Page, shop: Shop) -> None:
    for screen in ("claims", "overview"):
        resize(page, PC)
        open_all(page, shop, "manager", screen)
        if screen == "claims":
            unfold_chart(page)
        for width in (1280, 820, 390):
            resize(page, (width, 844))
            page.wait_for_function(
                "() => document.querySelector('.js-plotly-plot .main-svg')?.clientWidth < innerWidth"
            )
            drawn(page)
            settled(page)
            chart = page.locator(".js-plotly-plot").first
            chart.scroll_into_view_if_needed()
            whole, bars = place_in(chart, ".main-svg"), place_in(chart, ".nsewdrag")
            last_date = place_in(chart, ".xtick >> nth=-1")
            names = [
                place_in(chart, f".legend .traces >> nth={place}")
                for place in range(chart.locator(".legend .traces").count())
            ]
            assert bars["width"] > 0.8 * whole["width"]
            assert last_date["x"] + last_date["width"] <= whole["x"] + whole["width"]
            assert min(name["y"] for name in names) > last_date["y"] + last_date["height"]
            assert max(name["y"] + name["height"] for name in names) <= whole["y"] + whole["height"]
            assert len({round(name["x"]) for name in names}) >= 2


@pytest.mark.long
def test_each_step_is_one_for_back_and_each_back_shows_what_stood_before_where_it_stood(page: Page, shop: Shop) -> None:
    open_all(page, shop, "manager")
    length = page.evaluate("history.length")
    ask_for(page, "Last month")
    expect(page).to_have_url(re.compile("/claims.*period=last-month"))
    settled(page)
    page.get_by_role("link", name="Overview").click()
    expect(page).to_have_url(re.compile("/overview"))
    drawn(page, 3)
    settled(page)
    bar = page.locator(".js-plotly-plot .bars path").nth(1)
    bar.scroll_into_view_if_needed()
    scrolled = page.get_by_test_id("stMain").evaluate("main => (main.scrollTop += 60)")
    bar.click(force=True)
    expect(page).to_have_url(re.compile("/claims.*pick="))
    settled(page)
    assert page.evaluate("history.length") == length + 3
    page.evaluate(_SLOW_DESK)
    page.go_back(wait_until="commit")
    expect(page).to_have_url(re.compile("/overview"))
    settled(page)
    page.wait_for_function(
        "top => top > 50 && Math.abs(document.querySelector('[data-testid=stMain]').scrollTop - top) < 3", arg=scrolled
    )
    for before, marked in (("/claims.*period=last-month", "Last month"), ("/claims.*period=all", "All dates")):
        page.go_back(wait_until="commit")
        expect(page).to_have_url(re.compile(before))
        expect(claim_dates(page)).to_have_value(marked)
        settled(page)


@pytest.mark.long
def test_the_table_is_as_high_as_its_rows_and_its_pages_stand_below(page: Page, shop: Shop) -> None:
    open_all(page, shop, "manager")
    pages = page.get_by_role("navigation").filter(has_text=re.compile("1.*2.*3", re.DOTALL))
    expect(pages).to_be_visible()  # three pages, none left out
    page.get_by_label("Search these claims").fill("taken over")
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Claims 1 to 1 of 1")).to_be_attached()
    assert listed(page).evaluate("table => table.parentElement.clientHeight") < 80  # one row


def place_in(chart: Locator, part: str) -> FloatRect:
    return place(chart.locator(part).first)
