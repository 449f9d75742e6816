"""What is seen is kept in SQLite here; tests/warranty/journal/shared/test_observations.py counts on both databases."""

from pathlib import Path

import pytest


@pytest.fixture
def journal_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'journal.sqlite'}"
