"""A journal kept elsewhere and brought back: whole, by its owner alone, under load, and over nothing unasked."""

import errno
import os
import re
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Semaphore
from typing import Any, NamedTuple
from unittest.mock import Mock
from uuid import uuid4

import pytest
from sqlalchemy import event, inspect, select, text

from tests.waiting import until
from tests.warranty.conftest import Clock
from tests.warranty.desk.journal.intents import MakeIntent, becomes, ended
from warranty.__main__ import main
from warranty.commands.housekeeping.backup import BackupRefused, back_up, opened_backup, restore
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.housekeeping.verification import verify
from warranty.database.database import Database
from warranty.database.leases import Leases
from warranty.database.preferences import Preference
from warranty.database.schema import journal_facts, writable_schema
from warranty.database.tables import METADATA
from warranty.desk.journal import AttemptFilter, AttemptState, Batches, Drafts, Journal
from warranty.errors import DeskError, JournalUnavailable
from warranty.people.accounts.people import People
from warranty.people.tills.tills import Tills


@pytest.fixture
def database(journal_url: str) -> Iterator[Database]:
    with closing(Database(journal_url)) as opened:
        yield opened


@pytest.fixture
def elsewhere(empty_url: str, clock: Clock) -> Iterator[Database]:
    with closing(Database(empty_url, clock)) as opened:
        yield opened


@pytest.fixture
def file(database: Database, lived_in: Journal, tmp_path: Path, clock: Clock) -> Path:
    made = tmp_path / "backup"
    back_up(database, made, now=clock)
    return made


@pytest.fixture
def lived_in(journal: Journal, intent: MakeIntent) -> Journal:
    done = ended(journal, intent(order_id="o-1"), AttemptState.DONE, landing_url="https://x/o")
    refused = ended(journal, intent(order_id="o-2", draft_id="o-2"), AttemptState.REFUSED)
    journal.begin(intent(order_id="o-2", draft_id="o-2"), corrects=refused.attempt_id)
    becomes(journal, ended(journal, intent(order_id="o-3"), AttemptState.UNKNOWN), AttemptState.UNKNOWN)
    Drafts(journal.database, "sandbox", "dana", "s").save("d-9", {"email": "ada@example.com", "price": "1.10"})
    journal.links.note(done.attempt_id, username="dana", operator_name="Dana Fields")
    Preference(journal.database, "dana", "view").save([None, 1.1, "ä"])
    sources = [{"number": 1, "name": "1", "row": 2}]
    Batches(journal.database, "sandbox", "dana").begin(file_name="a", layout={}, choices={"a": None}, sources=sources)
    Leases(journal.database).take("history", lasts=timedelta(minutes=5))
    return journal


def rows(database: Database) -> dict[str, list[Any]]:
    with database.read() as connection:
        return {each.name: sorted(map(repr, connection.execute(select(each)))) for each in METADATA.sorted_tables}


@pytest.mark.both_databases
def test_a_backup_of_either_database_is_restored_to_either(
    lived_in: Journal, database: Database, elsewhere: Database, tmp_path: Path, clock: Clock
) -> None:
    """To a file of SQLite first, and from that one to a database as the journal's own."""
    before, source = rows(database), database
    with closing(Database(f"sqlite:///{tmp_path / 'between.sqlite'}")) as between:
        for number, target in enumerate((between, elsewhere)):
            file = tmp_path / f"backup-{number}"
            copied = back_up(source, file, now=clock).rows
            assert copied == {name: len(those) for name, those in rows(source).items()}
            restored = restore(file, target, replace=False)
            assert (restored.taken_at, restored.entries, restored.unanswered) == (clock(), 4, 2)
            assert restored.drafts_left_out == copied["drafts"] == 1 - number
            assert verify(target).faults == ()
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            source = target
    after = rows(elsewhere)
    assert after.pop("drafts") == after.pop("leases") == []
    assert len(after.pop("preferences")) == len(before.pop("preferences")) + 1
    assert after == {name: those for name, those in before.items() if name in after}
    assert {path.name for path in tmp_path.iterdir() if "backup" in path.name} == {"backup-0", "backup-1"}
    assert lived_in.attempt("sandbox", "nobody's") is None  # it went on all the while


def without_links(*_: object) -> Any:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.mark.parametrize("has_links", [True, False], ids=["here", "on a share without hard links"])
def test_a_backup_is_written_over_no_other_file_and_leaves_none_when_it_fails(
    lived_in: Journal, database: Database, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch,
    *, has_links: bool,
) -> None:  # fmt: skip
    if not has_links:
        monkeypatch.setattr(os, "link", without_links)
    file, other = tmp_path / "backup", tmp_path / "other"
    assert back_up(database, file, now=clock).rows["attempts"] == lived_in.count("sandbox", AttemptFilter())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with opened_backup(file) as copy:
        assert verify(copy).faults == ()
    other.write_text("another's")
    with pytest.raises(BackupRefused, match="is there already"):
        back_up(database, other, now=clock)
    assert other.read_text() == "another's"

    with pytest.raises(KeyboardInterrupt):
        back_up(database, tmp_path / "new", now=Mock(side_effect=KeyboardInterrupt))
    assert not [path for path in tmp_path.iterdir() if "new" in path.name or "backup-" in path.name]


def test_of_two_backups_to_one_name_the_slower_is_refused(
    database: Database, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def somebody_is_faster(*_: object) -> Any:
        (tmp_path / "other").write_text("another's")
        without_links()

    monkeypatch.setattr(os, "link", somebody_is_faster)
    with pytest.raises(BackupRefused, match="somebody else"):
        back_up(database, tmp_path / "other", now=clock)
    assert (tmp_path / "other").read_text() == "another's"


def full_at_its_name(patch: pytest.MonkeyPatch) -> None:
    full = Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    patch.setattr(os, "link", without_links)
    patch.setattr("warranty.commands.housekeeping.backup.shutil.copyfileobj", full)


def full_while_it_is_made(patch: pytest.MonkeyPatch) -> None:
    def small(path: Path) -> Database:
        made = Database(f"sqlite:///{path}")
        event.listen(made.engine, "connect", lambda file, _: file.execute("PRAGMA max_page_count = 9"))
        return made

    patch.setattr("warranty.commands.housekeeping.backup._file", small)


@pytest.mark.parametrize(("fills", "why"), [
    (full_at_its_name, "No space left on device"), (full_while_it_is_made, "OperationalError SQLITE_FULL"),
])  # fmt: skip
def test_a_backup_that_cannot_be_written_says_that_it_is_the_copy_and_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    fills: Callable[[pytest.MonkeyPatch], None], why: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path / "data"))
    open_journal(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite3'}").close()
    fills(monkeypatch)
    assert main(["journal", "backup", str(tmp_path / "backup")]) == 2
    said = f"The copy {tmp_path / 'backup'} could not be written ({why}); the journal is as it was.\n"
    assert capsys.readouterr().err == said
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_a_copy_of_a_journal_in_which_a_rule_is_broken_is_no_good_one(
    lived_in: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARRANTY_JOURNAL_URL", f"sqlite:///{tmp_path / 'journal.sqlite'}")
    older = tmp_path / "journal-2020-01-01-013000.sqlite"
    older.touch()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as other:
        other.execute("DELETE FROM unsettled")
    assert main(["journal", "backup", str(tmp_path / "copy"), "--keep-days", "14"]) == 1
    said = capsys.readouterr().err
    assert "Broken: 2 entries that are open and are not kept as unsettled." in said
    assert "is no good copy" in said
    assert (older.exists(), journal_facts(lived_in.database).copied_at) == (True, None)
    lived_in.close()
    (tmp_path / "journal.sqlite").write_bytes(b"no database" * 1000)
    assert main(["journal", "backup", str(tmp_path / "another")]) == 2
    assert "The journal cannot be read (DatabaseError SQLITE_NOTADB)" in capsys.readouterr().err


def test_after_a_restore_everybody_signs_in_again_and_at_a_till_with_a_password_first(
    lived_in: Journal, database: Database, elsewhere: Database, tmp_path: Path, clock: Clock
) -> None:
    """What ended since the backup (a sign-out, a badge, a till) is good again in it."""
    key = People(lived_in.database).accounts().cookie_key
    People(lived_in.database).worked("dana", clock())
    till, _ = Tills(lived_in.database, "sandbox").register("Front", "mo")
    Tills(lived_in.database, "sandbox").switch(till.till_id, "dana", "badge")
    file = tmp_path / "backup"
    back_up(database, file, now=clock)
    restore(file, elsewhere, replace=False)
    restored = Journal(elsewhere)
    assert journal_facts(restored.database).copied_at == clock()
    accounts = People(restored.database).accounts()
    assert accounts.cookie_key not in {"", key}
    tills = Tills(restored.database, "sandbox")
    at_till = tills.all()[till.till_id].username, tills.begin_try(till.till_id, "dana")
    assert (accounts.worked, at_till) == ({}, ("", None))


@pytest.mark.both_databases
def test_a_restore_replaces_nothing(lived_in: Journal, file: Path, database: Database, elsewhere: Database) -> None:
    with pytest.raises(BackupRefused, match="has this journal open"):
        restore(file, database, replace=True)
    assert lived_in.count("sandbox", AttemptFilter()) == 4
    restore(file, elsewhere, replace=False)
    with pytest.raises(BackupRefused, match="--replace"):
        restore(file, elsewhere, replace=False)
    before = rows(elsewhere)
    restore(file, elsewhere, replace=True)
    assert rows(elsewhere) == before


def newer(database: Database) -> None:
    """As a program of a later version leaves a journal: with tables and columns that this one does not know."""
    with database.write() as connection:
        for said in (
            "UPDATE alembic_version SET version_num = '9999'",
            "ALTER TABLE drafts ADD COLUMN later TEXT NOT NULL DEFAULT 'x'",
            "CREATE TABLE later (attempt_id TEXT REFERENCES attempts (attempt_id), said TEXT NOT NULL)",
            "INSERT INTO later SELECT attempt_id, 'since the upgrade' FROM attempts",
            "CREATE VIEW later_said AS SELECT said, order_id FROM later JOIN attempts USING (attempt_id)",
        ):
            connection.execute(text(said))


def everything(database: Database) -> set[str]:
    with database.read() as connection:
        found = inspect(connection)
        return {*found.get_table_names(), *(f"drafts.{each['name']}" for each in found.get_columns("drafts"))}


@pytest.mark.long
@pytest.mark.both_databases
def test_after_an_upgrade_that_went_wrong_the_version_before_restores_its_copy(
    file: Path, elsewhere: Database, clock: Clock, intent: MakeIntent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole, or, where it fails in the middle, not at all."""
    restore(file, elsewhere, replace=False)
    before = rows(elsewhere), everything(elsewhere)
    Journal(elsewhere).begin(intent(order_id="since-the-upgrade"))
    newer(elsewhere)
    upgraded = rows(elsewhere), everything(elsewhere)
    with pytest.raises(BackupRefused, match=r"newer version.* --replace"):
        restore(file, elsewhere, replace=False)

    with monkeypatch.context() as patching:
        patching.setattr("warranty.commands.housekeeping.backup._copied", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            restore(file, elsewhere, replace=True)
    assert (rows(elsewhere), everything(elsewhere)) == upgraded != before
    assert writable_schema(elsewhere).is_newer

    assert restore(file, elsewhere, replace=True).entries == 4
    assert (rows(elsewhere), everything(elsewhere)) == before
    assert verify(elsewhere).faults == ()
    assert writable_schema(elsewhere).is_own
    with pytest.raises(JournalUnavailable), elsewhere.write() as connection:  # its guards are back, too
        connection.execute(text("UPDATE outcomes SET state = 'refused'"))


@pytest.mark.both_databases
@pytest.mark.parametrize("content", [b"", b"no journal" * 200])
def test_what_is_no_backup_is_not_restored(content: bytes, tmp_path: Path, elsewhere: Database) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(DeskError, match=r"no backup|cannot be"):
        restore(file, elsewhere, replace=True)


def test_the_commands_say_what_was_done_and_what_has_to_be_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], intent: MakeIntent
) -> None:
    def said(*words: str, status: int = 0) -> str:
        assert main(["journal", *words]) == status
        printed = capsys.readouterr()
        return printed.out + printed.err

    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    journal.begin(intent())
    Drafts(journal.database, "sandbox", "dana", "s").save("d-9", {"email": "ada@example.com"})
    file = str(tmp_path / "backup")
    assert said("backup", file).startswith("1 entry, ")
    assert re.search(r"\{.*audit", said("backup", f"{file}-2"))
    with monkeypatch.context() as at_a_terminal:
        at_a_terminal.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        assert "{" not in said("backup", f"{file}-3")
    assert main(["audit", "verify"]) == 0
    assert "is there already" in said("backup", file, status=2)
    assert "has this journal open" in said("restore", file, "--replace", status=2)
    journal.close()
    told = said("restore", file, "--replace")
    parts = ("Left out: 1 draft, ", "Without an answer: 1 entry. ", "nothing is known of what was sent after")
    assert [part for part in (*parts, "Everybody signs in again") if part not in told] == []
    assert "ada@" not in told
    assert main(["audit", "verify"]) == 0, "what was seen before the restore is not what it is held against"
    capsys.readouterr()
    assert [("OK." in said("verify", *which)) for which in ((), (file,))] == [True, True]


def test_copies_are_named_by_their_moment_and_go_with_age_once_a_new_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARRANTY_DATA_DIR", str(tmp_path))
    open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}").close()
    began = datetime.now(UTC).replace(microsecond=0)
    assert main(["journal", "backup"]) == 0
    copies = tmp_path / "copies"
    (first,) = copies.iterdir()
    named = datetime.strptime(first.name, "journal-%Y-%m-%d-%H%M%S.sqlite").replace(tzinfo=UTC)
    assert began <= named <= datetime.now(UTC)
    assert stat.S_IMODE(copies.stat().st_mode) == 0o700
    made = "journal-{:%Y-%m-%d-%H%M%S}.sqlite".format
    old, young = (copies / made(datetime.now(UTC) - timedelta(days=days, hours=1)) for days in (14, 13))
    named_by_hand = copies / "journal-before-the-move.sqlite"
    for file in (old, young, named_by_hand):
        file.touch()

    tonight = tmp_path / "copies" / "tonight"
    tonight.touch()
    assert main(["journal", "backup", str(tonight), "--keep-days", "14"]) == 2
    assert old.exists(), "where no new one came, the old ones are all there is"

    tonight.unlink()
    assert main(["journal", "backup", str(tonight), "--keep-days", "14"]) == 0
    assert set(copies.iterdir()) == {first, young, named_by_hand, tonight}
    assert "1 older copy removed." in capsys.readouterr().out


class Counters(NamedTuple):
    """One sale a customer, up to twenty a second each; `confirmed` has the ids, as they come."""

    customers: Semaphore
    confirmed: list[str]


@contextmanager
def written_to(journal: Journal, intent: MakeIntent, *, becomes: tuple[AttemptState, ...]) -> Iterator[Counters]:
    """Counters that write what they were told is done, and drafts that come and go."""
    over, counters = Event(), Counters(Semaphore(0), [])

    def work(state: AttemptState) -> None:
        while not over.wait(0.05):
            counters.customers.acquire()
            begun = intent(draft_id=uuid4().hex)
            Drafts(journal.database, "sandbox", "dana", state).save(begun.draft_id, {"email": "ada@example.com"})
            ended(journal, begun, state)
            counters.confirmed.append(begun.attempt_id)

    with ThreadPoolExecutor(len(becomes)) as pool:
        working = [pool.submit(work, state) for state in becomes]
        try:
            yield counters
        finally:
            over.set()
            counters.customers.release(len(becomes))
        for each in working:
            each.result()


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.timeout(600)
def test_a_hundred_backups_under_load_are_each_restored_to_a_journal_that_is_well(
    *, journal: Journal, journal_url: str, intent: MakeIntent, tmp_path: Path, clock: Clock
) -> None:
    writing = written_to(journal, intent, becomes=(AttemptState.DONE, AttemptState.REFUSED, AttemptState.UNKNOWN))
    with closing(Database(journal_url)) as database, writing as (customers, confirmed):
        for number in range(100):
            file, confirmed_before = tmp_path / f"backup-{number}", set(confirmed)
            customers.release(9)  # so many, however slow the machine: the journal does not outgrow the test
            assert back_up(database, file, now=clock).faults == ()
            url = f"sqlite:///{tmp_path / f'restored-{number}'}"
            with closing(Database(url)) as elsewhere:
                restore(file, elsewhere, replace=False)  # which looks through the copy once more
                assert verify(elsewhere).faults == ()
            with closing(open_journal(url)) as restored:
                there = {one.attempt_id for one in restored.attempts("sandbox", AttemptFilter(limit=None))}
            assert confirmed_before <= there
    assert verify(database).faults == ()
    assert len(confirmed) > 100


@pytest.mark.both_databases
def test_a_desk_goes_on_writing_while_one_upgrades_the_journal(journal_url: str, intent: MakeIntent) -> None:
    """What an older program itself does meanwhile, the chain's ordeal shows (tests/chain)."""
    old = open_journal(journal_url)
    new_in_0010 = {"audit", "audit_ends", "audit_subjects"}
    with closing(Database(journal_url)) as database, database.write() as connection:  # as 0009 has left it
        for table in reversed([each for each in METADATA.sorted_tables if each.name in new_in_0010]):
            table.drop(connection)
        connection.execute(text("UPDATE alembic_version SET version_num = '0009'"))
    as_ever = (AttemptState.UNKNOWN, AttemptState.UNKNOWN)  # whose writing touches nothing that is new
    with written_to(old, intent, becomes=as_ever) as (customers, confirmed):
        customers.release(10_000)
        until(lambda: len(confirmed) > 5)
        newer = open_journal(journal_url)
        assert writable_schema(newer.database).is_own
        so_far = len(confirmed)
        until(lambda: len(confirmed) > so_far + 5)
    assert {one.attempt_id for one in newer.attempts("sandbox", AttemptFilter(limit=None))} == set(confirmed)
    newer.close()
    old.close()
    with closing(Database(journal_url)) as database:
        assert verify(database).faults == ()
