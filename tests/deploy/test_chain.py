"""A chain as `make up` starts it, before Chromium: two replicas on one PostgreSQL, behind both samples of a proxy."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from deploy.up.chain import Chain
from deploy.up.proxy import Proxy
from deploy.up.replica import Replica
from tests.dashboard import person
from tests.deploy.caddy import Caddy
from tests.deploy.conftest import sign_in_at
from tests.machine import program
from tests.waiting import until

pytestmark = [pytest.mark.long, pytest.mark.browser]


@pytest.fixture(scope="module")
def chain() -> Iterator[Chain]:
    for name, package in (("nginx", "nginx-light"), ("initdb", "postgresql"), ("caddy", "caddy")):
        program(name, package=package)
    with Chain(environment={"WARRANTY_DRAIN_SECONDS": "4"}) as running:
        yield running


@pytest.fixture(params=[pytest.param(Proxy, id="nginx"), pytest.param(Caddy, id="caddy")])
def proxy(request: pytest.FixtureRequest, chain: Chain) -> Iterator[Proxy]:
    if request.param is Proxy:
        yield chain.proxy
        return
    caddy = Caddy([replica.port for replica in chain.replicas])
    try:
        caddy.start()
        yield caddy
    finally:
        caddy.close()


def holder(context: BrowserContext, chain: Chain) -> Replica:
    """The replica that this browser's page is with: who has a connection of the proxy's that stays."""
    (cookie,) = {one["value"] for one in context.cookies() if one["name"] == "warranty_desk_replica"}
    return chain.replicas[int(cookie) - 1]


def test_a_person_signs_in_and_puts_a_file_in(chain: Chain, proxy: Proxy, page: Page, tmp_path: Path) -> None:
    orders = tmp_path / "orders.csv"
    orders.write_text("order_id,sku\nA-1,LAMP-ARC\n")
    sign_in_at(page, proxy.url, "manager")
    cookies = page.context.cookies()
    assert all(one["secure"] for one in cookies), cookies
    page.goto(f"{proxy.url}/import_orders")
    page.locator("input[type=file]").first.set_input_files(orders)
    expect(page.get_by_text("orders.csv").first).to_be_visible(timeout=20_000)


def test_who_types_when_their_replica_dies_goes_on_within_ten_seconds(chain: Chain, browser: Browser) -> None:
    """The proxy has the page at the other before there is anything to say; where it takes longer, our words stand there
    (tests/browser/test_connection.py).
    """
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    sign_in_at(page, chain.proxy.url, "staff")
    email = page.get_by_label("E-mail")
    email.click()
    page.keyboard.type("ada@gm")
    left = holder(context, chain)
    try:
        left.kill()
        lost = monotonic()
        until(lambda: holder(context, chain) is not left, seconds=10)
        expect(email).to_have_value("ada@gm", timeout=10_000)
        expect(email).to_be_focused(timeout=10_000)
        expect(page.locator("#desk-connection")).to_be_empty()
        assert monotonic() - lost <= 10
        page.keyboard.type("ial.com", delay=120)  # as a person does
        page.keyboard.press("Tab")
        says_the_server = page.get_by_role("button", name="Did you mean ada@gmail.com?")
        expect(says_the_server).to_be_visible(timeout=10_000)
        expect(person(page)).to_be_visible()
    finally:
        left.start()
        context.close()
