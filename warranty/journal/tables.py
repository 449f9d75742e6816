"""The tables of the journal: attempts and outcomes are only ever added to; the rest is erased when settled.

Personal data lives in `unsettled.body` and `drafts.content` alone. A row of `unsettled` exists exactly as long
as its attempt is on its way or unknown, so "what needs a person" is one small join however long the journal is.
"""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class Instant(TypeDecorator[datetime]):
    """An aware moment, kept in UTC: a timestamp with zone where the database has one, else UTC without."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment in UTC; raises `ValueError` for one without a zone, which could be any moment."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a zone")
        in_utc = value.astimezone(UTC)
        return in_utc.replace(tzinfo=None) if dialect.name == "sqlite" else in_utc

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Give the aware moment in UTC."""
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ATTEMPTS: Final = Table(
    "attempts",
    METADATA,
    Column("attempt_id", Text, primary_key=True),
    Column("environment", Text, nullable=False),
    Column("draft_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("operation", Text, nullable=False),
    Column("username", Text, nullable=False),
    Column("operator_name", Text, nullable=False),
    Column("screen", Text, nullable=False),
    Column("order_id", Text, nullable=False),
    Column("items", JSON, nullable=False),
    Column("search_text", Text, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("deadline", Instant, nullable=False),
    Column("acknowledged", JSON(none_as_null=True)),
    Column("customer_mark", Text),
    # The guard: however many clicks, tabs, processes and machines, one of them gets this row.
    UniqueConstraint("environment", "draft_id", "revision"),
    Index(None, "environment", "started_at"),
    # A hash where the database has one: an order id may be longer than a sorted index can take.
    Index(None, "order_id", postgresql_using="hash"),
    Index(None, "environment", "username", "started_at"),
)

OUTCOMES: Final = Table(
    "outcomes",
    METADATA,
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
    # Numbered from 1 within the attempt; written under a lock on the attempt's row.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    Column("deadline", Instant),
    Column("landing_url", Text),
    Column("warrantable_products", Boolean),
    Column("already_known", Boolean),
    Column("returned_id", Text),
    Column("failure", JSON(none_as_null=True)),
    Column("settlement", JSON(none_as_null=True)),
)

UNSETTLED: Final = Table(
    "unsettled",
    METADATA,
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
    Column("body", JSON(none_as_null=True)),
)

DRAFTS: Final = Table(
    "drafts",
    METADATA,
    Column("environment", Text, primary_key=True),
    Column("username", Text, primary_key=True),
    Column("screen", Text, primary_key=True),
    Column("draft_id", Text, primary_key=True, index=True),
    Column("content", JSON, nullable=False),
    Column("updated_at", Instant, nullable=False),
)

PREFERENCES: Final = Table(
    "preferences",
    METADATA,
    Column("username", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", JSON, nullable=False),
)
