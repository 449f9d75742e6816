"""The audit trail as an administrator reads it."""

from collections.abc import Mapping
from typing import Self

from warranty.access import Operator, Permission
from warranty.files.export.audit_file import audit_csv
from warranty.people.audit import AuditFilter
from warranty.people.audit.trail import Watched
from warranty.people.tills.tills import Tills


class AuditBook:
    """That of one environment; each method may raise `JournalUnavailable`."""

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


def describe_audit(query: AuditFilter) -> str:
    """The filter in words."""
    parts = [
        f"from {query.start.isoformat()}" if query.start else "",
        f"until {query.end.isoformat()}" if query.end else "",
        f"person {query.username}" if query.username else "",
        f"kind {query.kind}" if query.kind else "",
    ]
    return ", ".join(filter(None, parts)) or "all"
