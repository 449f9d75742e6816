"""Chromium against the dashboard as people start it, with its embedded sandbox and a data folder of its own."""

import os
import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.browser_sale import fresh_order
from tests.browser.browser_shop import NOTE_WHAT_IS_SENT, OWN_PASSWORD, Shop, running_shop, violations
from tests.browser.claims_shop import claimed_order
from tests.builders import may_sign_in
from tests.conftest import WHAT_THE_PAGE_SHOWED
from tests.dashboard import ROOT, Dashboard, chromium
from tests.provider import Provider, running_provider
from warranty.access import Role

expect.set_options(timeout=30_000)  # whatever else these cores are at: what is meant comes, or it does not
TELL_WHAT_IS_REFUSED: Final = """
addEventListener("securitypolicyviolation", (event) =>
  wasRefused(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if chromium() is None and not os.environ.get("CI"):
                item.add_marker(pytest.mark.skip(reason="Debian's chromium is not installed"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep with each failure what then stood on the page: nobody can look at it later."""
    report = yield
    page = getattr(item, "funcargs", {}).get("page")
    if report.failed and isinstance(page, Page) and not page.is_closed():
        with suppress(PlaywrightError):
            main = page.get_by_test_id("stMain")  # without the menu, where there is one
            shown = (main if main.count() == 1 else page.locator("body")).inner_text(timeout=2_000)
            report.sections.append((WHAT_THE_PAGE_SHOWED, f"{page.url}\n{shown}"))
    return report


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    return {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def profile(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[BrowserContext]:
    """One browser for all tests, as on a counter: what it has fetched of a dashboard once, it has."""
    with browser.new_context(**browser_context_args) as kept:
        kept.add_init_script(NOTE_WHAT_IS_SENT)
        yield kept


@pytest.fixture(scope="session")
def forbidden(profile: BrowserContext) -> list[str]:
    """What a page tried that no screen may: what its policy refused, and whom it asked but its own server (L8)."""
    tried: list[str] = []
    profile.expose_binding("wasRefused", lambda _source, what: tried.append(what))
    profile.add_init_script(TELL_WHAT_IS_REFUSED)

    def note(asked: Request) -> None:
        of, to = urlsplit(asked.frame.url), urlsplit(asked.url)
        if of.path.startswith("/carts/"):  # the service's landing page shows the pictures of an order
            return
        if to.scheme not in {"data", "blob"} and to.netloc != of.netloc and not asked.is_navigation_request():
            tried.append(asked.url)

    profile.on("request", note)
    return tried


@pytest.fixture
def context(profile: BrowserContext, forbidden: list[str]) -> Iterator[BrowserContext]:
    """The browser with nobody signed in; afterwards without a tab, a cookie or a permission."""
    forbidden.clear()
    yield profile
    for page in profile.pages:
        page.close()
    profile.clear_cookies()
    profile.clear_permissions()


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The one desk of all tests that need none of their own, on a service that they hold in their hands.

    It has the demo's claims, and one more, of an order that a manager sent at this desk. After each test the service
    works again and no screen holds what the test began or finished there; nobody counts what others may have sent.
    """
    settings: dict[str, Any] = {
        "WARRANTY_CLAIMS_PACE": "fixed", "WARRANTY_CLAIMS_CALLS_PER_SECOND": "1000", "WARRANTY_SHOP_NAME": "Café Zoë",
        "WARRANTY_TILL_LOCK_SECONDS": "40",
    }  # fmt: skip
    with running_shop(tmp_path_factory.mktemp("shop"), seed="demo", **settings) as running:
        running.claimed = claimed_order(running)
        yield running


@pytest.fixture(autouse=True)
def _the_next_test_finds_an_empty_counter(request: pytest.FixtureRequest) -> Iterator[None]:
    names = {"shop", "production"} & set(request.fixturenames)
    shops: list[Shop] = [request.getfixturevalue(name) for name in sorted(names)]
    yield
    for shop in shops:
        shop.sandbox.clear_faults()
        shop.clear_counter()


@pytest.fixture(scope="session")
def dashboard(shop: Shop) -> Dashboard:
    return shop.dashboard


@pytest.fixture(scope="session")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with running_shop(tmp_path_factory.mktemp("production"), named="production") as running:
        yield running


@pytest.fixture
def at_desk(page: Page, shop: Shop) -> Page:
    fresh_order(page, shop)
    return page


@pytest.fixture
def look(request: pytest.FixtureRequest, page: Page) -> Iterator[Callable[[str], None]]:
    """Axe looks at each state that is named, in light and dark; in a test that is not long nobody does."""
    found: dict[str, list[str]] = {}

    def at(state: str) -> None:
        if request.node.get_closest_marker("long"):
            found[state] = violations(page)

    yield at
    assert {state: what for state, what in found.items() if what} == {}


@pytest.fixture(scope="session")
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


@pytest.fixture(scope="session")
def guarded(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """A desk whose people also sign in at a provider, and whose managers with a password give a code as well."""
    folder = tmp_path_factory.mktemp("guarded")
    provider.secrets_in(folder)
    may_sign_in(folder / "data", "maya", Role.MANAGER, name="Maya Office", password=OWN_PASSWORD)
    settings = {
        "WARRANTY_SSO_NAME": "Example ID", "WARRANTY_SSO_ROLES": "desk-managers=manager,desk-staff=staff",
        "WARRANTY_SSO_STORES": "shop-north=north", "WARRANTY_SECOND_FACTOR_ROLES": "manager",
        "WARRANTY_TRUSTED_PROXIES": "127.0.0.1", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    command = (sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"))
    with Dashboard(folder / "data", environment=settings, command=command, folder=folder) as running:
        yield running


@pytest.fixture(autouse=True)
def _as_a_screen_should(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test does, no screen ever shows a raw exception, breaks its policy, or asks another server."""
    page: Page | None = request.getfixturevalue("page") if "page" in request.fixturenames else None
    yield
    if page is None:
        return
    assert request.getfixturevalue("forbidden") == []
    if not page.is_closed():
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_text("BidiComponent Error")).to_have_count(0)
        expect(page.get_by_text(re.compile("Traceback"))).to_have_count(0)
