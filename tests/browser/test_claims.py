"""Claims in a real browser: its charts, Back, its drawer, its filters, and what the table leaves to the browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Locator, Page, Route, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.browser_shop import PC, Shop, come, place, resize, settled
from tests.browser.claims_shop import (
    CUSTOMERS_WORDS,
    EVERY,
    ask_for,
    chip,
    claim_dates,
    click_claim,
    click_first_bar,
    click_heading,
    drawn,
    listed,
    open_all,
    open_first_row,
    read,
    unfold_chart,
)
from tests.waiting import until

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


def test_a_row_opens_the_claim_as_plain_text_with_what_this_desk_did_for_its_order(page: Page, shop: Shop) -> None:
    open_all(page, shop, "manager")
    drawer = open_first_row(page)
    expect(drawer.get_by_text(shop.claimed)).to_be_visible()
    expect(drawer.get_by_text("New order: Done")).to_be_visible()
    expect(drawer.get_by_text("Maya Office")).to_be_visible()
    assert CUSTOMERS_WORDS in drawer.inner_text()
    assert drawer.locator("h1, b, script, strong, .katex, img[src*='example.com']").count() == 0
    assert page.title() == "Sandbox · Warranty Desk"
    drawer.get_by_role("button", name="Next").click()
    expect(drawer.get_by_text(f"2 of {EVERY}")).to_be_visible()
    with_escape(page)
    expect(drawer).to_have_count(0)
    settled(page)
    listed(page).hover()
    page.mouse.wheel(0, 1400)
    expect(listed(page)).to_have_js_property("parentElement.scrollTop", 1400)
    for _ in range(2):  # the same row twice, and the table stays where it was
        click_claim(page, 43)
        expect(drawer.get_by_text(f"44 of {EVERY}")).to_be_visible()
        settled(page)
        with_escape(page)
        expect(drawer).to_have_count(0)
        settled(page)
        expect(listed(page)).to_have_js_property("parentElement.scrollTop", 1400)
    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_role("table", name=f"Claims 201 to 400 of {EVERY}")).to_be_attached()
    expect(listed(page)).to_have_js_property("parentElement.scrollTop", 0)


def with_escape(page: Page) -> None:
    page.keyboard.press("Escape")


def with_its_cross(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Close").click()


@pytest.mark.long
@pytest.mark.parametrize("close", [with_escape, with_its_cross])
def test_a_click_right_after_closing_a_claim_is_taken(page: Page, shop: Shop, close: Callable[[Page], None]) -> None:
    open_all(page, shop, "manager")
    drawer = page.get_by_role("dialog")
    for row in (0, 3, 3, 1):  # another one, the same one again
        click_claim(page, row)
        expect(drawer.get_by_text(f"{row + 1} of {EVERY}")).to_be_visible()
        close(page)  # at once, while the answer may still be under way
    for sorted_by in ("product", "product-desc"):
        click_heading(page)
        expect(page).to_have_url(re.compile(f"sort={sorted_by}$"))
        settled(page)
    last = max((claim["product_name"] for claim in shop.sandbox.claims()), key=str.casefold)
    click_claim(page, 0)
    expect(drawer.get_by_text(last, exact=True)).to_be_visible()
    settled(page)
    close(page)
    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_role("table", name=f"Claims 201 to 400 of {EVERY}")).to_be_attached()
    expect(drawer).to_have_count(0)


@pytest.mark.long
def test_a_row_ticked_while_the_server_still_closes_the_one_before_opens_its_claim(page: Page, shop: Shop) -> None:
    held: list[bytes] = []
    holding: list[bool] = []

    def relay(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if not holding or not isinstance(message, bytes):
                server.send(message)
                return
            held.append(message)
            if any("claims-table" in said and '"4"' in said for said in _said(message)):
                holding.clear()
                # The first one twice: while the server answers it, the others come, and are answered as one.
                for one in (_without_triggers(held[0]), *held):
                    server.send(one)

        server.on_message(browser.send)
        browser.on_message(pass_on)

    page.route_web_socket(re.compile("_stcore/stream"), relay)
    open_all(page, shop, "manager")
    open_first_row(page)
    settled(page)
    holding.append(True)
    with_escape(page)
    click_claim(page, 4)
    expect(page.get_by_role("dialog").get_by_text(f"5 of {EVERY}")).to_be_visible()
    assert len(held) >= 2  # the closing and the tick; a slow page may say more in between


def _said(message: bytes) -> list[str]:
    states = BackMsg.FromString(message).rerun_script.widget_states.widgets
    return [f"{state.id} {state.json_trigger_value}" for state in states]


def _without_triggers(message: bytes) -> bytes:
    asked = BackMsg.FromString(message)
    widgets = asked.rerun_script.widget_states.widgets
    kept = [state for state in widgets if state.WhichOneof("value") != "trigger_value"]
    del widgets[:]
    widgets.extend(kept)
    asked.rerun_script.fragment_id = ""
    return bytes(asked.SerializeToString())


def an_email_that_is_none_moves_no_field_of_the_bar(page: Page) -> None:
    mail = page.get_by_label("Customer's e-mail")
    bar = [claim_dates(page), mail, page.get_by_role("button", name="More filters")]
    bar.append(page.get_by_label("Search these claims"))
    before = [field.bounding_box() for field in bar]
    mail.fill("not-an-email")
    mail.press("Enter")
    told = page.get_by_role("link", name="This e-mail address is not complete")
    expect(told).to_be_visible()
    settled(page)
    assert [field.bounding_box() for field in bar] == before
    expect(mail).to_have_attribute("aria-invalid", "true")
    told.click()
    expect(mail).to_be_focused()
    mail.fill("")
    mail.press("Enter")
    expect(told).to_have_count(0)
    settled(page)


@pytest.mark.long
def test_a_second_and_a_third_status_are_kept_and_more_filters_stays_open(page: Page, shop: Shop) -> None:
    open_all(page, shop, "staff")
    an_email_that_is_none_moves_no_field_of_the_bar(page)
    page.get_by_role("button", name="More filters").click()
    page.get_by_role("spinbutton", name="day, Warranty start").first.click()
    for typed in ("01022025", "Tab", "30062025"):
        page.keyboard.press(typed) if typed == "Tab" else page.keyboard.type(typed, delay=150)
    page.get_by_role("heading", level=1).click()  # folds it away, with what was typed
    chip(page, "warranties from 1 Feb 2025 to 30 Jun 2025").click()
    settled(page)
    page.get_by_role("button", name="More filters").click()
    for kind, choices in (("Status", 3), ("Product", 3)):
        field = page.get_by_label(kind, exact=True)
        for _ in range(choices):
            field.click()
            option = page.get_by_role("option", name=re.compile(r"\(\d+\)$")).first
            name = re.sub(r" \([\d,]+\)$", "", option.inner_text())
            option.click()
            settled(page)
            expect(chip(page, f"{kind.lower()} {name}")).to_be_visible()
            expect(field).to_be_visible()
            field.press("Tab")  # the list of choices closes
    expect(chip(page, re.compile(" "))).to_have_count(6)


@pytest.mark.long
@pytest.mark.parametrize("field", ["Selectbox", "TextInput"])
def test_a_view_of_a_link_stays_whole_where_a_fields_script_comes_late(page: Page, shop: Shop, field: str) -> None:
    """The screen is drawn more than once before the field is: only the first of these runs fills it."""
    come(page, shop.dashboard, "manager")
    fresh = page.context.browser
    assert fresh is not None
    context = fresh.new_context(storage_state=page.context.storage_state())
    try:
        late = context.new_page()
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        late.route(re.compile(rf"/static/js/{field}\."), hold)
        late.goto(f"{shop.dashboard.url}/claims?period=30-days&words=a")
        expect(late.get_by_text("complete:").first).to_be_visible()
        late.locator(".st-key-claims-chart summary").click()
        drawn(late)
        assert held
        for route in held:
            route.continue_()
        expect(late.get_by_label("Search these claims")).to_have_value("a")
        click_heading(late)
        expect(late).to_have_url(re.compile("sort=product"))
        settled(late)
        late.get_by_role("button", name="More filters").click()
        expect(late.get_by_label("Status", exact=True)).to_be_visible()
        settled(late)
        expect(late).to_have_url(re.compile(r"period=30-days.*words=a"))
        expect(claim_dates(late)).to_have_value("30 days")
    finally:
        context.close()


@pytest.mark.long
def test_a_bar_opens_claims_at_its_top_and_one_of_claims_narrows_in_sight(page: Page, shop: Shop) -> None:
    open_all(page, shop, "manager", "overview")
    click_first_bar(page.get_by_role("figure", name=re.compile("^Products with the most claims")))
    picked = chip(page, re.compile("product "))
    expect(picked).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Claims", exact=True)).to_be_in_viewport()
    page.get_by_role("button", name=re.compile("^Show all")).click()
    expect(picked).to_have_count(0)
    settled(page)
    unfold_chart(page)
    chart = page.get_by_role("figure", name=re.compile("^Claims by status"))
    click_first_bar(chart)
    expect(chip(page, re.compile("dated "))).to_be_in_viewport()
    settled(page)
    are_faint = "bars => bars.filter(bar => getComputedStyle(bar).opacity < 1).length === bars.length - 1"
    until(lambda: bool(chart.locator(".bars .point path").evaluate_all(are_faint)))


@pytest.mark.long
def test_words_at_the_axes_can_be_read_in_light_and_dark(page: Page, shop: Shop) -> None:
    open_all(page, shop, "staff")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.reload()
        read(page)
        unfold_chart(page)
        colours = page.evaluate(
            """() => [
                getComputedStyle(document.querySelector('.js-plotly-plot .xtick text')).fill,
                getComputedStyle(document.querySelector('.js-plotly-plot .ytick text')).fill,
                getComputedStyle(document.querySelector('.stApp')).color,
            ]"""
        )
        assert len(set(colours)) == 1, scheme  # those of all text, which axe measures
