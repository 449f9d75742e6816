"""`python -m warranty tills`: the registered tills, and how one is withdrawn."""

import argparse
import sys

from warranty.commands.telling import opened_records
from warranty.journal.shared.people import Accounts
from warranty.tills import TillDesk


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its two actions."""
    parser = subparsers.add_parser("tills", help="list and withdraw the registered tills")
    actions = parser.add_subparsers(dest="action", required=True)
    listing = actions.add_parser(
        "list", help="the tills: id, name, store, by whom registered, withdrawn or not"
    )
    listing.set_defaults(run=_list)
    revoke = actions.add_parser("revoke", help="withdraw a till: whoever is at it is out at once")
    revoke.add_argument("till", metavar="ID", help="as `list` shows it")
    revoke.set_defaults(run=_revoke)


def _list(_: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, _audit):
        for till in journal.tills(settings.environment).all().values():
            state = f"withdrawn {till.revoked_at:%Y-%m-%d}" if till.revoked_at else "registered"
            print(f"{till.till_id}\t{till.name}\t{till.store_id}\t{till.registered_by}\t{state}")
    return 0


def _revoke(arguments: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, audit):
        tills = TillDesk(journal.tills(settings.environment), lambda: Accounts({}, ""), audit)
        if not tills.revoke(None, arguments.till):
            print(f"There is no till {arguments.till} that is still registered.", file=sys.stderr)
            return 1
    print(f"The till {arguments.till} is withdrawn.")
    return 0
