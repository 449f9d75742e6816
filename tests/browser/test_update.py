"""An update of the desk in Chromium: what is on its way ends, nothing new begins, and what was typed is kept."""

import os
import signal
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browser_sale import fill_customer, new_order, scan
from tests.browser.browser_shop import come, running_shop, settled
from tests.journals import journal_in
from warranty.desk.journal import AttemptFilter, AttemptState, Drafts


def filled_in(page: Page, email: str) -> None:
    new_order(page)
    scan(page, "LAMP-ARC")
    expect(page.get_by_text("1 item, ")).to_be_visible()
    settled(page)
    fill_customer(page, email=email)


@pytest.mark.long
def test_a_sending_under_way_ends_as_done_and_a_later_press_waits(page: Page, browser: Browser, tmp_path: Path) -> None:
    with running_shop(tmp_path, WARRANTY_READ_TIMEOUT="30", WARRANTY_DRAIN_SECONDS="1") as desk:
        dashboard, later = desk.dashboard, browser.new_page()
        come(page, dashboard, "staff")
        come(later, dashboard, "manager")
        later.get_by_role("link", name="New order").click()
        filled_in(later, "bob@example.com")
        filled_in(page, "ada@example.com")
        desk.sandbox.add_fault(operation="submit_order", kind="delay", seconds=15)
        page.get_by_role("button", name="Send order").click()
        expect(page.get_by_text("You can leave this screen")).to_be_visible()
        os.kill(dashboard.pid, signal.SIGTERM)
        said = httpx.get(f"{dashboard.url}/readyz", timeout=10)
        assert (said.status_code, said.json()) == (503, {"status": "draining"})
        later.get_by_role("button", name="Send order").click()
        expect(later.get_by_text("The desk is being updated. Your work is kept.")).to_be_visible()
        expect(later.get_by_label("E-mail")).to_have_value("bob@example.com")
        assert httpx.get(f"{dashboard.url}/livez").status_code == 200
        dashboard.ended()
        later.close()
        calls = [call for call in desk.sandbox.calls() if call["operation"] == "submit_order"]
    with journal_in(tmp_path) as journal:
        attempts = journal.attempts("sandbox", AttemptFilter())
        kept = [draft.content for draft in Drafts(journal.database, "sandbox", "manager", "submit_order").all()]
    assert [(one.username, one.state) for one in attempts] == [("staff", AttemptState.DONE)]
    assert len(calls) == 1
    assert "bob@example.com" in str(kept)
