"""Who may sign in: an accounts file with bcrypt hashes, made by `python -m warranty accounts`.

The file has the shape that streamlit-authenticator reads, so that it can also stand in other tools:

    cookie: {key: <64 hex digits>}
    credentials:
      usernames:
        ada: {name: Ada Byron, password: $2b$12$..., roles: [manager]}
"""

import os
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bcrypt
import yaml

from warranty.access import Operator, Role
from warranty.errors import SettingsProblem

LONGEST_PASSWORD = 72  # bytes: bcrypt reads no further
SHORTEST_PASSWORD = 10
_HASH_PREFIXES = ("$2a$", "$2b$", "$2y$")


@dataclass(frozen=True, slots=True)
class Account:
    """One person who may sign in; the hash never shows in a repr."""

    username: str
    name: str
    role: Role
    password_hash: str = field(repr=False)

    @property
    def operator(self) -> Operator:
        """The person without the hash."""
        return Operator(username=self.username, name=self.name, role=self.role)


@dataclass(frozen=True, slots=True)
class Accounts:
    """All people who may sign in, by login name in lower case, and the key that signs their cookies."""

    by_username: Mapping[str, Account]
    cookie_key: str = field(repr=False)

    def operator(self, username: str) -> Operator | None:
        """The person of this login name, as the file has them now; None when there is none."""
        account = self.by_username.get(username.lower())
        return account.operator if account else None

    def credentials(self) -> dict[str, Any]:
        """A fresh mapping in the shape of streamlit-authenticator, which writes into what it is given."""
        return {
            "usernames": {
                account.username: {
                    "name": account.name,
                    "password": account.password_hash,
                    "roles": [account.role.value],
                }
                for account in self.by_username.values()
            }
        }


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


class AccountsFile:
    """The accounts file: read whole, written whole, never half, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def exists(self) -> bool:
        """Whether there is such a file."""
        return self.path.is_file()

    def load(self) -> Accounts:
        """Read the file; no file is no accounts. Raises `SettingsProblem` that names what is wrong."""
        if not self.exists():
            return Accounts(by_username={}, cookie_key=secrets.token_hex(32))
        try:
            content = yaml.safe_load(self.path.read_text(encoding="utf-8")) or {}
            usernames = content["credentials"]["usernames"] or {}
            cookie_key = str(content["cookie"]["key"])
        except (yaml.YAMLError, KeyError, TypeError, OSError, UnicodeDecodeError):
            raise SettingsProblem(
                f"The accounts file {self.path} cannot be read. Make it with "
                "`python -m warranty accounts add NAME --role staff`."
            ) from None
        if len(cookie_key) < 32:
            raise SettingsProblem(f"The cookie key in {self.path} is shorter than 32 characters.")
        return Accounts(
            by_username={
                str(username).lower(): self._account(str(username).lower(), entry)
                for username, entry in usernames.items()
            },
            cookie_key=cookie_key,
        )

    def _account(self, username: str, entry: Any) -> Account:
        try:
            password_hash = str(entry["password"])
            role = Role(next(iter(entry["roles"])))
        except (KeyError, TypeError, ValueError, StopIteration):
            raise SettingsProblem(
                f"The account {username} in {self.path} needs a password hash and a role (staff or manager)."
            ) from None
        if not password_hash.startswith(_HASH_PREFIXES):
            raise SettingsProblem(
                f"The password of {username} in {self.path} is not a bcrypt hash. "
                f"Set it with `python -m warranty accounts add {username} --role {role}`."
            )
        return Account(
            username=username,
            name=str(entry.get("name") or username),
            role=role,
            password_hash=password_hash,
        )

    def put(self, new: Account) -> None:
        """Add an account or replace the one of the same login name."""
        accounts = self.load()
        self._write({**accounts.by_username, new.username: new}, accounts.cookie_key)

    def remove(self, username: str) -> bool:
        """Remove an account; False when there was none."""
        accounts = self.load()
        username = username.lower()
        if username not in accounts.by_username:
            return False
        rest = {name: entry for name, entry in accounts.by_username.items() if name != username}
        self._write(rest, accounts.cookie_key)
        return True

    def _write(self, by_username: Mapping[str, Account], cookie_key: str) -> None:
        accounts = Accounts(by_username=by_username, cookie_key=cookie_key)
        content = {"cookie": {"key": cookie_key}, "credentials": accounts.credentials()}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # A temporary file is 0600 from its first byte; the rename makes the change whole or not at all.
        descriptor, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".accounts-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            yaml.safe_dump(content, file, allow_unicode=True, sort_keys=True)
        Path(temporary).replace(self.path)
