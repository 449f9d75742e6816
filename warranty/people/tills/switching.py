"""The use cases of a till: people switch there, it is locked, and who may registers it or withdraws it.

Which till it is, the key of its browser says, and nothing else: without one of a till that stands, no PIN and no badge
is looked at. Every method may raise `JournalUnavailable`.
"""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

import bcrypt

from warranty.access import Operator, Permission, Role
from warranty.clock import utc_now
from warranty.database.preferences import hash_of_secret
from warranty.database.recent import Recent
from warranty.people.accounts.people import Account, Accounts
from warranty.people.audit import AuditKind, AuditTrail, By
from warranty.people.tills.customer_screens import LETTERS
from warranty.people.tills.tills import Pin, SwitchedBy, Till, Tills

BADGE_PREFIX: Final = "WDBQ"
"""How a badge's code begins. Letters alone, which every scanner types alike on every keyboard, and in no word."""
_BADGE_LETTERS: Final = re.sub(r"\d", "", LETTERS)
_BADGE_LENGTH: Final = 20
_PIN: Final = re.compile(r"[0-9]{4,6}", re.ASCII)
_ROUNDS: Final = 8
"""A million PINs are tried in no time whatever one costs: what protects a PIN is that the till counts."""


class EasyPin(ValueError):
    """A PIN that cannot be one; `easy` where others would guess it, else it has not 4 to 6 digits."""

    def __init__(self, *, easy: bool) -> None:
        super().__init__("a PIN that others would guess" if easy else "a PIN has 4 to 6 digits")
        self.easy = easy


def pin_of(digits: str) -> Pin:
    """The PIN as it is kept. Raises `EasyPin`: for what has not 4 to 6 digits, repeats itself, or counts up or down."""
    if not _PIN.fullmatch(digits):
        raise EasyPin(easy=False)
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(digits)}
    half = range(1, len(digits) // 2 + 1)
    repeats = any((digits[:long] * len(digits))[: len(digits)] == digits for long in half)
    if repeats or steps in ({1}, {9}):
        raise EasyPin(easy=True)
    return Pin(bcrypt.hashpw(digits.encode(), bcrypt.gensalt(_ROUNDS)).decode(), len(digits))


def fits(pin: Pin, digits: str) -> bool:
    """Whether these are the digits of a PIN."""
    return bool(_PIN.fullmatch(digits)) and bcrypt.checkpw(digits.encode(), pin.pin_hash.encode())


def new_badge_code() -> str:
    """A code that nobody guesses, to be printed on a badge."""
    return BADGE_PREFIX + "".join(secrets.choice(_BADGE_LETTERS) for _ in range(_BADGE_LENGTH))


def read_badge_code(scanned: str) -> str | None:
    """The code of a badge as it was made, whatever the scanner or a Caps Lock made of it; None for another code."""
    code = scanned.strip().upper()
    whole = len(BADGE_PREFIX) + _BADGE_LENGTH
    return code if code.startswith(BADGE_PREFIX) and len(code) == whole else None


PROOF_LASTS: Final = timedelta(days=7)
"""So long a PIN or a badge opens for whom an identity provider vouches for, after it last did: no till asks it."""


class Answer(StrEnum):
    """What became of a try to switch."""

    IN = "in"
    WRONG = "wrong"
    LOCKED = "locked"
    SPENT = "spent"
    NO_TILL = "no till"


@dataclass(frozen=True, slots=True)
class OnPad:
    """A person of a till: the login name, the name that colleagues read, and how many digits their PIN has."""

    username: str
    name: str
    digits: int


@dataclass
class TillDesk:
    """The tills of an environment, for all desks of its journal; `_accounts` are as they are now."""

    _tills: Tills
    _accounts: Callable[[], Accounts]
    _audit: AuditTrail
    clock: Callable[[], datetime] = utc_now
    _recent: Recent[Mapping[str, Till]] = field(init=False)

    def __post_init__(self) -> None:
        self._recent = Recent(self._tills.all)

    def at(self, key: str, *, fresh: bool = False) -> Till | None:
        """The till whose browser keeps this key, at most seconds old; None where it is none, or none any more."""
        return _standing(self._recent.fresh() if fresh else self._recent(), key)

    def left_since(self, key: str) -> datetime | None:
        """When the till of this key was last switched, locked or withdrawn: what was signed in before is in no more."""
        till = _with_key(self._recent(), key)
        return till.since if till else None

    def last_at(self, key: str) -> Till | None:
        """The same as it was seen last, without asking."""
        return _standing(self._recent.last(), key)

    def time_zone(self, operator: Operator) -> ZoneInfo | None:
        """That of the store in which a person works; None where it was given none."""
        return self._tills.time_zone(operator.at.store_id)

    def people(self, till: Till) -> list[OnPad]:
        """Who may switch in at a till by a PIN: those of its store and of none, by their names."""
        pins = self._tills.pins()
        found = [
            OnPad(one.username, one.name, pins[one.username].digits)
            for one in self._accounts().by_username.values()
            if one.username in pins and self._works_at(one, till)
        ]
        return sorted(found, key=lambda one: (one.name.casefold(), one.username))

    def by_pin(self, key: str, username: str, digits: str, *, address: str = "") -> Answer:
        """Switch a person in by their PIN; one that is spent is not looked at."""
        pin = self._tills.pins().get(username)
        if pin is not None and pin.spent and self.at(key, fresh=True):
            return Answer.SPENT

        def owner() -> str | None:
            return username if pin is not None and fits(pin, digits) else None

        # A name without a PIN is one more guess, and leaves no row of its own.
        return self._switch(key, username if pin else "", owner, "pin", address)

    def by_badge(self, key: str, scanned: str, *, address: str = "") -> Answer:
        """Switch a person in by the code of their badge."""
        code = read_badge_code(scanned)
        return self._switch(key, "", lambda: self._tills.owner_of_badge(code) if code else None, "badge", address)

    def _switch(self, key: str, name: str, owner: Callable[[], str | None], how: SwitchedBy, address: str) -> Answer:
        till = self.at(key, fresh=True)
        if till is None:
            return Answer.NO_TILL
        tried = None if till.pad_locked_at else self._tills.begin_try(till.till_id, name)
        if tried is None:
            return Answer.LOCKED
        username = owner()
        account = self._accounts().by_username.get(username) if username else None
        if account is None or not self._works_at(account, till):
            now = self.at(key, fresh=True)
            pad = "locked" if now and now.pad_locked_at else ""
            pin = self._tills.pins().get(name)
            spent = "spent" if pin is not None and pin.spent else ""
            by = _by(till, name, address=address)
            self._audit.note(AuditKind.WRONG_TRY, by, how=how, pad=pad, pin=spent)
            return Answer.WRONG
        by = _by(till, account.username, account.role, address)
        noting = self._audit.noting(AuditKind.SWITCH, by, how=how, before=till.username)
        if self._tills.switch(till.till_id, account.username, how, tried=tried, noting=noting) is None:
            return Answer.NO_TILL
        noting.tell()
        self._recent.fresh()
        return Answer.IN

    def tries_left(self, till: Till) -> int:
        """How many more wrong tries it takes before its pad is locked."""
        return self._tills.tries_left(till.till_id)

    def lock(self, key: str, *, address: str = "") -> bool:
        """Lock the screen of a till; False where the browser is none.

        Who is out by that, the row of the audit trail names, unless it was somebody with a password.
        """
        till = self.at(key, fresh=True)
        if till is None:
            return False
        account = self._accounts().by_username.get(till.username)
        by = _by(till, till.username, account.role if account else None, address)
        noting = self._audit.noting(AuditKind.SIGN_OUT, by, how="till locked")
        self._tills.lock(till.till_id, noting=noting)
        noting.tell()
        self._recent.fresh()
        return True

    def signed_in_with_password(self, till: Till, username: str) -> None:
        """This person gave a password at this till: whoever was there is there no more, and a locked pad is open again.

        A person's password opens so many in a day; who did stands in the audit trail, and who did in vain.
        """
        opened = self._tills.open_pad(till.till_id, username)
        self._recent.fresh()
        if opened is not None:
            account = self._accounts().by_username.get(username)
            by = _by(till, username, account.role if account else None)
            what = "pad opened" if opened else "pad stays locked"
            self._audit.note(AuditKind.SETTINGS, by, what=what, till=till.name)

    def all(self, operator: Operator) -> Sequence[Till]:
        """Every till, withdrawn ones too. Raises `PermissionDenied`."""
        operator.require(Permission.REGISTER_TILLS)
        return list(self._recent().values())

    def register(self, operator: Operator, name: str) -> tuple[Till, str]:
        """Make a till of the store in which the person works; gives the key for its browser.

        Raises `PermissionDenied` and `SignedOut`.
        """
        operator.acts(Permission.REGISTER_TILLS)
        till, key = self._tills.register(name.strip(), operator.username, store_id=operator.at.store_id)
        self._recent.fresh()
        self._audit.note(AuditKind.SETTINGS, operator, what="till registered", till=till.name)
        return till, key

    def revoke(self, operator: Operator, till_id: str) -> bool:
        """Withdraw a till. False where there is none that stands.

        Raises `PermissionDenied` and `SignedOut`.
        """
        operator.acts(Permission.REGISTER_TILLS)
        done = self._tills.revoke(till_id)
        self._recent.fresh()
        if done:
            till = self._recent.last()[till_id].name
            self._audit.note(AuditKind.SETTINGS, operator, what="till withdrawn", till=till)
        return done

    def set_pin(self, operator: Operator, digits: str) -> None:
        """Give a person the PIN that they chose. Raises `EasyPin`, `PermissionDenied` and `SignedOut`."""
        operator.acts(Permission.SET_OWN_PIN)
        self._tills.set_pin(operator.username, pin_of(digits))
        self._audit.note(AuditKind.ACCOUNT, operator, what="PIN set")

    def issue_badge(self, operator: Operator, username: str) -> str:
        """A new code for a person's badge, told this once; the one before is worth nothing any more.

        Raises `PermissionDenied`, `SignedOut`, and `KeyError` where there is no such person.
        """
        operator.acts(Permission.REGISTER_TILLS)
        account = self._accounts().by_username[username]
        code = new_badge_code()
        self._tills.issue_badge(account.username, code, by=operator.username)
        self._audit.note(AuditKind.ACCOUNT, operator, what="badge issued", account=account.username)
        return code

    def take_badge(self, operator: Operator, username: str) -> bool:
        """A person's badge is worth nothing any more; False where there was none.

        Raises `PermissionDenied` and `SignedOut`.
        """
        operator.acts(Permission.REGISTER_TILLS)
        taken = self._tills.take_badge(username)
        if taken:
            self._audit.note(AuditKind.ACCOUNT, operator, what="badge taken", account=username)
        return taken

    def badge_since(self, operator: Operator, username: str) -> datetime | None:
        """Since when a person has a badge; None where they have none. Raises `PermissionDenied`."""
        operator.require(Permission.REGISTER_TILLS)
        return self._tills.badges().get(username)

    def _works_at(self, account: Account, till: Till) -> bool:
        """Whether a person may be switched in there: not locked, past their one-time password, of its store or of none,
        and seen by the identity provider not long ago, where it is one who vouches for them.
        """
        proven = account.proven_at
        is_proven = not account.issuer or (proven is not None and self.clock() - proven < PROOF_LASTS)
        may = not account.locked and account.one_time_until is None and is_proven
        return may and account.home_store in {"", till.store_id}


def _with_key(tills: Mapping[str, Till], key: str) -> Till | None:
    hashed = hash_of_secret(key) if key else ""
    return next((one for one in tills.values() if one.key_hash == hashed), None)


def _standing(tills: Mapping[str, Till], key: str) -> Till | None:
    till = _with_key(tills, key)
    return till if till and not till.revoked_at else None


def _by(till: Till, username: str, role: Role | None = None, address: str = "") -> By:
    """Who did it, at this till."""
    return By(username, role.value if role else "", address, till=till.till_id, store=till.store_id)
