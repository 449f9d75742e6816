"""A journal of an earlier version is brought up to date with everything in it, and ends as the program expects it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, inspect

from warranty.journal import AttemptState, migrations, open_journal
from warranty.journal.database import Database
from warranty.journal.tables import ATTEMPTS, METADATA, OUTCOMES

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.sqlite'}"
    new_postgres: Callable[[], str] = request.getfixturevalue("new_postgres")
    return new_postgres()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database(url)
    yield opened
    opened.close()


def migrated(connection: Connection, version: str) -> None:
    """The schema as the program of that version made it."""
    script = ScriptDirectory(Path(migrations.__file__).parent)
    steps = {"fn": lambda revision, _context: script._upgrade_revs(version, revision)}
    context = MigrationContext.configure(connection, opts=steps)
    with Operations.context(context):
        context.run_migrations()


def with_an_order(connection: Connection) -> None:
    connection.execute(
        insert(ATTEMPTS),
        {
            "attempt_id": "a-1", "environment": "sandbox", "draft_id": "d-1", "revision": 1,
            "operation": "submit_order", "username": "dana", "operator_name": "Dana Fields", "screen": "s",
            "order_id": "o-1", "items": [], "search_text": "o-1", "started_at": NOON, "deadline": NOON,
        },
    )  # fmt: skip
    connection.execute(
        insert(OUTCOMES),
        {
            "attempt_id": "a-1",
            "number": 1,
            "state": "done",
            "recorded_at": NOON,
            "landing_url": "https://x/o",
        },
    )


@pytest.mark.parametrize("version", ["0001", "0002"])
def test_a_journal_of_an_earlier_version_keeps_its_entries_and_can_do_what_is_new(
    url: str, database: Database, version: str
) -> None:
    database.write(lambda connection: migrated(connection, version))
    database.write(with_an_order)
    assert "links_shown" not in database.read(lambda connection: inspect(connection).get_table_names())
    opened = open_journal(url)
    entry = opened.attempt("sandbox", "a-1")
    assert entry is not None
    assert (entry.state, entry.landing_url) == (AttemptState.DONE, "https://x/o")
    assert opened.links.note("a-1", username="dana", operator_name="Dana Fields")
    assert [link.order_id for link in opened.links.of_order("sandbox", "o-1")] == ["o-1"]
    assert opened.batches.open_batch(environment="sandbox", username="dana") is None
    opened.close()


def test_the_migrations_end_at_the_tables_that_the_program_knows(url: str, database: Database) -> None:
    open_journal(url).close()
    differences = database.read(
        lambda connection: compare_metadata(MigrationContext.configure(connection), METADATA)
    )
    assert differences == []
