"""Opening a journal: by whom, in which version, on what; and what happens when the database is gone."""

import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import event, text

from sandbox import SandboxServer
from tests.builders import order_of, sale_of
from tests.warranty.desk.processes import PROCESSES
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.desk import Desk
from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.journal import Attempt, AttemptState, Journal, migrations, open_journal, utc_now
from warranty.journal.database import Database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that has never seen a journal."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new folder' / 'journal.sqlite'}"
    new_postgres: Callable[[], str] = request.getfixturevalue("new_postgres")
    return new_postgres()


def open_and_close(url: str) -> None:
    open_journal(url).close()


def test_programs_that_open_an_empty_journal_at_once_make_it_once(empty_url: str) -> None:
    programs = [PROCESSES.Process(target=open_and_close, args=(empty_url,)) for _ in range(6)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0] * 6
    assert versions(empty_url) == [newest_version()]


def test_a_journal_of_a_newer_version_is_left_alone(empty_url: str) -> None:
    open_and_close(empty_url)
    database = Database(empty_url)
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(SettingsProblem, match="newer version"):
        open_journal(empty_url)
    assert versions(empty_url) == ["9999"]


def newest_version() -> str | None:
    return ScriptDirectory(Path(migrations.__file__).parent).get_current_head()


def versions(url: str) -> list[str]:
    database = Database(url)
    with database.read() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    database.close()
    return list(found)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("not a url", "is no database URL"),
        ("sqlite://", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
        ("mysql://root:hunter2@db/journal", "SQLite or PostgreSQL"),
        ("postgresql://desk:hunter2@db1,db2/journal?target=hunter2", "two servers"),
    ],
)
def test_a_url_that_cannot_be_used_is_told_in_a_sentence_without_its_password(url: str, said: str) -> None:
    with pytest.raises(SettingsProblem, match=said) as raised:
        open_journal(url)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://desk:hunter2@127.0.0.1:1/journal",
        "postgresql://desk:hunter2@127.0.0.1:1,127.0.0.1:2/journal?target_session_attrs=read-write",
        "sqlite:////dev/null/journal.sqlite",
        "sqlite:////proc/journal.sqlite",
    ],
)
def test_a_database_that_cannot_be_reached_is_told(url: str) -> None:
    with pytest.raises(JournalUnavailable) as raised:
        open_journal(url)
    assert "hunter2" not in repr(raised.value)
    ours = traceback.TracebackException(
        type(raised.value), raised.value, raised.tb.tb_next, capture_locals=True
    )
    assert "hunter2" not in "".join(ours.format())


def test_a_commit_in_sqlite_is_on_the_disk_and_erased_rows_are_overwritten(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.sqlite'}"
    open_and_close(url)
    database = Database(url)

    def pragma(name: str) -> Any:
        with database.read() as connection:
            return connection.execute(text(f"PRAGMA {name}")).scalar_one()

    full = 2
    assert (pragma("journal_mode"), pragma("synchronous")) == ("wal", full)
    assert (pragma("foreign_keys"), pragma("secure_delete")) == (1, 1)
    database.close()


def test_only_its_owner_reads_the_file_of_a_journal(tmp_path: Path) -> None:
    """Drafts and unsettled sendings hold customers' data."""
    file = tmp_path / "journal.sqlite"
    journal = open_journal(f"sqlite:///{file}")
    journal.preference("dana", "anything").save("so that the log is there too")
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    journal.close()
    assert modes == dict.fromkeys(("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"), 0o600)


def test_a_journal_that_somebody_else_holds_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A monitor has to hear of it: reading goes on meanwhile, sending does not."""
    file = tmp_path / "journal.sqlite"
    monkeypatch.setattr("warranty.journal.database.LOCK_WAIT_SECONDS", 0.01)
    journal = open_journal(f"sqlite:///{file}")
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalUnavailable):
            journal.schema()
        other.execute("ROLLBACK")
        assert journal.schema().fits
    journal.close()


def test_with_a_full_disk_nothing_is_sent(
    *, tmp_path: Path, client: WarrantyClient, clerk: Operator, sandbox: SandboxServer
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'journal.sqlite'}")
    open_and_close(f"sqlite:///{tmp_path / 'journal.sqlite'}")
    with database.read() as connection:
        used = connection.execute(text("PRAGMA page_count")).scalar_one()
    event.listen(
        database.engine, "connect", lambda connection, _: connection.execute(f"PRAGMA max_page_count={used}")
    )
    database.close()  # the next connection has no page to spare
    desk = Desk(client=client, journal=Journal(database, clock=utc_now), environment="sandbox")
    journalled: list[Attempt] = []

    def sell_on() -> None:
        for number in range(1000):
            journalled.append(
                desk.send(clerk, order_of(order_id=f"o-{number}"), draft_id=f"d-{number}", screen="s")
            )

    with pytest.raises(JournalUnavailable, match="SQLITE_FULL"):
        sell_on()
    assert len(sandbox.calls()) == len(journalled) < 1000
    database.close()


def test_with_the_database_gone_nothing_is_sent(
    *,
    new_postgres: Callable[[], str],
    postgres_url: Callable[[str], str],
    client: WarrantyClient,
    clerk: Operator,
    sandbox: SandboxServer,
) -> None:
    url = new_postgres()
    journal = open_journal(url)
    desk = Desk(client=client, journal=journal, environment="sandbox")
    assert desk.send(clerk, order_of(order_id="o-1"), draft_id="a", screen="s").state is AttemptState.DONE
    assert journal.schema().fits
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(postgres_url("postgres"), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    with pytest.raises(JournalUnavailable):
        journal.schema()
    before = len(sandbox.calls())
    with pytest.raises(JournalUnavailable):
        desk.send(clerk, sale_of("o-1"), draft_id="b", screen="s")
    with pytest.raises(JournalUnavailable):
        desk.send(clerk, order_of(order_id="o-2"), draft_id="c", screen="s")
    assert len(sandbox.calls()) == before
    journal.close()


def test_a_database_that_only_reads_as_a_standby_does_cannot_be_written(
    new_postgres: Callable[[], str],
) -> None:
    url = new_postgres()
    open_and_close(url)
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    journal = Journal(Database(url), clock=utc_now)
    with pytest.raises(JournalUnavailable, match="read-only"):
        journal.schema()
    journal.close()
