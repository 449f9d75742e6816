"""`python -m warranty observed`: what this shop's desks saw of the service."""

import argparse
from pathlib import Path

from warranty.commands.telling import SubParsers, actions_of, check_writable, counted, opened_records, put_out
from warranty.desk.taking_away import TakenAway
from warranty.people.audit import AuditKind, By
from warranty.watch.observed.observations import Observations, drift_json


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its action."""
    action = actions_of(subparsers, "observed", "what this shop saw of the service: its drift")
    drift = action("drift", _drift, "what answers showed beyond the service's document, as JSON for support")
    drift.add_argument("--out", type=Path, help="file to write")


def _drift(arguments: argparse.Namespace) -> int:
    if arguments.out is not None:
        check_writable(arguments.out)
    with opened_records() as (settings, journal, audit):
        drift = Observations(journal.database, settings.environment).drift()
        content = drift_json(drift, settings, made=journal.database.clock())
        audit.note(AuditKind.EXPORT, By.command(), what=TakenAway.SERVICE_DRIFT.words, count=len(drift))
    put_out(arguments.out, content + b"\n")
    if arguments.out is not None:
        print(f"{counted((len(drift), 'finding', 'findings')) or 'No finding'} written to {arguments.out}.")
    return 0
