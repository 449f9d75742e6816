"""`python -m warranty journal`: the record of what this desk sent, without a browser."""

import argparse
import sys
from datetime import date, datetime, time, timedelta
from pathlib import Path

from warranty.commands.claims import check_writable, write_whole
from warranty.commands.housekeeping.retention import forget, purge
from warranty.commands.journal_copies import add_actions, days
from warranty.commands.telling import counted, opened_records, option
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.people.audit import AuditKind, By


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its actions."""
    parser = subparsers.add_parser("journal", help="list, export, purge, back up, restore, verify the record")
    actions = parser.add_subparsers(dest="action", required=True)

    listing = actions.add_parser("list", help="print the newest entries, what needs a person first")
    _add_range(listing)
    listing.add_argument("--limit", type=int, default=50, help="at most so many lines (50)")
    listing.set_defaults(run=_list)

    export = actions.add_parser("export", help="write the entries as CSV or JSON lines; nothing in them is personal")
    _add_range(export)
    export.add_argument("--format", choices=["csv", "jsonl"], default="csv")
    export.add_argument("--separator", choices=[",", ";"], default=",", help="of the CSV (comma)")
    export.add_argument("--out", type=Path, help="file to write; without it, standard output")
    export.set_defaults(run=_export)

    purge = actions.add_parser("purge", help="remove what is older than the retention, in all environments")
    purge.add_argument("--days", type=days, help="keep settled entries so many days (WARRANTY_RETENTION_DAYS)")
    purge.add_argument("--draft-days", type=days, help="keep drafts so many days (WARRANTY_DRAFT_RETENTION_DAYS)")
    purge.add_argument("--dry-run", action="store_true", help="only say what would be removed")
    purge.set_defaults(run=_purge)
    add_actions(actions)


_day = option(date.fromisoformat, "a day such as 2026-11-21")


def _add_range(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="first", type=_day, help="first day, as 2026-11-21")
    parser.add_argument("--to", dest="last", type=_day, help="last day, counted whole")
    parser.add_argument(
        "--state",
        dest="states",
        action="append",
        default=[],
        choices=[state.value for state in AttemptState if state is not AttemptState.DRAFT],
        help="only entries in this state; may be given several times",
    )


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
    if arguments.out is None:
        sys.stdout.buffer.write(content)
    else:
        write_whole(arguments.out, content)
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
