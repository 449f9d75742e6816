"""The journal of a data folder, and an empty one's file: made once, and copied fifteen times as fast as made."""

import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal


@cache
def _made() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="warranty-journal-")
    weakref.finalize(_made, folder.cleanup)
    path = Path(folder.name) / "journal.sqlite"
    open_journal(f"sqlite:///{path}").close()
    return path


def empty_journal(path: Path) -> str:
    """Its URL; the folder is there."""
    shutil.copy(_made(), path)
    return f"sqlite:///{path}"


@contextmanager
def journal_in(data_dir: Path) -> Iterator[Journal]:
    """That of a desk with this data folder, as another program opens it."""
    with closing(open_journal(f"sqlite:///{data_dir / 'journal.sqlite3'}")) as journal:
        yield journal
