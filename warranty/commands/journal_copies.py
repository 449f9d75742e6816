"""`journal backup`, `restore` and `verify`: the record kept elsewhere, brought back, and looked through."""

import argparse
import sys
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from warranty.clock import utc_now
from warranty.commands.claims import check_writable
from warranty.commands.housekeeping.backup import back_up, opened_backup, restore
from warranty.commands.housekeeping.verification import verify
from warranty.commands.telling import counted, opened_records, option
from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.database.tables import BACKED_UP_AT
from warranty.people.audit import AuditKind, AuditRow, AuditTrail, By
from warranty.people.audit.seen import Seen, Watched
from warranty.settings import load_settings

_NAMED: Final = "journal-%Y-%m-%d-%H%M%S.sqlite"


def add_actions(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the three actions to those of `journal`."""
    backup = actions.add_parser("backup", help="copy the journal as it stands to a new file, while desks run")
    backup.add_argument(
        "file",
        type=Path,
        nargs="?",
        help="the file; it holds customers' data, so only its owner reads it. Without it, one in the folder "
        "`copies` of WARRANTY_DATA_DIR, named by its moment (UTC)",
    )
    backup.add_argument(
        "--keep-days",
        type=days,
        help="then remove copies beside it that are named by a moment of more than so many days ago",
    )
    backup.set_defaults(run=_back_up)

    restoring = actions.add_parser("restore", help="make the journal of a backup, with every desk stopped")
    restoring.add_argument("file", type=Path, help="a backup of either database")
    restoring.add_argument("--replace", action="store_true", help="also where there is a journal: it is lost")
    restoring.set_defaults(run=_restore)

    verifying = actions.add_parser("verify", help="look through all of it; exit status 1 where a rule is broken")
    verifying.add_argument("file", type=Path, nargs="?", help="a backup; without it the journal of the settings")
    verifying.set_defaults(run=_verify)


def _days(text: str) -> timedelta:
    number = int(text)
    if number < 1:
        raise ValueError
    return timedelta(days=number)


days = option(_days, "a number of days, 1 or more")


def _back_up(arguments: argparse.Namespace) -> int:
    settings, moment = load_settings(), utc_now()
    file = arguments.file or settings.data_dir / "copies" / f"{moment:{_NAMED}}"
    if arguments.file is None:
        with suppress(OSError):  # that it cannot be made, the next line says
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_writable(file)
    try:
        with closing(Database(settings.journal_url)) as database:
            found = back_up(database, file, now=utc_now)
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        print(f"The copy {file} could not be written ({why}); the journal is as it was.", file=sys.stderr)
        return 2
    for fault in found.faults:
        print(f"Broken: {fault}.", file=sys.stderr)
    if found.faults:
        print(f"{file} was written, but is no good copy. Older ones stay as they are.", file=sys.stderr)
        return 1
    entries, rows = found.rows["attempts"], sum(found.rows.values())
    with opened_records() as (_settings, journal, audit):
        Preference(journal.database, **BACKED_UP_AT).save(moment.isoformat())
        _note(audit, "backup", entries)
    print(f"{counted((entries, 'entry', 'entries'), (rows, 'row in all', 'rows in all'))} written to {file}.")
    if arguments.keep_days is not None:
        removed = _removed_before(moment - arguments.keep_days, file.parent)
        if removed:
            print(f"{counted((removed, 'older copy', 'older copies'))} removed.")
    return 0


def _removed_before(moment: datetime, folder: Path) -> int:
    """Remove copies by the moments in their names; gives how many. What is named otherwise stays."""
    removed = 0
    for copy in folder.iterdir():
        with suppress(ValueError):
            if datetime.strptime(copy.name, _NAMED).replace(tzinfo=UTC) < moment:
                copy.unlink(missing_ok=True)
                removed += 1
    return removed


def _restore(arguments: argparse.Namespace) -> int:
    with closing(Database(load_settings().journal_url)) as database:
        done = restore(arguments.file, database, replace=arguments.replace)
    with opened_records() as (settings, _journal, audit):
        row = _note(audit, "restored from a backup", done.entries)
        Watched(audit, settings.data_dir).note(Seen(row.number, row.seal))
    moment = f"{done.taken_at:%Y-%m-%d %H:%M:%S} UTC" if done.taken_at else "the moment at which the file was made"
    print(f"Restored as it stood at {moment}: {counted((done.entries, 'entry', 'entries')) or 'no entry'}.")
    if drafts := counted((done.drafts_left_out, "draft", "drafts")):
        print(f"Left out: {drafts}, since a sale may have been recorded from one later.")
    if unanswered := counted((done.unanswered, "entry", "entries")):
        print(f"Without an answer: {unanswered}. Settle them on Activity once more, where that was done since.")
    print(f"Tell the counters: nothing is known of what was sent after {moment}. Before selling on an order of that")
    print("time, look at its landing page, or at Record sale where WARRANTY_PURCHASE_WARRANTIES_PATH is set.")
    print("Everybody signs in again, and at each till with a password first. Do once more what was done since then:")
    print("accounts locked or removed, tills and badges withdrawn, passwords and apps renewed, customers erased.")
    return 0


def _note(audit: AuditTrail, what: str, entries: int) -> AuditRow:
    return audit.note(AuditKind.EXPORT, By.command(), what=what, count=entries)


def _verify(arguments: argparse.Namespace) -> int:
    if arguments.file is None:
        with closing(Database(load_settings().journal_url)) as database:
            found = verify(database)
    else:
        with opened_backup(arguments.file) as database:
            found = verify(database)
    for name, number in found.rows.items():
        if number:
            print(f"{number:10}  {name}")
    for fault in found.faults:
        print(f"Broken: {fault}.", file=sys.stderr)
    print("Broken." if found.faults else "OK.")
    return 1 if found.faults else 0
