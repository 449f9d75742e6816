"""`python -m warranty observed`: what this shop's desks saw of the service."""

import argparse
import sys
from pathlib import Path

from warranty.commands.claims import check_writable, write_whole
from warranty.commands.telling import counted, opened_records
from warranty.desk.taking_away import TakenAway
from warranty.people.audit import AuditKind, By
from warranty.watch.observed.observations import Observations
from warranty.watch.observed.told import drift_json


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its action."""
    parser = subparsers.add_parser("observed", help="what this shop saw of the service: its drift")
    actions = parser.add_subparsers(dest="action", required=True)
    drift = actions.add_parser("drift", help="what answers showed beyond the service's document, as JSON for support")
    drift.add_argument("--out", type=Path, help="file to write")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.out is not None:
        check_writable(arguments.out)
    with opened_records() as (settings, journal, audit):
        drift = Observations(journal.database, settings.environment).drift()
        content = drift_json(drift, settings, made=journal.database.clock())
        audit.note(AuditKind.EXPORT, By.command(), what=TakenAway.SERVICE_DRIFT.words, count=len(drift))
    if arguments.out is None:
        sys.stdout.buffer.write(content + b"\n")
    else:
        write_whole(arguments.out, content)
        print(f"{counted((len(drift), 'finding', 'findings')) or 'No finding'} written to {arguments.out}.")
    return 0
