"""A claim in its drawer in a real browser: what it shows, and the click that follows its closing."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.browser_shop import Shop, settled
from tests.browser.claims_shop import (
    CUSTOMERS_WORDS,
    EVERY,
    click_claim,
    click_heading,
    listed,
    open_all,
    open_first_row,
)


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
