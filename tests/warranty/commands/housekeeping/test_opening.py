"""Opening a journal: by whom, in which version, on what; and what happens when the database is gone."""

import sqlite3
import traceback
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from deploy.up.machine import ROOT
from tests.warranty.desk.processes import PROCESSES
from warranty.commands.housekeeping.opening import SUBJECTS, open_journal
from warranty.database import migrations, tables
from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.database.schema import journal_facts, writable_schema
from warranty.desk.journal import Journal
from warranty.errors import JournalUnavailable, SettingsProblem


def open_and_close(url: str) -> None:
    open_journal(url).close()


@pytest.mark.both_databases
def test_programs_that_open_an_empty_journal_at_once_make_it_once(empty_url: str) -> None:
    programs = [PROCESSES.Process(target=open_and_close, args=(empty_url,)) for _ in range(4)]
    for act in ("start", "join"):
        for program in programs:
            getattr(program, act)()
    assert [program.exitcode for program in programs] == [0] * 4
    assert versions(empty_url) == [ScriptDirectory(Path(migrations.__file__).parent).get_current_head()]


@pytest.mark.both_databases
def test_a_journal_of_a_newer_version_is_left_alone(journal_url: str) -> None:
    with closing(Database(journal_url)) as database, database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(SettingsProblem, match="newer version"):
        open_journal(journal_url)
    assert versions(journal_url) == ["9999"]


def versions(url: str) -> list[str]:
    with closing(Database(url)) as database, database.read() as connection:
        return list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


@pytest.mark.parametrize(("url", "said"), [
    ("not a url", "is no database URL"), ("sqlite://", "must name a file"), ("sqlite:///:memory:", "must name a file"),
    ("mysql://root:hunter2@db/journal", "SQLite or PostgreSQL"),
    ("postgresql://desk:hunter2@db1,db2/journal?target=hunter2", "two servers"),
])  # fmt: skip
def test_a_url_that_cannot_be_used_is_told_in_a_sentence_without_its_password(url: str, said: str) -> None:
    with pytest.raises(SettingsProblem, match=said) as raised:
        open_journal(url)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("url", [
    "postgresql://desk:hunter2@127.0.0.1:1/journal",
    "postgresql://desk:hunter2@127.0.0.1:1,127.0.0.1:2/journal?target_session_attrs=read-write",
    "sqlite:////dev/null/journal.sqlite", "sqlite:////proc/journal.sqlite",
])  # fmt: skip
def test_a_database_that_cannot_be_reached_is_told(url: str) -> None:
    with pytest.raises(JournalUnavailable) as raised:
        open_journal(url)
    assert "hunter2" not in repr(raised.value)
    below = raised.tb.tb_next
    ours = traceback.TracebackException(type(raised.value), raised.value, below, capture_locals=True)
    assert "hunter2" not in "".join(ours.format())


@pytest.mark.both_databases
def test_a_journal_tells_which_database_it_is_and_how_large(journal: Journal, journal_url: str) -> None:
    facts = journal_facts(journal.database)
    assert facts.place.startswith("SQLite, /" if journal_url.startswith("sqlite") else "PostgreSQL, ")
    assert (facts.size > 10_000, facts.schema.is_own, facts.copied_at) == (True, True, None)


def test_a_commit_in_sqlite_is_on_the_disk_and_erased_rows_are_overwritten(journal: Journal) -> None:
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    with journal.database.read() as connection:
        found = {name: connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in expected}
    assert found == expected


def test_only_its_owner_reads_the_file_of_a_journal(empty_url: str) -> None:
    """Drafts and unsettled sendings hold customers' data."""
    file = Path(empty_url.removeprefix("sqlite:///"))
    with closing(open_journal(empty_url)) as journal:
        Preference(journal.database, "dana", "anything").save("so that the log is there too")
        modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
    assert modes == {f"{file.name}{ending}": 0o600 for ending in ("", "-wal", "-shm")}


def test_a_journal_held_by_another_does_not_answer(journal_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A monitor has to hear of it: reading goes on meanwhile, sending does not."""
    monkeypatch.setattr("warranty.database.database.LOCK_WAIT_SECONDS", 0.01)
    file = journal_url.removeprefix("sqlite:///")
    with closing(open_journal(journal_url)) as journal:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalUnavailable):
                writable_schema(journal.database)
        assert writable_schema(journal.database).fits


def test_the_list_of_tables_names_every_module_that_defines_one() -> None:
    """Else a program that does not use a subject would open a journal without its tables."""
    listed = {Path(str(subject.__file__)) for subject in (*SUBJECTS, tables)}
    defining = {path for path in (ROOT / "warranty").rglob("*.py") if ": Final = Table(\n" in path.read_text()}
    assert defining == listed
