"""Long readings of claims in a real browser: how far they are, what is stopped, and what is lost on the way."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from sandbox import SandboxServer
from tests.browser.browser_shop import Shop, come, settled

NOT_READ_YET = "started-from=1991-01-01&started-to=2091-12-31"
"""All claims, but not among days that another test has read: then nothing would be asked for."""


@pytest.mark.long
def test_a_screen_whose_timer_was_lost_on_the_way_does_not_say_for_ever_that_it_reads(
    page: Page, shop: Shop, slow_claims: SandboxServer
) -> None:
    lost: list[str] = []

    def relay(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            told = ForwardMsg.FromString(message) if isinstance(message, bytes) else ForwardMsg()
            if told.WhichOneof("type") == "auto_rerun":
                lost.append(told.auto_rerun.fragment_id)
            else:
                browser.send(message)

        server.on_message(pass_on)
        browser.on_message(server.send)

    page.route_web_socket(re.compile("_stcore/stream"), relay)
    come(page, shop.dashboard, "manager", "activity")
    settled(page)
    page.goto(f"{shop.dashboard.url}/claims?period=all&{NOT_READ_YET.replace('1991', '1992')}")
    expect(page.get_by_text("Reading claims")).to_be_visible()
    slow_claims.clear_faults()
    expect(page.get_by_text(re.compile(r"\bcomplete: \d")).first).to_be_visible()
    expect(page.get_by_text("Reading claims")).to_have_count(0)
    assert lost
