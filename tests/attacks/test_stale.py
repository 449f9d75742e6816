"""A tab whose person is out by now, by a second process: not one press of it does anything (docs/security.md, H2)."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, closing
from decimal import Decimal
from functools import partial
from uuid import uuid4

import pytest
from sqlalchemy import select

from benchmarks.streamlit_viewer import Viewer
from sandbox import SandboxServer
from tests.attacks.conftest import key_of
from tests.attacks.visits import done
from tests.builders import may_sign_in
from tests.chain.ordeal import cookie_of
from tests.dashboard import ROOT, Dashboard
from tests.warranty.desk.journal.intents import ended
from tests.warranty.files.conftest import judged, many_orders
from warranty.access import Role
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.tables import PREFERENCES
from warranty.desk.journal import AttemptState, Batches, BatchState, Changed, Intent, ItemLine, Journal, RowState
from warranty.desk.journal.tables import ATTEMPTS, BATCH_ORDERS, DRAFTS, ORDER_BATCHES, OUTCOMES, UNSETTLED
from warranty.desk.order_imports import prepare
from warranty.files.order_files.decisions import Choices
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail

pytestmark = pytest.mark.long

KEPT = (ATTEMPTS, OUTCOMES, UNSETTLED, DRAFTS, ORDER_BATCHES, BATCH_ORDERS, PREFERENCES)
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
    with Dashboard(folder, environment={**environment, "WARRANTY_ENVIRONMENT": "sandbox"}) as running:
        yield running


@pytest.fixture
def journal(desk: Dashboard) -> Iterator[Journal]:
    with closing(open_journal(f"sqlite:///{desk.data_dir / 'journal.sqlite3'}")) as opened:
        yield opened


def leaves_work(journal: Journal, name: str) -> None:
    """An import of which one order is faulty and two were not sent, and a sale of unknown outcome."""
    sources, layout = many_orders(3)
    sources = [sources[0].with_value(None, "email", ""), *sources[1:]]
    batches = Batches(journal.database, "sandbox", name)
    batch_id = batches.begin(
        file_name="orders.csv",
        layout=layout.model_dump(),
        choices=Choices().model_dump(),
        sources=[source.model_dump() for source in sources],
    )
    prepare(batches, batch_id, judged(sources, layout, Choices()))
    waiting = [order for order in batches.orders(batch_id) if order.state is RowState.WAITING]
    batches.change(batch_id, [Changed(number=order.number, state=RowState.NOT_SENT, result={}) for order in waiting])
    batches.set_state(batch_id, BatchState.FINISHED)
    sale = Intent(
        attempt_id=uuid4().hex,
        draft_id=uuid4().hex,
        operation="record_sale",
        username=name,
        operator_name=name,
        screen="record_sale",
        environment="sandbox",
        order_id="order-of-the-sale",
        started_at=journal.database.clock(),
        deadline=journal.database.clock(),
        items=(ItemLine("Lamp", "LAMP-1", 1, Decimal("89.50"), line_item_id=1),),
        body={},
    )
    ended(journal, sale, AttemptState.UNKNOWN)


def kept(journal: Journal) -> dict[str, list[str]]:
    with journal.database.read() as connection:
        rows = {table.name: sorted(map(repr, connection.execute(select(table)))) for table in KEPT}
    exports = AuditTrail(journal.database, "sandbox").rows(AuditFilter(kind=AuditKind.EXPORT))
    return {**rows, "exports": [str(row.number) for row in exports]}


def by_another_process(desk: Dashboard, *command: str) -> None:
    environment = {**os.environ, "WARRANTY_DATA_DIR": str(desk.data_dir)}
    subprocess.run(
        [sys.executable, "-m", "warranty", "accounts", *command],
        cwd=ROOT, env=environment, check=True, capture_output=True,
    )  # fmt: skip


class Tab(Viewer):
    """A tab of somebody who has work before them, and the one press that they make in it."""

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


async def with_an_answer(tab: Tab) -> None:
    await tab.comes()
    await tab.click("It was recorded")


async def with_nothing(tab: Tab) -> None:
    await tab.comes()


Step = Callable[[Tab], Awaitable[object]]
PRESSES: Mapping[str, tuple[str, Step, Step]] = {
    "types on": ("submit_order", with_an_order, lambda tab: tab.types("City", "Typed too late")),
    "sends": ("submit_order", with_an_order, lambda tab: tab.click("Send order, 100.00 USD")),
    "settles": ("activity", with_an_answer, lambda tab: tab.click("Yes, it was recorded")),
    "exports": ("activity", with_nothing, lambda tab: tab.take("Download CSV")),
    "exports an import": ("import_orders", with_nothing, lambda tab: tab.take("Result file")),
    "sends again": ("import_orders", with_nothing, lambda tab: tab.click("Try the 2 unfinished again")),
    "corrects": ("import_orders", with_nothing, lambda tab: tab.click("Correct what was not sent")),
    "closes": ("import_orders", with_nothing, lambda tab: tab.click("Yes, begin a new import")),
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


def test_each_of_these_presses_does_something_while_its_person_is_in(
    desk: Dashboard, service: SandboxServer, journal: Journal
) -> None:
    may_sign_in(desk.data_dir, "ada", Role.MANAGER, name="Ada", password="a-password-of-theirs")
    leaves_work(journal, "ada")

    async def work(tabs: dict[str, Tab]) -> None:
        for what, tab in tabs.items():
            before = kept(journal), len(service.calls())
            await tab.press()
            async with asyncio.timeout(20):
                while (kept(journal), len(service.calls())) == before:
                    await tab.open()
            told.append(what)

    told: list[str] = []
    done(in_tabs(desk, "ada", work))
    assert told == list(PRESSES)
    assert len(service.calls()) == 3


@pytest.mark.parametrize(
    "command", [["remove"], ["role", "administrator"], ["end-sessions"]], ids=["removed", "demoted", "out"]
)
def test_a_tab_of_before_its_person_was_out_by_another_process_sends_settles_changes_and_gives_out_nothing(
    desk: Dashboard, service: SandboxServer, journal: Journal, command: list[str]
) -> None:
    name = command[0]
    may_sign_in(desk.data_dir, name, Role.MANAGER, name=name, password="a-password-of-theirs")
    leaves_work(journal, name)

    async def work(tabs: dict[str, Tab]) -> None:
        calls = len(service.calls())
        await asyncio.to_thread(by_another_process, desk, command[0], name, *command[1:])
        before = kept(journal)
        for tab in tabs.values():
            await tab.press()
        assert kept(journal) == before
        assert len(service.calls()) == calls

    done(in_tabs(desk, name, work))
