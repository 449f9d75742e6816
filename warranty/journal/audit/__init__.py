"""Who did what, for somebody who asks years later: rows that are chained, so that none is changed unseen."""

from warranty.journal.audit.chain import Break, Chain, Fault
from warranty.journal.audit.entries import AuditFilter, AuditKind, AuditRow, By
from warranty.journal.audit.trail import AuditTrail, Noting
