"""What stands before the screens, and what opens over them: for every eye, light and dark."""

from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browser_shop import settled, violations
from tests.browser.test_second_factor import signs_in, types
from tests.builders import may_sign_in
from tests.dashboard import Dashboard, leave, person
from warranty.access import Role

SLOW = 20_000


@pytest.mark.soak
@pytest.mark.timeout(400)
def test_what_stands_before_the_screens_and_what_opens_over_them_is_for_every_eye(
    page: Page, browser: Browser, tmp_path: Path
) -> None:
    found: dict[str, list[str]] = {}
    may_sign_in(tmp_path, "maya", Role.MANAGER, name="Maya Office", password="three odd teapots")
    needed = {"WARRANTY_SECOND_FACTOR_ROLES": "manager"}
    with Dashboard(tmp_path, environment=needed) as dashboard, browser.new_context() as beside:
        page.goto(f"{dashboard.url}/activity")
        expect(page.get_by_label("Password", exact=True)).to_be_visible(timeout=SLOW)
        found["sign-in"] = violations(page)
        signs_in(page)
        expect(page.get_by_role("heading", name="Set up your app")).to_be_visible(timeout=SLOW)
        found["an app for the second factor"] = violations(page)
        types(page, pyotp.TOTP(page.get_by_test_id("stCode").inner_text().replace(" ", "").strip()).now())
        expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible(timeout=SLOW)
        found["recovery codes"] = violations(page)
        page.get_by_role("button", name="I have kept them").click()
        expect(page.get_by_role("heading", name="Activity")).to_be_visible(timeout=SLOW)
        settled(page)
        person(page).click()
        found["the menu behind the name"] = violations(page)
        page.keyboard.press("Escape")
        for name in ("Change my password", "Customer's screen", "My PIN", "Keys", "Find"):
            settled(page)
            person(page).click()
            page.get_by_role("button", name=name, exact=True).click()
            expect(person(page)).to_have_attribute("aria-expanded", "false")  # the menu does not cover it
            expect(page.get_by_role("dialog")).to_have_count(1, timeout=SLOW)
            found[name] = violations(page)
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
        customers = beside.new_page()
        customers.goto(f"{dashboard.url}/customer")
        expect(customers.locator(".code")).to_be_visible(timeout=SLOW)
        found["the customer's screen"] = violations(customers)
        person(page).click()
        page.get_by_role("button", name="Take the tour").click()
        expect(page.get_by_text("step 1 of")).to_be_visible(timeout=SLOW)
        found["the tour"] = violations(page)
        page.keyboard.press("Escape")
        leave(page)
        signs_in(page)
        expect(page.get_by_role("heading", name="Code of your app")).to_be_visible(timeout=SLOW)
        found["a code of the app"] = violations(page)
    assert {state: what for state, what in found.items() if what} == {}
