"""What is done about accounts: by an administrator, and by everybody about their own password.

The screen and the command line do it by the same methods. Each asks who that is by now, changes the one row that was
looked at, and leaves it where somebody else was there first.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from warranty.access import Operator, Permission, Role
from warranty.database.database import Database
from warranty.errors import SignedOut
from warranty.people.accounts.passwords import account, check_password, hash_password, is_password_of, one_time_password
from warranty.people.accounts.people import Account, AccountRefused, KnownAccounts, People, Refusal
from warranty.people.accounts.second_factor import SecondFactors, tried_as_second_factor
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.audit import AuditKind

ONE_TIME_LASTS: Final = timedelta(days=7)
"""After this an invitation that nobody took up opens nothing."""


class Administration:
    """The accounts of a shop; what changes one raises `AccountRefused`, `SignedOut`, `PermissionDenied`,
    `JournalUnavailable`, and then nothing is changed. Those of an administrator ask for `ADMINISTER_ACCOUNTS`.
    """

    def __init__(self, database: Database, known: KnownAccounts, *, rounds: int = 12) -> None:
        """`known` is told of what was changed; `rounds` are those of a hash."""
        self._people = People(database)
        self._factors = SecondFactors(database, known)
        self._tries = SignInTries(database)
        self._known = known
        self._rounds = rounds

    def accounts(self, operator: Operator) -> Sequence[Account]:
        """All accounts as they stand now, the sandbox's too, by login name."""
        operator.require(Permission.ADMINISTER_ACCOUNTS)
        return sorted(self._known.fresh().by_username.values(), key=lambda each: each.username)

    def is_trainee(self, username: str) -> bool:
        """Whether this is an account of the sandbox, which stays as it is."""
        return self._known.is_trainee(username)

    def add(
        self, operator: Operator, username: str, *, name: str, role: Role, password: str, home_store: str = ""
    ) -> Account:
        """Add a person with a password of their own; where the account is there, it gets all of this instead."""
        operator.acts(Permission.ADMINISTER_ACCOUNTS)
        check_password(password, known=(username, name))
        there = self._people.accounts().by_username.get(username.strip().lower())
        home_store = home_store or (there.home_store if there else "")
        new = account(username, name=name, role=role, password=password, rounds=self._rounds, home_store=home_store)
        if there is None:
            self._put_in(new)
        elif there.issuer:
            raise AccountRefused(Refusal.PROVIDED)
        else:
            whole = {"name": new.name, "home_store": new.home_store, "locked": False, "one_time_until": None}
            self._write(there, role=role, password_hash=new.password_hash, **whole)
        self._note(operator, "added" if there is None else "written anew", new.username, role=role.value)
        return new

    def invite(self, operator: Operator, username: str, *, name: str, role: Role, home_store: str = "") -> str:
        """Add a person; gives the one-time password, which is kept nowhere."""
        operator.acts(Permission.ADMINISTER_ACCOUNTS)
        password = one_time_password()
        new = account(username, name=name, role=role, password=password, rounds=self._rounds, home_store=home_store)
        self._put_in(new, one_time_until=self._known().now() + ONE_TIME_LASTS)
        self._note(operator, "invited", new.username, role=role.value)
        return password

    def reset_password(self, operator: Operator, username: str) -> str:
        """Give a person a one-time password, which is kept nowhere; they are signed out everywhere."""
        before = self._of_another(operator, username, may_be_own=False, may_be_provided=False)
        password = one_time_password()
        hashed = hash_password(password, rounds=self._rounds)
        self._write(before, password_hash=hashed, one_time_until=self._known().now() + ONE_TIME_LASTS)
        self._tries.forgive(before.username)
        self._note(operator, "password reset", before.username)
        return password

    def set_role(self, operator: Operator, username: str, role: Role) -> None:
        """Give a person another role; they have to sign in again. Never the last administrator, nor oneself."""
        before = self._of_another(operator, username, may_be_own=False, may_be_provided=False)
        if before.role is not role:
            self._write(before, role=role)
            self._note(operator, "role", before.username, role=role.value, former_role=before.role.value)

    def set_home_store(self, operator: Operator, username: str, home_store: str) -> None:
        """Give a person a home store, by its id; empty for none."""
        before = self._of_another(operator, username)
        self._write(before, home_store=home_store.strip())
        self._note(operator, "home store", before.username, store=home_store.strip())

    def lock(self, operator: Operator, username: str) -> None:
        """Let a person in no more, and out everywhere. Never the last administrator, nor oneself."""
        before = self._of_another(operator, username, may_be_own=False)
        self._write(before, locked=True)
        self._note(operator, "locked", before.username)

    def unlock(self, operator: Operator, username: str) -> None:
        """Let a person in again, whatever strangers have tried with their name."""
        before = self._of_another(operator, username)
        self._write(before, locked=False)
        self._tries.forgive(before.username)
        self._note(operator, "unlocked", before.username)

    def has_second_factor(self, username: str) -> bool:
        """Whether a person has set up an app for codes."""
        return self._factors.is_set_up(username)

    def reset_second_factor(self, operator: Operator, username: str) -> None:
        """Forget a person's app and recovery codes: they are signed out everywhere, and set up another one."""
        found = self._of_another(operator, username, may_be_own=False)
        if not self._factors.remove(found.username):
            raise AccountRefused(Refusal.NO_SECOND_FACTOR)
        self._known.sign_out(found.username)
        self._tries.forgive(tried_as_second_factor(found.username))
        self._note(operator, "second factor reset", found.username)

    def end_sessions(self, operator: Operator, username: str) -> None:
        """Sign a person out everywhere."""
        found = self._of_another(operator, username)
        self._known.sign_out(found.username)
        self._note(operator, "sessions ended", found.username)

    def remove(self, operator: Operator, username: str) -> None:
        """Remove an account for good; entries keep the name. Never the last administrator, nor oneself."""
        before = self._of_another(operator, username, may_be_own=False)
        self._people.remove(before.username)
        self._known.fresh()
        self._note(operator, "removed", before.username)

    def change_own_password(self, operator: Operator, current: str, new: str) -> None:
        """Give oneself another password: all one's other sign-ins end.

        Who came with a one-time password has said it just now: `current` is not looked at.
        """
        if not operator.is_still_in():
            raise SignedOut
        mine = self._people.accounts().by_username.get(operator.username)
        if mine is None:
            raise AccountRefused(Refusal.TRAINING if self.is_trainee(operator.username) else Refusal.UNKNOWN)
        if mine.issuer:
            raise AccountRefused(Refusal.PROVIDED)
        if not operator.must_change_password:
            self._judge(operator, current, mine.password_hash)
        if is_password_of(new, mine.password_hash):
            raise AccountRefused(Refusal.SAME)
        check_password(new, known=(mine.username, mine.name))
        self._write(mine, password_hash=hash_password(new, rounds=self._rounds), one_time_until=None)
        self._note(operator, "own password", mine.username)

    def _note(self, operator: Operator, what: str, account: str, **more: str) -> None:
        self._known.note(AuditKind.ACCOUNT, operator, what=what, account=account, **more)

    def _judge(self, operator: Operator, password: str, password_hash: str) -> None:
        """Raise unless it is the right one; who found an open tab guesses no faster than at the door."""
        username = operator.username
        who, where = f"own password\n{username}", f"own tab\n{username}"  # not what strangers try at the door
        if self._tries.begin(who, where) > timedelta(0):
            raise AccountRefused(Refusal.TOO_MANY)
        if not is_password_of(password, password_hash):
            self._known.refused(username, operator.address, operator.at)
            raise AccountRefused(Refusal.WRONG)
        self._tries.succeeded(who, where)

    def _of_another(
        self, operator: Operator, username: str, *, may_be_own: bool = True, may_be_provided: bool = True
    ) -> Account:
        """The account as it stands now, for an administrator who may change it."""
        operator.acts(Permission.ADMINISTER_ACCOUNTS)
        username = username.strip().lower()
        if self.is_trainee(username):
            raise AccountRefused(Refusal.TRAINING)
        found = self._people.accounts().by_username.get(username)
        if found is None:
            raise AccountRefused(Refusal.UNKNOWN)
        if username == operator.username and not may_be_own:
            raise AccountRefused(Refusal.YOURSELF)
        if found.issuer and not may_be_provided:
            raise AccountRefused(Refusal.PROVIDED)
        return found

    def _put_in(self, new: Account, one_time_until: datetime | None = None) -> None:
        if self.is_trainee(new.username) or not self._people.add(replace(new, one_time_until=one_time_until)):
            raise AccountRefused(Refusal.TAKEN)
        self._known.fresh()

    def _write(self, before: Account, **values: Any) -> None:
        written = self._people.change(before, **values)
        self._known.fresh()
        if not written:
            raise AccountRefused(Refusal.CHANGED)
