"""`python -m warranty conformance`: where do the service and its document differ?"""

import argparse
import sys
from collections.abc import Iterator
from typing import Final

from warranty.commands.telling import SubParsers
from warranty.errors import SettingsProblem
from warranty.settings import load_settings
from warranty.watch.conformance.bench import Bench, CannotBeTried, Clause, Differs, Shown, Trial
from warranty.watch.conformance.clauses import ALL

_NOBODY: Final = "conformance@example.com"
_WIDTH: Final = len(Shown.DIFFERS)
_SECTIONS: Final = tuple(dict.fromkeys(clause.section for clause in ALL))
CLAUSES: Final = tuple(sorted(ALL, key=lambda clause: _SECTIONS.index(clause.section)))
_LONGEST_DETAIL: Final = 300


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its options."""
    means = "try the document's clauses against the configured environment, one by one"
    parser = subparsers.add_parser("conformance", help=means)
    writes = "also try what stores orders, records sales and mails a customer; never in production"
    parser.add_argument("--allow-writes", action="store_true", help=writes)
    mails = f"where mails to the customer of test orders go (default: {_NOBODY})"
    parser.add_argument("--email", default=_NOBODY, help=mails)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    settings = load_settings()
    if arguments.allow_writes and settings.environment == "production":
        raise SettingsProblem("In production nothing is written to try it out: use staging or a sandbox.")
    if settings.uses_embedded_sandbox:
        raise SettingsProblem(
            "The embedded sandbox runs inside the desk only: start `python -m sandbox` and set WARRANTY_ENVIRONMENT, "
            "WARRANTY_BASE_URL, both tokens and WARRANTY_CA_FILE to what it prints."
        )
    counts = dict.fromkeys(Shown, 0)
    section = ""
    with Bench(settings, email=arguments.email) as bench:
        print(f"{len(CLAUSES)} clauses against {settings.environment}")
        for clause, finding in findings(bench, allow_writes=arguments.allow_writes):
            counts[finding.shown] += 1
            if clause.section != section:
                section = clause.section
                print(f"\n{section}")
            print(f"  {finding.shown.ljust(_WIDTH)}  {clause.says}")
            if finding.detail:
                print(f"  {' ' * _WIDTH}  -> {finding.detail}")
            sys.stdout.flush()
    print(f"\n{counts[Shown.HOLDS]} hold, {counts[Shown.DIFFERS]} differ, {counts[Shown.NOT_RUN]} were not run")
    if counts[Shown.DIFFERS]:
        return 1
    return 0 if counts[Shown.HOLDS] else 3


def findings(bench: Bench, *, allow_writes: bool) -> Iterator[tuple[Clause, Trial]]:
    """Try each clause that may be tried, and tell what was found as soon as it is."""
    for clause in CLAUSES:
        if clause.writes and not allow_writes:
            yield clause, Trial(Shown.NOT_RUN, "writes or mails: add --allow-writes")
            continue
        try:
            shown, detail = Shown.HOLDS, clause.probe(bench) or ""
        except Differs as differs:
            shown, detail = Shown.DIFFERS, str(differs)
        except CannotBeTried as reason:
            shown, detail = Shown.NOT_RUN, str(reason)
        except (AttributeError, LookupError, TypeError, ValueError):
            # A try walks through the answer as the document shows it; what it stumbles over is of another shape.
            shown, detail = Shown.DIFFERS, "the answer is not of the documented shape"
        yield clause, Trial(shown, detail[:_LONGEST_DETAIL])
