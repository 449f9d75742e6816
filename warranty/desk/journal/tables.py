"""The tables of the journal: attempts and outcomes are only ever added to; the rest is erased when settled.

Personal data lives in `unsettled.body`, in `drafts.content`, and in `source` and `body` of `batch_orders` alone. A row
of `unsettled` exists exactly as long as its attempt is on its way or unknown, so "what needs a person" is one small
join however long the journal is.
"""

from typing import Annotated, Any, Final

from pydantic import BeforeValidator
from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from warranty.access import FIRST_STORE
from warranty.database.tables import (
    METADATA,
    AsJson,
    Instant,
    goes_with_its_account,
    keys,
    never_changed,
    required,
    texts,
)
from warranty.desk.journal.entries import LOOKED_UP, ItemLine, Settlement
from warranty.errors import Failure


def _with_seen(settlement: dict[str, Any]) -> dict[str, Any]:
    """One that was written before settlements said whether the service showed it: a look-up's own note tells."""
    return {"seen": settlement["note"] == LOOKED_UP, **settlement}


def places() -> list[Column[str]]:
    """Where a row was made: the store, which is the first one for what is older than stores, and the till, if any."""
    return [*texts("store_id", default=FIRST_STORE), *texts("till_id", default="")]


ATTEMPTS: Final = Table(
    "attempts",
    METADATA,
    Column("attempt_id", Text, primary_key=True),
    *texts("environment", "draft_id"),
    Column("revision", Integer, nullable=False),
    *texts("operation", "username", "operator_name", "screen", "order_id"),
    *required(items=AsJson(tuple[ItemLine, ...]), search_text=Text, started_at=Instant, deadline=Instant),
    Column("acknowledged", AsJson(tuple[str, ...])),
    Column("customer_mark", Text),
    *places(),
    *texts("switched_by", "sold_by", "sold_by_name", default=""),  # switched by "pin" or "badge" at a till
    # The guard: however many clicks, tabs, processes and machines, one of them gets this row.
    UniqueConstraint("environment", "draft_id", "revision"),
    Index(None, "environment", "started_at"),
    # A hash where the database has one: an order id may be longer than a sorted index can take.
    Index(None, "order_id", postgresql_using="hash"),
    Index(None, "environment", "username", "started_at"),
)
never_changed(ATTEMPTS)

OUTCOMES: Final = Table(
    "outcomes",
    METADATA,
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
    # Numbered from 1 within the attempt; written under a lock on the attempt's row.
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(state=Text, recorded_at=Instant),
    Column("deadline", Instant),
    Column("landing_url", Text),
    Column("warrantable_products", Boolean),
    Column("already_known", Boolean),
    Column("returned_id", Text),
    Column("failure", AsJson(Failure)),
    Column("settlement", AsJson(Annotated[Settlement, BeforeValidator(_with_seen)])),
)
never_changed(OUTCOMES)

UNSETTLED: Final = Table(
    "unsettled",
    METADATA,
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
    Column("body", JSON(none_as_null=True)),
)

CAME_BACK: Final = Table(
    "came_back",
    METADATA,
    # Orders that waited and ended otherwise than their customers were told, until a person has seen to it.
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
)

DRAFTS: Final = Table(
    "drafts",
    METADATA,
    *keys("environment", "username", "screen"),
    Column("draft_id", Text, primary_key=True, index=True),
    *required(content=JSON, updated_at=Instant),
    *places(),
)
goes_with_its_account(DRAFTS)

ORDER_BATCHES: Final = Table(
    "order_batches",
    METADATA,
    Column("batch_id", Text, primary_key=True),
    *texts("environment", "username", "file_name", "state", "note"),
    *required(layout=JSON, choices=JSON, created_at=Instant),
    *places(),
    Index(None, "environment", "username", "created_at"),
)

BATCH_ORDERS: Final = Table(
    "batch_orders",
    METADATA,
    Column("batch_id", ForeignKey("order_batches.batch_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(name=Text, first_row=Integer, order_id=Text, state=Text),
    *(Column(name, JSON(none_as_null=True)) for name in ("source", "body", "result")),
    Index(None, "batch_id", "state", "number"),
)

LINKS_SHOWN: Final = Table(
    "links_shown",
    METADATA,
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
    Column("username", Text, primary_key=True),
    *required(operator_name=Text, shown_at=Instant),
    Column("declined_at", Instant),  # when this person noted that the customer declined the plan
    Index(None, "shown_at"),
)
