"""Signing in and out, in a real browser."""

from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from components.navigation import SCREENS
from tests.browser.conftest import SignIn
from tests.dashboard import Dashboard


def test_a_fresh_server_shows_no_screen_to_somebody_signed_out(page: Page, tmp_path: Path) -> None:
    """The trap: with pages/ beside the entry script the first visitor would get the screen itself."""
    with Dashboard(tmp_path) as fresh:
        for screen in SCREENS:
            page.goto(f"{fresh.url}/{screen.name}")
            expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
            expect(page.get_by_role("heading", name=screen.title, exact=True)).to_have_count(0)
            expect(page.get_by_role("link", name=screen.title)).to_have_count(0)


def test_a_deep_link_survives_the_sign_in(page: Page, dashboard: Dashboard) -> None:
    page.goto(f"{dashboard.url}/connection")
    page.get_by_label("Name", exact=True).fill("manager")
    page.get_by_label("Password", exact=True).fill("office-training")
    page.get_by_label("Password", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Connection")).to_be_visible(timeout=20_000)


def test_a_reload_keeps_the_person_and_a_sign_out_ends_it_in_every_tab(
    page: Page, context: BrowserContext, dashboard: Dashboard, sign_in: SignIn
) -> None:
    sign_in(page, dashboard, "staff")
    page.reload()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible(timeout=20_000)
    expect(page.locator("iframe")).to_have_count(0)  # the sign-in library's would cost the visit a run more
    second = context.new_page()
    second.goto(f"{dashboard.url}/connection")
    expect(second.get_by_role("heading", name="Connection")).to_be_visible(timeout=20_000)
    cookies = context.cookies()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
    next_click = second.get_by_role("button", name="Check again")
    form = second.get_by_label("Password", exact=True)
    expect(next_click.or_(form)).to_be_visible()
    if next_click.is_visible():
        with suppress(PlaywrightTimeoutError):  # a rerun of its own may have shown the form before the click
            next_click.dispatch_event("click", timeout=2_000)
    expect(form).to_be_visible(timeout=20_000)
    context.add_cookies(cast(Any, cookies))  # a copy of the cookie, as a thief would keep it
    page.reload()
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)


def test_a_wrong_password_is_told_beside_the_form_and_five_of_them_make_wait(
    page: Page, dashboard: Dashboard
) -> None:
    page.goto(dashboard.url)

    def try_with(name: str, answer: str) -> None:
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Password", exact=True).fill("wrong-password")
        page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
        expect(page.get_by_text(answer)).to_be_visible()

    for _ in range(5):
        try_with("nobody", "Name or password is not right")
        try_with("", "Enter your name and your password")  # another answer between, so that each is seen
    try_with("nobody", "Too many wrong tries")


@pytest.mark.parametrize("cookie", ["rubbish", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", ""])
def test_a_broken_cookie_is_a_sign_in_form(
    page: Page, context: BrowserContext, dashboard: Dashboard, cookie: str
) -> None:
    context.add_cookies([{"name": "warranty_desk_sandbox", "value": cookie, "url": dashboard.url}])
    page.goto(dashboard.url)
    expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=20_000)
