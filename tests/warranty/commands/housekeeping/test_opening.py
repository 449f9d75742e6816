"""Opening a journal and looking it through: by whom, in which version, on what; where a rule is broken."""

import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from deploy.up.machine import ROOT
from tests.warranty.desk.journal.intents import MakeIntent, ended
from tests.warranty.desk.processes import PROCESSES
from warranty.commands.housekeeping.opening import SUBJECTS, open_journal
from warranty.commands.housekeeping.verification import verify
from warranty.database import tables
from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.database.schema import NEWEST, journal_facts, writable_schema
from warranty.desk.journal import AttemptState, Batches, BatchState, Changed, Journal, Outcome, RowState
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
    assert versions(empty_url) == [NEWEST]


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
    ours = traceback.TracebackException(type(raised.value), raised.value, raised.tb.tb_next, capture_locals=True)
    assert "hunter2" not in "".join(ours.format())


@pytest.mark.both_databases
def test_a_journal_tells_which_database_it_is_and_how_large(journal: Journal, journal_url: str) -> None:
    facts = journal_facts(journal.database)
    assert facts.place.startswith("SQLite, /" if journal_url.startswith("sqlite") else "PostgreSQL, ")
    assert (facts.size > 10_000, facts.schema.is_own, facts.copied_at) == (True, True, None)


def test_a_commit_in_sqlite_is_on_the_disk_and_erased_rows_are_overwritten(journal: Journal) -> None:
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    with journal.database.read() as connection:
        assert {name: connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in expected} == expected


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
    with closing(open_journal(journal_url)) as journal:
        with closing(sqlite3.connect(journal_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalUnavailable):
                writable_schema(journal.database)
        assert writable_schema(journal.database).fits


def test_the_list_of_tables_names_every_module_that_defines_one() -> None:
    """Else a program that does not use a subject would open a journal without its tables."""
    defining = {path for path in (ROOT / "warranty").rglob("*.py") if ": Final = Table(\n" in path.read_text()}
    assert defining == {Path(str(subject.__file__)) for subject in (*SUBJECTS, tables)}


A_WORD = "INSERT INTO outcomes (attempt_id, number, state, recorded_at) VALUES ('open', 1, 'perhaps', '{}')"
NOBODY_KNOWS = A_WORD.format("2026-11-21 10:00:00.000000")


def tampered(url: str, *statements: str) -> None:
    """As whoever opens the database with another program: nothing stops them."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
    else:
        with psycopg.connect(url, autocommit=True) as server:
            for statement in ("SET session_replication_role = replica", *statements):
                server.execute(statement.encode())


def faults_of(url: str) -> tuple[str, ...]:
    with closing(Database(url)) as database:
        return verify(database).faults


@pytest.fixture
def lived_in(journal: Journal, intent: MakeIntent) -> None:
    ended(journal, intent(attempt_id="done", draft_id="done"), AttemptState.DONE, landing_url="https://x/o")
    journal.begin(intent(attempt_id="open", draft_id="open"))
    ended(journal, intent(attempt_id="twice", draft_id="twice"), AttemptState.UNKNOWN)
    journal.conclude("twice", Outcome(state=AttemptState.REFUSED, recorded_at=journal.database.clock()))
    former = None
    for name in ("first", "second", "third"):
        journal.begin(intent(attempt_id=name, draft_id="again", order_id="again"), corrects=former)
        journal.conclude(name, Outcome(state=AttemptState.REFUSED, recorded_at=journal.database.clock()))
        former = name
    batches = Batches(journal.database, "sandbox", "dana")
    sources = [{"number": number, "name": str(number), "row": number} for number in (1, 2)]
    batch_id = batches.begin(file_name="a.csv", layout={}, choices={}, sources=sources)
    batches.change(batch_id, [Changed(number=1, state=RowState.DONE, result={})])
    batches.set_state(batch_id, BatchState.SENDING)


@pytest.mark.both_databases
@pytest.mark.usefixtures("lived_in")
@pytest.mark.parametrize(("statement", "said"), [
    ("DELETE FROM outcomes WHERE number = 1 AND attempt_id = 'twice'", "1 entries whose outcomes are not"),
    ("DELETE FROM unsettled WHERE attempt_id = 'open'", "1 entries that are open and are not kept"),
    ("DELETE FROM outcomes WHERE attempt_id = 'done'", "1 entries that are open and are not kept"),
    ("INSERT INTO unsettled (attempt_id) VALUES ('done')", "1 entries that are settled and still hold"),
    ("DELETE FROM attempts WHERE attempt_id = 'second'", "1 drafts whose sendings are not numbered"),
    ("DELETE FROM attempts WHERE attempt_id = 'open'", "1 rows of unsettled without their attempts"),
    ("DELETE FROM order_batches", "2 rows of batch_orders without their order_batches"),
    (NOBODY_KNOWS, "1 rows of outcomes with a state that nobody knows"),
    ("UPDATE batch_orders SET source = '{}' WHERE state = 'done'", "1 imported orders that the service"),
    ("UPDATE order_batches SET state = 'put away'", "1 orders of closed imports that still hold"),
    ("UPDATE batch_orders SET state = 'lost' WHERE number = 2", "1 rows of batch_orders with a state"),
])  # fmt: skip
def test_a_row_that_somebody_tampered_with_is_found(statement: str, said: str, journal_url: str) -> None:
    assert faults_of(journal_url) == ()
    tampered(journal_url, statement)
    assert [fault for fault in faults_of(journal_url) if fault.startswith(said)]


@pytest.mark.usefixtures("journal")
def test_what_is_no_json_is_found(journal_url: str) -> None:
    """PostgreSQL keeps none."""
    tampered(journal_url, "INSERT INTO preferences VALUES ('', 'x', '{')")
    assert faults_of(journal_url)[0].startswith("a row of preferences cannot be read")


@pytest.mark.both_databases
def test_tables_that_are_not_the_programs_are_found(journal_url: str) -> None:
    on_table = " ON outcomes" if journal_url.startswith("postgresql") else ""
    tampered(journal_url, f"DROP TRIGGER outcomes_are_never_changed{on_table}")
    assert faults_of(journal_url) == ("outcomes are not guarded against changes",)
    tampered(journal_url, "DROP TABLE time_notes")
    assert "the tables are not those of this program" in faults_of(journal_url)[0]
    tampered(journal_url, "UPDATE alembic_version SET version_num = '0001'")
    assert faults_of(journal_url) == ("the tables are of another version of this program",)


def test_a_file_that_the_disk_has_damaged_is_found(journal_url: str) -> None:
    file = Path(journal_url.removeprefix("sqlite:///"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO preferences VALUES ('a', 'b', '1')")
        connection.commit()
        index = "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'preferences' AND type = 'index'"
        (page,), (size,) = (connection.execute(each).fetchone() for each in (index, "PRAGMA page_size"))
    with file.open("r+b") as whole:
        whole.seek(page * size - 8)
        whole.write(b"\xff" * 8)
    assert faults_of(journal_url) == ("the file is damaged",)


@pytest.mark.postgres
def test_a_key_that_stands_there_twice_is_found(new_postgres_journal: Callable[[], str]) -> None:
    """As after an upgrade of the machine's sorting rules, which PostgreSQL's indexes do not survive."""
    url = new_postgres_journal()
    not_kept_up = "UPDATE pg_index SET indisready = {} WHERE indexrelid = 'pk_preferences'::regclass"
    row = "INSERT INTO preferences VALUES ('dana', 'view', '1')"
    tampered(url, row, not_kept_up.format("false"))
    tampered(url, row, not_kept_up.format("true"))
    assert faults_of(url) == ("1 keys of preferences that stand there twice (username, name)",)
