"""`python -m warranty audit`: whether the audit trail is whole, and the trail as a file."""

import argparse
import sys
from pathlib import Path

from warranty import COMMAND
from warranty.commands.telling import SubParsers, actions_of, check_writable, opened_records
from warranty.disk import write_whole
from warranty.people.audit import AuditFilter, AuditKind, By
from warranty.people.audit.trail import Seen, Watched


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its two actions."""
    action = actions_of(subparsers, "audit", "who did what: verify the trail, or write it to a file")
    means = "find rows that were changed, removed or put in; exit status 1 where there are any"
    verifying = action("verify", _verify, means)
    seen = "a row as an earlier verify named it, noted elsewhere: it must be there still"
    verifying.add_argument("--seen", metavar="NUMBER:SEAL", type=Seen.read, action="append", default=[], help=seen)
    export = action("export", _export, "write the trail of this environment as CSV, the oldest row first")
    export.add_argument("file", metavar="FILE", type=Path)


def _verify(arguments: argparse.Namespace) -> int:
    with opened_records() as (settings, _journal, trail):
        watched = Watched(trail, settings.data_dir)
        chain = watched.verify(*arguments.seen)
    print(f"{chain.rows} rows" + (f", {chain.first} to {chain.newest}." if chain.rows else "."))
    if chain.purged_to:
        print(f"Rows up to {chain.purged_to} were removed by a purge, when their time was over.")
    if chain.without_key_to:
        print(
            f"Rows up to {chain.without_key_to} were sealed without WARRANTY_AUDIT_SECRET: whoever may write to the "
            "database could have made them anew."
        )
    for fault in chain.faults:
        print(f"Broken: {fault.words}", file=sys.stderr)
    if chain.rows:
        newest = Seen(chain.newest, chain.seal)
        print(f"Newest row, noted in {watched.file if chain.holds else 'no file'}: {newest}")
        print(f"To be noted on another machine, too: {COMMAND} audit verify --seen {newest}")
    print("The chain holds." if chain.holds else "The chain is broken.")
    return 0 if chain.holds else 1


def _export(arguments: argparse.Namespace) -> int:
    from warranty.files.export.audit_file import audit_csv  # noqa: PLC0415 - `verify` needs no pandas

    check_writable(arguments.file)
    with opened_records() as (_settings, _journal, trail):
        rows = trail.rows(AuditFilter())[::-1]
        trail.note(AuditKind.EXPORT, By.command(), what="audit trail", count=len(rows))
    write_whole(arguments.file, audit_csv(rows))
    print(f"{len(rows)} rows written to {arguments.file}.")
    return 0
