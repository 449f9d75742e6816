"""`python -m warranty journal`: the record of what this desk sent, copied and brought back, without a browser."""

import argparse
import sys
from contextlib import closing, suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from warranty.clock import utc_now
from warranty.commands.housekeeping.backup import back_up, opened_backup, restore
from warranty.commands.housekeeping.retention import forget, purge
from warranty.commands.housekeeping.verification import verify
from warranty.commands.telling import SubParsers, actions_of, check_writable, counted, opened_records, option, put_out
from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.database.tables import BACKED_UP_AT
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.people.audit import AuditKind, By
from warranty.people.audit.trail import Seen, Watched
from warranty.settings import load_settings

_NAMED: Final = "journal-%Y-%m-%d-%H%M%S.sqlite"


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its actions."""
    action = actions_of(subparsers, "journal", "list, export, purge, back up, restore, verify the record")

    listing = action("list", _list, "print the newest entries, what needs a person first")
    _add_range(listing)
    listing.add_argument("--limit", type=int, default=50, help="at most so many lines (50)")

    export = action("export", _export, "write the entries as CSV or JSON lines; nothing in them is personal")
    _add_range(export)
    export.add_argument("--format", choices=["csv", "jsonl"], default="csv")
    export.add_argument("--separator", choices=[",", ";"], default=",", help="of the CSV (comma)")
    export.add_argument("--out", type=Path, help="file to write; without it, standard output")

    purge = action("purge", _purge, "remove what is older than the retention, in all environments")
    days = option(_days, "a number of days, 1 or more")
    purge.add_argument("--days", type=days, help="keep settled entries so many days (WARRANTY_RETENTION_DAYS)")
    purge.add_argument("--draft-days", type=days, help="keep drafts so many days (WARRANTY_DRAFT_RETENTION_DAYS)")
    purge.add_argument("--dry-run", action="store_true", help="only say what would be removed")

    backup = action("backup", _back_up, "copy the journal as it stands to a new file, while desks run")
    file = "the file, which only its owner reads; without it, one named by its moment (UTC) in WARRANTY_DATA_DIR/copies"
    backup.add_argument("file", type=Path, nargs="?", help=file)
    beside = "then remove copies beside it that are named by a moment of more than so many days ago"
    backup.add_argument("--keep-days", type=days, help=beside)

    restoring = action("restore", _restore, "make the journal of a backup, with every desk stopped")
    restoring.add_argument("file", type=Path, help="a backup of either database")
    restoring.add_argument("--replace", action="store_true", help="also where there is a journal: it is lost")

    verifying = action("verify", _verify, "look through all of it; exit status 1 where a rule is broken")
    verifying.add_argument("file", type=Path, nargs="?", help="a backup; without it the journal of the settings")


_day = option(date.fromisoformat, "a day such as 2026-11-21")


def _add_range(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="first", type=_day, help="first day, as 2026-11-21")
    parser.add_argument("--to", dest="last", type=_day, help="last day, counted whole")
    states = [state.value for state in AttemptState if state is not AttemptState.DRAFT]
    means = "only entries in this state; may be given several times"
    parser.add_argument("--state", dest="states", action="append", default=[], choices=states, help=means)


def _list(arguments: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, _audit):
        found = journal.attempts(settings.environment, _query(arguments, limit=arguments.limit))
        total = journal.count(settings.environment, _query(arguments, limit=None))
    for attempt in found:
        print(_line(attempt))
    print(f"{len(found)} of {total} entries of {settings.environment}.", file=sys.stderr)
    return 0


def _line(attempt: Attempt) -> str:
    started = attempt.started_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    result, failure = attempt.result, attempt.failure
    answer = result.returned_id or result.landing_url or (failure.kind if failure else "")
    return "\t".join([started, attempt.state, attempt.operation, attempt.username, attempt.order_id, answer])


def _export(arguments: argparse.Namespace) -> int:
    from warranty.desk.journal.export import attempts_csv, attempts_jsonl  # noqa: PLC0415 - `list` and `purge` need no pandas

    if arguments.out is not None:
        check_writable(arguments.out)
    with opened_records() as (settings, journal, audit):
        found = journal.attempts(settings.environment, _query(arguments, limit=None))
        audit.note(AuditKind.EXPORT, By.command(), what=f"activity {arguments.format}", count=len(found))
    if arguments.format == "csv":
        content = attempts_csv(found, separator=arguments.separator)
    else:
        content = "".join(f"{line}\n" for line in attempts_jsonl(found)).encode()
    put_out(arguments.out, content)
    written = f" written to {arguments.out}" if arguments.out else ""
    entries = counted((len(found), "entry", "entries")) or "No entry"
    print(f"{entries} of {settings.environment}{written}.", file=sys.stderr)
    return 0


def _purge(arguments: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, audit):
        keep = settings.retention if arguments.days is None else arguments.days
        keep_drafts = settings.draft_retention if arguments.draft_days is None else arguments.draft_days
        if arguments.dry_run:
            removed = purge(journal.database, keep=keep, keep_drafts=keep_drafts, only_count=True)
        else:
            removed = forget(journal.database, audit, keep=keep, keep_drafts=keep_drafts, by=By.command())
    parts = counted(
        (removed.attempts, "entry", "entries"),
        (removed.drafts, "draft", "drafts"),
        (removed.imports, "import", "imports"),
        (removed.bodies, "unsettled entry's customer", "unsettled entries' customers"),
    )
    print(f"{'To be removed' if arguments.dry_run else 'Removed'}: {parts or 'nothing'}.")
    return 0


def _query(arguments: argparse.Namespace, *, limit: int | None) -> AttemptFilter:
    """The filter of a command; days are those of this computer's time zone."""
    return AttemptFilter(
        start=None if arguments.first is None else _midnight(arguments.first),
        end=None if arguments.last is None else _midnight(arguments.last + timedelta(days=1)),
        states=frozenset(AttemptState(state) for state in arguments.states),
        unknown_first=arguments.action == "list",
        limit=limit,
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time()).astimezone()


def _days(text: str) -> timedelta:
    number = int(text)
    if number < 1:
        raise ValueError
    return timedelta(days=number)


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
        audit.note(AuditKind.EXPORT, By.command(), what="backup", count=entries)
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
        row = audit.note(AuditKind.EXPORT, By.command(), what="restored from a backup", count=done.entries)
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


def _verify(arguments: argparse.Namespace) -> int:
    file = arguments.file
    with closing(Database(load_settings().journal_url)) if file is None else opened_backup(file) as database:
        found = verify(database)
    for name, number in found.rows.items():
        if number:
            print(f"{number:10}  {name}")
    for fault in found.faults:
        print(f"Broken: {fault}.", file=sys.stderr)
    print("Broken." if found.faults else "OK.")
    return 1 if found.faults else 0
