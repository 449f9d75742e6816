"""Who did what, for somebody who asks years later: rows that are chained, so that none is changed unseen."""

from warranty.people.audit.chain import Break, Chain, Fault
from warranty.people.audit.entries import AuditFilter, AuditKind, AuditRow, By
from warranty.people.audit.trail import AuditTrail, Noting
