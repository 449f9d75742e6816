"""The tables of what the desks of a shop share beside the record: pace, tries, accounts, files, screens, what was seen.

Each row is written by whichever desk comes first; nothing here is one desk's alone. The leases stand with the record.
"""

from typing import Final

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKey, Integer, LargeBinary, Table, Text, false

from warranty.journal.tables import METADATA, Instant, keys, texts

__all__ = ["METADATA"]

PACES: Final = Table(
    "paces",
    METADATA,
    # When the next call of this name may start, whichever desk makes it.
    Column("name", Text, primary_key=True),
    Column("next_start", Instant, nullable=False),
)

RETRY_BUDGETS: Final = Table(
    "retry_budgets",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("tokens", Float, nullable=False),
    Column("changed_at", Instant, nullable=False),
)

SIGN_IN_TRIES: Final = Table(
    "sign_in_tries",
    METADATA,
    Column("key", Text, primary_key=True),  # a login name or an address, as a keyed hash
    Column("failures", Integer, nullable=False),
    Column("blocked_until", Instant, nullable=False),
)

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("username", Text, primary_key=True),
    *texts("name", "role", "password_hash"),
    Column("changed_at", Instant, nullable=False),  # what was signed in before counts no more
    Column("home_store", Text, nullable=False, server_default=""),  # the id of a store; empty for none
    Column("locked", Boolean, nullable=False, server_default=false()),
    Column(
        "one_time_until", Instant
    ),  # the password has to be changed first, and opens nothing after this moment
)

SHOP_FILES: Final = Table(
    "shop_files",
    METADATA,
    Column("name", Text, primary_key=True),  # what it is to the desk: catalogue, price list
    Column("content", LargeBinary, nullable=False),
    *texts("file_name", "username"),
    Column("changed_at", Instant, nullable=False),
)

CUSTOMER_SCREENS: Final = Table(
    "customer_screens",
    METADATA,
    # A second screen that customers see: the hash of what its browser keeps, the code that it shows until a person has
    # connected it, and what it shows then. Never a customer's name, e-mail, phone or address.
    Column("device", Text, primary_key=True),
    *texts(
        "environment", "address", "username"
    ),  # the address as a keyed hash; nobody's name until it is connected
    Column("code", Text, unique=True),
    Column("changed_at", Instant, nullable=False),  # when the code was made, or the screen connected
    Column("shown", JSON),
    Column("shown_at", Instant),
)

DRIFT: Final = Table(
    "drift",
    METADATA,
    # What an answer showed that the interface's document does not: never a value of a customer.
    *keys("environment", "operation", "kind", "what"),
    Column("first_seen", Instant, nullable=False),
    Column("last_seen", Instant, nullable=False),
    Column("times", Integer, nullable=False),
)

CAME_BACK: Final = Table(
    "came_back",
    METADATA,
    # Orders that waited and ended otherwise than their customers were told, until a person has seen to it.
    Column("attempt_id", ForeignKey("attempts.attempt_id"), primary_key=True),
)

CALLS_MADE: Final = Table(
    "calls_made",
    METADATA,
    # Tries of calls by day, ending and the bucket of their duration, added up over all desks; of refusals also by
    # what the service said, without what was sent to it.
    Column("environment", Text, primary_key=True),
    Column("day", Text, primary_key=True),  # YYYY-MM-DD, UTC
    *keys("operation", "outcome", "sentence"),
    Column("up_to_milliseconds", Integer, primary_key=True),
    Column("calls", Integer, nullable=False),
)
