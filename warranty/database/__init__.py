"""The database of all desks of a shop: its engine and transactions, the versions of its tables, leases, shared limits.

A subject's tables stand with the subject; `warranty/commands/housekeeping` has the list of them.
"""
