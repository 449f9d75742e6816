"""The audit trail as an administrator reads it."""

from collections.abc import Callable, Mapping
from datetime import datetime

from warranty.access import Operator, Permission
from warranty.files.export.audit_file import audit_csv
from warranty.people.audit import AuditFilter, AuditRow, Chain
from warranty.people.audit.seen import Watched
from warranty.people.tills.tills import Tills


class AuditBook:
    """That of one environment; each method raises `PermissionDenied` and `JournalUnavailable`."""

    def __init__(self, audit: Watched, tills: Tills, now: Callable[[], datetime]) -> None:
        self._watched = audit
        self._audit = audit.trail
        self._tills = tills
        self.now = now

    def places(self, operator: Operator) -> Mapping[str, str]:
        """What people call each store and each till, by its id."""
        operator.require(Permission.SEE_AUDIT)
        stores = {store.store_id: store.name for store in self._tills.stores()}
        return stores | {till.till_id: till.name for till in self._tills.all().values()}

    def rows(self, operator: Operator, asked: AuditFilter) -> list[AuditRow]:
        """The rows that are asked for, newest first."""
        operator.require(Permission.SEE_AUDIT)
        return self._audit.rows(asked)

    def count(self, operator: Operator, asked: AuditFilter) -> int:
        """How many there are, whatever the filter's limit."""
        operator.require(Permission.SEE_AUDIT)
        return self._audit.count(asked)

    def people(self, operator: Operator) -> list[str]:
        """The login names that stand in rows."""
        operator.require(Permission.SEE_AUDIT)
        return self._audit.people()

    def verify(self, operator: Operator) -> Chain:
        """Whether any row was changed, removed, put in or taken back since it was seen."""
        operator.require(Permission.SEE_AUDIT)
        return self._watched.verify()

    def csv(self, operator: Operator, asked: AuditFilter) -> bytes:
        """The rows that are asked for, as a file whose going out is written down by `take_away`."""
        return audit_csv(self.rows(operator, asked))


def told_audit(asked: AuditFilter) -> str:
    """The filter in words."""
    said = [
        f"from {asked.start.isoformat()}" if asked.start else "",
        f"until {asked.end.isoformat()}" if asked.end else "",
        f"person {asked.username}" if asked.username else "",
        f"kind {asked.kind}" if asked.kind else "",
    ]
    return ", ".join(filter(None, said)) or "all"
