"""The first sign-in with a one-time password, one's own password, and what a change of it ends."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import Shop, a_new_cookie, is_in, settled
from tests.dashboard import person, sign_in


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
