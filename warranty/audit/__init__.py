"""Who did what, for somebody who asks years later: rows that are chained, so that none is changed unseen."""

from warranty.audit.chain import Break, Chain, Fault
from warranty.audit.entries import AuditFilter, AuditKind, AuditRow, By
from warranty.audit.trail import AuditTrail, Noting
