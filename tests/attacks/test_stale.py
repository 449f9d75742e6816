"""A tab whose person is out by now, by a second process: not one press of it does anything (docs/security.md, H2)."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from functools import partial

import pytest
from sqlalchemy import select

from benchmarks.streamlit_viewer import Viewer
from sandbox import SandboxServer
from tests.attacks.conftest import key_of
from tests.builders import LAMP, MANAGER, client_at, may_sign_in, order_of
from tests.chain.ordeal import cookie_of
from tests.dashboard import ROOT, Dashboard
from tests.journals import journal_in
from tests.machine import in_a_loop_of_its_own as done
from warranty.access import Role
from warranty.database.tables import PREFERENCES
from warranty.desk import Desk
from warranty.desk.journal import Journal
from warranty.desk.journal.tables import ATTEMPTS, DRAFTS, OUTCOMES, UNSETTLED
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail

pytestmark = pytest.mark.long

KEPT = (ATTEMPTS, OUTCOMES, UNSETTLED, DRAFTS, PREFERENCES)
"""The tables that a press could change; sign-ins and accounts are what the other process changes."""


@pytest.fixture(scope="module")
def service() -> Iterator[SandboxServer]:
    with SandboxServer(seed="empty") as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, service: SandboxServer) -> Iterator[Dashboard]:
    folder = tmp_path_factory.mktemp("stale")
    may_sign_in(folder, "alex", Role.ADMINISTRATOR, name="Alex", password="a-password-of-theirs")
    environment = {f"WARRANTY_{name.upper()}": value for name, value in service.access().items()}
    with journal_in(folder) as journal, client_at(service) as client:  # what a file of Activity has a row of
        Desk(client=client, journal=journal, environment="sandbox").send(
            MANAGER, order_of(LAMP), draft_id="a-draft", screen="submit_order"
        )
    with Dashboard(folder, environment={**environment, "WARRANTY_ENVIRONMENT": "sandbox"}) as running:
        yield running


@pytest.fixture
def journal(desk: Dashboard) -> Iterator[Journal]:
    with journal_in(desk.data_dir) as opened:
        yield opened


def kept(journal: Journal) -> dict[str, list[str]]:
    with journal.database.read() as connection:
        rows = {table.name: sorted(map(repr, connection.execute(select(table)))) for table in KEPT}
    exports = AuditTrail(journal.database, "sandbox").rows(AuditFilter(kind=AuditKind.EXPORT))
    return {**rows, "exports": [str(row.number) for row in exports]}


class Tab(Viewer):
    def __init__(self, url: str, cookie: str, *, page: str, press: Callable[["Tab"], Awaitable[object]]) -> None:
        super().__init__(url, page=page, cookie=cookie)
        self.press = partial(press, self)

    async def comes(self) -> None:
        """Draw the screen: a new account is known within seconds."""
        async with asyncio.timeout(20):
            while ("button", "Sign out") not in self.widgets:
                await self.open()

    async def click(self, label: str) -> None:
        await self.set("button", label, trigger_value=True)

    async def types(self, label: str, text: str) -> None:
        await self.set("text_input", label, string_value=text)


async def with_an_order(tab: Tab) -> None:
    await tab.comes()
    await tab.choose("State", "TX")
    for label, text in {"Title": "Lamp", "SKU": "L-1", "Price": "100", "First name": "Ann"}.items():
        await tab.types(label, text)
    await tab.types("E-mail or phone", "ann@example.com")


Step = Callable[[Tab], Awaitable[object]]
PRESSES: Mapping[str, tuple[str, Step, Step]] = {
    "types on": ("submit_order", with_an_order, lambda tab: tab.types("City", "Typed too late")),
    "sends": ("submit_order", with_an_order, lambda tab: tab.click("Send order, 100.00 USD")),
    "exports": ("activity", Tab.comes, lambda tab: tab.take("Download CSV")),
}
"""Screen, what stands in the tab before, and the press."""


async def in_tabs(desk: Dashboard, name: str, then: Callable[[dict[str, Tab]], Awaitable[None]]) -> None:
    """Each press has a tab of its own, all open at once: the first one draws the sign-in in the place of a screen."""
    cookie = cookie_of(name, key_of(desk.data_dir), desk.url)
    async with AsyncExitStack() as stack:
        tabs = {}
        for what, (page, before, press) in PRESSES.items():
            tab = tabs[what] = await stack.enter_async_context(Tab(desk.url, cookie, page=page, press=press))
            await before(tab)
        await then(tabs)


def test_each_press_does_something_of_who_is_in(desk: Dashboard, service: SandboxServer, journal: Journal) -> None:
    may_sign_in(desk.data_dir, "ada", Role.MANAGER, name="Ada", password="a-password-of-theirs")

    async def work(tabs: dict[str, Tab]) -> None:
        for what, tab in tabs.items():
            before = kept(journal), len(service.calls())
            await tab.press()
            async with asyncio.timeout(20):
                while (kept(journal), len(service.calls())) == before:
                    await tab.open()
            told.append(what)

    told, sent = list[str](), len(service.calls())
    done(in_tabs(desk, "ada", work))
    assert told == list(PRESSES)
    assert len(service.calls()) == sent + 1


@pytest.mark.parametrize(
    "command", [["remove"], ["role", "administrator"], ["end-sessions"]], ids=["removed", "demoted", "out"]
)
def test_a_tab_of_who_is_out_by_another_process_sends_changes_and_gives_out_nothing(
    desk: Dashboard, service: SandboxServer, journal: Journal, command: list[str]
) -> None:
    name = command[0]
    may_sign_in(desk.data_dir, name, Role.MANAGER, name=name, password="a-password-of-theirs")

    async def work(tabs: dict[str, Tab]) -> None:
        calls = len(service.calls())
        program = [sys.executable, "-m", "warranty", "accounts", command[0], name, *command[1:]]
        environment = {**os.environ, "WARRANTY_DATA_DIR": str(desk.data_dir)}
        await asyncio.to_thread(subprocess.run, program, cwd=ROOT, env=environment, check=True, capture_output=True)
        before = kept(journal)
        for tab in tabs.values():
            await tab.press()
        assert kept(journal) == before
        assert len(service.calls()) == calls

    done(in_tabs(desk, name, work))
