"""Takers in processes of their own: two at once, and some that are killed."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest
from sqlalchemy import update

from sandbox import SandboxServer
from tests.warranty.desk.place import Place
from tests.warranty.desk.processes import PROCESSES, running
from tests.warranty.insight.history.taker import take
from warranty.claims.retrieval.update import PAGE
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.tables import LEASES
from warranty.insight.history.nights import Nights


@pytest.fixture
def environ(place: Place, tmp_path: Path) -> dict[str, str]:
    return {
        "WARRANTY_ENVIRONMENT": "staging", "WARRANTY_BASE_URL": place.base_url,
        "WARRANTY_PRIVATE_TOKEN": place.private_token, "WARRANTY_PUBLIC_TOKEN": place.public_token,
        "WARRANTY_CA_FILE": place.ca_file, "WARRANTY_JOURNAL_URL": place.journal_url,
        "WARRANTY_HISTORY_DIR": str(tmp_path / "history"), "WARRANTY_CLAIMS_PACE": "fixed",
        "WARRANTY_CLAIMS_CALLS_PER_SECOND": "1000",
    }  # fmt: skip


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path / "history" / "staging")


@pytest.fixture
def shop(sandbox: SandboxServer) -> Iterator[SandboxServer]:
    sandbox.reset("demo")
    yield sandbox
    sandbox.reset("empty")


def go_at(*, once: bool = False) -> Event:
    event = PROCESSES.Event()
    if once:
        event.set()
    return event


def lease_becomes(environ: dict[str, str], **values: object) -> None:
    with closing(open_journal(environ["WARRANTY_JOURNAL_URL"])) as journal, journal.database.write() as written:
        written.execute(update(LEASES).values(**values))


def test_of_two_takers_one_reads(shop: SandboxServer, environ: dict[str, str], nights: Nights) -> None:
    go = go_at()
    with running(take, environ, waits_at=1, go=go) as (_, one), running(take, environ, waits_at=1, go=go) as (_, other):
        first = {one: one.recv(), other: other.recv()}
        assert sorted(map(str, first.values())) == ["4", "reading"]
        go.set()
        reader = next(told for told, word in first.items() if word == "reading")
        assert [reader.recv(), reader.recv()] == ["written", 0]
    (night,) = nights.complete
    assert len(night.claims()) == 480
    assert len([call for call in shop.calls() if call["operation"] == "claims"]) < 3 * len(night.claims()) / PAGE


@pytest.mark.parametrize("word", ["reading", "written"])
@pytest.mark.long
def test_a_killed_taker_leaves_no_night_and_holds_up_the_next_until_its_lease_is_over(
    shop: SandboxServer, environ: dict[str, str], nights: Nights, *, word: str
) -> None:
    with running(take, environ, waits_at=5 if word == "reading" else 0, go=go_at()) as (process, told):
        assert told.recv() == word
        process.kill()
        process.join()
    assert nights.complete == nights.incomplete == []
    assert any(nights.folder.iterdir()) is (word == "written")

    with running(take, environ, waits_at=0, go=go_at(once=True)) as (_, told):
        assert told.recv() == 4
    lease_becomes(environ, until=datetime(2026, 1, 1, tzinfo=UTC))
    with running(take, environ, waits_at=0, go=go_at(once=True)) as (_, told):
        assert [told.recv(), told.recv()] == ["written", 0]
    assert sorted(path.name[:6] for path in nights.folder.iterdir()) == ["derive", "night="]
    assert len(nights.complete[0].claims()) == 480


def test_a_taker_without_lease_stores_nothing(shop: SandboxServer, environ: dict[str, str], nights: Nights) -> None:
    go = go_at()
    with running(take, environ, waits_at=0, go=go) as (_, told):
        assert told.recv() == "written"
        lease_becomes(environ, holder="another machine")
        go.set()
        assert told.recv() == 1
    assert list(nights.folder.iterdir()) == []
