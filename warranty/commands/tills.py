"""`python -m warranty tills`: the registered tills, how one is withdrawn, and what their stores are called."""

import argparse
import sys
from zoneinfo import available_timezones

from warranty.commands.telling import MACHINE, SubParsers, actions_of, opened_records, option
from warranty.people.accounts.people import Accounts
from warranty.people.audit import AuditKind, By
from warranty.people.tills import TillDesk
from warranty.people.tills.tills import Store, Tills


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its actions."""
    action = actions_of(subparsers, "tills", "list and withdraw the registered tills, and name their stores")
    action("list", _list, "the tills: id, name, store, by whom registered, withdrawn or not")
    revoke = action("revoke", _revoke, "withdraw a till: whoever is at it is out at once")
    revoke.add_argument("till", metavar="ID", help="as `list` shows it")
    action("stores", _stores, "the stores: id, name, time zone")
    store = action("store", _store, "give a store a name and a time zone")
    store.add_argument("store", metavar="ID", help="as `stores` shows it, or a new one")
    store.add_argument("--name", required=True, help="what people call it")
    store.add_argument("--time-zone", type=_zone, default="", help="as Europe/Madrid; without it, the store has none")


def _known_zone(text: str) -> str:
    if text and text not in available_timezones():
        raise ValueError
    return text


_zone = option(_known_zone, "a time zone such as Europe/Madrid")


def _list(_: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, _audit):
        tills = Tills(journal.database, settings.environment).all().values()
        for till in tills:
            state = f"withdrawn {till.revoked_at:%Y-%m-%d}" if till.revoked_at else "registered"
            print(f"{till.till_id}\t{till.name}\t{till.store_id}\t{till.registered_by}\t{state}")
    if not tills:
        print("No till is registered.", file=sys.stderr)
    return 0


def _stores(_: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, _audit):
        for store in Tills(journal.database, settings.environment).stores():
            print(f"{store.store_id}\t{store.name}\t{store.time_zone}")
    return 0


def _store(arguments: argparse.Namespace) -> int:
    store = Store(arguments.store.strip(), arguments.name.strip(), arguments.time_zone)
    if not (store.store_id and store.name):
        print("A store has an id and a name.", file=sys.stderr)
        return 2
    with opened_records() as (settings, journal, audit):
        former = Tills(journal.database, settings.environment).describe(store)
        changes = {"name": f"from {former.name} to {store.name}"} if former.name != store.name else {}
        if former.time_zone != store.time_zone:
            changes["time_zone"] = f"from {former.time_zone or 'none'} to {store.time_zone or 'none'}"
        audit.note(AuditKind.SETTINGS, By.command(), what="store named", named=store.store_id, **changes)
    zone = f"in the time zone {store.time_zone}" if store.time_zone else "without a time zone of its own"
    print(f"The store {store.store_id} is called {store.name}, {zone}.")
    return 0


def _revoke(arguments: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, audit):
        tills = TillDesk(Tills(journal.database, settings.environment), lambda: Accounts({}, ""), audit)
        if not tills.revoke(MACHINE, arguments.till):
            print(f"There is no till {arguments.till} that is still registered.", file=sys.stderr)
            return 1
    print(f"The till {arguments.till} is withdrawn.")
    return 0
