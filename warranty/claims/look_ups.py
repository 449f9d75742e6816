"""Who looked up one customer's claims: in the audit trail, by a keyed hash in the place of the customer."""

from warranty.access import Operator, Permission
from warranty.journal.audit import AuditKind, AuditTrail


class LookUps:
    """Those of a shop."""

    def __init__(self, audit: AuditTrail) -> None:
        self._audit = audit

    def note(self, operator: Operator, email: str) -> None:
        """Write down that a person looks up a customer's claims, before they are shown.

        Raises `PermissionDenied` and `JournalUnavailable`.
        """
        operator.require(Permission.READ_CLAIMS)
        self._audit.note(AuditKind.LOOKED_UP, operator, customer=self._audit.subject(email))
