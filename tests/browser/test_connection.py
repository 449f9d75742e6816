"""The live connection of browser and desk is blocked, lost or updated: what is said, and what was typed is there."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.browser_sale import choose_state, fill_customer, new_order, scan
from tests.browser.browser_shop import Shop, come, place, running_shop, settled
from tests.journals import journal_in
from tests.line import Line
from warranty.desk.journal import AttemptFilter, AttemptState, Drafts

TOLD_WITHIN = 10_000
BLOCKED = "This page can't connect. Ask IT to allow WebSocket to "
AWAY = "No connection to the desk: check this device's Wi-Fi. What you typed is saved"
UPDATED = "Warranty Desk is being updated. What you typed is saved"


@pytest.fixture(scope="module")
def one_line(shop: Shop) -> Iterator[Line]:
    """At one port: what the browser has fetched of the platform there once, it has."""
    with Line(shop.dashboard.port) as between:
        yield between


@pytest.fixture
def line(one_line: Line) -> Iterator[Line]:
    yield one_line
    one_line.round_trip = 0.0
    one_line.mend()


@pytest.fixture
def at_line(page: Page, line: Line, shop: Shop) -> Page:
    shop.let_in("staff", page)
    ports = (str(shop.dashboard.port), str(line.port))  # a cookie is that of a port
    context = page.context
    context.add_cookies([{**each, "name": each["name"].replace(*ports)} for each in context.cookies()])  # type: ignore[typeddict-item]
    page.goto(line.url)
    new_order(page)
    return page


def words(page: Page) -> Locator:
    return page.locator("#desk-connection")


def type_half(page: Page, text: str = "ada@exam") -> None:
    page.get_by_label("E-mail").click()
    page.keyboard.type(text)


def expect_back(page: Page, text: str) -> None:
    expect(words(page)).to_be_empty(timeout=TOLD_WITHIN)
    email = page.get_by_label("E-mail")
    expect(email).to_have_value(text, timeout=TOLD_WITHIN)
    expect(email).to_be_focused()


@pytest.mark.long
def test_a_blocked_connection_is_told_with_what_to_allow_also_by_a_page_loaded_anew(at_line: Page, line: Line) -> None:
    page = at_line
    type_half(page)
    line.block()
    expect(words(page)).to_contain_text(BLOCKED + f"ws://127.0.0.1:{line.port}/_stcore/stream", timeout=TOLD_WITHIN)
    platforms_faint = {"rules": {"color-contrast": {"enabled": False}}}  # all that it locks, as it may be
    assert Axe().run(page, options=platforms_faint).response["violations"] == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert Axe().run(page, context="#desk-connection").response["violations"] == []
    page.route("**/readyz", lambda route: route.fulfill(status=503, json={"status": "draining"}))
    expect(words(page)).to_contain_text(UPDATED, timeout=TOLD_WITHIN)
    page.unroute("**/readyz")
    line.mend()
    expect_back(page, "ada@exam")
    line.block()
    expect(words(page)).to_contain_text(BLOCKED, timeout=TOLD_WITHIN)
    page.reload()
    expect(words(page)).to_contain_text(BLOCKED, timeout=TOLD_WITHIN)
    assert words(page).get_attribute("role") == "status"
    with page.context.new_page() as never_loaded:
        never_loaded.goto(line.url)
        expect(words(never_loaded)).to_contain_text(BLOCKED, timeout=TOLD_WITHIN)
        expect(words(never_loaded)).to_contain_text("This page continues automatically.")
        expect(words(never_loaded)).not_to_contain_text("saved")
    line.mend()
    expect(page.get_by_label("E-mail")).to_have_value("ada@exam")


def test_while_the_wifi_is_gone_without_a_word_typing_goes_on_and_scans_are_kept(at_line: Page, line: Line) -> None:
    page = at_line
    line.fall_silent()
    type_half(page)
    expect(words(page)).to_contain_text(AWAY, timeout=TOLD_WITHIN)
    banner, bar = place(words(page)), place(page.get_by_test_id("stHeader"))
    assert bar["y"] >= banner["y"] + banner["height"] > 30
    page.keyboard.type("ple.com")
    page.get_by_label("Scan or type a SKU").focus()
    scan(page, "TV-55-OLED", "TV-55-OLED")
    expect(page.get_by_text("Adding TV-55-OLED, TV-55-OLED", exact=True)).to_be_visible()
    page.get_by_label("E-mail").focus()
    line.mend()
    expect_back(page, "ada@example.com")
    expect(page.get_by_text("2 items, 1,799.98 USD")).to_be_visible()
    expect(page.get_by_text("Link goes to ada@example.com")).to_be_visible()  # so says the server


@pytest.mark.long
def test_what_a_lost_line_cut_off_of_the_platform_is_fetched_again(at_line: Page) -> None:
    page, cut = at_line, set[str]()

    def once(route: Route) -> None:
        known = route.request.url in cut
        cut.add(route.request.url)
        route.continue_() if known else route.abort()

    page.wait_for_load_state("networkidle")
    page.route("**/static/js/*", once)
    scan(page, "TV-55-OLED")
    fill_customer(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    expect(page.get_by_text("TypeError")).to_have_count(0)
    assert cut


def an_order(page: Page, pace: int) -> Iterator[None]:
    """As a clerk enters it, after a state was chosen: scans, and keys of so many milliseconds each."""
    scan(page, "TV-55-OLED")
    yield
    page.keyboard.press("Enter")  # on to the first name
    for text, on in (("Kim", "Enter"), ("kim.of.the.12@example.com", "Tab")):
        for letter in text:
            page.keyboard.type(letter, delay=pace)
            yield
        page.keyboard.press(on)
    page.evaluate("document.activeElement.blur()")
    scan(page, "LAMP-ARC")
    yield
    page.get_by_label("Scan or type a SKU").focus()
    scan(page, "HEAD-NC", "TV-55-OLED")
    yield


MOMENTS = [pytest.param(moment, marks=() if moment == 6 else pytest.mark.long) for moment in range(20)]


@pytest.mark.parametrize("moment", MOMENTS)
def test_whenever_the_line_goes_an_order_is_sent_as_typed(at_line: Page, line: Line, shop: Shop, moment: int) -> None:
    page, dashboard = at_line, shop.dashboard

    def begin_anew() -> None:
        dashboard.kill()
        dashboard.start(wait=False)

    cut = (line.block, begin_anew, line.fall_silent)[moment % 3]
    choose_state(page)
    page.get_by_label("Scan or type a SKU").focus()
    for number, _step in enumerate(an_order(page, pace=(60, 150)[moment % 2])):
        if number == round(moment * 30 / 19):
            cut()
    dashboard.wait_until_ready()
    line.mend()
    expect(page.get_by_text("4 items, 2,218.48 USD")).to_be_visible()
    order_id = page.get_by_label("Order number", exact=True).input_value()
    expect(page.get_by_label("E-mail or phone")).to_have_value("kim.of.the.12@example.com")
    expect(words(page)).not_to_contain_text(AWAY)  # what is sent before the line is back is told, and pressed again
    settled(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("For Kim, kim.of.the.12@example.com")).to_be_visible()
    held = shop.client.purchase_warranties(order_id).line_items
    assert {(item.product_id, item.quantity) for item in held} == {("TV-55-OLED", 2), ("LAMP-ARC", 1), ("HEAD-NC", 1)}
    assert shop.sandbox.outbox()[-1]["recipient"] == "kim.of.the.12@example.com"


def test_over_a_slow_line_a_scan_is_told_at_once_and_a_press_that_sends_waits_for_it(at_line: Page, line: Line) -> None:
    page = at_line
    scan(page, "TV-55-OLED")
    fill_customer(page)
    page.get_by_label("Scan or type a SKU").focus()
    line.round_trip = 1.0
    scan(page, "LAMP-ARC", "OWN-NUMBER-OF-24-LETTERS")  # which may be an order's
    assert page.get_by_text("Adding LAMP-ARC").is_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("OWN-NUMBER-OF-24-LETTERS: Enter the product's title").first).to_be_visible()
    expect(page.get_by_text("3 items, no total yet")).to_be_visible()


def test_a_press_that_waited_for_a_scan_sends_also_where_its_button_was_drawn_anew_meanwhile(at_line: Page) -> None:
    page = at_line
    scan(page, "TV-55-OLED")
    fill_customer(page)
    settled(page)
    page.evaluate("deskKeys.held = document.createElement('button'); deskKeys.added()")
    expect(page.get_by_text("The order is stored.")).to_be_visible()


def filled_in(page: Page, email: str) -> None:
    new_order(page)
    scan(page, "LAMP-ARC")
    expect(page.get_by_text("1 item, ")).to_be_visible()
    settled(page)
    fill_customer(page, email=email)


@pytest.mark.long
def test_a_sending_under_way_ends_as_done_and_a_later_press_waits(page: Page, browser: Browser, tmp_path: Path) -> None:
    with running_shop(tmp_path, WARRANTY_READ_TIMEOUT="30", WARRANTY_DRAIN_SECONDS="1") as desk:
        dashboard, later = desk.dashboard, browser.new_page()
        come(page, dashboard, "staff")
        come(later, dashboard, "manager")
        later.get_by_role("link", name="New order").click()
        filled_in(later, "bob@example.com")
        filled_in(page, "ada@example.com")
        desk.sandbox.add_fault(operation="submit_order", kind="delay", seconds=15)
        page.get_by_role("button", name="Send order").click()
        expect(page.get_by_text("You can leave this screen")).to_be_visible()
        os.kill(dashboard.pid, signal.SIGTERM)
        said = httpx.get(f"{dashboard.url}/readyz", timeout=10)
        assert (said.status_code, said.json()) == (503, {"status": "draining"})
        later.get_by_role("button", name="Send order").click()
        expect(later.get_by_text("The desk is being updated. Your work is kept.")).to_be_visible()
        expect(later.get_by_label("E-mail")).to_have_value("bob@example.com")
        assert httpx.get(f"{dashboard.url}/livez").status_code == 200
        dashboard.ended()
        later.close()
        calls = [call for call in desk.sandbox.calls() if call["operation"] == "submit_order"]
    with journal_in(tmp_path) as journal:
        attempts = journal.attempts("sandbox", AttemptFilter())
        kept = [draft.content for draft in Drafts(journal.database, "sandbox", "manager", "submit_order").all()]
    assert [(one.username, one.state) for one in attempts] == [("staff", AttemptState.DONE)]
    assert len(calls) == 1
    assert "bob@example.com" in str(kept)
