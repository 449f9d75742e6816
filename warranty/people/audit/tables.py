"""The tables of the audit trail: rows that are only ever added, both ends, and the keys by which rows name people."""

from typing import Final

from sqlalchemy import Column, Index, Integer, Table, Text

from warranty.database.tables import METADATA, Instant, keys, never_changed, texts

AUDIT: Final = Table(
    "audit",
    METADATA,
    # Counted without gaps, each sealed over what it says and over the row before it (`chain`).
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("recorded_at", Instant, nullable=False),
    # The address as a keyed hash; till and store are empty where there are none; details are a JSON object as text.
    *texts("environment", "kind", "username", "role", "address", "till", "store", "details"),
    *texts("sealed_with", "before", "seal"),
    Index(None, "recorded_at"),
)
never_changed(AUDIT)

AUDIT_ENDS: Final = Table(
    "audit_ends",
    METADATA,
    # The newest row, and the last one that a purge removed; each sealed as well.
    Column("name", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    *texts("seal", "sealed_with", "mark"),
)

AUDIT_SUBJECTS: Final = Table(
    "audit_subjects",
    METADATA,
    # The secret by which rows name one person's e-mail or phone; erased with all else that is held about them.
    *keys("found_by"),
    *texts("secret"),
)
