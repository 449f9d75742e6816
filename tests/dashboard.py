"""The dashboard as people start it: `streamlit run app.py` in a process of its own, on a free port."""

import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from deploy.up import machine
from deploy.up.replica import RUN, Replica

ROOT = machine.ROOT
CHROMIUM_ARGUMENTS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


def chromium(*, that_asks: bool = False) -> str | None:
    """Where Debian's Chromium is; None where it is not installed.

    Without the windows that nobody sees here, a page costs a quarter less: `chromium-headless-shell`, if it is there.
    It has none that asks a person either, for the camera say: a test that needs this takes the whole of it.
    """
    return (None if that_asks else shutil.which("chromium-headless-shell")) or shutil.which("chromium")


def person(page: Page) -> Locator:
    """The name in the bar: there is one while somebody is signed in."""
    return page.locator(".st-key-who button").first


def sign_in(page: Page, username: str, password: str) -> None:
    page.get_by_label("Name", exact=True).fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_label("Password", exact=True).press("Enter")


def leave(page: Page) -> None:
    """Sign out, by the menu behind the name."""
    person(page).click()
    page.get_by_role("button", name="Sign out").click()


class Dashboard(Replica):
    """A desk of its own with its data in `data_dir`, as `deploy.up` starts one, and who has signed in there."""

    def __init__(
        self,
        data_dir: Path,
        *,
        environment: Mapping[str, str] | None = None,
        command: Sequence[str] = RUN,
        folder: Path = ROOT,
    ) -> None:
        self.data_dir = data_dir
        self.cookies: dict[str, Any] = {}
        """Those of who has signed in, by name."""
        self.passwords: dict[str, str] = {}
        """Those of people who do not train, by name."""
        logs = Path(tempfile.mkdtemp(prefix="warranty-desk-log-"))  # not among what the desk keeps
        weakref.finalize(self, shutil.rmtree, logs, ignore_errors=True)
        asked = {"WARRANTY_DATA_DIR": str(data_dir), **(environment or {})}
        super().__init__(logs, environment=asked, root=folder, command=command)

    @property
    def pid(self) -> int:
        serving = super().pid
        assert serving is not None
        return serving
