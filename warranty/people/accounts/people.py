"""Who may sign in, the key of their cookies, and when each signed out: one truth for all desks of a journal."""

import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import yaml
from sqlalchemy import Connection, case, delete, literal, or_, select, update

from warranty import COMMAND
from warranty.access import FIRST_STORE, Operator, Permission, Role, Station
from warranty.database.database import Database, Repository, insert_unless_there, now, upsert
from warranty.database.preferences import Preference
from warranty.database.recent import Recent
from warranty.database.tables import METADATA, PREFERENCES, Instant
from warranty.errors import DeskError, JournalUnavailable, SettingsProblem
from warranty.language import N_, Sentence
from warranty.people.accounts.tables import ACCOUNTS, COOKIE_KEY, SIGN_INS
from warranty.people.audit import AuditKind, AuditTrail, By

_SIGNED_OUT: Final = "signed-out-at"
_ENDING: Final = frozenset({"role", "password_hash", "locked"})
_OVER: Final = timedelta(days=1)
"""After so much quiet no sign-in holds, whatever the settings."""
_HASH_PREFIXES = ("$2a$", "$2b$", "$2y$")


class Refusal(StrEnum):
    """One reason, in the sentence that says it; a screen says it with `_`."""

    BAD_NAME = N_("A login name has 1 to 60 letters, digits, dots, dashes and underscores only.")
    TAKEN = N_("Somebody has this login name already. Choose another one.")
    UNKNOWN = N_("This account no longer exists.")
    YOURSELF = N_("This is your own account. Another administrator has to do that.")
    LAST = N_("This is the last administrator who can sign in. Make another one first.")
    TRAINING = N_("This is a training account, which stays as it is.")
    SHORT = N_("A password has at least 10 characters.")
    LONG = N_("A password has at most 72 bytes.")
    SPACES = N_("A password does not begin or end with a space.")
    COMMON = N_("This password is too easy to guess: it is common, or made of a name. Choose another one.")
    SAME = N_("This is the password that you have. Choose another one.")
    WRONG = N_("This is not your password.")
    TOO_MANY = N_("Too many wrong tries. Try again in a few minutes.")
    CHANGED = N_("This account was changed by somebody else just now. Look at it again.")
    CODE = N_("This code is not right, or was used before. Wait for the next one and type that.")
    NO_SECOND_FACTOR = N_("This person has not set up an app for codes.")
    PROVIDED = N_("This person signs in by the shop's identity provider: password and role are looked after there.")


class AccountRefused(DeskError, ValueError):
    """Nothing was changed, for this reason."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(Sentence(reason))
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Account:
    """One person who may sign in; the hash never shows in a repr.

    `changed_at` (aware UTC) is when role, password or lock were last written; None where that is nowhere kept. A
    password with a `one_time_until` (aware UTC) has to be changed first, and opens nothing after that moment. Whom an
    identity provider vouches for is known by its `issuer` and `subject`; `proven_at` is its last proof that was taken.
    """

    username: str
    name: str
    role: Role
    password_hash: str = field(repr=False)
    changed_at: datetime | None = field(default=None, compare=False)
    home_store: str = ""
    locked: bool = False
    one_time_until: datetime | None = None
    issuer: str = ""
    subject: str = ""
    proven_at: datetime | None = field(default=None, compare=False)

    @property
    def operator(self) -> Operator:
        """The person without the hash."""
        return Operator(
            username=self.username,
            name=self.name,
            role=self.role,
            must_change_password=self.one_time_until is not None,
            by_provider=bool(self.issuer),
            at=Station(self.home_store or FIRST_STORE),
        )


@dataclass(frozen=True, slots=True)
class Accounts:
    """All people who may sign in, by login name in lower case, and the key that signs their cookies.

    `signed_out` has each person's last sign-out (aware UTC), `worked` when somebody last worked under a sign-in, by the
    person and the moment at which it began; `whole` are those sign-ins whose second factor was given. All of these
    moments are of the database's clock, which this computer's was `behind` so far as they were read.
    """

    by_username: Mapping[str, Account]
    cookie_key: str = field(repr=False)
    signed_out: Mapping[str, datetime] = field(default_factory=dict)
    worked: Mapping[tuple[str, datetime], datetime] = field(default_factory=dict)
    whole: frozenset[tuple[str, datetime]] = frozenset()
    behind: timedelta = field(default=timedelta(0), compare=False)

    def now(self) -> datetime:
        """This moment by the database's clock (aware UTC), without asking it."""
        return datetime.now(UTC) + self.behind

    def operator(self, username: str) -> Operator | None:
        """The person of this login name; None when there is none, and for a locked one."""
        account = self.by_username.get(username.lower())
        return account.operator if account and not account.locked else None

    def of_store(self, store_id: str) -> dict[str, str]:
        """The names of who works in a store, or in any, by login name."""
        here = {"", store_id}
        those = [one for one in self.by_username.values() if not one.locked and one.home_store in here]
        return {one.username: one.name for one in sorted(those, key=lambda one: one.name.casefold())}

    def left(self, username: str, since: datetime) -> bool:
        """Whether a sign-in of this moment has ended: signed out anywhere, or the account was written anew since."""
        account = self.by_username.get(username.lower())
        ends = self.signed_out.get(username), account.changed_at if account else None
        return any(end is not None and since <= end for end in ends)

    def worked_at(self, username: str, since: datetime) -> datetime:
        """When somebody last worked under the sign-in that began at this moment (aware UTC)."""
        return self.worked.get((username, since), since)


class People(Repository):
    """The accounts of a journal, for all its environments."""

    def accounts(self) -> Accounts:
        """Everything about signing in, as it stands now; makes the key of the cookies where there is none yet."""
        with self._database.read() as connection:
            found = _accounts(connection)
        if not found.cookie_key:
            with self._database.write() as connection:
                insert_unless_there(connection, PREFERENCES, {**COOKIE_KEY, "value": secrets.token_hex(32)})
                found = _accounts(connection)
        return found

    def put(self, account: Account) -> None:
        """Add an account or replace the one of the same login name."""
        with self._database.write() as connection:
            row = _row_of(connection, account)
            upsert(connection, ACCOUNTS, key={"username": row.pop("username")}, values=row)

    def change(self, before: Account, **values: object) -> bool:
        """Give an account other values, if it still is as it was `before`; gives whether it was.

        With another role, password or lock, who is signed in with it is so no more. Raises `AccountRefused`.
        """
        same = {name: getattr(before, name) for name in ("role", "password_hash", "locked")}
        changed = update(ACCOUNTS).filter_by(username=before.username, **same)
        stays = values.get("role", before.role) == Role.ADMINISTRATOR and not values.get("locked", before.locked)
        with self._database.write() as connection:
            if not stays:
                _keep_one(connection, before.username)
            ends = {"changed_at": now(connection)} if values.keys() & _ENDING else {}
            return connection.execute(changed.values(**values, **ends)).rowcount > 0

    def add(self, account: Account) -> bool:
        """Add an account, unless one of its login name is there; gives whether there was none."""
        with self._database.write() as connection:
            return insert_unless_there(connection, ACCOUNTS, _row_of(connection, account))

    def take_proof(self, account: Account) -> bool:
        """Keep a person as the provider's proof of this moment shows them; False where the proof was taken before, or
        the account is locked or somebody else's.

        With another role, who is signed in with it is so no more, also where nobody else administers.
        """
        theirs = {"username": account.username, "issuer": account.issuer, "subject": account.subject}
        shown = {"name": account.name, "role": account.role, "home_store": account.home_store}
        is_newer = or_(ACCOUNTS.c.proven_at.is_(None), ACCOUNTS.c.proven_at < account.proven_at)
        changed = update(ACCOUNTS).filter_by(**theirs, locked=False).where(is_newer)
        with self._database.write() as connection:
            if insert_unless_there(connection, ACCOUNTS, _row_of(connection, account)):
                return True
            moment = literal(now(connection), Instant)
            ends = case((ACCOUNTS.c.role != account.role, moment), else_=ACCOUNTS.c.changed_at)
            changed = changed.values(**shown, proven_at=account.proven_at, changed_at=ends)
            return connection.execute(changed).rowcount > 0

    def remove(self, username: str) -> bool:
        """Remove an account, and what lies under its name but what was sent: who gets that later is another person.

        Drafts and imports that were not sent hold customers' data. False when there was none. Raises
        `AccountRefused`.
        """
        with self._database.write(erases=True) as connection:
            _keep_one(connection, username.lower())
            for table in METADATA.tables.values():
                if on_removal := table.info.get("on_removal"):
                    on_removal(connection, username.lower())
            return connection.execute(delete(ACCOUNTS).filter_by(username=username.lower())).rowcount > 0

    def take_over(self, accounts: Iterable[Account], *, cookie_key: str) -> int:
        """Add those who are not there yet, and give how many; where nobody was, their cookies stay good, too."""
        with self._database.write() as connection:
            if connection.execute(select(ACCOUNTS.c.username).limit(1)).first() is None:
                upsert(connection, PREFERENCES, key=COOKIE_KEY, values={"value": cookie_key})
            return sum(insert_unless_there(connection, ACCOUNTS, _row_of(connection, account)) for account in accounts)

    def renew_key(self) -> None:
        """Sign cookies with another key from now on: everybody is signed out, and no cookie of before is good."""
        Preference(self._database, **COOKIE_KEY).save(secrets.token_hex(32))

    def sign_out(self, username: str) -> None:
        """Store that a person signed out: what they signed in to before is over."""
        key = {"username": username, "name": _SIGNED_OUT}
        with self._database.write() as connection:
            upsert(connection, PREFERENCES, key=key, values={"value": now(connection).isoformat()})

    def worked(self, username: str, since: datetime) -> None:
        """Store that somebody works under the sign-in that began at `since` (aware)."""
        with self._database.write() as connection:
            moment = now(connection)
            upsert(connection, SIGN_INS, key={"username": username, "began_at": since}, values={"worked_at": moment})
            connection.execute(delete(SIGN_INS).where(SIGN_INS.c.worked_at < moment - _OVER))


def _row_of(connection: Connection, account: Account) -> dict[str, Any]:
    return {name: getattr(account, name) for name in Account.__slots__} | {"changed_at": now(connection)}


def _keep_one(connection: Connection, username: str) -> None:
    """Raise `AccountRefused` if nobody else could administer accounts without this one; holds them till then."""
    able = select(ACCOUNTS.c.username).filter_by(role=Role.ADMINISTRATOR, locked=False)
    others = connection.execute(able.order_by(ACCOUNTS.c.username).with_for_update()).scalars().all()
    if list(others) == [username]:
        raise AccountRefused(Refusal.LAST)


def _accounts(connection: Connection) -> Accounts:
    # Whom a newer version of the program gave a role that this one does not know, it lets in nowhere.
    known = select(ACCOUNTS).where(ACCOUNTS.c.role.in_(list(Role))).order_by(ACCOUNTS.c.username)
    people = [Account(**{**row, "role": Role(row["role"])}) for row in connection.execute(known).mappings()]
    named = PREFERENCES.c.name.in_([_SIGNED_OUT, COOKIE_KEY["name"]])
    rows = connection.execute(select(PREFERENCES).where(named)).all()
    begun = connection.execute(select(SIGN_INS)).all()
    return Accounts(
        by_username={each.username: each for each in people},
        cookie_key=next((row.value for row in rows if row.name == COOKIE_KEY["name"] and not row.username), ""),
        signed_out={row.username: datetime.fromisoformat(row.value) for row in rows if row.name == _SIGNED_OUT},
        worked={(row.username, row.began_at): row.worked_at for row in begun},
        whole=frozenset((row.username, row.began_at) for row in begun if row.second_factor_at),
        behind=now(connection) - datetime.now(UTC),
    )


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


def accounts_of_file(path: Path) -> Accounts:
    """The accounts of a file of earlier versions, which `accounts import` takes over; no file is no accounts.

    As streamlit-authenticator reads it:

    cookie: {key: <64 hex digits>}
    credentials:
      usernames:
        ada: {name: Ada Byron, password: $2b$12$..., roles: [manager]}

    Raises `SettingsProblem` that names what is wrong.
    """
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
        needs = "needs a password hash and a role (staff or manager)"
        raise SettingsProblem(f"The account {username} in {path} {needs}.") from None
    if not password_hash.startswith(_HASH_PREFIXES):
        raise SettingsProblem(
            f"The password of {username} in {path} is not a bcrypt hash. Take the entry out of the file, and "
            f"add the person with `{COMMAND} accounts add {username} --role {role}`."
        )
    name = str(entry.get("name") or username)
    return Account(username=username, name=name, role=role, password_hash=password_hash)
