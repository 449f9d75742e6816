"""`python -m warranty audit`: whether the audit trail is whole, and the trail as a file."""

import argparse
import sys
from pathlib import Path

from warranty import COMMAND
from warranty.commands.claims import unwritable, write_whole
from warranty.commands.telling import opened_records
from warranty.journal.audit import AuditFilter, AuditKind, By


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its two actions."""
    parser = subparsers.add_parser("audit", help="who did what: verify the trail, or write it to a file")
    actions = parser.add_subparsers(dest="action", required=True)
    verifying = actions.add_parser(
        "verify", help="find rows that were changed, removed or put in; exit status 1 where there are any"
    )
    verifying.add_argument(
        "--seen",
        metavar="NUMBER:SEAL",
        type=_seen,
        help="a row as an earlier verify named it, noted elsewhere: it must be there still",
    )
    verifying.set_defaults(run=_verify)
    export = actions.add_parser(
        "export", help="write the trail of this environment as CSV, the oldest row first"
    )
    export.add_argument("file", metavar="FILE", type=Path)
    export.set_defaults(run=_export)


def _seen(text: str) -> tuple[int, str]:
    number, _, seal = text.partition(":")
    if not seal:
        raise ValueError
    return int(number), seal


def _verify(arguments: argparse.Namespace) -> int:
    with opened_records() as (_settings, _journal, trail):
        chain = trail.verify()
        number, seal = arguments.seen or (0, "")
        is_there = not number or number <= chain.purged_to or trail.seal_of(number) == seal
    print(f"{chain.rows} rows" + (f", {chain.first} to {chain.newest}." if chain.rows else "."))
    if chain.purged_to:
        print(f"Rows up to {chain.purged_to} were removed by a purge, when their time was over.")
    if chain.without_key_to:
        print(
            f"Rows up to {chain.without_key_to} were sealed without WARRANTY_AUDIT_SECRET: whoever may write to the "
            "database could have made them anew."
        )
    for fault in chain.faults:
        print(f"Broken: {fault.words}.", file=sys.stderr)
    if not is_there:
        print(f"Broken: row {number} is not there as it was seen: rows were taken back.", file=sys.stderr)
    holds = chain.holds and is_there
    if chain.rows:
        print(f"Newest row, to be noted elsewhere: {chain.newest}:{chain.seal}")
        print(f"Next time: {COMMAND} audit verify --seen {chain.newest}:{chain.seal}")
    print("The chain holds." if holds else "The chain is broken.")
    return 0 if holds else 1


def _export(arguments: argparse.Namespace) -> int:
    from warranty.journal.audit.export import audit_csv  # noqa: PLC0415 - `verify` needs no pandas

    if refusal := unwritable(arguments.file):
        print(refusal, file=sys.stderr)
        return 2
    with opened_records() as (_settings, _journal, trail):
        rows = trail.rows(AuditFilter())[::-1]
        trail.note(AuditKind.EXPORT, By.command(), what="audit trail", count=len(rows))
    write_whole(arguments.file, audit_csv(rows))
    print(f"{len(rows)} rows written to {arguments.file}.")
    return 0
