"""`python -m warranty privacy`: what is held about a customer's e-mail or phone, given out and erased."""

import argparse
import sys

from warranty.commands.housekeeping.privacy import Privacy, Sought
from warranty.commands.telling import MACHINE, SubParsers, actions_of, opened_records, put_out
from warranty.errors import DeskError
from warranty.settings import load_settings


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its two actions."""
    action = actions_of(subparsers, "privacy", "what is held about a customer: give it out, or erase it")
    for words in (
        ("export", _export, "print all of it as JSON, for the person who asked"),
        ("erase", _erase, "erase it; what must stay for money stays without the person"),
    ):
        who = action(*words).add_mutually_exclusive_group(required=True)
        who.add_argument("--email", dest="who", metavar="ADDRESS")
        who.add_argument("--phone", dest="who", metavar="NUMBER", help="as people of the country write it, or with +")


def _sought(arguments: argparse.Namespace) -> Sought:
    sought = Sought.read(arguments.who, load_settings().country)
    if sought is None:
        raise DeskError("Enter a complete e-mail address, or a phone number with its area code.")
    return sought


def _export(arguments: argparse.Namespace) -> int:
    sought = _sought(arguments)
    with opened_records() as (_, journal, audit):
        held = Privacy(journal.database, audit).export(MACHINE, sought)
    put_out(None, held.json + b"\n")
    return 0


def _erase(arguments: argparse.Namespace) -> int:
    sought = _sought(arguments)
    with opened_records() as (_, journal, audit):
        done = Privacy(journal.database, audit).erase(MACHINE, sought)
    for what, count in done.erased.items():
        print(f"{count:6}  {what}")
    for environment, order in done.retained:
        print(f"Kept until it is sent: order {order} of {environment}. Then run this again.", file=sys.stderr)
    stays = "What stays, without the person: entries with their order ids, items, prices and who sent them."
    found = done.retained or any(done.erased.values())
    print(f"Erased. {stays}" if found else "Nothing was held about this customer.")
    return 1 if done.retained else 0
