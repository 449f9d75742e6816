"""Which database a journal is: told to whoever looks after it, without its password."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from warranty.journal import Journal, open_journal
from warranty.journal.backup import back_up, restore
from warranty.journal.database import Database


@pytest.mark.both_databases
def test_a_journal_tells_which_database_it_is_and_how_large(journal: Journal, journal_url: str) -> None:
    facts = journal.facts()
    kind = "SQLite, /" if journal_url.startswith("sqlite") else "PostgreSQL, "
    assert facts.place.startswith(kind)
    assert facts.size > 10_000
    assert facts.schema.is_own
    assert facts.restored_from is None


def test_a_restored_journal_tells_when_its_backup_was_taken(tmp_path: Path) -> None:
    taken = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    open_journal(f"sqlite:///{tmp_path}/old").close()
    back_up(Database(f"sqlite:///{tmp_path}/old"), tmp_path / "backup", now=lambda: taken)
    restore(tmp_path / "backup", Database(f"sqlite:///{tmp_path}/new"), replace=False)
    journal = open_journal(f"sqlite:///{tmp_path}/new")
    assert journal.facts().restored_from == taken
    journal.close()
