"""A journal of an earlier version is brought up to date with everything in it, and ends as the program expects it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import JSON, Connection, column, insert, table, update

from warranty.access import AWAY, FIRST_STORE
from warranty.commands.housekeeping.opening import open_journal
from warranty.database.database import Database
from warranty.database.schema import NEWEST
from warranty.database.tables import METADATA, Instant
from warranty.desk.journal import LOOKED_UP, AttemptState, Batches, Drafts, ItemLine, Journal, Settlement
from warranty.desk.journal.tables import OUTCOMES
from warranty.errors import JournalUnavailable
from warranty.people.accounts.people import People
from warranty.people.tills.tills import Tills

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
VERSIONS = ("0001", "0002", "0003", "0004")
KINDS: dict[str, Any] = {
    **dict.fromkeys(("started_at", "deadline", "recorded_at", "updated_at", "changed_at"), Instant),
    **dict.fromkeys(("items", "settlement", "content"), JSON),
}


pytestmark = pytest.mark.both_databases


@pytest.fixture
def database(empty_url: str) -> Iterator[Database]:
    with closing(Database(empty_url)) as opened:
        yield opened


def made_by(connection: Connection, *steps: str) -> None:
    """The tables as the program of the last step made them: what it and those before it said to the database."""
    for step in steps:
        said = (Path(__file__).parent / "versions" / connection.dialect.name / f"{step}.sql").read_text()
        for statement in said.split(";\n"):
            connection.exec_driver_sql(statement)


def add(connection: Connection, name: str, row: Mapping[str, Any]) -> None:
    """Add a row as any version would have: what is JSON now was JSON then."""
    connection.execute(insert(table(name, *(column(one, KINDS.get(one)) for one in row))), row)


def with_an_order(connection: Connection, *, items: Sequence[Any] = (), **ended: Any) -> None:
    same = {"attempt_id": "a-1", "environment": "sandbox", "draft_id": "d-1", "revision": 1, "screen": "s"}
    by = {"operation": "submit_order", "username": "dana", "operator_name": "Dana Fields", "search_text": "o-1"}
    add(connection, "attempts", {**same, **by, "order_id": "o-1", "items": items, "started_at": NOON, "deadline": NOON})
    known = {"attempt_id": "a-1", "number": 1, "state": "done", "recorded_at": NOON}
    add(connection, "outcomes", {**known, "landing_url": "https://x/o", **ended})


@pytest.mark.parametrize("version", VERSIONS)
def test_an_earlier_journal_keeps_its_entries_and_can_do_more(empty_url: str, database: Database, version: str) -> None:
    with database.write() as connection:
        made_by(connection, *VERSIONS[: VERSIONS.index(version) + 1])
        with_an_order(connection)
        place = {"environment": "sandbox", "username": "dana", "screen": "s"}
        add(connection, "drafts", {**place, "draft_id": "d-2", "content": {"zip": "02134"}, "updated_at": NOON})
    opened = open_journal(empty_url)
    entry = opened.attempt("sandbox", "a-1")
    assert entry is not None
    assert (entry.state, entry.result.landing_url, entry.at) == (AttemptState.DONE, "https://x/o", AWAY)
    assert [store.store_id for store in Tills(opened.database, "sandbox").stores()] == [FIRST_STORE]
    assert opened.links.note("a-1", username="dana", operator_name="Dana Fields")
    assert [link.order_id for link in opened.links.of_order("sandbox", "o-1")] == ["o-1"]
    opened.links.decline("sandbox", "o-1", "dana", declined=True)
    assert opened.links.declined("sandbox") == {"o-1"}
    assert Batches(opened.database, "sandbox", "dana").open_batch() is None
    drafts = Drafts(opened.database, "sandbox", "dana", "s")
    assert drafts.save("d-3", {})
    assert {draft.draft_id for draft in drafts.all()} == {"d-2", "d-3"}
    opened.close()
    assert differences(database) == []
    with pytest.raises(JournalUnavailable), database.write() as connection:  # the guard came with it
        connection.execute(update(OUTCOMES).values(state="refused"))


@pytest.mark.parametrize("revision", ["0018"])
def test_a_revision_is_what_its_program_made_and_what_is_new_can_be_added(tmp_path: Path, revision: str) -> None:
    """Whatever is added to the tables counts on: `NEWEST` and a file of it here, all that its new journal is."""
    assert revision <= NEWEST
    with closing(Database(url := f"sqlite:///{tmp_path / 'journal'}")) as database:
        with database.write() as connection:
            made_by(connection, revision)
        open_journal(url).close()
        assert differences(database) == []
    assert (Path(__file__).parent / "versions" / "sqlite" / f"{NEWEST}.sql").is_file()


def differences(database: Database) -> list[Any]:
    with database.read() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))


def test_a_new_journal_has_the_tables_that_the_program_knows(empty_url: str, database: Database) -> None:
    open_journal(empty_url).close()
    assert differences(database) == []


def test_a_settlement_from_before_it_said_so_was_seen_if_its_note_tells_a_look_up(journal: Journal) -> None:
    """Written as JSON by the first version, prices as text and without what came later."""
    settled = {"recorded": True, "username": "mo", "operator_name": "Mo Winter", "note": LOOKED_UP}
    settled |= {"settled_at": "2026-11-21T12:00:00+00:00"}
    line = {"title": "Sofa", "product_id": "SOFA", "quantity": 1, "price": "899.00", "sold_in": "later"}
    with journal.database.write() as connection:
        with_an_order(connection, items=[line], settlement=settled)
    entry = journal.attempt("sandbox", "a-1")
    assert entry is not None
    assert entry.items == (ItemLine("Sofa", "SOFA", 1, Decimal("899.00")),)
    assert entry.settled == Settlement(True, "mo", "Mo Winter", NOON, LOOKED_UP, seen=True)


def test_accounts_of_the_version_before_go_on_with_their_password(empty_url: str, database: Database) -> None:
    open_journal(empty_url).close()
    with database.write() as connection:
        for name in ("home_store", "locked", "one_time_until", "issuer", "subject", "proven_at"):
            connection.exec_driver_sql(f"ALTER TABLE accounts DROP COLUMN {name}")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0008'")
        row = {"username": "ada", "name": "Ada", "role": "manager", "password_hash": "$2b$"}
        add(connection, "accounts", {**row, "changed_at": NOON})
    with closing(open_journal(empty_url)) as journal:
        ada = People(journal.database).accounts().by_username["ada"]
    assert (ada.locked, ada.one_time_until, ada.home_store, ada.changed_at) == (False, None, "", NOON)
    assert (ada.issuer, ada.proven_at) == ("", None)
