"""Rows of the audit trail that somebody changes, removes or puts in with another program are found."""

import csv
import io
import json
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import select, update

from tests.warranty.commands.housekeeping.test_opening import tampered
from tests.warranty.conftest import Clock
from tests.warranty.desk.processes import running
from warranty.__main__ import main
from warranty.access import Operator
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail, Break, By, Chain
from warranty.people.audit.tables import AUDIT_ENDS
from warranty.people.audit.trail import Watched

SECRET = SecretStr(secrets.token_hex(32))
DAY = timedelta(days=1)
COPY_OF_TWO = (
    "INSERT INTO audit SELECT {number}, recorded_at, environment, kind, 'somebody', role, address, till, store, "
    "details, sealed_with, before, seal FROM audit WHERE number = 2"
)


@pytest.fixture
def trail(journal: Journal, manager: Operator) -> AuditTrail:
    made = AuditTrail(journal.database, "sandbox", SECRET)
    for number in range(5):
        made.note(AuditKind.EXPORT, By.operator(manager), what="claims csv", count=number)
    return made


def breaks(chain: Chain) -> list[tuple[Break, int, int]]:
    return [(fault.kind, fault.first, fault.last) for fault in chain.faults]


@pytest.mark.both_databases
@pytest.mark.parametrize("secret", [None, SECRET], ids=["own secret", "secret of the settings"])
def test_a_chain_that_nobody_touched_holds_and_a_changed_row_is_found(
    journal: Journal, journal_url: str, manager: Operator, secret: SecretStr | None
) -> None:
    trail = AuditTrail(journal.database, "sandbox", secret)
    for _ in range(5):
        trail.note(AuditKind.SIGN_IN, By.operator(manager))
    chain = trail.verify()
    assert (chain.rows, chain.first, chain.newest, chain.faults) == (5, 1, 5, ())
    without_guard(journal_url, "UPDATE audit SET username = 'somebody' WHERE number = 3")
    assert breaks(trail.verify()) == [(Break.CHANGED, 3, 3)]


WITHOUT = "DELETE FROM audit WHERE number = {}"


@pytest.mark.parametrize(("statements", "found"), [
    ("UPDATE audit SET username = 'somebody' WHERE number = 3", [(Break.CHANGED, 3, 3)]),
    ("UPDATE audit SET recorded_at = '2026-11-20 10:00:00+00' WHERE number = 3", [(Break.CHANGED, 3, 3)]),
    ("UPDATE audit SET details = '{}' WHERE number = 1", [(Break.CHANGED, 1, 1)]),
    ("UPDATE audit SET seal = before WHERE number = 3", [(Break.CHANGED, 3, 4)]),
    (WITHOUT.format(3), [(Break.MISSING, 3, 3)]), ("DELETE FROM audit WHERE number < 3", [(Break.MISSING, 1, 2)]),
    ("DELETE FROM audit WHERE number > 3", [(Break.MISSING, 4, 5)]), ("DELETE FROM audit", [(Break.MISSING, 1, 5)]),
    (COPY_OF_TWO.format(number=6), [(Break.CHANGED, 6, 6), (Break.PUT_IN, 6, 6)]),
    (f"{WITHOUT.format(4)}; {COPY_OF_TWO.format(number=4)}", [(Break.CHANGED, 4, 5)]),
    ("UPDATE audit SET number = 99 WHERE number = 3; UPDATE audit SET number = 3 WHERE number = 4",
     [(Break.CHANGED, 3, 3), (Break.MISSING, 4, 4)]),
    ("DELETE FROM audit WHERE number = 5; UPDATE audit_ends SET number = 4 WHERE name = 'newest'", [(Break.END, 4, 4)]),
    ("DELETE FROM audit_ends", [(Break.END, 5, 5)]),
])  # fmt: skip
def test_a_row_that_was_changed_removed_or_put_in_is_found(
    trail: AuditTrail, journal_url: str, statements: str, found: list[tuple[Break, int, int]]
) -> None:
    without_guard(journal_url, *statements.split("; "))
    assert set(found) <= set(breaks(trail.verify()))


def without_guard(journal_url: str, *statements: str) -> None:
    guard = ["DROP TRIGGER IF EXISTS audit_are_never_changed"] if journal_url.startswith("sqlite") else []
    tampered(journal_url, *guard, *statements)


def test_a_chain_made_anew_without_the_secret(journal: Journal, journal_url: str, manager: Operator) -> None:
    kept = AuditTrail(journal.database, "sandbox", SECRET)
    for _ in range(3):
        kept.note(AuditKind.SIGN_IN, By.operator(manager))
    tampered(journal_url, "DELETE FROM audit", "DELETE FROM audit_ends")
    AuditTrail(journal.database, "sandbox").note(AuditKind.SIGN_IN, By("somebody", "staff"))
    assert breaks(kept.verify()) == [(Break.WITHOUT_KEY, 1, 1)]
    kept.note(AuditKind.SIGN_IN, By.operator(manager))
    assert kept.verify().without_key_to == 1


def test_rows_from_before_the_secret_hold_and_none_may_follow_it(journal: Journal, manager: Operator) -> None:
    without, within = AuditTrail(journal.database, "sandbox"), AuditTrail(journal.database, "sandbox", SECRET)
    without.note(AuditKind.SIGN_IN, By.operator(manager))
    within.note(AuditKind.SIGN_OUT, By.operator(manager))
    assert (within.verify().holds, within.verify().without_key_to) == (True, 1)
    assert breaks(without.verify()) == [(Break.OTHER_KEY, 2, 2), (Break.END, 2, 2)]
    without.note(AuditKind.SIGN_IN, By.operator(manager))
    within.note(AuditKind.SIGN_IN, By.operator(manager))
    assert breaks(within.verify()) == [(Break.WITHOUT_KEY, 3, 3)]


@pytest.mark.both_databases
def test_a_purge_leaves_a_sealed_end(trail: AuditTrail, journal_url: str, manager: Operator, clock: Clock) -> None:
    clock.advance(5 * DAY)
    assert trail.purge(clock()) == 4, "the newest row stays whatever its age"
    trail.note(AuditKind.SIGN_IN, By.operator(manager))
    clock.advance(5 * DAY)
    trail.note(AuditKind.SIGN_IN, By.operator(manager))
    before = clock() - DAY
    assert trail.purge(before) == 3
    chain = trail.verify()
    assert (chain.rows, chain.first, chain.purged_to, chain.faults) == (2, 8, 7, ())
    assert (trail.rows(AuditFilter(kind="purge"))[0].details, trail.purge(before)) == ({"rows": 3, "up_to_row": 7}, 0)
    tampered(journal_url, WITHOUT.format(8))
    assert breaks(trail.verify()) == [(Break.MISSING, 8, 8)]
    tampered(journal_url, "UPDATE audit_ends SET number = 8 WHERE name = 'anchor'")
    assert (Break.ANCHOR, 8, 8) in breaks(trail.verify())


def test_the_row_seen_each_day_is_the_newest_and_may_have_been_purged_since(
    trail: AuditTrail, clock: Clock, tmp_path: Path, manager: Operator, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watched(trail, tmp_path)
    watched.look()
    assert watched.file.read_text() == f"5:{trail.verify().seal}\n"
    clock.advance(5 * DAY)
    trail.note(AuditKind.SIGN_IN, By.operator(manager))
    assert trail.purge(clock()) == 5
    assert watched.verify().holds
    watched.look()
    assert watched.file.read_text().startswith("7:")
    watched.file.write_text(f"7:{'0' * 64}\n")
    watched.look()
    assert watched.file.read_text() == f"7:{'0' * 64}\n", "what shows it stays"
    assert "not as it was seen" in caplog.text


@pytest.mark.both_databases
def test_rows_of_many_programs_at_once_follow_each_other(journal: Journal, journal_url: str) -> None:
    def program(name: str) -> None:
        with closing(open_journal(journal_url)) as opened:
            for number in range(10):
                AuditTrail(opened.database, "sandbox").note(AuditKind.SIGN_IN, By(name, "staff"), count=number)

    with ThreadPoolExecutor(4) as programs:
        list(programs.map(program, "abcd"))
    chain = AuditTrail(journal.database, "sandbox").verify()
    assert (chain.rows, chain.faults) == (40, ())


def notes(journal_url: str, *, progress: Connection) -> None:
    with closing(open_journal(journal_url)) as journal:
        for number in range(200):
            AuditTrail(journal.database, "sandbox").note(AuditKind.SIGN_IN, By("dana", "staff"), count=number)
            progress.send(number)


@pytest.mark.long
@pytest.mark.both_databases
def test_a_killed_program_leaves_a_chain_that_holds(journal: Journal, journal_url: str) -> None:
    with ExitStack() as programs:
        for count in [programs.enter_context(running(notes, journal_url))[1] for _ in range(2)]:
            while count.recv() < 20:
                pass
    chain = AuditTrail(journal.database, "sandbox").verify()
    assert (chain.faults, chain.rows >= 40) == ((), True)


def test_rows_are_json_without_customers(journal: Journal, manager: Operator, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "warranty.audit")
    trail, by = AuditTrail(journal.database, "sandbox"), By(manager.username, manager.role, "203.0.113.9")
    trail.note(AuditKind.EXPORT, by, filter='zeb.quill@example.com\n{"event": "forged"} +1 (617) 555-0199')
    (line,) = caplog.messages
    said = json.loads(line)
    assert (said["event"], said["kind"], said["username"], said["number"]) == ("audit", "export", "mo", 1)
    assert "\n" not in line
    assert not [word for word in ("zeb.quill", "203.0.113.9", "555-0199") if word in line]
    assert said["address"] == trail.note(AuditKind.SIGN_IN, By("x", "", "203.0.113.9")).address


class TestCommand:
    @pytest.fixture
    def shop(self, trail: AuditTrail, journal_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        monkeypatch.setenv("WARRANTY_JOURNAL_URL", journal_url)
        monkeypatch.setenv("WARRANTY_AUDIT_SECRET", SECRET.get_secret_value())
        monkeypatch.chdir(tmp_path)
        return tmp_path

    @pytest.mark.parametrize("noted", ["in the data folder", "elsewhere"])
    def test_rows_taken_back_with_the_mark_of_the_newest_are_found_by_the_row_that_was_seen(
        self, *, shop: Path, trail: AuditTrail, journal: Journal, journal_url: str, noted: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        with journal.database.read() as connection:
            mark = connection.execute(select(AUDIT_ENDS).filter_by(name="newest")).mappings().one()
        trail.note(AuditKind.SIGN_IN, By("eve", "staff"))
        assert main(["audit", "verify"]) == 0
        seen, printed = f"6:{trail.verify().seal}", capsys.readouterr().out
        assert printed.endswith("The chain holds.\n")
        assert f"audit verify --seen {seen}\n" in printed
        without_guard(journal_url, "DELETE FROM audit WHERE number > 5")
        with journal.database.write() as connection:
            connection.execute(update(AUDIT_ENDS).filter_by(name="newest").values(**mark))
        assert trail.verify().holds, "the chain alone does not show it"
        if noted == "elsewhere":
            (shop / "data" / "audit-seen").unlink()
        assert main(["audit", "verify", *(["--seen", seen] if noted == "elsewhere" else [])]) == 1
        told = capsys.readouterr()
        assert told.err == "Broken: Row 6 is not there as it was seen before: an older copy was put back.\n"
        assert noted == "elsewhere" or (shop / "data" / "audit-seen").read_text() == f"{seen}\n"
        trail.note(AuditKind.SIGN_IN, By("ada", "staff"))  # another row of that number
        assert main(["audit", "verify", "--seen", seen]) == 1
        without_guard(journal_url, WITHOUT.format(3))
        assert main(["audit", "verify"]) == 1
        assert "Broken: Rows 3 to 3: missing.\n" in capsys.readouterr().err

    def test_export_writes_every_row(self, shop: Path, trail: AuditTrail, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["audit", "export", "audit.csv"]) == 0
        rows = list(csv.DictReader(io.StringIO((shop / "audit.csv").read_text())))
        assert [row["number"] for row in rows] == list("12345")
        assert rows[1]["details"] == '{"count": 1, "what": "claims csv"}'
        newest = trail.rows(AuditFilter(limit=1))[0]
        assert (newest.role, newest.details) == ("command", {"what": "audit trail", "count": 5})
        told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert [line["details"] for line in told] == [newest.details]


@pytest.mark.postgres
def test_on_postgresql_a_second_writer_waits_for_the_first(new_postgres_journal: Callable[[], str]) -> None:
    url = new_postgres_journal()
    with closing(open_journal(url)) as first, closing(open_journal(url)) as second:
        trail = AuditTrail(first.database, "sandbox")
        with ThreadPoolExecutor(1) as other:
            with first.database.write() as connection:
                trail.add(connection, AuditKind.SIGN_IN, By("a", "staff"))
                later = other.submit(AuditTrail(second.database, "sandbox").note, AuditKind.SIGN_IN, By("b", "staff"))
            assert later.result(30).number == 2
        assert trail.verify().faults == ()
