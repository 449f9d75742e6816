"""`python -m warranty privacy`: what is held about a customer's e-mail or phone, given out and erased."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from warranty.access import Operator, Role
from warranty.commands.telling import told_on_stderr
from warranty.desk.privacy import Privacy
from warranty.journal import open_journal
from warranty.journal.about_person import Sought
from warranty.places.contact import PhoneProblem, read_phone
from warranty.settings import load_settings

_MACHINE: Final = Operator("", "the command line", Role.ADMINISTRATOR)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its two actions."""
    parser = subparsers.add_parser("privacy", help="what is held about a customer: give it out, or erase it")
    actions = parser.add_subparsers(dest="action", required=True)
    for name, run, told in (
        ("export", _export, "print all of it as JSON, for the person who asked"),
        ("erase", _erase, "erase it; what must stay for money stays without the person"),
    ):
        action = actions.add_parser(name, help=told)
        who = action.add_mutually_exclusive_group(required=True)
        who.add_argument("--email", default="", metavar="ADDRESS")
        who.add_argument(
            "--phone", default="", metavar="NUMBER", help="as people of the country write it, or with +"
        )
        action.set_defaults(run=run)


@contextmanager
def _privacy() -> Iterator[Privacy]:
    settings = load_settings()
    with told_on_stderr(), closing(open_journal(settings.journal_url)) as journal:
        yield Privacy(journal, journal.audit(settings.environment, settings.audit_secret))


def _sought(arguments: argparse.Namespace) -> Sought | None:
    """Who is meant; None after a sentence where that cannot be read."""
    try:
        if arguments.phone:
            return Sought(phone=read_phone(arguments.phone, load_settings().country).e164)
        if "@" in arguments.email:
            return Sought(email=arguments.email.strip())
    except PhoneProblem as problem:
        print(f"{problem}.", file=sys.stderr)
        return None
    print("Enter a complete e-mail address.", file=sys.stderr)
    return None


def _export(arguments: argparse.Namespace) -> int:
    sought = _sought(arguments)
    if sought is None:
        return 2
    with _privacy() as privacy:
        held = privacy.export(_MACHINE, sought)
    sys.stdout.buffer.write(held.json + b"\n")
    sys.stdout.flush()
    return 0


def _erase(arguments: argparse.Namespace) -> int:
    sought = _sought(arguments)
    if sought is None:
        return 2
    with _privacy() as privacy:
        done = privacy.erase(_MACHINE, sought)
    for what, count in done.erased.items():
        print(f"{count:6}  {what}")
    for environment, order in done.kept:
        print(f"Kept until it is sent: order {order} of {environment}. Then run this again.", file=sys.stderr)
    print(
        "Erased. What stays, without the person: entries with their order ids, items, prices and who sent them."
    )
    return 1 if done.kept else 0
