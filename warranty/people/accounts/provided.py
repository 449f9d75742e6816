"""Who comes from the shop's identity provider: what it proved of a person, kept as an account without a password.

A proof is what the platform read from a token whose signature, issuer, audience, nonce and times it had verified. It is
a proof and no sign-in: good once, at all desks, and for minutes. What holds afterwards is our own cookie, with our
limits (docs/decisions/sign-in.md).
"""

import logging
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NoReturn, Self

from warranty.access import Role
from warranty.database.database import Database
from warranty.people.accounts.passwords import LONGEST_NAME, LONGEST_USERNAME, NO_PASSWORD
from warranty.people.accounts.people import Account, Accounts, KnownAccounts, People
from warranty.people.audit import AuditKind, By

GOOD_FOR: Final = timedelta(minutes=10)
"""How old a proof may be, and how far the provider's clock may be from ours."""
_log: Final = logging.getLogger("warranty.provider")
_NAMED_BY: Final = ("preferred_username", "email", "sub")


class WhyNot(StrEnum):
    """Why the provider's word lets somebody not in."""

    NO_GROUP = "no group"
    TAKEN = "login name taken"
    LOCKED = "locked"


class NotLetIn(Exception):
    """Somebody who proved who they are may not come in; the log and the audit trail have the same reference."""

    def __init__(self, why: WhyNot, reference: str, username: str) -> None:
        super().__init__(f"{why} ({reference})")
        self.why = why
        self.reference = reference
        self.username = username


@dataclass(frozen=True, slots=True)
class _Proof:
    """What a token says: `issuer` and `subject` are who it is, all else may change."""

    issuer: str
    subject: str
    at: datetime
    username: str
    name: str
    groups: frozenset[str]

    @classmethod
    def read(cls, claims: Mapping[str, object], groups_claim: str) -> Self | None:
        """The proof in these claims; None where they hold none."""
        issuer, subject, at = (claims.get(name) for name in ("iss", "sub", "iat"))
        if not (isinstance(issuer, str) and issuer and isinstance(subject, str) and subject):
            return None
        if isinstance(at, bool) or not isinstance(at, (int, float)):
            return None
        named = claims.get(groups_claim)
        groups = [named] if isinstance(named, str) else named if isinstance(named, (list, tuple)) else []
        username = next(filter(None, (_login_name(claims.get(name)) for name in _NAMED_BY)), "")
        name = str(claims.get("name") or "").strip()[:LONGEST_NAME] or username
        moment = datetime.fromtimestamp(at, UTC)
        return cls(issuer, subject, moment, username, name, frozenset(map(str, groups)))


@dataclass(frozen=True, slots=True)
class ProvidedAccounts:
    """The people of a shop's identity provider; every method may raise `JournalUnavailable`.

    `roles` and `stores` are what the provider's groups give here; of several the first that fits.
    """

    _database: Database
    _known: KnownAccounts
    roles: Sequence[tuple[str, Role]]
    stores: Sequence[tuple[str, str]] = ()
    groups_claim: str = "groups"

    def enter(self, claims: Mapping[str, object], by: By) -> str | None:
        """The login name of whom these claims prove, whose account then stands as the provider has it; `by` says from
        where. None where they prove nobody, or not any more. Raises `NotLetIn`.
        """
        proof = _Proof.read(claims, self.groups_claim)
        if proof is None or abs(self._database.clock() - proof.at) > GOOD_FOR:
            return None
        accounts = self._known.fresh()
        there = _known_as(proof, accounts)
        if there is not None and there.proven_at is not None and proof.at <= there.proven_at:
            return None
        role = next((role for group, role in self.roles if group in proof.groups), None)
        if role is None:
            if there is not None:  # what is open elsewhere ends, too
                self._known.sign_out(there.username)
            self._refuse(WhyNot.NO_GROUP, proof, there, by)
        if there is not None and there.locked:
            self._refuse(WhyNot.LOCKED, proof, there, by)
        if there is None and (not proof.username or proof.username in accounts.by_username):
            self._refuse(WhyNot.TAKEN, proof, there, by)
        username, home = (there.username, there.home_store) if there else (proof.username, "")
        home = next((store for group, store in self.stores if group in proof.groups), home)
        proven: dict[str, Any] = {"issuer": proof.issuer, "subject": proof.subject, "proven_at": proof.at}
        account = Account(username, proof.name, role, NO_PASSWORD, home_store=home, **proven)
        if not People(self._database).take_proof(account):
            return None
        self._known.fresh()
        self._note(there, account, by)
        return account.username

    def _note(self, before: Account | None, now: Account, by: By) -> None:
        store = by.store or now.operator.at.store_id
        by = replace(by, username=now.username, role=now.role.value, store=store)
        if before is None:
            self._known.note(AuditKind.ACCOUNT, by, what="added by the provider", account=now.username, role=now.role)
        elif before.role is not now.role:
            roles = {"role": now.role, "former_role": before.role}
            self._known.note(AuditKind.ACCOUNT, by, what="role by the provider", account=now.username, **roles)
        self._known.note(AuditKind.SIGN_IN, by, how="provider")

    def _refuse(self, why: WhyNot, proof: _Proof, there: Account | None, by: By) -> NoReturn:
        reference = secrets.token_hex(4)
        if there is not None:
            by = replace(by, username=there.username, role=there.role.value)
        self._known.note(AuditKind.WRONG_TRY, by, how="provider", why=why, reference=reference)
        _log.warning("a sign-in by the provider was refused: %s (%s)", why, reference)
        raise NotLetIn(why, reference, proof.username)


def _known_as(proof: _Proof, accounts: Accounts) -> Account | None:
    who = proof.issuer, proof.subject
    return next((one for one in accounts.by_username.values() if (one.issuer, one.subject) == who), None)


def _login_name(claim: object) -> str:
    """What can be a login name of ours: the part before an @, in lower case, with nothing but what one may hold."""
    words = claim.partition("@")[0].strip().lower() if isinstance(claim, str) else ""
    return re.sub(r"[^\w.-]+", "-", words).strip("-._")[:LONGEST_USERNAME]
