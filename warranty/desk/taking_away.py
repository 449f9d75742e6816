"""What leaves the shop as a file, and how the audit trail tells of it and of settlements: never by a customer."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Self

from warranty.access import Operator, Permission
from warranty.claims.analysis import Selection
from warranty.client.resources import ClaimQuery
from warranty.desk.journal import Attempt, AttemptFilter, Settlement
from warranty.files.export.audit_file import audit_csv
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail
from warranty.people.audit.trail import Watched
from warranty.people.tills.tills import Tills


class TakenAway(Enum):
    """Each kind of file, as the audit trail calls it, and what one must be allowed to take it.

    What is printed for one customer is none.
    """

    CLAIMS_CSV = "claims csv", Permission.EXPORT_CLAIMS
    CLAIMS_XLSX = "claims xlsx", Permission.EXPORT_CLAIMS
    CLAIMS_MANIFEST = "claims manifest", Permission.EXPORT_CLAIMS
    CHART = "chart csv", Permission.EXPORT_CLAIMS
    ACTIVITY = "activity csv", Permission.EXPORT_ACTIVITY
    SHIFT_REPORT = "shift report pdf", Permission.SEE_SHIFT_REPORT
    SHIFT_CSV = "shift report csv", Permission.SEE_SHIFT_REPORT
    SERVICE_DRIFT = "service drift json", Permission.SEE_SERVICE_DRIFT
    IMPORT_RESULT = "import result csv", Permission.IMPORT_ORDERS
    AUDIT = "audit csv", Permission.SEE_AUDIT

    def __init__(self, words: str, permission: Permission) -> None:
        self.words = words
        self.permission = permission


def take_away(audit: AuditTrail, operator: Operator, what: TakenAway, *, count: int, subset: str = "") -> None:
    """Write down that a file of this many rows goes out, `subset` in words; no row, no file. As `acts` raises."""
    operator.acts(what.permission)
    audit.note(AuditKind.EXPORT, operator, what=what.words, count=count, filter=subset)


def note_look_up(audit: AuditTrail, operator: Operator, email: str) -> None:
    """Write down that a person looks up a customer's claims, before they are shown: whose, by a keyed hash."""
    operator.require(Permission.READ_CLAIMS)
    audit.note(AuditKind.LOOKED_UP, operator, customer=audit.subject(email))


def describe_filter(query: AttemptFilter) -> str:
    """The filter of the activity in words; of a text only that there is one: it may be a customer's."""
    outcomes = (f"outcome {state}" for state in sorted(query.states))
    return _described(query, query.operation, *outcomes, "a text" if query.text else "")


def describe_audit(query: AuditFilter) -> str:
    """The filter of the audit trail in words."""
    return _described(query, query.kind)


def _described(query: AttemptFilter | AuditFilter, kind: str | None, *more: str) -> str:
    parts = [
        f"from {query.start.isoformat()}" if query.start else "",
        f"until {query.end.isoformat()}" if query.end else "",
        f"person {query.username}" if query.username else "",
        f"kind {kind}" if kind else "",
        *more,
    ]
    return ", ".join(filter(None, parts)) or "all"


def describe_claims(query: ClaimQuery, selection: Selection) -> str:
    """Which claims, in words; of a customer and of words that were searched only that there were some."""
    parts = [
        _range("dated", query.claim_dates),
        _range("started", query.warranty_start_dates),
        "one customer" if query.customer_email else "",
        f"status {'; '.join(selection.statuses)}" if selection.statuses else "",
        f"product {'; '.join(selection.products)}" if selection.products else "",
        "a text" if selection.text.strip() else "",
        "open only" if selection.open_only else "",
        f"bar {selection.pick.parameter}" if selection.pick else "",
    ]
    return ", ".join(filter(None, parts)) or "all"


def _range(name: str, days: tuple[datetime, datetime] | None) -> str:
    return f"{name} {days[0]:%Y-%m-%d} to {days[1]:%Y-%m-%d}" if days else ""


def describe_settlement(attempt: Attempt, settlement: Settlement) -> Mapping[str, str]:
    """What the audit trail says of a settlement; its note stands in the record alone."""
    found = "not needed" if settlement.drops else "recorded" if settlement.recorded else "not recorded"
    what = {"attempt": attempt.attempt_id, "operation": attempt.operation, "order": attempt.order_id}
    return {**what, "of": attempt.username, "settled_as": found}


class AuditBook:
    """The audit trail of one environment as an administrator reads it; each method may raise `JournalUnavailable`."""

    def __init__(self, watched: Watched, tills: Tills) -> None:
        self.trail = watched.trail
        self.verify = watched.verify
        self._tills = tills

    def of(self, operator: Operator) -> Self:
        """The same book, for a person who may read it; raises `PermissionDenied` for others."""
        operator.require(Permission.SEE_AUDIT)
        return self

    def places(self) -> Mapping[str, str]:
        """What people call each store and each till, by its id."""
        stores = {store.store_id: store.name for store in self._tills.stores()}
        return stores | {till.till_id: till.name for till in self._tills.all().values()}

    def csv(self, query: AuditFilter) -> bytes:
        """The rows that are asked for, as a file whose going out is written down by `take_away`."""
        return audit_csv(self.trail.rows(query))
