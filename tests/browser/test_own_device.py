"""Strangers who guess, and the person whose name they guess at, on a device of their own."""

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browser_shop import NOTE_WHAT_IS_SENT, settled
from tests.dashboard import Dashboard, leave, person, sign_in


@pytest.mark.timeout(240)
@pytest.mark.long
def test_strangers_who_guess_at_a_name_keep_its_person_out_of_no_device_of_theirs(
    page: Page, browser: Browser, dashboard: Dashboard
) -> None:
    page.goto(f"{dashboard.url}/claims?name=x")  # a word that the screen does not know
    sign_in(page, "manager", "office-training")
    expect(page.get_by_role("heading", name="Claims", exact=True)).to_be_visible()
    with browser.new_context() as elsewhere:
        elsewhere.add_init_script(NOTE_WHAT_IS_SENT)
        stranger = elsewhere.new_page()
        stranger.goto(dashboard.url)
        sign_in(stranger, "n" * 3_000, "office-training")
        expect(stranger.get_by_text("Name or password is not right")).to_be_visible()
        for number in range(5):
            sign_in(stranger, "manager", f"wrong password {number}")
            settled(stranger)
        while not stranger.get_by_text("Too many wrong tries").is_visible():
            sign_in(stranger, "manager", "a wrong password")
            settled(stranger)
        sign_in(stranger, "manager", "office-training")
        expect(stranger.get_by_text("Too many wrong tries")).to_be_visible()
        expect(person(stranger)).to_have_count(0)
        kept = [each for each in page.context.cookies() if "_device" in each.get("name", "")]
        assert [each.get("httpOnly") for each in kept] == [True]
        leave(page)
        for reloads in (False, True):
            if reloads:
                page.goto(dashboard.url)
            sign_in(page, "manager", "office-training")
            expect(person(page)).to_be_visible()
            leave(page)
            expect(page.get_by_label("Password", exact=True)).to_be_visible()
    with closing(sqlite3.connect(dashboard.data_dir / "journal.sqlite3", timeout=30)) as journal, journal:
        journal.execute("DELETE FROM sign_in_tries")  # whoever is next at this desk waits for none of them
