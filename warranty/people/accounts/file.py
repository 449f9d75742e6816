"""The accounts file of earlier versions, which `accounts import` takes over, as streamlit-authenticator reads it:

cookie: {key: <64 hex digits>}
credentials:
  usernames:
    ada: {name: Ada Byron, password: $2b$12$..., roles: [manager]}
"""

from pathlib import Path
from typing import Any

import yaml

from warranty import COMMAND
from warranty.access import Role
from warranty.errors import SettingsProblem
from warranty.people.accounts.people import Account, Accounts

_HASH_PREFIXES = ("$2a$", "$2b$", "$2y$")


def accounts_of_file(path: Path) -> Accounts:
    """The accounts of a file; no file is no accounts. Raises `SettingsProblem` that names what is wrong."""
    if not path.is_file():
        return Accounts(by_username={}, cookie_key="")
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        usernames = content["credentials"]["usernames"] or {}
        cookie_key = str(content["cookie"]["key"])
    except (yaml.YAMLError, KeyError, TypeError, OSError, UnicodeDecodeError):
        raise SettingsProblem(f"The accounts file {path} cannot be read.") from None
    if len(cookie_key) < 32:
        raise SettingsProblem(f"The cookie key in {path} is shorter than 32 characters.")
    people = [_account(path, str(username).lower(), entry) for username, entry in usernames.items()]
    return Accounts(by_username={person.username: person for person in people}, cookie_key=cookie_key)


def _account(path: Path, username: str, entry: Any) -> Account:
    try:
        password_hash = str(entry["password"])
        role = Role(next(iter(entry["roles"])))
    except (KeyError, TypeError, ValueError, StopIteration):
        raise SettingsProblem(
            f"The account {username} in {path} needs a password hash and a role (staff or manager)."
        ) from None
    if not password_hash.startswith(_HASH_PREFIXES):
        raise SettingsProblem(
            f"The password of {username} in {path} is not a bcrypt hash. Take the entry out of the file, and "
            f"add the person with `{COMMAND} accounts add {username} --role {role}`."
        )
    name = str(entry.get("name") or username)
    return Account(username=username, name=name, role=role, password_hash=password_hash)
