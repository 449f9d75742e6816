"""`python -m warranty accounts`: who may sign in; what the screen People does, for whoever has the machine."""

import argparse
import getpass
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from warranty.access import Operator, Role
from warranty.commands.telling import MACHINE, SubParsers, actions_of, opened_records
from warranty.errors import SettingsProblem
from warranty.people.accounts import AccountRefused, Administration, KnownAccounts, Refusal, accounts_of_file
from warranty.people.accounts.administration import ONE_TIME_LASTS
from warranty.people.accounts.people import People
from warranty.people.audit import AuditKind, By
from warranty.settings import load_settings

_ByName = Callable[[Administration, Operator, str], None]
_Change = Callable[[Administration, argparse.Namespace], str]
_ROLES: Final = [role.value for role in Role]
_CHANGES: Final = {
    "lock": (
        Administration.lock,
        "let a person in no more, and out everywhere",
        "can no longer sign in, and is signed out everywhere.",
    ),
    "unlock": (Administration.unlock, "let a person in again", "may sign in again."),
    "end-sessions": (Administration.end_sessions, "sign a person out everywhere", "is signed out everywhere."),
    "reset-second-factor": (
        Administration.reset_second_factor,
        "forget a person's app for codes: they set up another",
        "is signed out everywhere, and sets up another app at the next sign-in.",
    ),
    "remove": (Administration.remove, "remove a person", "can no longer sign in."),
}
"""What is done with a name alone: how, what it means, and what is true of that person then."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the command and its actions."""
    action = actions_of(subparsers, "accounts", "look after the people who may sign in")

    def of_person(name: str, change: _Change, means: str) -> argparse.ArgumentParser:
        found = action(name, partial(_administer, change), means)
        found.add_argument("name", metavar="NAME", help="the login name")
        return found

    add = of_person("add", _add, "add a person, or set a new password; asks for it without echo")
    invite = of_person("invite", _invite, "add a person with a one-time password, which is shown once")
    for adding in (add, invite):
        adding.add_argument("--role", required=True, choices=_ROLES)
        adding.add_argument("--display-name", default="", help="the name that colleagues read")
        adding.add_argument("--store", default="", help="the id of the home store")
    of_person("role", _role, "give a person another role").add_argument("role", choices=_ROLES)
    of_person("store", _store, "give a person a home store").add_argument("store", help='its id; "" for none')
    of_person("reset", _reset, "give a person a one-time password, which is shown once")
    for name, (change, means, done) in _CHANGES.items():
        of_person(name, partial(_changed, change, done), means)
    action("list", _list, "list the people, never their hashes")
    action("new-key", _new_key, "sign cookies with another key: everybody is signed out")
    action("import", _import, "take over the people of an accounts file of earlier versions").add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="the file (WARRANTY_ACCOUNTS, else in the data folder)"
    )


def _administer(change: _Change, arguments: argparse.Namespace) -> int:
    """Do something about an account, as whoever has this machine; 1 and a sentence where there is no such account."""
    with opened_records() as (_settings, journal, audit):
        try:
            print(change(Administration(journal.database, KnownAccounts(journal.database, audit=audit)), arguments))
        except AccountRefused as refused:
            if refused.reason is not Refusal.UNKNOWN:
                raise
            print(refused, file=sys.stderr)
            return 1
    return 0


def _add(accounts: Administration, arguments: argparse.Namespace) -> str:
    new = accounts.add(MACHINE, arguments.name, password=_ask_for_password(), **_about(arguments))
    return f"{new.username} may sign in as {new.role}. Only the bcrypt hash is kept, in the journal's database."


def _invite(accounts: Administration, arguments: argparse.Namespace) -> str:
    return _one_time(arguments.name, accounts.invite(MACHINE, arguments.name, **_about(arguments)))


def _about(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"name": arguments.display_name, "role": Role(arguments.role), "home_store": arguments.store}


def _reset(accounts: Administration, arguments: argparse.Namespace) -> str:
    return _one_time(arguments.name, accounts.reset_password(MACHINE, arguments.name))


def _one_time(name: str, password: str) -> str:
    return (
        f"The one-time password of {name.lower()}: {password}\n"
        f"It is shown this once, opens for {ONE_TIME_LASTS.days} days, and has to be changed at the first sign-in."
    )


def _role(accounts: Administration, arguments: argparse.Namespace) -> str:
    accounts.set_role(MACHINE, arguments.name, Role(arguments.role))
    return f"{arguments.name.lower()} is {arguments.role} now, and signs in anew."


def _store(accounts: Administration, arguments: argparse.Namespace) -> str:
    accounts.set_home_store(MACHINE, arguments.name, arguments.store)
    return f"{arguments.name.lower()} has the home store {arguments.store.strip() or 'none'} now."


def _changed(change: _ByName, done: str, accounts: Administration, arguments: argparse.Namespace) -> str:
    change(accounts, MACHINE, arguments.name)
    return f"{arguments.name.lower()} {done}"


def _ask_for_password() -> str:
    """Ask twice without echo at a terminal; from a pipe, read one line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("The same once more: ") != password:
        print("The two were not the same; nothing was changed.", file=sys.stderr)
        raise SystemExit(2)
    return password


def _list(_: argparse.Namespace) -> int:
    with opened_records() as (settings, journal, _audit):
        for entry in (known := People(journal.database).accounts().by_username).values():
            state = "locked" if entry.locked else "invited" if entry.one_time_until else "active"
            by = "\tby the provider" if entry.issuer else ""
            print(f"{entry.username}\t{entry.role}\t{entry.name}\t{entry.home_store}\t{state}{by}")
    if settings.is_for_training:
        print("The training accounts of the sign-in screen may sign in as well.", file=sys.stderr)
    elif not known:
        print("There is no account yet.", file=sys.stderr)
    return 0


def _new_key(_: argparse.Namespace) -> int:
    with opened_records() as (_settings, journal, audit):
        People(journal.database).renew_key()
        audit.note(AuditKind.ACCOUNT, By.command(), what="another key of the cookies")
    print("Everybody is signed out, and signs in again.")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    path = arguments.file or load_settings().accounts
    found = accounts_of_file(path)
    if not found.by_username:
        raise SettingsProblem(f"There are no accounts in {path}.")
    with opened_records() as (_settings, journal, audit):
        added = People(journal.database).take_over(found.by_username.values(), cookie_key=found.cookie_key)
        audit.note(AuditKind.ACCOUNT, By.command(), what="taken over from a file", count=added)
    there = len(found.by_username) - added
    print(
        f"Taken over: {added} of the {len(found.by_username)} accounts in {path}"
        f"{f'; the other {there} were there already, and stay as they are' if there else ''}. "
        "The file is not read any more. Delete it: it holds hashes of passwords and the key of the sign-in cookies."
    )
    return 0
