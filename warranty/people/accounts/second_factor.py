"""The second factor: a code of an app that was set up here, after the password, for the roles that the shop names.

The codes are those of RFC 6238, by pyotp. A step is a stretch of time for which the app shows one, counted from the
epoch. What is used is used: a code of a step that is not later than the last one is nobody's, at any desk. A try is
counted before it is judged, as one of a password is. Every method may raise `JournalUnavailable`.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

import pyotp
from sqlalchemy import delete, insert, select, update

from warranty.access import Operator, Role
from warranty.clock import utc_now
from warranty.database.database import Database, Repository, insert_unless_there, now, upsert
from warranty.database.preferences import hash_of_secret
from warranty.errors import SignedOut
from warranty.people.accounts.passwords import one_time_password
from warranty.people.accounts.people import AccountRefused, Accounts, KnownAccounts, Refusal
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.accounts.tables import RECOVERY_CODES, SECOND_FACTORS, SIGN_INS
from warranty.people.audit import AuditKind

CODES_AT_ONCE: Final = 10
_LATE: Final = (0, -1, 1)
"""The steps whose code is taken: clocks of phones go before or after ours."""


def tried_as_second_factor(username: str) -> str:
    """What tries of a second factor are counted by: nobody can type it at the door as a name."""
    return f"second factor\n{username}"


class SecondFactors(Repository):
    """The second factors of all people of a journal, for all its environments; `roles` are those that give one."""

    def __init__(self, database: Database, known: KnownAccounts, roles: Collection[Role] = ()) -> None:
        super().__init__(database)
        self._tries = SignInTries(database)
        self._known = known
        self._roles = frozenset(roles)

    def is_owed(self, accounts: Accounts, operator: Operator, since: datetime) -> bool:
        """Whether a sign-in of this moment (aware) is not whole without it: nobody gives one for training, and whom an
        identity provider vouches for gave it there.
        """
        is_ours = not (operator.by_provider or self._known.is_trainee(operator.username))
        if operator.role not in self._roles or not is_ours:
            return False
        return (operator.username, since) not in accounts.whole

    def is_set_up(self, username: str) -> bool:
        """Whether a person has set one up."""
        return self._secret(username) is not None

    def begin(self) -> str:
        """A secret for an app, made by chance; kept nowhere until a code of it was given."""
        return pyotp.random_base32()

    def address(self, operator: Operator, secret: str, shop: str) -> str:
        """What the app reads from a QR code."""
        return pyotp.TOTP(secret).provisioning_uri(name=operator.username, issuer_name=shop)

    def set_up(self, operator: Operator, since: datetime, secret: str, entered: str) -> list[str]:
        """Set it up by the first code of the app; gives the codes for the day without it, kept as hashes alone.

        Raises `AccountRefused` and `SignedOut`.
        """
        self._count(operator)
        step = self._step(secret, entered)
        if step is None:
            raise AccountRefused(Refusal.CODE)
        codes = [one_time_password() for _ in range(CODES_AT_ONCE)]
        mine = {"username": operator.username}
        with self._database.write() as connection:
            new = {**mine, "secret": secret, "last_step": step, "set_up_at": self._clock()}
            if not insert_unless_there(connection, SECOND_FACTORS, new):
                raise AccountRefused(Refusal.CHANGED)
            connection.execute(insert(RECOVERY_CODES), [{**mine, "code_hash": hash_of_secret(each)} for each in codes])
        self._known.note(AuditKind.ACCOUNT, operator, what="second factor set up", account=operator.username)
        self._whole(operator, since)
        return codes

    def give(self, operator: Operator, since: datetime, entered: str) -> None:
        """Take a code of the app, or one for the day without it, once. Raises `AccountRefused` and `SignedOut`."""
        self._count(operator)
        mine = {"username": operator.username}
        secret = self._secret(operator.username)
        step = self._step(secret, entered) if secret else None
        unused = update(SECOND_FACTORS).filter_by(**mine).where(SECOND_FACTORS.c.last_step < (step or 0))
        by_app = step is not None and self._change(unused.values(last_step=step)) > 0
        code = delete(RECOVERY_CODES).filter_by(**mine, code_hash=hash_of_secret(entered.strip().lower()))
        if not by_app and not self._change(code):
            self._known.note(AuditKind.WRONG_TRY, operator, how="second factor")
            raise AccountRefused(Refusal.CODE)
        how = "second factor" if by_app else "recovery code"
        self._known.note(AuditKind.SIGN_IN, operator, how=how)
        self._whole(operator, since)

    def remove(self, username: str) -> bool:
        """Forget that of a person, with the codes; gives whether there was one."""
        with self._database.write(erases=True) as connection:
            connection.execute(delete(RECOVERY_CODES).filter_by(username=username))
            return connection.execute(delete(SECOND_FACTORS).filter_by(username=username)).rowcount > 0

    def _secret(self, username: str) -> str | None:
        with self._database.read() as connection:
            return connection.scalar(select(SECOND_FACTORS.c.secret).filter_by(username=username))

    def _count(self, operator: Operator) -> None:
        """Raise unless a try may be judged now."""
        if not operator.is_still_in():
            raise SignedOut
        name = operator.username
        if self._tries.begin(tried_as_second_factor(name), f"own tab\n{name}") > timedelta(0):
            raise AccountRefused(Refusal.TOO_MANY)

    def _whole(self, operator: Operator, since: datetime) -> None:
        self._tries.succeeded(tried_as_second_factor(operator.username), f"own tab\n{operator.username}")
        with self._database.write() as connection:
            given = dict.fromkeys(("worked_at", "second_factor_at"), now(connection))
            upsert(connection, SIGN_INS, key={"username": operator.username, "began_at": since}, values=given)
        self._known.fresh()

    def _step(self, secret: str, entered: str) -> int | None:
        """The step whose code this is, of those of now."""
        code, app = "".join(entered.split()), pyotp.TOTP(secret)
        moment = self._clock() - utc_now.ahead  # a phone knows nothing of the sandbox's tomorrow
        moments = [moment + timedelta(seconds=late * app.interval) for late in _LATE]
        return next((app.timecode(at) for at in moments if app.verify(code, for_time=at)), None)
