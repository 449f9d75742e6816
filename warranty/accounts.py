"""Who may sign in: the accounts in the journal's database, made by `python -m warranty accounts`.

Before, they stood in a file of the shape that streamlit-authenticator reads; `accounts import` takes it over:

    cookie: {key: <64 hex digits>}
    credentials:
      usernames:
        ada: {name: Ada Byron, password: $2b$12$..., roles: [manager]}
"""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import bcrypt
import yaml

from warranty import COMMAND
from warranty.access import Role
from warranty.errors import SettingsProblem
from warranty.journal.shared.people import Account, Accounts, People
from warranty.journal.shared.recent import Recent

__all__ = ["Account", "Accounts", "KnownAccounts", "account", "accounts_of_file", "hash_password"]

LONGEST_PASSWORD = 72  # bytes: bcrypt reads no further
SHORTEST_PASSWORD = 10
_HASH_PREFIXES = ("$2a$", "$2b$", "$2y$")


class KnownAccounts:
    """The accounts as all desks of the journal have them, at most seconds old, and the `trainees` of the sandbox."""

    def __init__(self, people: People, trainees: Iterable[Account] = ()) -> None:
        self._people = people
        self._trainees = {trainee.username: trainee for trainee in trainees}
        self._recent = Recent(self._read)

    def __call__(self) -> Accounts:
        """As they were seconds ago at most; raises `JournalUnavailable` only where they were never read."""
        return self._recent()

    def fresh(self) -> Accounts:
        """As they are now, for who signs in. Raises `JournalUnavailable`."""
        return self._recent.fresh()

    def last(self) -> Accounts:
        """As they were seen last, without asking; raises `JournalUnavailable` only where they were never read."""
        return self._recent.last()

    def sign_out(self, username: str, moment: datetime) -> None:
        """Have a person signed out: at once here, within seconds at every other desk. Raises `JournalUnavailable`."""
        self._people.sign_out(username, moment)
        self._recent.fresh()

    def _read(self) -> Accounts:
        kept = self._people.accounts()
        return Accounts({**self._trainees, **kept.by_username}, kept.cookie_key, kept.signed_out)


def hash_password(password: str, *, rounds: int = 12) -> str:
    """The bcrypt hash of a password of 10 characters to 72 bytes; raises ValueError with a sentence."""
    if len(password) < SHORTEST_PASSWORD:
        raise ValueError(f"A password has at least {SHORTEST_PASSWORD} characters.")
    if len(password.encode()) > LONGEST_PASSWORD:
        raise ValueError(f"A password has at most {LONGEST_PASSWORD} bytes.")
    if password != password.strip():
        raise ValueError("A password does not begin or end with a space.")
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds)).decode()


def account(username: str, *, name: str, role: Role, password: str, rounds: int = 12) -> Account:
    """A new account; the login name is lower-cased, letters, digits, dot, dash and underscore only."""
    username = username.strip().lower()
    if not username or not username.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise ValueError("A login name has letters, digits, dots, dashes and underscores only.")
    return Account(
        username=username,
        name=name.strip() or username,
        role=role,
        password_hash=hash_password(password, rounds=rounds),
    )


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
