"""The accounts as a desk knows them: those of the journal's database, and the sandbox's training accounts."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from warranty.access import Operator, Permission, Station
from warranty.database.database import Database
from warranty.database.recent import Recent
from warranty.errors import JournalUnavailable
from warranty.people.accounts.people import Account, Accounts, People
from warranty.people.audit import AuditKind, AuditTrail, By


class KnownAccounts(Recent[Accounts]):
    """The accounts as all desks of the journal have them, at most seconds old, and the `trainees` of the sandbox."""

    def __init__(
        self, database: Database, trainees: Iterable[Account] = (), *, audit: AuditTrail | None = None
    ) -> None:
        """`audit` is told who came and left, and what was changed; without one nothing is written down."""
        self._people = People(database)
        self._audit = audit
        self._trainees = {trainee.username: trainee for trainee in trainees}
        super().__init__(self._accounts)

    def sign_out(self, username: str) -> None:
        """Have a person signed out: at once here, within seconds at every other desk. Raises `JournalUnavailable`."""
        self._people.sign_out(username)
        self.fresh()

    def worked(self, username: str, since: datetime) -> None:
        """Keep that somebody works under the sign-in that began at `since`. Raises `JournalUnavailable`."""
        self._people.worked(username, since)
        self.fresh()

    def is_trainee(self, username: str) -> bool:
        """Whether this is an account of the sandbox, which stays as it is."""
        return username in self._trainees

    def came(self, username: str, address: str, at: Station | None = None) -> None:
        """Write down that a person signed in from an address, `at` a till. Raises `JournalUnavailable`."""
        self.note(AuditKind.SIGN_IN, self._by(username, address, at))

    def refused(self, name: str, address: str, at: Station | None = None) -> None:
        """Write down a wrong try; a name that is nobody's as a keyed hash alone. Raises `JournalUnavailable`."""
        by = self._by(name, address, at)
        # Of a known name too, so that none takes longer than another.
        hashed = self._audit.hashed(name) if self._audit else ""
        self.note(AuditKind.WRONG_TRY, by, unknown_name="" if by.username else hashed)

    def went(self, username: str, address: str, at: Station | None = None) -> None:
        """Write down that a person signed out. Raises `JournalUnavailable`."""
        self.note(AuditKind.SIGN_OUT, self._by(username, address, at))

    def denied(self, operator: Operator, permission: Permission) -> None:
        """Write down that a person asked for what they may not, where the journal takes it: refused they are anyway."""
        with suppress(JournalUnavailable):
            self.note(AuditKind.REFUSED, operator, may_not=permission.value)

    def note(self, kind: AuditKind, by: By | Operator, **details: str | int) -> None:
        """Write a row of the audit trail. Raises `JournalUnavailable`."""
        if self._audit is not None:
            self._audit.note(kind, by, **details)

    def _by(self, username: str, address: str, at: Station | None) -> By:
        known = self.last().operator(username)
        if known is None:
            at = at or Station("")
            return By(address=address, till=at.till_id, store=at.store_id)
        return By.operator(replace(known, address=address, at=at or known.at))

    def _accounts(self) -> Accounts:
        stored = self._people.accounts()
        return replace(stored, by_username={**self._trainees, **stored.by_username})
