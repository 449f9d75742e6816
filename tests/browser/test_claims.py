"""Claims in a real browser: the table, the views, for every eye, by a link, and after a sign-out."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, expect

from tests.browser.browser_shop import PASSWORDS, settled, without_violation
from tests.browser.claims_shop import (
    EVERY,
    SLOW,
    ClaimsShop,
    all_claims,
    ask_for,
    chip,
    claim_dates,
    click_heading,
    drawn,
    open_first_row,
    read,
    sign_out,
)
from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard


def test_on_a_tablet_nothing_is_cut_off_and_a_link_opens_the_view_again(
    page: Page, dashboard: Dashboard, sign_in: SignIn
) -> None:
    page.set_viewport_size({"width": 820, "height": 1180})
    sign_in(page, dashboard, "staff")
    settled(page)
    page.get_by_role("link", name="Claims").click()
    ask_for(page, "All dates")
    expect(page.get_by_text("complete: 480 of 480").first).to_be_visible(timeout=SLOW)
    drawn(page)
    expect(page.get_by_role("button", name="Export")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 820
    ask_for(page, "30 days")
    expect(page).to_have_url(re.compile("period=30-days"), timeout=SLOW)
    ask_for(page, "Days of your own")
    first, last = (page.get_by_label(f"Claim date, {which} day") for which in ("first", "last"))
    expect(last).to_have_value(re.compile("^20"), timeout=SLOW)
    first.press_sequentially("12312099")  # typed in the browser's own order; the last day goes along
    expect(last).to_have_value("2099-12-31", timeout=SLOW)
    expect(page).to_have_url(re.compile("claimed-from=2099-12-31&claimed-to=2099-12-31"), timeout=SLOW)
    last.press_sequentially("01011800")
    expect(page.get_by_text("From 1 Jan 1900 to 31 Dec 2199.")).to_be_visible(timeout=SLOW)
    ask_for(page, "All dates")
    settled(page)
    search = page.get_by_label("Search these claims")
    search.fill("battery")
    search.press("Enter")
    expect(chip(page, "with “battery”")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first day")).to_be_visible(timeout=SLOW)
    without_violation(page)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("words=battery"))
    page.reload()
    expect(chip(page, "with “battery”")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("complete: 480 of 480").first).to_be_visible(timeout=SLOW)


def test_a_click_on_a_heading_sorts_all_claims_and_a_second_one_turns_them_round(
    page: Page, claims_shop: ClaimsShop
) -> None:
    claims_shop.open_all(page, "staff")
    for sorted_by in ("product", "product-desc"):
        click_heading(page)
        expect(page).to_have_url(re.compile(f"sort={sorted_by}$"), timeout=SLOW)
        settled(page)
    last = max((claim["product_name"] for claim in claims_shop.sandbox.claims()), key=str.casefold)
    expect(open_first_row(page).get_by_text(last, exact=True)).to_be_visible(timeout=SLOW)


def test_a_view_is_its_owners_by_its_name_and_anybodys_by_its_address(
    page: Page,
    claims_shop: ClaimsShop,
    sign_in: SignIn,
    browser: Browser,
    browser_context_args: dict[str, Any],
) -> None:
    view = "words=screen&sort=product&columns=product_name%2Cstatus"
    claims_shop.open(page, "manager", f"claims?period=all&{view}")
    read(page)
    shown = page.get_by_text(re.compile(rf"^\d+ of {EVERY} claims")).inner_text()
    page.get_by_role("button", name="Saved views").click()
    page.get_by_label("Save this view as").fill("Screens, by product")
    page.get_by_label("Save this view as").press("Enter")
    expect(page.get_by_label("Open a view")).to_be_visible(timeout=SLOW)
    settled(page)

    other = browser.new_context(**browser_context_args).new_page()
    other.goto(page.url)
    other.get_by_label("Name", exact=True).fill("staff")
    other.get_by_label("Password", exact=True).fill(PASSWORDS["staff"])
    other.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    read(other)
    expect(other.get_by_text(shown)).to_be_visible(timeout=SLOW)
    settled(other)
    other.get_by_role("button", name="Columns", exact=True).click()
    expect(other).to_have_url(re.compile("sort=product"))
    expect(other.get_by_test_id("stMultiSelect").get_by_text("Status")).to_be_visible(timeout=SLOW)
    expect(other.get_by_test_id("stMultiSelect").get_by_text("Description")).to_have_count(0)
    other.keyboard.press("Escape")
    settled(other)
    other.get_by_role("button", name="Saved views").click()
    expect(other.get_by_text("Save the filters, the order and the columns")).to_be_visible(timeout=SLOW)
    expect(other.get_by_label("Open a view")).to_have_count(0)
    other.context.close()

    sign_in(page, claims_shop.dashboard, "manager")
    all_claims(page)
    page.get_by_role("button", name="Saved views").click()
    page.get_by_label("Open a view").click()
    page.get_by_role("option", name="Screens, by product").click()
    expect(page.get_by_text(shown)).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("sort=product"))


@pytest.mark.soak
def test_after_a_sign_out_elsewhere_neither_the_table_nor_a_file_is_given_out(
    page: Page,
    claims_shop: ClaimsShop,
    sign_in: SignIn,
    browser: Browser,
    browser_context_args: dict[str, Any],
) -> None:
    claims_shop.open_all(page, "manager")
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("button", name="Download CSV", exact=True)).to_be_visible(timeout=SLOW)
    settled(page)
    downloads: list[Download] = []

    def note(download: Download) -> None:
        downloads.append(download)

    page.on("download", note)
    elsewhere = browser.new_context(**browser_context_args).new_page()
    sign_in(elsewhere, claims_shop.dashboard, "manager")
    sign_out(elsewhere)
    elsewhere.context.close()
    page.get_by_role("button", name="Download CSV", exact=True).click()
    expect(page.get_by_text("Failed to generate file")).to_be_visible(timeout=SLOW)
    assert not downloads
    page.get_by_label("Next page").dispatch_event("click")  # a fragment; closing Export would run the shell
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)


@pytest.mark.soak
def test_claims_are_for_every_eye_also_with_a_claim_and_the_filters_open(
    page: Page, claims_shop: ClaimsShop
) -> None:
    claims_shop.open_all(page, "manager")
    drawn(page)
    without_violation(page)
    open_first_row(page)
    settled(page)
    without_violation(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=SLOW)
    settled(page)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_label("Warranty start, first day")).to_be_visible(timeout=SLOW)
    settled(page)
    without_violation(page)


@pytest.mark.soak
def test_the_bars_of_a_stacked_chart_have_its_width_and_the_statuses_stand_below_on_every_screen(
    page: Page, claims_shop: ClaimsShop, sign_in: SignIn
) -> None:
    sign_in(page, claims_shop.dashboard, "manager")
    for screen in ("Claims", "Trends"):
        page.set_viewport_size({"width": 1280, "height": 900})
        all_claims(page, screen)
        for width in (1280, 820, 390):
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_function(
                "() => document.querySelector('.js-plotly-plot .main-svg')?.clientWidth < innerWidth",
                timeout=SLOW,
            )
            drawn(page)
            settled(page)
            chart = page.locator(".js-plotly-plot").first
            chart.scroll_into_view_if_needed()
            whole, bars = _box(chart, ".main-svg"), _box(chart, ".nsewdrag")
            last_date = _box(chart, ".xtick >> nth=-1")
            names = [_box(chart, f".legend .traces >> nth={place}") for place in range(8)]
            assert bars["width"] > 0.8 * whole["width"]
            assert last_date["x"] + last_date["width"] <= whole["x"] + whole["width"]
            assert min(name["y"] for name in names) > last_date["y"] + last_date["height"]
            assert max(name["y"] + name["height"] for name in names) <= whole["y"] + whole["height"]
            assert len({round(name["x"]) for name in names}) == 2


def test_each_step_is_one_for_back_and_each_back_shows_what_stood_before_where_it_stood(
    page: Page, claims_shop: ClaimsShop, sign_in: SignIn
) -> None:
    sign_in(page, claims_shop.dashboard, "manager")
    all_claims(page)
    length = page.evaluate("history.length")
    ask_for(page, "Last month")
    expect(page).to_have_url(re.compile("/claims.*period=last-month"), timeout=SLOW)
    settled(page)
    page.get_by_role("link", name="Trends").click()
    expect(page).to_have_url(re.compile("/claim_trends.*period=last-month"), timeout=SLOW)
    settled(page)
    ask_for(page, "All dates")
    expect(page).to_have_url(re.compile("/claim_trends.*period=all"), timeout=SLOW)
    drawn(page, 9)
    settled(page)
    bar = page.locator(".js-plotly-plot .bars path").nth(1)
    bar.scroll_into_view_if_needed()
    scrolled = page.get_by_test_id("stMain").evaluate("main => (main.scrollTop += 60)")
    bar.click(force=True)
    expect(page).to_have_url(re.compile("/claims.*pick="), timeout=SLOW)
    settled(page)
    assert page.evaluate("history.length") == length + 4
    for before, marked in (
        ("/claim_trends.*period=all", "All dates"),
        ("/claim_trends.*period=last-month", "Last month"),
        ("/claims.*period=last-month", "Last month"),
        ("/claims.*period=all", "All dates"),
    ):
        page.go_back(wait_until="commit")
        expect(page).to_have_url(re.compile(before), timeout=SLOW)
        expect(claim_dates(page)).to_have_value(marked, timeout=SLOW)
        settled(page)
        if "period=all" in before and "trends" in before:
            page.wait_for_function(
                "top => top > 50 && Math.abs(document.querySelector('[data-testid=stMain]').scrollTop - top) < 3",
                arg=scrolled,
            )


def test_a_table_leaves_search_to_the_browser_and_columns_to_its_menu(
    page: Page, claims_shop: ClaimsShop
) -> None:
    claims_shop.open_all(page, "manager")
    table = page.get_by_test_id("stDataFrame").first
    box = table.bounding_box()
    assert box
    page.evaluate(
        "addEventListener('keydown', (event) => setTimeout(() => { window.kept = event.defaultPrevented }), true)"
    )
    page.mouse.click(box["x"] + 300, box["y"] + 100)
    page.keyboard.press("Control+f")
    page.wait_for_function("() => window.kept !== undefined")
    assert page.evaluate("window.kept") is False
    expect(page.locator(".gdg-search-bar")).not_to_be_visible()
    expect(page.get_by_role("dialog")).to_be_visible(timeout=SLOW)  # the click opened the claim, too
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    table.hover()
    # Its search would count one page of many beside a seal that says all; its columns are a second list of the same.
    expect(table.get_by_role("button", name=re.compile("^Fullscreen"))).to_be_visible(timeout=SLOW)
    for tool in ("Search", "Show"):
        expect(table.get_by_role("button", name=re.compile(f"^{tool}"))).to_have_count(0)
    pages = page.get_by_role("navigation").filter(has_text=re.compile("1.*2.*3", re.DOTALL))
    expect(pages).to_be_visible()  # three pages, none left out


def _box(chart: Locator, part: str) -> Any:
    found = chart.locator(part).first.bounding_box()
    assert found
    return found
