"""A manager's way in where the shop wants a second factor: password, app, recovery codes, and back again."""

from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import Page, expect

from tests.builders import may_sign_in
from tests.dashboard import Dashboard, leave, person
from warranty.access import Role

pytestmark = pytest.mark.browser


def signs_in(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("maya", timeout=20_000)
    page.get_by_label("Password", exact=True).fill("three odd teapots")
    page.get_by_label("Password", exact=True).press("Enter")


def types(page: Page, code: str) -> None:
    page.get_by_label("Code", exact=True).fill(code, timeout=20_000)
    page.get_by_role("button", name="Continue").click()


@pytest.mark.timeout(240)
def test_a_manager_sets_up_an_app_once_and_gives_a_code_at_each_sign_in(page: Page, tmp_path: Path) -> None:
    may_sign_in(tmp_path, "maya", Role.MANAGER, name="Maya Office", password="three odd teapots")
    with Dashboard(tmp_path, environment={"WARRANTY_SECOND_FACTOR_ROLES": "manager"}) as dashboard:
        page.goto(f"{dashboard.url}/activity")
        signs_in(page)
        expect(page.get_by_role("heading", name="Set up your app")).to_be_visible(timeout=20_000)
        expect(page.get_by_role("img", name="The key for your app")).to_be_visible()
        key = page.get_by_test_id("stCode").inner_text().replace(" ", "").strip()
        types(page, "000000")
        expect(page.get_by_text("This code is not right")).to_be_visible(timeout=20_000)
        expect(person(page)).to_have_count(0)
        types(page, pyotp.TOTP(key).now())
        expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible(timeout=20_000)
        shown = page.get_by_test_id("stCode")
        expect(shown).to_have_count(1, timeout=20_000)  # the key of before is gone
        codes = shown.inner_text().split()
        page.get_by_role("button", name="I have kept them").click()
        expect(page.get_by_role("heading", name="Activity")).to_be_visible(timeout=20_000)
        page.reload()
        expect(person(page)).to_be_visible(timeout=20_000)
        assert key not in page.content()

        leave(page)
        signs_in(page)
        expect(page.get_by_role("heading", name="Code of your app")).to_be_visible(timeout=20_000)
        page.reload()  # the password alone is no sign-in
        types(page, codes[0])
        expect(person(page)).to_be_visible(timeout=20_000)
        assert not any(said in dashboard.log for said in (key, *codes))
