"""`python -m warranty accounts`: who may sign in."""

import argparse
import getpass
import sys

from warranty.access import Role
from warranty.accounts import AccountsFile, account
from warranty.settings import load_settings


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its three actions."""
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


def _add(arguments: argparse.Namespace) -> int:
    file = AccountsFile(load_settings().accounts)
    password = _ask_for_password()
    try:
        file.put(
            account(
                arguments.name,
                name=arguments.display_name,
                role=Role(arguments.role),
                password=password,
            )
        )
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    print(
        f"{arguments.name.lower()} may sign in as {arguments.role}. Only the bcrypt hash is kept, in {file.path}."
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
    file = AccountsFile(load_settings().accounts)
    if not file.remove(arguments.name):
        print(f"There is no account {arguments.name} in {file.path}.", file=sys.stderr)
        return 1
    print(f"{arguments.name.lower()} can no longer sign in.")
    return 0


def _list(_: argparse.Namespace) -> int:
    file = AccountsFile(load_settings().accounts)
    for entry in file.load().by_username.values():
        print(f"{entry.username}\t{entry.role}\t{entry.name}")
    return 0
