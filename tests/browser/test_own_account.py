"""One's own account: the first sign-in with a one-time password, another password, a second factor and the way back."""

import re

import pyotp
import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import OWN_PASSWORD, Look, Shop, a_new_cookie, is_in, settled
from tests.dashboard import Dashboard, leave, person, sign_in


def chooses(page: Page, password: str) -> None:
    page.get_by_label("New password", exact=True).fill(password)
    page.get_by_label("Repeat new password").fill(password)
    page.get_by_role("button", name="Change password").click()


@pytest.mark.long
def test_who_is_invited_chooses_a_password_first_and_a_change_ends_all_but_that_tab(page: Page, shop: Shop) -> None:
    shop.open(page, "people", by="administrator")
    page.get_by_text("Invite a person").click()
    settled(page)
    page.get_by_label("Login name", exact=True).fill("rio")
    page.get_by_role("button", name="Invite", exact=True).click()
    one_time = page.get_by_test_id("stCode").inner_text().strip()
    page.context.clear_cookies()
    page.goto(f"{shop.dashboard.url}/record_sale")
    settled(page)
    sign_in(page, "rio", one_time)
    expect(page.get_by_role("heading", name="Choose your password")).to_be_visible()
    expect(page.get_by_role("heading", name="Record sale")).to_have_count(0)
    expect(person(page)).to_have_count(0)
    chooses(page, "1234567890")
    expect(page.get_by_text("too easy to guess")).to_be_visible()
    with a_new_cookie(page):
        chooses(page, "purple kayak sunrise")
    expect(page.get_by_role("heading", name="Record sale")).to_be_visible()
    settled(page)
    shop.dashboard.cookies["rio"] = page.context.cookies()  # those of another tab, say
    assert is_in(shop.dashboard, "rio")
    person(page).click()
    page.get_by_role("button", name="Change my password").click()
    page.get_by_label("Current password").fill("purple kayak sunrise")
    chooses(page, "orange tractor moon")
    # The question goes with the answer; that the password is changed may still be said of the first time.
    expect(page.get_by_label("Current password")).to_have_count(0)
    expect(page.get_by_text("Your password is changed")).to_be_visible()
    assert not is_in(shop.dashboard, "rio")
    settled(page)
    page.reload()
    expect(person(page)).to_be_visible()


def types(page: Page, code: str) -> None:
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name="Continue").click()


def key_of_the_app(page: Page) -> str:
    expect(page.get_by_role("heading", name="Set up your app")).to_be_visible()
    return page.get_by_test_id("stCode").inner_text().replace(" ", "").strip()


def recovery_codes(page: Page) -> list[str]:
    """Once they stand there: the key of before may be seen below their heading for a moment."""
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    shown = page.get_by_test_id("stCode").last
    expect(shown).to_have_text(re.compile(r"^(\S+\s+){9}\S+$"))
    return shown.inner_text().split()


@pytest.mark.long
def test_a_manager_sets_up_an_app_once_and_gives_a_code_each_time(page: Page, guarded: Dashboard, look: Look) -> None:
    page.goto(f"{guarded.url}/activity")
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    look("the sign-in")
    sign_in(page, "maya", OWN_PASSWORD)
    key = key_of_the_app(page)
    look("an app for the second factor")
    expect(page.get_by_role("img", name="The key for your app")).to_be_visible()
    types(page, "000000")
    expect(page.get_by_text("This code is not right")).to_be_visible()
    expect(person(page)).to_have_count(0)
    types(page, pyotp.TOTP(key).now())
    codes = recovery_codes(page)
    look("recovery codes")
    page.get_by_role("button", name="I have kept them").click()
    expect(page.get_by_role("heading", name="Activity")).to_be_visible()
    page.reload()
    expect(person(page)).to_be_visible()
    assert key not in page.content()
    leave(page)
    sign_in(page, "maya", OWN_PASSWORD)
    expect(page.get_by_role("heading", name="Code of your app")).to_be_visible()
    look("a code of the app")
    page.reload()  # the password alone is no sign-in
    types(page, codes[0])
    expect(person(page)).to_be_visible()
    assert not any(said in guarded.log for said in (key, *codes))
