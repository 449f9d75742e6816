"""Passwords: what one has to be like, its hash, and the one-time password of an invitation."""

import hashlib
import secrets
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import bcrypt
from zxcvbn import zxcvbn

from warranty.access import Role
from warranty.people.accounts.people import Account, AccountRefused, Refusal

SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 72  # bytes: bcrypt reads no further
LONGEST_USERNAME: Final = 60
LONGEST_NAME: Final = 100
NO_PASSWORD: Final = "$2b$12$" + "C" * 21 + "e" + "C" * 31
"""A hash that no password fits, and that costs as much as any to find that out."""
_FEWEST_GUESSES: Final = 10**6
"""By zxcvbn's count: 40 years of what the limits of the sign-in let through, on one account."""
_BREACHED: Final = Path(__file__).with_name("breached_passwords.bin")
_DIGEST: Final = 5  # bytes of each SHA-256 in it: docs/decisions/sign-in.md
_SHORTEST_WORD: Final = 3
_FEWEST_BESIDE_NAMES: Final = 6
_PRODUCT: Final = "Warranty Desk"
_LETTERS: Final = "acdefhjkmnpqrtuwxy34679"  # none that is taken for another on paper
_GROUPS: Final = 3
_GROUP: Final = 4


def check_password(password: str, *, known: Iterable[str] = ()) -> None:
    """Raise `AccountRefused` for one too short or long, breached or easy to guess; `known` are the person's names."""
    _fits(password)
    about = [word.lower() for words in (*known, _PRODUCT) for word in (words, *words.split()) if word]
    beside_names = password.lower()
    for word in sorted(about, key=len, reverse=True):
        beside_names = beside_names.replace(word, "") if len(word) >= _SHORTEST_WORD else beside_names
    is_a_name = sum(map(str.isalnum, beside_names)) < _FEWEST_BESIDE_NAMES
    is_breached = hashlib.sha256(password.lower().encode()).digest()[:_DIGEST] in _breached()
    if is_a_name or is_breached or zxcvbn(password, user_inputs=about)["guesses"] < _FEWEST_GUESSES:
        raise AccountRefused(Refusal.COMMON)


def one_time_password() -> str:
    """A password to be typed once from paper: 12 letters and digits in groups, 54 bits."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def hash_password(password: str, *, rounds: int = 12) -> str:
    """The bcrypt hash of a password of 10 characters to 72 bytes; raises `AccountRefused`."""
    _fits(password)
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds)).decode()


def is_password_of(password: str, password_hash: str) -> bool:
    """Whether it is the one of this hash."""
    tried = password.encode()
    return len(tried) <= LONGEST_PASSWORD and bcrypt.checkpw(tried, password_hash.encode())


def account(username: str, *, name: str, role: Role, password: str, rounds: int = 12, home_store: str = "") -> Account:
    """A new account; the login name is lower-cased, letters, digits, dot, dash and underscore only."""
    username = username.strip().lower()
    is_plain = username.replace("-", "").replace("_", "").replace(".", "").isalnum()
    if not is_plain or len(username) > LONGEST_USERNAME:
        raise AccountRefused(Refusal.BAD_NAME)
    hashed = hash_password(password, rounds=rounds)
    return Account(username, name.strip()[:LONGEST_NAME] or username, role, hashed, home_store=home_store.strip())


@cache
def _breached() -> frozenset[bytes]:
    digests = _BREACHED.read_bytes()
    return frozenset(digests[at : at + _DIGEST] for at in range(0, len(digests), _DIGEST))


def _fits(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise AccountRefused(Refusal.SHORT)
    if len(password.encode()) > LONGEST_PASSWORD:
        raise AccountRefused(Refusal.LONG)
    if password != password.strip():
        raise AccountRefused(Refusal.SPACES)
