"""Chromium for what only a browser shows of a deployment; what it asks of a certificate stands in the tests."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_shop import PASSWORDS
from tests.dashboard import person, sign_in


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    # The authority is made anew for each run; that the chain is right is tried without a browser (test_proxy.py).
    return {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "ignore_https_errors": True}


def ran(*command: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, capture_output=True, text=True, **more)


def sign_in_at(page: Page, url: str, username: str) -> None:
    page.goto(url)
    sign_in(page, username, PASSWORDS[username])
    expect(person(page)).to_be_visible(timeout=30_000)
