"""The first sign-in with a one-time password, one's own password, and what a change of it ends."""

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.browser_shop import Shop, settled
from tests.dashboard import Dashboard, person


def signs_in(page: Page, dashboard: Dashboard, username: str, password: str, screen: str = "") -> None:
    page.goto(f"{dashboard.url}/{screen}")
    page.get_by_label("Name", exact=True).fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_label("Password", exact=True).press("Enter")


def chooses(page: Page, password: str) -> None:
    page.get_by_label("New password", exact=True).fill(password)
    page.get_by_label("New password once more").fill(password)
    page.get_by_role("button", name="Change password").click()


def test_who_is_invited_chooses_a_password_first_and_a_change_ends_all_but_that_tab(
    page: Page, context: BrowserContext, shop: Shop, browser: Browser
) -> None:
    shop.let_in("administrator", context)
    shop.open(page, "people", "People")
    page.get_by_text("Invite a person").click()
    settled(page)
    page.get_by_label("Login name", exact=True).fill("rio")
    page.get_by_role("button", name="Invite", exact=True).click()
    one_time = page.get_by_test_id("stCode").inner_text().strip()
    with browser.new_context() as rios, browser.new_context() as elsewhere:
        rio = rios.new_page()
        signs_in(rio, shop.dashboard, "rio", one_time, "record_sale")
        expect(rio.get_by_role("heading", name="Choose your password")).to_be_visible()
        expect(rio.get_by_role("heading", name="Record sale")).to_have_count(0)
        expect(person(rio)).to_have_count(0)
        chooses(rio, "1234567890")
        expect(rio.get_by_text("too easy to guess")).to_be_visible()
        chooses(rio, "purple kayak sunrise")
        expect(rio.get_by_role("heading", name="Record sale")).to_be_visible()

        other = elsewhere.new_page()
        signs_in(other, shop.dashboard, "rio", "purple kayak sunrise")
        expect(person(other)).to_be_visible()
        person(rio).click()
        rio.get_by_role("button", name="Change my password").click()
        rio.get_by_label("Password that you have now").fill("purple kayak sunrise")
        chooses(rio, "orange tractor moon")
        # The question goes with the answer; that the password is changed may still be said of the first time.
        expect(rio.get_by_label("Password that you have now")).to_have_count(0)
        expect(rio.get_by_text("Your password is changed")).to_be_visible()
        other.reload()
        expect(other.get_by_label("Password", exact=True)).to_be_visible()
        rio.reload()
        expect(person(rio)).to_be_visible()
