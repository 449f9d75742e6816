"""`python -m warranty accounts`: who may sign in."""

import argparse
import getpass
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from warranty.access import Role
from warranty.accounts import account, accounts_of_file
from warranty.errors import SettingsProblem
from warranty.journal import open_journal
from warranty.journal.shared.people import People
from warranty.settings import load_settings


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its four actions."""
    parser = subparsers.add_parser("accounts", help="add, remove and list the people who may sign in")
    actions = parser.add_subparsers(dest="action", required=True)
    add = actions.add_parser("add", help="add a person, or set a new password; asks for it without echo")
    add.add_argument("name", metavar="NAME", help="the login name")
    add.add_argument("--role", required=True, choices=[role.value for role in Role])
    add.add_argument("--display-name", default="", help="the name that colleagues read")
    add.set_defaults(run=_add)
    remove = actions.add_parser("remove", help="remove a person")
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=_remove)
    actions.add_parser("list", help="list the people, never their hashes").set_defaults(run=_list)
    taking = actions.add_parser("import", help="take over the people of an accounts file of earlier versions")
    taking.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        type=Path,
        help="the file (WARRANTY_ACCOUNTS, else in the data folder)",
    )
    taking.set_defaults(run=_import)


@contextmanager
def _people() -> Iterator[People]:
    with closing(open_journal(load_settings().journal_url)) as journal:
        yield journal.people


def _add(arguments: argparse.Namespace) -> int:
    password = _ask_for_password()
    try:
        new = account(
            arguments.name, name=arguments.display_name, role=Role(arguments.role), password=password
        )
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    with _people() as people:
        people.put(new)
    print(
        f"{new.username} may sign in as {new.role}. Only the bcrypt hash is kept, in the journal's database."
    )
    return 0


def _ask_for_password() -> str:
    """Ask twice without echo at a terminal; from a pipe, read one line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("The same once more: ") != password:
        print("The two were not the same; nothing was changed.", file=sys.stderr)
        raise SystemExit(2)
    return password


def _remove(arguments: argparse.Namespace) -> int:
    with _people() as people:
        removed = people.remove(arguments.name)
    if not removed:
        print(f"There is no account {arguments.name}.", file=sys.stderr)
        return 1
    print(f"{arguments.name.lower()} can no longer sign in.")
    return 0


def _list(_: argparse.Namespace) -> int:
    with _people() as people:
        for entry in people.accounts().by_username.values():
            print(f"{entry.username}\t{entry.role}\t{entry.name}")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    path = arguments.file or load_settings().accounts
    found = accounts_of_file(path)
    if not found.by_username:
        raise SettingsProblem(f"There are no accounts in {path}.")
    with _people() as people:
        added = people.take_over(found.by_username.values(), cookie_key=found.cookie_key)
    there = len(found.by_username) - added
    print(
        f"Taken over: {added} of the {len(found.by_username)} accounts in {path}"
        f"{f'; the other {there} were there already, and stay as they are' if there else ''}. "
        "The file is not read any more. Delete it: it holds hashes of passwords and the key of the sign-in cookies."
    )
    return 0
