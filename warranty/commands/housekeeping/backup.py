"""A copy of a journal while desks write to it, and a journal made of a copy: one kind of file for both databases.

The copy is a SQLite file that holds every table as it stood at one moment, whatever database it was taken of; so it
may be restored to the other one. It holds drafts and what was sent, hence customers' data.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import JSON, Connection, Table, column, delete, insert, select, table, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import TypeEngine

from warranty.commands.housekeeping.verification import Verified, verify
from warranty.database.database import Database, named, upsert
from warranty.database.schema import bring_up_to_date, make_tables, make_tables_anew, schema_of
from warranty.database.tables import BACKED_UP_AT, LEASES, METADATA, PREFERENCES, AsJson
from warranty.desk.journal.tables import ATTEMPTS, DRAFTS, UNSETTLED
from warranty.errors import DeskError
from warranty.people.accounts.tables import COOKIE_KEY, SIGN_INS
from warranty.people.tills.tables import STORES, TILLS

_ROWS_AT_ONCE: Final = 1000


class BackupRefused(DeskError):
    """What was asked would destroy or mix up something; nothing was done."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore brought back: `taken_at` is None where the file does not say when it was made."""

    taken_at: datetime | None
    entries: int
    unanswered: int
    drafts_left_out: int


def back_up(database: Database, file: Path, *, now: Callable[[], datetime]) -> Verified:
    """Write a journal as it stands to a new file for its owner's eyes, whole or not at all; gives rows by table.

    The copy is looked through as `verify` does before it has its name: one with faults is given, too, with them.
    Raises `BackupRefused` where the file is there, `OSError` where it cannot be written, and `JournalUnavailable`
    where the journal cannot be read.
    """
    if file.exists():
        raise BackupRefused(f"{file} is there already, and a backup is never written over. Name another file.")
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=file.parent) as folder:  # its owner's alone
        part = Path(folder) / "journal"
        copy = _file(part)
        # The moment is told too early rather than too late: from then on nothing is known.
        taken = {"value": now().astimezone(UTC).isoformat()}
        try:
            with copy.engine.execution_options(warranty_writes=True).begin() as target:
                make_tables(target)
                target.execute(delete(STORES))  # the first one comes along as it is called by now
                rows = _copied(_rows_of_own(database), target)
                upsert(target, PREFERENCES, key=BACKED_UP_AT, values=taken)
        except SQLAlchemyError as error:  # the copy's: those of the journal are `JournalUnavailable`
            raise OSError(errno.EIO, named(error)) from None
        faults = verify(copy).faults
        copy.close()
        try:
            _put(part, file)
        except FileExistsError:
            raise BackupRefused(f"{file} was made by somebody else meanwhile. Name another file.") from None
    return Verified(rows, faults)


def _put(part: Path, file: Path) -> None:
    """Give a whole copy its name, never over another file; raises `FileExistsError` where one is there."""
    try:
        os.link(part, file)
    except FileExistsError:
        raise
    except OSError:  # a share or a stick without hard links
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            try:
                with part.open("rb") as copy:
                    shutil.copyfileobj(copy, new)
                new.flush()
                os.fsync(new.fileno())
            except BaseException:
                file.unlink(missing_ok=True)
                raise


@contextmanager
def opened_backup(file: Path) -> Iterator[Database]:
    """A copy of a backup, in which the schema is this program's; the backup itself stays as it is.

    Raises `BackupRefused` where there is no such file or it is empty of a journal, `SettingsProblem` where it is of a
    newer program, and `JournalUnavailable` where it is no database.
    """
    if not file.is_file():
        raise BackupRefused(f"{file} is not there.")
    with tempfile.TemporaryDirectory(prefix="journal-") as folder:
        copy = Path(folder) / "journal"
        copy.touch(0o600)
        shutil.copyfile(file, copy)
        database = _file(copy)
        try:
            with database.read() as connection:
                if schema_of(connection).revision is None:
                    raise BackupRefused(f"{file} is no backup of a journal.")
            bring_up_to_date(database)
            yield database
        finally:
            database.close()


def restore(file: Path, database: Database, *, replace: bool) -> Restored:
    """Make a journal of a backup, in one transaction; without `replace` only where nothing is there.

    With `replace` a newer program's tables give way to this one's: so an upgrade is taken back. Where it fails in the
    middle, the journal is what it was, its tables too.

    Drafts stay out: one of them may be a sale that was recorded after the backup. Leases stay out: whoever held them
    is not there any more. What ended since is good again in the backup: so everybody is signed out, by another key of
    the cookies, and at each till a password is asked first.

    Raises `BackupRefused` where a backup or the database is not fit for it, and as
    `opened_backup` does.
    """
    with opened_backup(file) as copy:
        if faults := verify(copy).faults:
            raise BackupRefused(f"{file} does not pass verify, so it was not restored: {faults[0]}.")
        if database.is_used_by_others():  # before anything else is done
            raise BackupRefused("Another program has this journal open. Stop every desk first, also on other machines.")
        with database.read() as connection:
            is_newer = schema_of(connection).is_newer
        if is_newer and not replace:
            raise BackupRefused(
                "This journal was written by a newer version of the program. "
                "To put the backup in its place, and lose it, add --replace."
            )
        if not is_newer:
            bring_up_to_date(database)
        with copy.read() as source, database.write(erases=True) as target:
            database.without_time_limit(target)
            if is_newer:
                make_tables_anew(target)
            tables = METADATA.sorted_tables
            if not replace and any(_has_rows(target, each) for each in tables):
                raise BackupRefused(
                    "There are rows in this journal. To put the backup in their place, and lose them, add --replace."
                )
            for each in reversed(tables):
                target.execute(delete(each))
            restored_tables = [each for each in tables if each not in (DRAFTS, LEASES, SIGN_INS)]
            rows = _copied(_rows(source, restored_tables), target)
            target.execute(delete(PREFERENCES).filter_by(**COOKIE_KEY))  # the next start makes another
            now = datetime.now(UTC)
            nobody = {"username": "", "switched_by": "", "since": now, "pad_locked_at": now}
            target.execute(update(TILLS).values(**nobody))
            taken = source.scalar(select(PREFERENCES.c.value).filter_by(**BACKED_UP_AT))
            drafts = len(source.execute(select(DRAFTS.c.draft_id)).all())
    taken_at = datetime.fromisoformat(taken) if taken else None
    return Restored(taken_at, rows[ATTEMPTS.name], rows[UNSETTLED.name], drafts)


def _has_rows(connection: Connection, each: Table) -> bool:
    """Whether something would be lost; the first store is in every journal."""
    return each is not STORES and connection.execute(select(each).limit(1)).first() is not None


def _rows_of_own(database: Database) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """All rows of a journal of this version, of one moment."""
    with database.snapshot() as source:
        if not schema_of(source).is_own:
            raise BackupRefused("This journal is of another version of the program: use that one's.")
        yield from _rows(source, METADATA.sorted_tables)


def _rows(source: Connection, tables: Iterable[Table]) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """The rows of each table, some at once; a table without any is there as well."""
    for each in tables:
        yield each, []
        found = source.execution_options(yield_per=_ROWS_AT_ONCE).execute(select(_as_it_stands(each)))
        for some in found.mappings().partitions(_ROWS_AT_ONCE):
            yield each, [dict(row) for row in some]


def _copied(rows: Iterable[tuple[Table, list[dict[str, Any]]]], target: Connection) -> dict[str, int]:
    count: dict[str, int] = {}
    for each, some in rows:
        if some:
            target.execute(insert(_as_it_stands(each)), some)
        count[each.name] = count.get(each.name, 0) + len(some)
    return count


def _as_it_stands(known: Table) -> Any:
    """The table without our own types of values: what another version has kept in one goes over untouched."""

    def plain(kind: TypeEngine[Any]) -> TypeEngine[Any]:
        return JSON(none_as_null=True) if isinstance(kind, AsJson) else kind

    return table(known.name, *(column(one.name, plain(one.type)) for one in known.columns))


def _file(path: Path) -> Database:
    return Database(f"sqlite:///{path}")
