"""`python -m warranty observed`: what this shop's desks saw of the service."""

import argparse
import sys
from pathlib import Path

from warranty.commands.claims import unwritable, write_whole
from warranty.commands.telling import opened_records
from warranty.desk.taking_away import TakenAway
from warranty.journal.audit import AuditKind, By
from warranty.observed.record import months
from warranty.observed.told import drift_json, record_pdf


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its two actions."""
    parser = subparsers.add_parser(
        "observed", help="what this shop saw of the service: its drift, and its record"
    )
    actions = parser.add_subparsers(dest="action", required=True)
    drift = actions.add_parser(
        "drift", help="what answers showed beyond the service's document, as JSON for support"
    )
    record = actions.add_parser(
        "record", help="the service by month, as a page (PDF) for the talk with the vendor"
    )
    for action in (drift, record):
        action.add_argument("--out", type=Path, required=action is record, help="file to write")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.out is not None and (refusal := unwritable(arguments.out)):
        print(refusal, file=sys.stderr)
        return 2
    with opened_records() as (settings, journal, audit):
        kept, made = journal.observations(settings.environment), journal.now()
        drift, record = kept.drift(), months(kept, made)
        if arguments.action == "drift":
            what, count = TakenAway.SERVICE_DRIFT, len(drift)
            content = drift_json(drift, settings, made=made)
        else:
            what, count = TakenAway.SERVICE_RECORD, len(record)
            content = record_pdf(record, settings, made=made)
        audit.note(AuditKind.EXPORT, By.command(), what=what.words, count=count)
    if arguments.out is None:
        sys.stdout.buffer.write(content + b"\n")
    else:
        write_whole(arguments.out, content)
    return 0
